import {
  leasedIPName,
  leasedIPNamespace,
  leaseNamespace,
  routeName,
} from '../../../manifests/names.ts';
import { oncePer } from '../../../model/calls.ts';
import { type Claim, claimText, isLeaseClaim, type LeaseClaim } from '../../../model/claim.ts';
import { type Hostname, isLeaseHostname, type LeaseHostname } from '../../../model/hostname.ts';
import { httpFields, type LeaseId, leaseIdText, leaseNumbersText } from '../../../model/lease.ts';
import type { Naming } from '../../../model/pools.ts';
import type { Declared } from '../../../tree/declared.ts';
import type { Review } from '../../review/review.ts';
import type { FieldChange } from '../plan-answer.ts';

/** A part of a lease: a claim or a hostname. */
type Leased = LeaseClaim | LeaseHostname;

/** A part of a lease, and the same of the lease that replaces it. */
interface Pair<Item extends Leased> {
  readonly before: Item;
  readonly after: Item;
}

/** An object that an engine applies. */
export interface AppliedObject {
  readonly cluster: string;
  /** `Service shop/web`. */
  readonly object: string;
  readonly holder: string | undefined;
}

/**
 * The redeploys of a pull request: a tenant closes a deployment and opens it again, so a new lease
 * of the same owner has the ports or the hostnames of one that ends. Addresses and names stay, and
 * the Services and routes are made anew, in the namespace of the new lease.
 */
export interface Redeploys {
  /** The claims of leases that are redeployed. */
  readonly claims: readonly Pair<LeaseClaim>[];
  /** The effect on a claim of a lease, as a phrase; undefined when it is not redeployed. */
  readonly ofClaim: (before: Claim | undefined, after: Claim) => string | undefined;
  /** The effect on a hostname of a lease that stays on its port. */
  readonly ofHostname: (before?: Hostname, after?: Hostname) => string | undefined;
  /** True for a changed field that says only which lease an object is of. */
  readonly isOfField: (field: FieldChange, object: AppliedObject) => boolean;
  /** The objects that replace a removed one, if they are added: `Service shop/web`. */
  readonly successorsOf: (object: Pick<AppliedObject, 'cluster' | 'object'>) => readonly string[];
}

export const redeploysOf = oncePer(({ base, head }: Pick<Review, 'base' | 'head'>): Redeploys => {
  const isReplaced = replacementTest(base, head);
  const claims = pairsOf(base.claims, head.claims, isLeaseClaim, isReplaced);
  const hostnames = pairsOf(base.hostnames, head.hostnames, isLeaseHostname, isReplaced);
  const namings = new Map(head.pools?.clusters.map(({ name, naming }) => [name, naming]));
  const successors = namespacesOf([...claims, ...hostnames], namings);
  const leases = objectLeases(claims, hostnames, namings);
  const holders = new Set(
    [...new Set(claims.map(({ after }) => after.holder))].filter(
      (holder) =>
        namespacesText(base, holder, (own) => successors.get(own) ?? [own]) ===
        namespacesText(head, holder, (own) => [own]),
    ),
  );
  return {
    claims,
    ofClaim: (before, after) =>
      before?.kind === 'Lease' && after.kind === 'Lease' && isReplaced(before, after)
        ? replacedText(before, after)
        : undefined,
    ofHostname: (before, after) =>
      before?.lease && after?.lease && nameOf(before) === nameOf(after) && isReplaced(before, after)
        ? replacedText(before, after)
        : undefined,
    isOfField: (field, { cluster, object, holder }) =>
      field.path === 'spec.serviceAllocation.namespaces'
        ? holders.has(holder ?? '')
        : isNumber(field, leases.get(`${cluster} ${object}`)),
    successorsOf: ({ cluster, object }) => {
      const [, kind, namespace, name] = /^(\S+) ([^/]+)\/(.+)$/.exec(object) ?? [];
      const others = successors.get(`${cluster} ${namespace}`) ?? [];
      return others.map((other) => `${kind} ${other.slice(other.indexOf(' ') + 1)}/${name}`);
    },
  };

  function namespacesText(
    { holders: all = [] }: Declared,
    holder: string,
    become: (namespace: string) => readonly string[],
  ): string {
    const own = all.find(({ id }) => id === holder)?.claims ?? [];
    const namespaces = own.filter(isLeaseClaim).flatMap((claim) => become(placeOf(claim, namings)));
    return [...new Set(namespaces)].sort().join();
  }
});

type Namings = ReadonlyMap<string, Naming>;

