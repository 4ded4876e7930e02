import {
  type Allocation,
  type AllocationTable,
  type Change,
  heldCount,
  isHeld,
  isMassLoss,
  type Tenure,
  vacatedIn,
} from '../../model/allocation.ts';
import { addDays, type Day } from '../../model/day.ts';
import type { Holder } from '../../model/holder.ts';
import type { HostnameTable } from '../../model/hostname.ts';
import { isPromiseOver } from '../../model/lease.ts';
import { type Problem, startOf } from '../../model/problem.ts';
import { formatAddress } from '../../net/address.ts';
import { allocationPath } from '../../records/allocation-file.ts';
import { hostnamePath } from '../../records/hostname-file.ts';

/** The records of a tree. */
export interface Records {
  readonly table: AllocationTable;
  readonly hostnameTable: HostnameTable;
}

/** Which releases of a run are refused. */
export interface ReleaseTerms {
  /** The exact number of releases that a person confirms: of this run, or of the whole branch. */
  readonly allowed?: number | undefined;
  /** The command that confirms a number of releases; that of `leasehold synth` when left out. */
  readonly allowingCommand?: ((count: number) => string) | undefined;
  /** True for a release that does not count. */
  readonly isRequested?: ((release: Pick<Change, 'address' | 'holder'>) => boolean) | undefined;
}

/** The releases of a run, or of a pull request. */
export interface Releases {
  readonly addresses: Released;
  readonly hostnames: Released;
}

interface Released {
  /** How many were held before. */
  readonly held: number;
  /** The files of the released records that no person confirmed. */
  readonly files: readonly string[];
  /** How many a person confirmed. */
  readonly confirmed: number;
}

/**
 * What is held in the base but not in the head, without moves and without what promises had that
 * are over on the day; without holders, none is. A record that is gone is a release too.
 */
export function releasesOf(
  base: Records & { readonly holders?: readonly Holder[] | undefined },
  head: Records,
  day: Day,
): Releases {
  const vacated = vacatedIn(head.table);
  // One day more, for clock skew.
  const over = new Set(
    (base.holders ?? [])
      .filter(({ claims, promise }) => {
        return claims.length === 0 && promise && isPromiseOver(promise, addDays(day, 1));
      })
      .map(({ id }) => id),
  );
  const isCounted = ({ holder, address }: Allocation): boolean =>
    !over.has(holder) && !vacated.has(`${holder} ${formatAddress(address)}`);
  return {
    addresses: released(base.table, head.table, isCounted, ({ address }) =>
      allocationPath(address),
    ),
    hostnames: released(
      base.hostnameTable,
      head.hostnameTable,
      () => true,
      ({ hostname }) => hostnamePath(hostname),
    ),
  };
}

function released<Kept extends Tenure>(
  base: ReadonlyMap<string, Kept>,
  head: ReadonlyMap<string, Kept>,
  isCounted: (before: Kept) => boolean,
  pathOf: (before: Kept) => string,
): Released {
  const files: string[] = [];
  let confirmed = 0;
  for (const [key, before] of base) {
    const after = head.get(key);
    if (!isHeld(before) || (after && isHeld(after)) || !isCounted(before)) continue;
    if (after?.released?.confirmed) confirmed += 1;
    else files.push(pathOf(before));
  }
  return { held: heldCount(base), files, confirmed };
}

/** How many releases no person confirmed. */
export function unconfirmedCount({ addresses, hostnames }: Releases): number {
  return addresses.files.length + hostnames.files.length;
}

/**
 * MASS_RELEASE for many addresses or hostnames whose release no person confirmed. `hintOf` returns
 * how to confirm a number of them.
 */
export function massRelease(
  { addresses, hostnames }: Releases,
  hintOf: (count: number) => string,
): Problem | undefined {
  const [first] = isMass(addresses) ? addresses.files : isMass(hostnames) ? hostnames.files : [];
  if (first === undefined) return undefined;
  const count = unconfirmedCount({ addresses, hostnames });
  const parts = [releasedText('addresses', addresses), releasedText('hostnames', hostnames)];
  return {
    code: 'MASS_RELEASE',
    message: `${parts.filter((part) => part !== '').join(' and ')} would be released`,
    at: startOf(first),
    hint: `if this is intended: ${hintOf(count)}`,
  };
}

