import { type Command, Option } from 'commander';
import type { Cluster, Pools } from '../model/pools.ts';
import type { CommonOptions } from './command-line.ts';
import { UsageError } from './failure.ts';

/** The options of every command that asks a live cluster. */
export function liveCommand(command: Command): Command {
  return command
    .option('--cluster <name>', 'the cluster of leases/pools.yaml; the default one when left out')
    .option('--context <name>', 'the context of the kubeconfig; the current one when left out')
    .option('--kubeconfig <file>', 'the kubeconfig; KUBECONFIG or ~/.kube/config when left out')
    .addOption(new Option('-o, --output <format>').choices(['table', 'json']).default('table'));
}

/** Options of the commands that ask a live cluster. */
export interface LiveOptions extends CommonOptions {
  /** The declared cluster; undefined is the default one. */
  readonly cluster: string | undefined;
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly output: string;
}

/** The cluster of leases/pools.yaml that `--cluster` names, or the default one. */
export function declaredCluster(
  { clusters, defaultCluster }: Pools,
  name: string = defaultCluster,
): Cluster {
  const cluster = clusters.find((candidate) => candidate.name === name);
  if (cluster) return cluster;
  const names = clusters.map((candidate) => candidate.name).join(', ');
  throw new UsageError(`leases/pools.yaml declares no cluster ${name}; it declares ${names}`);
}
