import { k8s } from 'cdk8s-plus-28';
import type { LeaseId } from '../../model/lease.ts';
import type { Naming } from '../../model/pools.ts';
import type { Manifest, Metadata } from '../manifest.ts';
import { akashManaged, leaseLabels, leasesLabel, managedBy, wave } from '../metadata.ts';
import { leasedIPNamespace } from '../names.ts';

/**
 * The Namespace of a lease, labelled as the Akash provider does (cluster/kube/builder/namespace.go)
 * but for the resource version, which only the provider knows. `readable` has no provider's labels.
 */
export function leaseNamespaceManifest(naming: Naming, name: string, lease: LeaseId): Manifest {
  const labels = { ...leaseLabels(lease), ...leasesLabel };
  return namespaceManifest(
    name,
    naming === 'akash' ? { ...labels, ...akashManaged, 'akash.network/namespace': name } : labels,
  );
}

/** The Namespace `lease`, which all `ProviderLeasedIP`s are in. */
export function leasedIPNamespaceManifest(): Manifest {
  return serviceNamespaceManifest(leasedIPNamespace);
}

/** The Namespace of declared Services and Reservations, which may be somebody's already: only our labels. */
export function serviceNamespaceManifest(name: string): Manifest {
  return namespaceManifest(name, { ...managedBy, ...leasesLabel });
}

/**
 * A Namespace. Neither Argo CD nor Flux may prune or delete it: with it would go everything that
 * somebody else put there. Argo CD must not call an Application OutOfSync either for one that it finds
 * gone from git and may not prune (`IgnoreExtraneous`).
 */
function namespaceManifest(name: string, labels: Metadata['labels']): Manifest {
  return {
    ...k8s.KubeNamespace.GVK,
    metadata: {
      name,
      labels,
      annotations: {
        ...wave('Namespace'),
        'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
        'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
        'kustomize.toolkit.fluxcd.io/prune': 'disabled',
      },
    },
  };
}