function isMass({ held, files }: Released): boolean {
  return isMassLoss(files.length, held);
}

function releasedText(what: string, { held, files }: Released): string {
  return files.length > 0 ? `${files.length} of ${held} held ${what}` : '';
}

/** The base of a branch. */
interface ReleaseBase extends Records {
  /** Reads its declarations. */
  readHolders(): Promise<readonly Holder[] | undefined>;
}

/** The records of a run whose releases were judged. */
export interface JudgedReleases extends Records {
  readonly mass: Problem | undefined;
}

/**
 * Judges the releases of a run: all of its branch, when it knows the base, else its own. Those that
 * the terms confirm get a mark in their records, which no merge of a forge drops. MASS_RELEASE for
 * a run that releases something itself, if too many are not confirmed and it does not confirm its own.
 */
export async function judgedReleases(
  before: Records,
  after: Records,
  { allowed, allowingCommand = synthAllowing, isRequested = () => false }: ReleaseTerms,
  { today, base }: { readonly today: Day; readonly base?: ReleaseBase | undefined },
): Promise<JudgedReleases> {
  // What only the branch had leaves no record.
  const recorded = {
    table: inBoth(before.table, after.table),
    hostnameTable: inBoth(before.hostnameTable, after.hostnameTable),
  };
  const own = counted(releasesOf(recorded, after, today), before, isRequested);
  if (allowed === undefined && unconfirmedCount(own) === 0) return { ...after, mass: undefined };
  const ofAll = (holders?: readonly Holder[]) =>
    base ? counted(releasesOf({ ...base, holders }, after, today), before, isRequested) : own;
  // Promises that are over only make it fewer.
  if (allowed === undefined && !massRelease(ofAll(), allowingCommand)) {
    return { ...after, mass: undefined };
  }
  const all = ofAll(await base?.readHolders());
  const confirmed = [own, all].find((some) => unconfirmedCount(some) === allowed);
  if (!confirmed || allowed === 0) {
    const mass = unconfirmedCount(own) > 0 ? massRelease(all, allowingCommand) : undefined;
    return { ...after, mass };
  }
  const files = new Set([...confirmed.addresses.files, ...confirmed.hostnames.files]);
  return {
    table: marked(after.table, ({ address }) => files.has(allocationPath(address))),
    hostnameTable: marked(after.hostnameTable, ({ hostname }) => files.has(hostnamePath(hostname))),
    mass: undefined,
  };
}

/** The records of a table that the other one has too. */
function inBoth<Kept>(table: ReadonlyMap<string, Kept>, other: ReadonlyMap<string, Kept>) {
  return new Map([...table].filter(([key]) => other.has(key)));
}

function synthAllowing(count: number): string {
  return `\`leasehold synth --allow-release ${count}\``;
}

/** The releases without those that are meant. */
function counted(
  { addresses, hostnames }: Releases,
  { table }: Records,
  isRequested: NonNullable<ReleaseTerms['isRequested']>,
): Releases {
  const meant = new Set(
    [...table.values()].filter(isRequested).map(({ address }) => allocationPath(address)),
  );
  const files = addresses.files.filter((file) => !meant.has(file));
  return { addresses: { ...addresses, files }, hostnames };
}

/** The table with a mark in the released records that pass the test. */
function marked<Kept extends Tenure>(
  table: ReadonlyMap<string, Kept>,
  test: (record: Kept) => boolean,
): ReadonlyMap<string, Kept> {
  const result = new Map(table);
  for (const [key, record] of table) {
    if (!record.released || record.released.confirmed || !test(record)) continue;
    result.set(key, { ...record, released: { ...record.released, confirmed: true } });
  }
  return result;
}

/** The table with the marks that the committed records of the same releases have, whatever their day. */
export function withMarksOf<Kept extends Tenure>(
  table: ReadonlyMap<string, Kept>,
  committed: ReadonlyMap<string, Kept>,
): ReadonlyMap<string, Kept> {
  const records = [...committed].flatMap(([key, { released, holder, since }]) => {
    const record = table.get(key);
    const isSame = record?.holder === holder && record.since === since;
    return released?.confirmed && record && isSame ? [record] : [];
  });
  const kept = new Set(records);
  return kept.size > 0 ? marked(table, (record) => kept.has(record)) : table;
}
