import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CliContext } from '../../../../core/cli/cli-context.ts';
import { UsageError } from '../../../../core/cli/failure.ts';
import type { SourceTree } from '../../../../core/interfaces/tree.ts';
import type { History } from '../../../../core/interfaces/work-tree.ts';
import { type Outcome, ok } from '../../../../core/model/problem.ts';
import { poolsPath } from '../../../../core/model/repository-paths.ts';
import { readPoolFile } from '../../../../core/tree/declared.ts';
import type {
  AdoptedCluster,
  AdoptionTerms,
  FoundCluster,
  ReadCluster,
} from '../../../../lib/kubernetes/adoption.ts';
import { connectionOf } from '../../../../lib/kubernetes/cli/connection-options.ts';
import { kubernetesCluster } from '../../../../lib/kubernetes/world/kubernetes.ts';
import type { RawAnswers } from './raw-answers.ts';
import { type ExistingSetup, profileOf, readTerms } from './setup-answers.ts';

/** A live cluster whose pools and Services a new repository takes over. */
export interface LiveSite {
  /** Declares them in a tree without a pool file, in memory. */
  adopt(tree: SourceTree): Promise<Outcome<AdoptedCluster>>;
  /** The files of leasehold with those of the cluster. */
  readonly existing: ExistingSetup;
  /** The pools and Services that were found, as text. */
  readonly text: string;
}

/** The live cluster of the options. It is only read. */
export interface LiveOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** True when there is a kubeconfig that names a cluster. */
export function hasKubeconfig({ env }: CliContext, { kubeconfig }: LiveOptions): boolean {
  if (kubeconfig !== undefined || env.KUBECONFIG) return true;
  return env.HOME !== undefined && existsSync(join(env.HOME, '.kube', 'config'));
}

/** Where a live cluster is declared. */
interface LivePlace {
  readonly read: ReadCluster;
  readonly tree: SourceTree;
  readonly history: History;
  readonly hasPolicy: boolean;
  readonly today: AdoptionTerms['today'];
}

/**
 * Reads a live cluster and declares it in memory. The value is undefined when it has no pools.
 * Problems: those of an import.
 */
export async function readLiveSite(
  context: CliContext,
  options: LiveOptions,
  raw: RawAnswers,
  { read, tree, history, hasPolicy, today }: LivePlace,
): Promise<Outcome<LiveSite | undefined>> {
  if (tree.list(poolsPath).length > 0) {
    throw new UsageError(
      'leases/pools.yaml exists: `leasehold import cluster` adds the pools of a cluster to it',
    );
  }
  const cluster = await kubernetesCluster(connectionOf(options), context.cwd);
  const found = await read(cluster);
  if (!found.ok) return found;
  if (found.value === undefined) return ok(undefined);
  const terms = { ...readTerms(raw), today };
  const site = await siteOf(found.value, terms, { tree, history, hasPolicy });
  if (
    site.ok &&
    raw.for === 'akash' &&
    profileOf({ ...raw, for: undefined }, site.value.existing) !== 'akash'
  ) {
    throw new UsageError('no live lease names the provider: name it with --provider ADDRESS');
  }
  return site;
}

async function siteOf(
  found: FoundCluster,
  terms: AdoptionTerms,
  { tree, history, hasPolicy }: Pick<LivePlace, 'tree' | 'history' | 'hasPolicy'>,
): Promise<Outcome<LiveSite>> {
  const adopt = (other: SourceTree) => found.adopt(other, history, terms);
  const adopted = await adopt(tree);
  if (!adopted.ok) return adopted;
  const pools = readPoolFile(adopted.value.tree);
  if (!pools.ok) return pools;
  const existing = { pools: pools.value, hasPolicy };
  return ok({ adopt, existing, text: adopted.value.text });
}

/** The answers without those that the adopted pool file has. */
export function withoutPools(raw: RawAnswers): RawAnswers {
  const none = { metallb: undefined, metallbNamespace: undefined, cilium: undefined };
  return { ...raw, ...none, provider: undefined, layout: undefined };
}
