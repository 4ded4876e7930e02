import {
  type Claim,
  claimText,
  compareClaims,
  declaredIn,
  declarerText,
  liveSharingKeyOf,
  type ServiceClaim,
  wantsFamily,
} from '../model/claim.ts';
import {
  type ClaimOrPromise,
  type Former,
  type Holder,
  isGroup,
  type Rename,
  renamesTo,
} from '../model/holder.ts';
import { type AddressPromise, leaseIdText, leaseNumbersText, type Pin } from '../model/lease.ts';
import { compareText, groupBy } from '../model/order.ts';
import {
  type DeclaredKey,
  type Keys,
  keyText,
  noKeys,
  type Ownership,
  parseSignatures,
  unowned,
} from '../model/ownership.ts';
import type { Advertisement, Pools } from '../model/pools.ts';
import {
  byStanding,
  comparePositions,
  failSorted,
  type Outcome,
  ok,
  type Position,
  type Problem,
  placeText,
  type Standing,
} from '../model/problem.ts';
import { serviceIdText } from '../model/service.ts';
import { bothFamilies, type Family, formatAddress } from '../net/address.ts';

/** All declarations that want an address. */
interface ClaimsAndPromises {
  readonly claims: readonly Claim[];
  /** At most one of a holder. */
  readonly promises: readonly AddressPromise[];
  readonly renames?: readonly Rename[];
}

/**
 * Groups claims and promises by holder, sorted by holder id. Problems: PORT_TAKEN for two claims of
 * one holder on one port in the same cluster, and HOLDER_CONFLICT for claims with different pools,
 * zones, advertisements, pins or keys. A claim without a pool, zone, advertisement or pin follows the
 * other claims. Without the pools, the zone of a named pool is unknown. With a standing, it decides
 * at which claim a problem is; otherwise it is the later one in the order of claims.
 */
export function holdersOf(
  { claims, promises, renames = [] }: ClaimsAndPromises,
  pools: Pools | undefined,
  keys: Keys = noKeys,
  standing?: Standing,
): Outcome<readonly Holder[]> {
  const groups = groupBy(claims, (claim) => claim.holder);
  const promised = new Map(promises.map((promise) => [promise.holder, promise]));
  const known = { pools, keys, renames: groupBy(renames, ({ to }) => to) };
  const found: Problem[][] = [];
  const holders: Holder[] = [];
  for (const [id, group] of groups) {
    if (group.length > 1) {
      group.sort(
        (left, right) => compareClaims(left, right) || comparePositions(left.at, right.at),
      );
      const ranked = byStanding(group, standing);
      found.push(portClashes(ranked), conflictsOf(ranked, pools, keys));
    }
    const own = { claims: group, promise: promised.get(id) };
    holders.push(holderOf(id, group, own, known));
  }
  for (const [id, promise] of promised) {
    if (groups.has(id)) continue;
    holders.push(holderOf(id, [promise], { claims: [], promise }, known));
  }
  const problems = found.flat();
  if (problems.length > 0) return failSorted(problems);
  return ok(holders.sort((left, right) => compareText(left.id, right.id)));
}

interface Known {
  readonly pools: Pools | undefined;
  readonly keys: Keys;
  /** By their new holder. */
  readonly renames: ReadonlyMap<string, readonly Rename[]>;
}

/** `items` decide what the holder gets: its claims or, without any, its promise. */
function holderOf(
  id: string,
  items: readonly [ClaimOrPromise, ...ClaimOrPromise[]],
  { claims, promise }: Pick<Holder, 'claims' | 'promise'>,
  { pools, keys, renames }: Known,
): Holder {
  const [first] = items;
  const families = familiesOfAll(items);
  return {
    id,
    clusters: clustersOf(items),
    claims,
    promise,
    families,
    pool: items.find(({ pool }) => pool !== undefined)?.pool,
    zone: items.find(({ zone }) => zone !== undefined)?.zone,
    advertisement: advertisementOf(claims, pools),
    pins: claims.some(({ pins }) => pins.length > 0)
      ? families.flatMap((family) => pinOf(claims, family) ?? [])
      : noPins,
    retentionDays: claims.reduce((most, claim) => Math.max(most, claim.retentionDays), 0),
    ownership: ownershipOf(claims, keys),
    formerly: formersOf(id, claims, renames),
    at: first.at,
  };
}

