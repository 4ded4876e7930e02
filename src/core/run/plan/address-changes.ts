import { PoolIndex } from '../../declarations/pools/pool-index.ts';
import { type Allocation, freePhrases } from '../../model/allocation.ts';
import { type Claim, claimText, wantsFamily } from '../../model/claim.ts';
import { type Holder, holderText } from '../../model/holder.ts';
import type { AddressPromise } from '../../model/lease.ts';
import { type Position, startOf } from '../../model/problem.ts';
import { allocationsFolder } from '../../model/repository-paths.ts';
import { compareAddresses, formatAddress } from '../../net/address.ts';
import { compareDnsNames } from '../../net/dns-name.ts';
import type { Declared } from '../../tree/declared.ts';
import type { Review } from '../review/review.ts';
import { claimDetails } from './claim-details.ts';
import { AddressesByName, nameDetails } from './name-changes.ts';
import { type Redeploys, redeploysOf } from './objects/redeploys.ts';
import type { AddressChange, AddressChangeKind, AddressSide, PlanPlace } from './plan-answer.ts';
import { PublicAddresses } from './public-addresses.ts';

/** The changed addresses of a pull request, in address order. */
export function addressChanges(review: Pick<Review, 'base' | 'head'>): AddressChange[] {
  const { base, head } = review;
  const [before, after] = [new Holdings(base), new Holdings(head)];
  const sides = { before, after, redeploys: redeploysOf(review) };
  const records = [...base.table.values(), ...head.table.values()];
  const addresses = new Map(records.map(({ address }) => [formatAddress(address), address]));
  return [...addresses]
    .sort(([, left], [, right]) => compareAddresses(left, right))
    .flatMap(([text]) => {
      const change = changeOf(sides, base.table.get(text), head.table.get(text));
      return change ? [change] : [];
    });
}

interface Sides {
  readonly before: Holdings;
  readonly after: Holdings;
  readonly redeploys: Redeploys;
}

function changeOf(
  sides: Sides,
  before: Allocation | undefined,
  after: Allocation | undefined,
): AddressChange | undefined {
  const record = after ?? before;
  if (!record || isUnchanged(sides, before, after)) return undefined;
  const now = sides.after.claimsOn(after);
  const change = kindOf(before, after, sides.after);
  const isRenamed = sides.after.isRenamed(before, after);
  const was = sides.before.claimsOn(before);
  const claims = claimDetails([was, now], isRenamed, {
    redeploys: sides.redeploys,
    zones: [sides.before.defaultZone, sides.after.defaultZone],
  });
  const details = [
    ...promiseDetails(sides.before.promiseOn(before), sides.after.promiseOn(after), after),
    ...(change === 'updated' ? claims.details : []),
    ...recordDetails(sides.after, change, [before, after], isRenamed),
    ...publicDetails(sides, change, [before, after]),
    ...nameDetails(
      record,
      { before: sides.before.namesOn(before), after: sides.after.namesOn(after) },
      { before: sides.before.names, after: sides.after.names },
    ),
  ];
  if (change === 'updated' && details.length === 0) return undefined;
  const declared = (claims.first ?? now[0])?.at ?? sides.after.promiseOn(after)?.at;
  const left = was[0]?.at ?? sides.before.promiseOn(before)?.at;
  return {
    address: formatAddress(record.address),
    pool: record.pool,
    change,
    ...(before && { before: sides.before.sideOf(before) }),
    ...(after && { after: sides.after.sideOf(after) }),
    details,
    at: (declared && planPlace('head', declared)) ?? leftPlace(left, [before, after]),
  };
}

/**
 * True when a held address has the same record, claims and public address. It may also be false
 * when nothing changed.
 */
function isUnchanged(
  { before, after }: Sides,
  was: Allocation | undefined,
  is: Allocation | undefined,
): boolean {
  if (was !== is || was === undefined || was.released) return false;
  if (before.publicAddresses.of(was) !== after.publicAddresses.of(is)) return false;
  const [old, now] = [before.holderOf(was)?.claims ?? [], after.holderOf(was)?.claims ?? []];
  return (
    old.length > 0 && old.length === now.length && old.every((claim, index) => claim === now[index])
  );
}

/**
 * The public address that comes with an address, or a changed one with the DNS names that follow
 * it.
 */
