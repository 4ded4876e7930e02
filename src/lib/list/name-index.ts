import { claimNamespace } from '../../core/manifests/names.ts';
import { type Allocation, isHeld } from '../../core/model/allocation.ts';
import { type Claim, keyParts } from '../../core/model/claim.ts';
import { holderParts } from '../../core/model/holder.ts';
import { leaseIdBeginnings } from '../../core/model/lease.ts';
import { compareText } from '../../core/model/order.ts';
import type { Pools } from '../../core/model/pools.ts';
import { serviceIdText } from '../../core/model/service.ts';
import { byAddress } from '../../core/net/address.ts';
import type { WorkspaceSnapshot } from './workspace-snapshot.ts';

/** The records and holders that a name refers to. */
interface Named {
  /** By address, IPv4 first. */
  readonly records: readonly Allocation[];
  /** Declared holders without an address, sorted by id. */
  readonly waiting: readonly string[];
}

const nothing: Named = { records: [], waiting: [] };

const indexes = new WeakMap<WorkspaceSnapshot, ReadonlyMap<string, Named>>();

/** Looks up a whole name. The index of a snapshot is built once, on the first lookup. */
export function namedIn(snapshot: WorkspaceSnapshot, name: string): Named {
  const index = indexes.get(snapshot) ?? indexOf(snapshot);
  indexes.set(snapshot, index);
  return index.get(name) ?? nothing;
}

function indexOf({ pools, table, claims }: WorkspaceSnapshot): ReadonlyMap<string, Named> {
  const index = new Map<string, { records: Allocation[]; waiting: string[] }>();
  const named = (name: string) => {
    const found = index.get(name) ?? { records: [], waiting: [] };
    index.set(name, found);
    return found;
  };
  const serving = new Set<string>();
  for (const record of [...table.values()].sort(byAddress)) {
    const own = isHeld(record) ? (claims.get(record.holder) ?? []) : [];
    if (isHeld(record)) serving.add(record.holder);
    for (const name of namesOf(record.holder, own, pools)) named(name).records.push(record);
  }
  const waiting = [...claims].filter(([holder]) => !serving.has(holder));
  for (const [holder, own] of waiting.sort(([left], [right]) => compareText(left, right))) {
    for (const name of namesOf(holder, own, pools)) named(name).waiting.push(holder);
  }
  return index;
}

/**
 * Returns the names of a holder: its id, its sharing key, its owner and its IP endpoint, or its
 * `namespace/name`, which need no declaration, and the names of each of its claims.
 */
function namesOf(holder: string, claims: readonly Claim[], pools: Pools): ReadonlySet<string> {
  const { kind, namespace, name: key } = holderParts(holder);
  const names = new Set([holder, key]);
  const parts = keyParts(key);
  if (kind === 'service') names.add(`${namespace}/${key}`);
  if (parts) names.add(parts.owner).add(parts.endpoint).add(`${parts.owner}/${parts.endpoint}`);
  for (const claim of claims) {
    for (const name of claimNames(claim)) names.add(name);
    const cluster = pools.clusters.find((candidate) => candidate.name === claim.cluster);
    if (cluster) names.add(claimNamespace(cluster.naming, claim));
  }
  return names;
}

/**
 * The names of a claim: the service and the DNS names; for a lease its IP endpoint, its dseq, its id
 * and each beginning of the id; for a Service or Reservation `namespace/name`,
 * `service/namespace/name` and its declared sharing keys.
 */
function claimNames(claim: Claim): readonly string[] {
  const dns = claim.dns.map(({ name }) => name);
  if (claim.kind === 'Lease') {
    const { service, endpoint, lease } = claim;
    return [service, endpoint, lease.dseq, ...leaseIdBeginnings(lease), ...dns];
  }
  const { namespace, name, sharingKey, liveSharingKey } = claim.declared;
  const names = [claim.service, `${namespace}/${name}`, serviceIdText(claim.declared), ...dns];
  return [...names, ...[sharingKey, liveSharingKey].filter((key) => key !== undefined)];
}
