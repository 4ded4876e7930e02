import type { k8s } from 'cdk8s-plus-28';
import type { LeaseId } from '../../model/lease.ts';
import type { Cluster, Naming } from '../../model/pools.ts';
import {
  akashManaged,
  leaseLabels,
  leasesLabel,
  type Manifest,
  type Metadata,
  managedBy,
  wave,
} from '../manifest.ts';
import type { Written } from '../written-fields.ts';

/**
 * Returns the labels of the Namespace of a lease. With `naming: akash` they are those of the Akash
 * provider (cluster/kube/builder/namespace.go) without the resource version, which only the
 * provider knows.
 */
export function leaseNamespaceLabels(naming: Naming, name: string, lease: LeaseId) {
  const labels = Object.assign(leaseLabels(lease), leasesLabel);
  return naming === 'akash'
    ? Object.assign(labels, akashManaged, { 'akash.network/namespace': name })
    : labels;
}

/**
 * The labels of the Namespaces of declared Services and Reservations, which may exist already, and
 * of `lease`, which has all `ProviderLeasedIP`s.
 */
export const serviceNamespaceLabels = { ...managedBy, ...leasesLabel };

/**
 * Returns a Namespace that neither Argo CD nor Flux may prune or delete, because other objects may be in
 * it. With `IgnoreExtraneous`, Argo CD does not report an Application as OutOfSync for a Namespace
 * that is no longer in git and that it may not prune.
 */
export function namespaceManifest(name: string, labels: Metadata['labels']): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name,
      labels,
      annotations: wave('namespace', {
        'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
        'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
        'kustomize.toolkit.fluxcd.io/prune': 'disabled',
      }),
    },
  };
}

/**
 * Returns the ConfigMap that each shard of a cluster has, with or without leases: a GitOps engine prunes
 * nothing when the folder is missing. It records the layout, the naming and the plane of the cluster. `shard` is
 * one of shardFolders.
 */
export function keepManifest({ plane, naming }: Cluster, shard: string): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: shard === '' ? 'leasehold' : `leasehold-${shard}`,
      namespace: plane.namespace,
      labels: { ...managedBy },
      annotations: wave('configMap'),
    },
    data: {
      layout: plane.layout,
      naming,
      // MetalLB is the plane of a cluster whose manifests name none.
      ...(plane.kind === 'metallb' ? {} : { plane: plane.kind }),
    } satisfies Written<k8s.KubeConfigMapProps['data']>,
  };
}