function publicDetails(
  { before, after }: Sides,
  change: AddressChangeKind,
  [was, is]: readonly [Allocation | undefined, Allocation | undefined],
): readonly string[] {
  const [old, now] = [before.publicAddresses.of(was), after.publicAddresses.of(is)];
  if (change === 'allocated' || change === 'reclaimed') {
    return now === undefined ? [] : [`public address ${now}`];
  }
  if (change !== 'updated' || old === now || !was || !is || is.released) return [];
  const own = formatAddress(is.address);
  const arrow = `${old ?? own} → ${now ?? own}`;
  const names = before.namesOn(was);
  const followers = after.namesOn(is).filter((name) => names.includes(name));
  return [`public address ${arrow}`, ...followers.map((name) => `DNS name ${name} ${arrow}`)];
}

/** The beginning, the end, the last day and the takeover of a promise. */
function promiseDetails(
  before: AddressPromise | undefined,
  after: AddressPromise | undefined,
  record: Allocation | undefined,
): string[] {
  const [was, is] = [before?.until, after?.until];
  if (was === is) return [];
  if (is !== undefined) return [`promised until ${was === undefined ? is : `${was} → ${is}`}`];
  const isTaken = record !== undefined && !record.released;
  return [isTaken ? `takes over the promise until ${was}` : `was promised until ${was}`];
}

/** A Service can bring its address along to a group, and a holder keeps it under another name. */
function kindOf(
  before: Allocation | undefined,
  after: Allocation | undefined,
  now: Holdings,
): AddressChangeKind {
  if (!after) return before?.released ? 'removed' : 'released';
  const isBroughtAlong =
    before !== undefined &&
    !before.released &&
    after !== undefined &&
    (now.holderOf(after)?.formerly.some(({ id }) => id === before.holder) ?? false);
  const isSameHolder = before?.holder === after.holder || isBroughtAlong;
  if (after.released) return before?.released && isSameHolder ? 'updated' : 'released';
  if (!before || !isSameHolder) return 'allocated';
  return before.released ? 'reclaimed' : 'updated';
}

function recordDetails(
  { index }: Holdings,
  change: AddressChangeKind,
  [before, after]: readonly [Allocation | undefined, Allocation | undefined],
  isRenamed: boolean,
): string[] {
  const moved = movedDetails(after);
  if (change === 'reclaimed') {
    return [`released on ${before?.released?.on}`, ...moved, ...keyDetails(before, after)];
  }
  if (change === 'allocated') return [...moved, ...allocatedDetails(before, after)];
  if (change === 'released') return releaseDetails(before, after, index);
  return before && after ? updateDetails(before, after, isRenamed) : [];
}

function movedDetails(after: Allocation | undefined): string[] {
  return after?.movedFrom
    ? [`moved from ${formatAddress(after.movedFrom)} by \`leasehold move\``]
    : [];
}

/** A signature lets another holder have the address before it is free. */
function allocatedDetails(before: Allocation | undefined, after: Allocation | undefined): string[] {
  if (!before?.released || !after) return [];
  const { freeFrom } = before.released;
  return after.since < freeFrom ? [...keyDetails(before, after)] : [`free since ${freeFrom}`];
}

function releaseDetails(
  before: Allocation | undefined,
  after: Allocation | undefined,
  index: PoolIndex | undefined,
): string[] {
  if (!after?.released) return ['record removed'];
  const isNeverLive = before === undefined || before.released !== undefined;
  const neverLive = isNeverLive ? ['allocated and released within this change'] : [];
  const withheld = index?.withheld(after.address);
  return [...neverLive, freePhrases(after.released.freeFrom, withheld).join(', ')];
}

function updateDetails(before: Allocation, after: Allocation, isRenamed: boolean): string[] {
  const details: string[] = [];
  if (before.holder !== after.holder) {
    const how = isRenamed ? 'renamed' : 'holder changed';
    details.push(`${how} from ${holderText(before.holder)}`);
  }
  const differ = (was: string | number | undefined, is: string | number | undefined) => was !== is;
  if (differ(before.pool, after.pool)) details.push(`pool ${before.pool} → ${after.pool}`);
  if (differ(before.retain, after.retain)) {
    details.push(`kept after release: ${before.retain} → ${after.retain} days`);
  }
  if (differ(before.keepUntil, after.keepUntil)) {
    details.push(`not free before ${after.keepUntil ?? after.released?.freeFrom}`);
  }
  if (differ(before.since, after.since)) details.push(`since ${before.since} → ${after.since}`);
  const [was, is] = [before.released?.freeFrom, after.released?.freeFrom];
  if (differ(was, is)) details.push(`free from ${was ?? 'release'} → ${is ?? 'release'}`);
  details.push(...keyDetails(before, after));
  return details;
}

