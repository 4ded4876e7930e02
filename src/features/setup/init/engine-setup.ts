import type { Cluster } from '../../../core/model/pools.ts';
import { engineFiles, fluxPath } from '../../../core/model/repository-paths.ts';
import { type ArgoCDCluster, argocdText } from '../argocd.ts';
import { fluxText } from '../flux.ts';
import type { SetupEngine } from './setup.ts';

/** The repository that an engine applies. */
export interface EnginePlace {
  readonly branch: string;
  /** The folder with `leases/` in the repository: empty, or with a trailing slash. */
  readonly folder: string;
  /** The API servers of clusters, as Argo CD knows them. */
  readonly serversOf: (clusters: readonly Cluster[]) => readonly ArgoCDCluster[];
}

/** The files of a set-up for a GitOps engine. */
interface EngineSetup {
  readonly title: string;
  /** The files with the objects of the engine, path to text. */
  readonly texts: (
    engine: SetupEngine,
    clusters: readonly Cluster[],
    place: EnginePlace,
  ) => readonly (readonly [path: string, text: string])[];
}

/** The set-up of each engine. */
export const engineSetups: Readonly<Record<SetupEngine['kind'], EngineSetup>> = {
  argocd: {
    title: 'Argo CD',
    texts: ({ repo }, clusters, { branch, folder, serversOf }) => {
      const names = { namespace: 'argocd', project: 'leases' };
      const target = { repo, revision: `refs/heads/${branch}`, folder, ...names };
      return [[engineFiles.argocd, argocdText({ ...target, clusters: serversOf(clusters) })]];
    },
  },
  flux: {
    title: 'Flux',
    texts: ({ repo, secret }, clusters, { branch, folder }) => {
      const source = { kind: 'GitRepository', url: repo, branch, folder } as const;
      const names = { namespace: 'flux-system', name: 'leases' };
      return clusters.map(({ name: cluster, shards }) => [
        clusters.length === 1 ? engineFiles.flux : fluxPath(cluster),
        fluxText({ source, ...names, secret, cluster, shards, waitForAddresses: false }),
      ]);
    },
  },
};
