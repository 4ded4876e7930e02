import type { Cluster, Pools } from '../../../model/pools.ts';
import { fluxPath } from '../../../model/setup-files.ts';
import { type ArgoCDCluster, argocdText } from '../argocd.ts';
import { fluxText } from '../flux.ts';
import type { SetupEngine } from './setup.ts';

/** What the objects of an engine say beside its own answers. */
export interface EnginePlace {
  readonly branch: string;
  /** Where `leases/` stands in the repository: empty, or with a slash at its end. */
  readonly folder: string;
  /** The API servers of clusters, as Argo CD knows them. */
  readonly serversOf: (clusters: readonly Cluster[]) => readonly ArgoCDCluster[];
}

/**
 * The files of the objects that let an engine apply `dist/`, path to text: what `leasehold gitops` prints, for Flux in a
 * file for each cluster.
 */
export function engineTexts(
  { kind, repo, secret }: SetupEngine,
  { clusters }: Pools,
  { branch, folder, serversOf }: EnginePlace,
): ReadonlyMap<string, string> {
  if (kind === 'argocd') {
    const names = { namespace: 'argocd', project: 'leases' };
    const target = { repo, revision: `refs/heads/${branch}`, folder, ...names };
    return new Map([
      ['gitops/argocd.yaml', argocdText({ ...target, clusters: serversOf(clusters) })],
    ]);
  }
  const source = { kind: 'GitRepository', url: repo, branch, folder } as const;
  const names = { namespace: 'flux-system', name: 'leases' };
  return new Map(
    clusters.map(({ name: cluster, shards, metallb }) => [
      clusters.length === 1 ? 'gitops/flux.yaml' : fluxPath(cluster),
      fluxText({ source, ...names, secret, cluster, shards, metallb, waitForAddresses: false }),
    ]),
  );
}
