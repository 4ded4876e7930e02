import { k8s } from 'cdk8s-plus-28';
import type { Construct } from 'constructs';
import type { LeaseId } from '../../model/lease.ts';
import type { Naming } from '../../model/pools.ts';
import { staticObject } from '../dist-app.ts';
import type { Metadata } from '../manifest.ts';
import { akashManaged, leaseLabels, leasesLabel, managedBy, wave } from '../metadata.ts';

/**
 * The labels of the Namespace of a lease, as the Akash provider does (cluster/kube/builder/namespace.go)
 * but for the resource version, which only the provider knows. `readable` has no provider's labels.
 */
export function leaseNamespaceLabels(naming: Naming, name: string, lease: LeaseId) {
  const labels = { ...leaseLabels(lease), ...leasesLabel };
  return naming === 'akash'
    ? { ...labels, ...akashManaged, 'akash.network/namespace': name }
    : labels;
}

/**
 * The labels of every other Namespace: of `lease`, which all `ProviderLeasedIP`s are in, and of those of declared Services and
 * Reservations, which may be somebody's already.
 */
export const serviceNamespaceLabels = { ...managedBy, ...leasesLabel };

/**
 * A Namespace. Neither Argo CD nor Flux may prune or delete it: with it would go everything that
 * somebody else put there. Argo CD must not call an Application OutOfSync either for one that it finds
 * gone from git and may not prune (`IgnoreExtraneous`).
 */
export class LabelledNamespace extends staticObject(k8s.KubeNamespace) {
  constructor(scope: Construct, id: string, name: string, labels: Metadata['labels']) {
    super(scope, id, {
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
    });
  }
}
