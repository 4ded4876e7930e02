import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { argocdHealthText, argocdText } from '../../features/delivery/argocd.ts';
import { fluxText } from '../../features/delivery/flux.ts';
import type { Pools } from '../../model/pools.ts';
import { readPoolFile } from '../../workspace/declared.ts';
import { openForReading } from '../../world/disk/disk-tree.ts';
import { openRepository } from '../../world/git/git-repository.ts';
import type { CommandLine, CommonOptions } from '../command-line.ts';
import { UsageError } from '../failure.ts';
import {
  assertArtifact,
  assertRepository,
  branchValue,
  clusterServers,
  labelValue,
  projectValue,
  revisionValue,
  sourceValue,
  tagValue,
} from '../gitops-values.ts';
import { declaredCluster } from '../live-options.ts';
import { refsValue } from '../option-values.ts';
import { reportTreeProblems } from '../tree-problems.ts';
import { exit, type World } from '../world.ts';

/** `leasehold gitops`: the objects that let an engine apply `dist/`. */
export function addGitopsCommand({ world, command, take }: CommandLine): void {
  const gitops = command('gitops', 'print the objects that let Argo CD or Flux apply dist/');
  const subcommand = (name: string, description: string): Command =>
    gitops.command(name).description(description).allowExcessArguments(false);
  subcommand('argocd', 'an AppProject that allows what leasehold writes, and Applications')
    .requiredOption('--repo <url>', 'the git repository, without credentials')
    .option('--revision <ref>', 'the branch or tag to apply', revisionValue, 'refs/heads/main')
    .option('--namespace <name>', 'the namespace that Argo CD runs in', labelValue, 'argocd')
    .option('--project <name>', 'the AppProject; begins the names of all', projectValue, 'leases')
    .option('--cluster <name>', 'only this cluster of leases/pools.yaml; all when left out')
    .option(
      '--server <name=url>',
      "a cluster's API server, as Argo CD knows it; may be repeated. Argo CD's own when left out",
      refsValue,
      [],
    )
    .action((_, self) => take(runArgoCD(world, self.optsWithGlobals())));
  subcommand(
    'argocd-cm',
    "a patch of Argo CD's settings: healthy is what has the right address",
  ).action(() => take(printedHealth(world)));
  subcommand('flux', 'a source and a Kustomization, for the cluster that Flux runs in')
    .option('--repo <url>', 'the git repository, without credentials')
    .addOption(
      new Option('--oci <url>', 'instead: an artifact made of dist/, oci://HOST/PATH').conflicts([
        'repo',
        'branch',
      ]),
    )
    .option('--branch <name>', 'the branch to apply', branchValue, 'main')
    .addOption(
      new Option('--tag <name>', 'with --oci: the tag to apply')
        .argParser(tagValue)
        .default('latest')
        .conflicts('repo'),
    )
    .option('--namespace <name>', 'the namespace of the objects', labelValue, 'flux-system')
    .option('--name <name>', 'the name of the objects', labelValue, 'leases')
    .option('--secret <name>', 'the Secret with what opens the repository or registry', labelValue)
    .option('--cluster <name>', 'the cluster of leases/pools.yaml; needed when there are several')
    .option('--wait-for-addresses', 'be ready only once every Service has its addresses', false)
    .action((_, self) => take(runFlux(world, self.optsWithGlobals())));
}

interface GitopsOptions extends CommonOptions {
  readonly repo: string;
  readonly namespace: string;
  readonly cluster?: string;
}

/** `leasehold gitops argocd`. */
async function runArgoCD(
  world: World,
  options: GitopsOptions & {
    readonly revision: string;
    readonly project: string;
    readonly server: readonly string[];
  },
): Promise<number> {
  assertRepository(options.repo, true);
  return printed(world, options, (pools, folder) => {
    const { repo, revision, namespace, project, cluster, server } = options;
    const clusters = clusterServers(
      cluster === undefined ? pools.clusters : [declaredCluster(pools, cluster)],
      server,
    );
    return argocdText({ repo, revision, folder, namespace, project, clusters });
  });
}

/** `leasehold gitops argocd-cm`: the same whatever is declared. */
function printedHealth(world: World): number {
  world.out(argocdHealthText());
  return exit.fine;
}

/** `leasehold gitops flux`. */
async function runFlux(
  world: World,
  options: Omit<GitopsOptions, 'repo'> & {
    readonly repo?: string;
    readonly oci?: string;
    readonly branch: string;
    readonly tag: string;
    readonly name: string;
    readonly secret?: string;
    readonly waitForAddresses: boolean;
  },
): Promise<number> {
  if (options.repo !== undefined) assertRepository(options.repo, false);
  if (options.oci !== undefined) assertArtifact(options.oci);
  return printed(world, options, (pools, folder) => {
    const { namespace, name, secret, waitForAddresses } = options;
    const source = sourceValue(options, folder);
    if (options.cluster === undefined && pools.clusters.length > 1) {
      throw new UsageError(
        'there is more than one cluster, and Flux applies in the one it runs in: say with --cluster which that is',
      );
    }
    const { name: cluster, shards, metallb } = declaredCluster(pools, options.cluster);
    const objects = { source, namespace, name, secret, waitForAddresses };
    return fluxText({ ...objects, cluster, shards, metallb });
  });
}

/** Prints what is made of the pool file and of the place of `leases/` in its repository. */
async function printed(
  world: World,
  options: CommonOptions,
  textOf: (pools: Pools, folder: string) => string,
): Promise<number> {
  const root = resolve(world.cwd, options.directory);
  const pools = readPoolFile(openForReading(root));
  if (!pools.ok) return reportTreeProblems(world, root, pools.problems);
  world.out(textOf(pools.value, await openRepository(root).folder()));
  return exit.fine;
}