/** The declaration that asked for an address, in the base; else its allocation file. */
function leftPlace(
  left: Position | undefined,
  [before, after]: readonly [Allocation | undefined, Allocation | undefined],
): PlanPlace {
  if (left) return planPlace('base', left);
  const at = after?.at ?? before?.at ?? startOf(allocationsFolder);
  return planPlace(after ? 'head' : 'base', at);
}

/** A position as a place on one side of a plan. */
export function planPlace(side: PlanPlace['side'], { file, line }: Position): PlanPlace {
  return { side, file, line };
}

/** The change of an address's key, as a short phrase; empty when the key stays the same. */
function keyDetails(
  before: Allocation | undefined,
  after: Allocation | undefined,
): readonly string[] {
  if (before === undefined || after === undefined) return [];
  const isSigned = after.generation > before.generation;
  const change = keyChangeText(before.key, after.key);
  const phrase = isSigned && before.released ? 'reassigned before it was free' : change;
  if (phrase === undefined) return [];
  return [isSigned ? `${phrase}, with a signature of its key` : phrase];
}

function keyChangeText(was: string | undefined, is: string | undefined): string | undefined {
  if (was === is) return undefined;
  if (was === undefined) return 'key added';
  return is === undefined ? 'key removed' : 'key changed';
}

/** The holders of one side of a pull request, with their claims. */
class Holdings {
  readonly #holders: ReadonlyMap<string, Holder>;

  readonly index: PoolIndex | undefined;
  readonly names: AddressesByName;
  readonly publicAddresses: PublicAddresses;
  /** The zone of claims of a cluster without one. */
  readonly defaultZone: (cluster: string) => string | undefined;

  constructor({ holders, table, pools }: Declared) {
    this.#holders = new Map((holders ?? []).map((holder) => [holder.id, holder]));
    this.index = pools && new PoolIndex(pools);
    this.names = new AddressesByName(table, (record) => this.namesOn(record));
    this.publicAddresses = new PublicAddresses(pools);
    this.defaultZone = (cluster) =>
      pools?.clusters.find(({ name }) => name === cluster)?.defaultZone ?? pools?.defaultZone;
  }

  holderOf({ holder }: Allocation): Holder | undefined {
    return this.#holders.get(holder);
  }

  /** True for an address whose holder has another id by a `Rename`. */
  isRenamed(before: Allocation | undefined, after: Allocation | undefined): boolean {
    if (!before || !after || before.holder === after.holder) return false;
    const formerly = this.holderOf(after)?.formerly ?? [];
    return formerly.some(({ id, renamedAt }) => id === before.holder && renamedAt !== undefined);
  }

  /** The claims on an address; none once it is released. */
  claimsOn(record: Allocation | undefined): readonly Claim[] {
    if (record === undefined || record.released) return [];
    const claims = this.holderOf(record)?.claims ?? [];
    return claims.filter((claim) => wantsFamily(claim, record.address.family));
  }

  /** The DNS names of an address; none once it is released. */
  namesOn(record: Allocation | undefined): readonly string[] {
    const names = this.claimsOn(record).flatMap(({ dns }) => dns.map(({ name }) => name));
    if (names.length === 0) return names;
    return [...new Set(names)].sort(compareDnsNames);
  }

  /** The promise of a held address without claims. */
  promiseOn(record: Allocation | undefined): AddressPromise | undefined {
    if (record === undefined || record.released) return undefined;
    const holder = this.holderOf(record);
    return holder?.claims.length === 0 ? holder.promise : undefined;
  }

  /** The record in the form of the answer. */
  sideOf(record: Allocation): AddressSide {
    const { holder, released } = record;
    const claims = this.claimsOn(record).map(claimText);
    if (released) return { holder, state: 'released', freeFrom: released.freeFrom, claims };
    const promise = this.promiseOn(record);
    const publicAddress = this.publicAddresses.of(record);
    return {
      holder,
      state: 'held',
      ...(promise ? { promisedUntil: promise.until } : {}),
      ...(publicAddress === undefined ? {} : { publicAddress }),
      claims,
    };
  }
}
