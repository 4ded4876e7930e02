import { k8s } from 'cdk8s-plus-28';
import type { LeaseId } from '../model/lease.ts';
import type { Naming } from '../model/pools.ts';
import type { Manifest } from './manifest.ts';
import { akashManaged, leaseLabels, leasesLabel, managedBy, wave } from './metadata.ts';

/**
 * The Namespace of a lease, labelled as the Akash provider does (cluster/kube/builder/namespace.go)
 * but for the resource version, which only the provider knows. `readable` has no provider's labels.
 */
export function leaseNamespaceManifest(naming: Naming, name: string, lease: LeaseId): Manifest {
  const provider = naming === 'akash' ? { ...akashManaged, 'akash.network/namespace': name } : {};
  return namespaceManifest(name, { ...provider, ...leaseLabels(lease) });
}

/**
 * A Namespace. Neither Argo CD nor Flux may prune or delete it: with it would go everything that
 * somebody else put there.
 */
export function namespaceManifest(
  name: string,
  labels: { readonly [label: string]: string } = {},
): Manifest {
  return k8s.KubeNamespace.manifest({
    metadata: {
      name,
      labels: { ...labels, ...managedBy, ...leasesLabel },
      annotations: {
        ...wave('Namespace'),
        'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
        'kustomize.toolkit.fluxcd.io/prune': 'disabled',
      },
    },
  });
}
