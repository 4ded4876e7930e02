import { claimNamespace } from '../../manifests/names.ts';
import { type Allocation, isHeld } from '../../model/allocation.ts';
import type { Claim } from '../../model/claim.ts';
import { leaseIdText } from '../../model/lease.ts';
import { compareText } from '../../model/order.ts';
import type { Pools } from '../../model/pools.ts';
import { serviceIdText } from '../../model/service.ts';
import { compareAddresses } from '../../net/address.ts';
import type { Known } from './workspace-snapshot.ts';

/** What one name means. */
interface Named {
  /** By address, IPv4 first. */
  readonly records: readonly Allocation[];
  /** Holders that are declared and have no address yet, in the order of their ids. */
  readonly waiting: readonly string[];
}

const nothing: Named = { records: [], waiting: [] };

const indexes = new WeakMap<Known, ReadonlyMap<string, Named>>();

/** What a name means, whole. All names of a state are looked up once, so that many may ask. */
export function namedIn(known: Known, name: string): Named {
  const index = indexes.get(known) ?? indexOf(known);
  indexes.set(known, index);
  return index.get(name) ?? nothing;
}

function indexOf({ pools, table, claims }: Known): ReadonlyMap<string, Named> {
  const index = new Map<string, { records: Allocation[]; waiting: string[] }>();
  const named = (name: string) => {
    const found = index.get(name) ?? { records: [], waiting: [] };
    index.set(name, found);
    return found;
  };
  const serving = new Set<string>();
  const byAddress = [...table.values()].sort((left, right) =>
    compareAddresses(left.address, right.address),
  );
  for (const record of byAddress) {
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

/** A holder by its id, its sharing key or its owner, also one whose declarations are gone; and by each of its claims. */
function namesOf(holder: string, claims: readonly Claim[], pools: Pools): ReadonlySet<string> {
  const key = holder.split('/').at(-1) ?? '';
  const names = new Set([holder, key]);
  const account = /^(akash1[a-z\d]+)-ip-/.exec(key)?.[1];
  if (account !== undefined) names.add(account);
  for (const claim of claims) {
    for (const name of claimNames(claim)) names.add(name);
    const cluster = pools.clusters.find((candidate) => candidate.name === claim.cluster);
    if (cluster) names.add(claimNamespace(cluster.naming, claim));
  }
  return names;
}

/**
 * A lease by its dseq, its id, or the beginning of that; a Service or Reservation by `namespace/name`, also after
 * `service/`, or by its sharing key as it was written; both by the service.
 */
function claimNames(claim: Claim): readonly string[] {
  if (claim.kind === 'Lease') {
    const parts = leaseIdText(claim.lease).split('/');
    const beginnings = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    return [claim.service, claim.lease.dseq, ...beginnings];
  }
  const { namespace, name, sharingKey } = claim.declared;
  const names = [claim.service, `${namespace}/${name}`, serviceIdText(claim.declared)];
  return sharingKey === undefined ? names : [...names, sharingKey];
}