/** True for a lease of the base that ends, and one of its owner that begins. */
function replacementTest(base: Declared, head: Declared): (from: Leased, to: Leased) => boolean {
  const [kept, old] = [new Set(head.leases), new Set(base.leases)];
  const keyOf = (cluster: string, id: LeaseId) => `${cluster} ${leaseIdText(id)}`;
  const keys = (leases: Declared['leases']) =>
    new Set(leases.map((one) => keyOf(one.cluster, one.id)));
  const removed = keys(base.leases.filter((lease) => !kept.has(lease)));
  const added = keys(head.leases.filter((lease) => !old.has(lease)));
  return ({ cluster, lease: was }, { cluster: to, lease: is }) => {
    const [from, into] = [keyOf(cluster, was), keyOf(to, is)];
    const isOfOne = was.owner === is.owner && was.provider === is.provider && cluster === to;
    return (
      isOfOne && removed.has(from) && !added.has(from) && added.has(into) && !removed.has(into)
    );
  };
}

/** The ports or hostnames of replaced leases. Those of unchanged files are no part of it. */
function pairsOf<All extends Claim | Hostname, Item extends All & Leased>(
  before: readonly All[],
  after: readonly All[],
  isOfLease: (item: All) => item is Item,
  isReplaced: (from: Leased, to: Leased) => boolean,
): readonly Pair<Item>[] {
  const [kept, known] = [new Set(after), new Set(before)];
  const removed = before.filter((item) => !kept.has(item)).filter(isOfLease);
  const old = new Map(removed.map((item) => [nameOf(item), item]));
  return after
    .filter((item) => !known.has(item))
    .filter(isOfLease)
    .flatMap((item) => {
      const former = old.get(nameOf(item));
      return former && isReplaced(former, item) ? [{ before: former, after: item }] : [];
    });
}

/** The parts that stay the same in a redeploy. */
function nameOf(item: Leased): string {
  if (item.kind === 'Lease') return `${item.holder} ${claimText(item)}`;
  const { hostname, service, port, http } = item;
  return [hostname, service, port, ...httpFields(http)].join(' ');
}

/** The Services or the route are made anew, in the namespace of the new lease. */
function replacedText({ lease: was }: Leased, { lease: is }: Leased): string {
  return `redeployed, lease ${leaseNumbersText(was)} → ${leaseNumbersText(is)}: connections are cut once`;
}

/** The cluster and the namespace of a claim or a hostname. */
function placeOf(item: Leased, namings: Namings): string {
  const naming = namings.get(item.cluster) ?? 'akash';
  return `${item.cluster} ${leaseNamespace(naming, item.lease)}`;
}

/** The places of new leases by that of the lease that they replace. */
function namespacesOf(
  pairs: readonly Pair<Leased>[],
  namings: Namings,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { before, after } of pairs) {
    const [from, to] = [placeOf(before, namings), placeOf(after, namings)];
    const known = found.get(from) ?? [];
    if (!known.includes(to)) found.set(from, [...known, to]);
  }
  return found;
}

/** The objects of the provider that keep their names, each with its lease before and after. */
function objectLeases(
  claims: readonly Pair<LeaseClaim>[],
  hostnames: readonly Pair<LeaseHostname>[],
  namings: Namings,
): ReadonlyMap<string, Pair<Leased>> {
  const own = `${leasedIPNamespace}/`;
  return new Map<string, Pair<Leased>>([
    ...claims.map((pair) => {
      const name = leasedIPName(namings.get(pair.after.cluster) ?? 'akash', pair.after);
      return [`${pair.after.cluster} ProviderLeasedIP ${own}${name}`, pair] as const;
    }),
    ...hostnames.map((pair) => {
      const name = routeName(pair.after.hostname);
      return [`${pair.after.cluster} ProviderHost ${own}${name}`, pair] as const;
    }),
  ]);
}

const numberPath =
  /^(?:metadata\.labels\.akash\.network\/lease\.id|spec\.lease_id|spec)\.(dseq|gseq|oseq)$/;

/** True when a number of the old lease becomes that of the new one. */
function isNumber({ path, before, after }: FieldChange, pair: Pair<Leased> | undefined): boolean {
  const [, part] = numberPath.exec(path) ?? [];
  if (!pair || part === undefined) return false;
  const numberText = ({ lease }: Leased) => String(lease[part as 'dseq' | 'gseq' | 'oseq']);
  return before === numberText(pair.before) && after === numberText(pair.after);
}
