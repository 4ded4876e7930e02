import { type EmittedKind, liveKinds } from '../model/kinds.ts';
import type { LeaseId } from '../model/lease.ts';

/** A JSON value. */
export type Tree = string | number | bigint | boolean | null | readonly Tree[] | TreeMap;

/** A JSON object. Fields that are undefined are not written. */
export interface TreeMap {
  readonly [key: string]: Tree | undefined;
}

/** True for a list. `Array.isArray` alone does not narrow readonly lists. */
export function isList<Item>(value: readonly Item[] | object): value is readonly Item[] {
  return Array.isArray(value);
}

/** One Kubernetes object as it is written. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata;
  readonly [field: string]: Tree | undefined;
}

/** The metadata of every object that leasehold writes. */
export interface Metadata extends TreeMap {
  readonly name: string;
  /** Absent for cluster-scoped objects. */
  readonly namespace?: string;
  readonly labels: { [key: string]: string };
  readonly annotations: { [key: string]: string };
}

/** The label of every object that leasehold writes. */
export const managedBy = { 'app.kubernetes.io/managed-by': 'leasehold' } as const;

/** The label of namespaces whose Services may have leased addresses. */
export const leasesLabel = { 'leasehold.dev/leases': 'true' } as const;

/**
 * The label of the Service of a Reservation, which leasehold does not render. With `layout: pool`
 * it opens the declared pools to it.
 */
export const reservedLabel = { 'leasehold.dev/reserved': 'true' } as const;

/** The label with the name of a declared pool, where the plane selects Services by their labels. */
export const poolLabel = 'leasehold.dev/pool';

/** The label of every object of the Akash provider: builder.go AkashManagedLabelName. */
export const akashManaged = { 'akash.network': 'true' } as const;

/** Returns the annotation with the sync wave of a kind, and others. */
export function wave(kind: EmittedKind, others: Readonly<Record<string, string>> = {}) {
  // Node 20 gives each object of a literal that begins with a spread a hidden class of its own.
  return { 'argocd.argoproj.io/sync-wave': liveKinds[kind].wave, ...others };
}

/**
 * Returns the labels of an object of a lease: managed-by, and five of the Akash provider
 * (builder.go AppendLeaseLabels).
 */
export function leaseLabels(lease: LeaseId) {
  return {
    'akash.network/lease.id.dseq': lease.dseq,
    'akash.network/lease.id.gseq': String(lease.gseq),
    'akash.network/lease.id.oseq': String(lease.oseq),
    'akash.network/lease.id.owner': lease.owner,
    'akash.network/lease.id.provider': lease.provider,
    ...managedBy,
  };
}

/**
 * The label of every EndpointSlice that leasehold writes. Kubernetes copies the other labels of a
 * Service to the slices that it makes for it.
 */
export const sliceManager = { 'endpointslice.kubernetes.io/managed-by': 'leasehold.dev' } as const;

/**
 * The labels of the Deployment of `leasehold serve`. The managed-by label is not among them:
 * `leasehold verify` would report the Deployment as left over.
 */
export const serveLabels = {
  'app.kubernetes.io/component': 'serve',
  'app.kubernetes.io/name': 'leasehold',
} as const;