/** The Services of a group by themselves, then what renames name, also over names in between. */
function formersOf(id: string, claims: readonly Claim[], renames: Known['renames']): Former[] {
  const found = new Map<string, Former>();
  for (const declared of isGroup(id) ? declaredIn(claims) : []) {
    const own = `${declared.cluster}/${serviceIdText(declared)}`;
    found.set(own, { id: own, renamedAt: undefined });
  }
  const named = renames.size > 0 ? renamesTo(id, renames) : [];
  for (const { from, at } of named) {
    if (!found.has(from)) found.set(from, { id: from, renamedAt: at });
  }
  return found.size === 0 ? noFormers : [...found.values()];
}

/** The advertisement that claims name; undefined for a name that the pool file does not have. */
function advertisementOf(
  claims: readonly Claim[],
  pools: Pools | undefined,
): Advertisement | undefined {
  const name = claims.find(({ advertisement }) => advertisement !== undefined)?.advertisement;
  return name === undefined ? undefined : pools?.advertisements.find((one) => one.name === name);
}

function clustersOf([first, ...others]: readonly {
  readonly cluster: string;
}[]): readonly string[] {
  if (!first) return [];
  if (others.every(({ cluster }) => cluster === first.cluster)) return [first.cluster];
  return [...new Set([first, ...others].map(({ cluster }) => cluster))].sort(compareText);
}

/** Shared by the holders, of which there may be a million. */
const noPins: readonly Pin[] = [];
const noFormers: Former[] = [];
const families: Readonly<Record<ClaimOrPromise['ipFamily'], readonly Family[]>> = {
  ipv4: ['ipv4'],
  ipv6: ['ipv6'],
  dual: bothFamilies,
};

/** The families that any of the items wants, IPv4 first. */
function familiesOfAll([first, ...others]: readonly [
  ClaimOrPromise,
  ...ClaimOrPromise[],
]): readonly Family[] {
  const isOne = others.every(({ ipFamily }) => ipFamily === first.ipFamily);
  return isOne ? families[first.ipFamily] : bothFamilies;
}

function pinOf(claims: readonly Claim[], family: Family): Pin | undefined {
  for (const { pins } of claims) {
    const pin = pins.find(({ address }) => address.family === family);
    if (pin) return pin;
  }
  return undefined;
}

function portClashes(claims: readonly Claim[]): Problem[] {
  const first = new Map<string, Claim>();
  return claims.flatMap((claim) => {
    const port = `${claim.externalPort}/${claim.protocol}`;
    const keys = portFamilies(claim).map((family) => `${claim.cluster} ${port} ${family}`);
    const other = keys.map((key) => first.get(key)).find((taker) => taker !== undefined);
    if (!other) {
      for (const key of keys) first.set(key, claim);
      return [];
    }
    if (isSameLease(claim, other)) return [];
    return [
      {
        code: 'PORT_TAKEN' as const,
        message: `port ${port} of ${claimantText(claim)} is taken by ${claimText(other)} in ${placeText(other.at)}`,
        at: claim.at,
        also: [other.at],
        hint: portHint(claim, other),
      },
    ];
  });
}

/** True for claims of one lease in two files: its LEASE_DUPLICATE says so once. */
function isSameLease(claim: Claim, other: Claim): boolean {
  if (claim.kind !== 'Lease' || other.kind !== 'Lease') return false;
  return claim.at.file !== other.at.file && leaseIdText(claim.lease) === leaseIdText(other.lease);
}

/** An endpoint of another lease keeps its address in the lease that replaces that one. */
function portHint(claim: Claim, other: Claim): string {
  if (claim.kind !== 'Lease') return `change the port, or ${separateHint(claim)}`;
  const ways = `change externalPort, or ${separateHint(claim)}`;
  if (other.kind !== 'Lease' || leaseIdText(claim.lease) === leaseIdText(other.lease)) return ways;
  return `if this lease replaces lease ${leaseNumbersText(other.lease)}, remove the endpoint there: the address stays; else ${ways}`;
}

