import { type LeaseId, leaseIdText } from '../model/lease.ts';
import { isSince, type MetalLB } from '../model/pools.ts';

/** The label of every object that leasehold writes. */
export const managedBy = { 'app.kubernetes.io/managed-by': 'leasehold' } as const;

/** The label of namespaces whose Services may stand on leased addresses. */
export const leasesLabel = { 'leasehold.dev/leases': 'true' } as const;

/**
 * The label of a Service that something else renders and that stands on a reserved address: with `layout: pool`
 * it opens the declared pools to it.
 */
export const reservedLabel = { 'leasehold.dev/reserved': 'true' } as const;

/** The label of every object of the Akash provider (builder.go AkashManagedLabelName). */
export const akashManaged = { 'akash.network': 'true' } as const;

/** The order in which Argo CD applies what leasehold writes. */
const waves = {
  Namespace: '-5',
  ConfigMap: '-5',
  ValidatingAdmissionPolicy: '-4',
  ValidatingAdmissionPolicyBinding: '-4',
  IPAddressPool: '-2',
  L2Advertisement: '-1',
  BGPAdvertisement: '-1',
  ProviderLeasedIP: '0',
  Service: '1',
  NetworkPolicy: '1',
} as const;

/** The annotation that gives an object of a kind its wave. */
export function wave(kind: keyof typeof waves) {
  return { 'argocd.argoproj.io/sync-wave': waves[kind] };
}

/**
 * The label of ours, and the five that name a lease. Akash provider: builder.go AppendLeaseLabels.
 */
export function leaseLabels(lease: LeaseId) {
  return {
    'akash.network/lease.id.dseq': lease.dseq,
    'akash.network/lease.id.gseq': String(lease.gseq),
    'akash.network/lease.id.oseq': String(lease.oseq),
    'akash.network/lease.id.owner': lease.owner,
    'akash.network/lease.id.provider': lease.provider,
    'app.kubernetes.io/managed-by': 'leasehold',
  };
}

/** True when the two are one lease. */
export function sameLease(left: LeaseId, right: LeaseId): boolean {
  return left === right || leaseIdText(left) === leaseIdText(right);
}

/**
 * The prefix of MetalLB's annotations: `metallb.io` is read from 0.14.9 on, and silently ignored
 * before. MetalLB: controller/service.go.
 */
export function annotationPrefix({ version }: MetalLB): 'metallb.io' | 'metallb.universe.tf' {
  return isSince(version, '0.14.9') ? 'metallb.io' : 'metallb.universe.tf';
}

/**
 * The labels of the Deployment of `leasehold serve`. It does not have the label of the objects in
 * `dist/`, with which it would count as left over.
 */
export const serveLabels = {
  'app.kubernetes.io/component': 'serve',
  'app.kubernetes.io/name': 'leasehold',
} as const;
