import type { TreeMap } from '../../core/manifests/manifest.ts';

const apiVersion = 'argoproj.io/v1alpha1';

/** The AppProject of some Applications. */
export interface ArgoCDProject {
  /** The namespace of Argo CD. */
  readonly namespace: string;
  /** The name of the AppProject. */
  readonly project: string;
}

/** The limits of an AppProject: what its Applications may apply, from where, and to where. */
interface Allowed {
  readonly description: string;
  /** The URL of a git repository or a chart repository. */
  readonly repository: string;
  readonly destinations: readonly TreeMap[];
  /** Cluster-scoped kinds, each with group and kind. */
  readonly clusterKinds: readonly TreeMap[];
  readonly namespacedKinds: readonly TreeMap[];
}

/** An AppProject that allows nothing else. */
export function appProject({ namespace, project }: ArgoCDProject, allowed: Allowed): TreeMap {
  return {
    apiVersion,
    kind: 'AppProject',
    metadata: { name: project, namespace },
    spec: {
      description: allowed.description,
      sourceRepos: [allowed.repository],
      destinations: allowed.destinations,
      clusterResourceWhitelist: allowed.clusterKinds,
      namespaceResourceWhitelist: allowed.namespacedKinds,
    },
  };
}

/** The parts of an Application that differ from one to another. */
interface Applied {
  readonly name: string;
  readonly annotations?: TreeMap;
  readonly source: TreeMap;
  readonly destination: TreeMap;
  readonly ignoreDifferences?: readonly TreeMap[];
  /** How it is synced, without its retries. */
  readonly syncPolicy: TreeMap;
}

/** An Application that tries a failed sync again. It has no finalizer. */
export function application({ namespace, project }: ArgoCDProject, applied: Applied): TreeMap {
  const { name, annotations, source, destination, ignoreDifferences, syncPolicy } = applied;
  return {
    apiVersion,
    kind: 'Application',
    metadata: { name, namespace, ...(annotations && { annotations }) },
    spec: {
      project,
      source,
      destination,
      ...(ignoreDifferences && { ignoreDifferences }),
      syncPolicy: {
        ...syncPolicy,
        retry: { limit: 5, backoff: { duration: '5s', factor: 2, maxDuration: '1m' } },
      },
    },
  };
}