/**
 * The families in which a claim owns its port. An Akash endpoint owns it in both: the provider
 * names the ProviderLeasedIP by sharing key, protocol and port only.
 */
function portFamilies(claim: Claim): readonly Family[] {
  return claim.kind === 'Lease'
    ? bothFamilies
    : bothFamilies.filter((family) => wantsFamily(claim, family));
}

/** The pin of a holder for one family. */
export function pinFor(holder: Holder, family: Family): Pin | undefined {
  return holder.pins.find((pin) => pin.address.family === family);
}

/**
 * The claims with different values of one field: the first claim, and those that differ from it.
 */
interface Conflict extends FieldValues {
  readonly first: FieldValues['values'][number];
  readonly others: readonly [FieldValues['values'][number], ...FieldValues['values']];
}

/** At most one HOLDER_CONFLICT for a holder, with all fields and places that conflict. */
function conflictsOf(claims: readonly Claim[], pools: Pools | undefined, keys: Keys): Problem[] {
  const pool = conflictIn(valuesOf('pool', claims, ({ pool }) => pool));
  const zone = conflictIn(valuesOf('zone', claims, zoneIn(pools)));
  const conflicts = [
    // Pools of two zones imply the zone conflict.
    pool ?? zone,
    conflictIn(valuesOf('advertisement', claims, ({ advertisement }) => advertisement)),
    conflictIn(pinValues(claims, 'ipv4')),
    conflictIn(pinValues(claims, 'ipv6')),
    conflictIn(keyValues(claims, keys)),
    ...liveKeyValues(claims).map(conflictIn),
  ].filter((conflict) => conflict !== undefined);
  const [conflict] = conflicts;
  if (!conflict) return [];
  const { claim } = conflict.others[0];
  const [, ...also] = placesOf(conflicts);
  const whose = claim.kind === 'Lease' ? ' of this owner' : '';
  const texts = conflicts.map(conflictText);
  return [
    {
      code: 'HOLDER_CONFLICT',
      message: `${claimantText(claim)}${whose} shares one address, but ${texts.join('; ')}`,
      at: claim.at,
      also,
      hint: `${hintOf(conflicts)}; or ${separateHint(claim)}`,
    },
  ];
}

/** A hint how a claim can stop sharing its address. */
function separateHint(claim: Claim): string {
  if (claim.kind === 'Lease') {
    return 'give it another endpoint name so that it gets its own address';
  }
  return claim.holder.startsWith('anycast/')
    ? 'take it out of its group in leases/pools.yaml so that it gets its own address'
    : 'give it another sharing key so that it gets its own address';
}

/** The endpoint or Service of a claim, as a message begins. */
function claimantText(claim: Claim): string {
  return claim.kind === 'Lease' ? `endpoint '${claim.endpoint}'` : `Service '${claim.service}'`;
}

function conflictIn(field: FieldValues): Conflict | undefined {
  const [first, ...rest] = field.values;
  const [other, ...others] = rest.filter(({ text }) => text !== first?.text);
  return first && other && { ...field, first, others: [other, ...others] };
}

function valuesOf(
  field: FieldValues['field'],
  claims: readonly Claim[],
  read: (claim: Claim) => string | undefined,
): FieldValues {
  const values = claims.flatMap((claim) => {
    const value = read(claim);
    return value === undefined ? [] : [{ claim, text: `${field} ${value}` }];
  });
  return { field, values };
}

function zoneIn(pools: Pools | undefined): (claim: Claim) => string | undefined {
  return (claim) => claim.zone ?? pools?.pools.find(({ name }) => name === claim.pool)?.zone;
}

/** The live sharing keys in each cluster. */
function liveKeyValues(claims: readonly Claim[]): readonly FieldValues[] {
  const named = claims.filter((one) => liveSharingKeyOf(one) !== undefined);
  return [...groupBy(named, ({ cluster }) => cluster).values()].map((own) =>
    valuesOf('liveSharingKey', own, liveSharingKeyOf),
  );
}

function pinValues(claims: readonly Claim[], family: Family): FieldValues {
  return valuesOf('address', claims, ({ pins }) => {
    const pin = pins.find(({ address }) => address.family === family);
    return pin && formatAddress(pin.address);
  });
}

/** The names and values of two conflicting claims, and the number of further ones. */
function conflictText({ first, others }: Conflict): string {
  const [{ claim, text }] = others;
  const places = new Set(others.map((other) => placeText(other.claim.at))).size;
  const more = places > 1 ? `, and ${places - 1} more differ` : '';
  return `${claimText(claim)} has ${text} and ${claimText(first.claim)} has ${first.text}${more}`;
}

/** The places of the conflicting claims, each once; first the place of the problem. */
function placesOf(conflicts: readonly Conflict[]): readonly Position[] {
  const places = new Map<string, Position>();
  for (const { first, others } of conflicts) {
    const [other, ...more] = others;
    for (const { claim } of [other, first, ...more]) places.set(placeText(claim.at), claim.at);
  }
  return [...places.values()];
}

function hintOf(conflicts: readonly Conflict[]): string {
  const fields = [...new Set(conflicts.map(({ field }) => field))].filter((one) => one !== 'key');
  return [
    ...(fields.length > 0
      ? [`use the same ${fields.join(' and ')} in all of them, or set it in one only`]
      : []),
    ...(conflicts.some(({ field }) => field === 'key')
      ? ['use the same key in all of them, or none']
      : []),
  ].join('; ');
}

/** The values of one field in the claims of a holder that set it, such as `zone edge`. */
interface FieldValues {
  readonly field: 'pool' | 'zone' | 'advertisement' | 'address' | 'key' | 'liveSharingKey';
  readonly values: readonly { readonly claim: Claim; readonly text: string }[];
}

/** The proof of ownership of a holder's address. Claims of Akash leases have no key. */
function ownershipOf(claims: readonly Claim[], keys: Keys): Ownership {
  if (!claims.some(({ kind }) => kind === 'Service')) return unowned;
  const declarers = declarersIn(claims);
  const signatures = declarers.flatMap(({ declared: { signature } }) =>
    signature === undefined
      ? []
      : (parseSignatures(signature.text) ?? []).map((text) => ({ text, at: signature.at })),
  );
  const key = declarers.map((claim) => keyOf(claim, keys)).find((found) => found !== undefined);
  return { key, signatures, repository: keys.repository };
}

/**
 * The key, or `no key`, of each Service on one address. A Service with an unknown key is skipped.
 */
function keyValues(claims: readonly Claim[], keys: Keys): FieldValues {
  const texts = new Map<string | undefined, string>();
  const values = declarersIn(claims).flatMap((claim) => {
    const key = keyOf(claim, keys);
    if (claim.declared.secret !== undefined && key === undefined) return [];
    // The same key may have two names.
    const text = texts.get(key?.publicKey) ?? keyValueText(key);
    texts.set(key?.publicKey, text);
    return [{ claim, text }];
  });
  return { field: 'key', values };
}

/** One claim of each Service and Reservation. */
function declarersIn(claims: readonly Claim[]): readonly ServiceClaim[] {
  const byDeclarer = new Map<string, ServiceClaim>();
  for (const claim of claims) {
    if (claim.kind !== 'Service') continue;
    const declarer = `${claim.cluster} ${declarerText(claim)}`;
    if (!byDeclarer.has(declarer)) byDeclarer.set(declarer, claim);
  }
  return [...byDeclarer.values()];
}

function keyOf({ declared }: ServiceClaim, keys: Keys): DeclaredKey | undefined {
  const { namespace, secret } = declared;
  return secret === undefined
    ? undefined
    : keys.byName.get(keyText({ namespace, name: secret.name }));
}

function keyValueText(key: DeclaredKey | undefined): string {
  return key === undefined ? 'no key' : `the key ${keyText(key)}`;
}
