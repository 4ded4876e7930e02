import { groupBy } from '../../../model/order.ts';
import { counted } from '../../../model/problem.ts';
import type { AddressChange, AddressSide, Plan } from '../plan-answer.ts';
import { changeSigns, holderPhrase, type Phrase, sidePhrase, whatChanges } from './plan-words.ts';

/** A row of a list of addresses: one changed address, or both addresses of a move. */
export interface AddressRow {
  /** The changed address; of a move, the new one. */
  readonly change: AddressChange;
  /** The old address of a move. */
  readonly from?: AddressChange;
}

/**
 * The rows of a plan by what a reviewer must know first, each list in address order:
 *
 * - `lost`: a holder loses its address, also to another holder, gets another one for it, also in
 *   public, or loses a port on it. A hostname loses an address in DNS.
 * - `given`: a holder gets an address.
 * - `kept`: no holder gets or loses an address or a port. Something else of a holder changes, or
 *   only a record.
 */
export interface AddressRows {
  readonly lost: readonly AddressRow[];
  readonly given: readonly AddressRow[];
  readonly kept: readonly AddressRow[];
}

/** Sorts the changed addresses of a plan into lists. A moved holder has a row for each family. */
function addressRows(addresses: readonly AddressChange[]): AddressRows {
  const rows: Record<keyof AddressRows, AddressRow[]> = { lost: [], given: [], kept: [] };
  const moves = movesOf(addresses);
  const left = new Set(moves.values());
  for (const change of addresses) {
    const from = moves.get(change);
    if (from !== undefined) rows.lost.push({ change, from });
    else if (!left.has(change)) rows[listOf(change)].push({ change });
  }
  return rows;
}

/** The pool of a row of a hostname, which is in no pool and does not move. */
const noPool = '-';

/** The rows of all changed addresses of a plan, each list with the changed hostnames at its end. */
export function planRows({ addresses, hostnames = [] }: PlanChanges): AddressRows {
  const { lost, given, kept } = addressRows(addresses);
  const rows = { lost: [...lost], given: [...given], kept: [...kept] };
  for (const { hostname, ...fields } of hostnames) {
    const change = { ...fields, address: hostname, pool: noPool };
    rows[listOf(change)].push({ change });
  }
  return rows;
}

type PlanChanges = Pick<Plan, 'addresses' | 'hostnames'>;

function listOf({ change, before, after }: AddressChange): keyof AddressRows {
  if (change === 'allocated' || change === 'reclaimed') {
    return before?.state === 'held' ? 'lost' : 'given';
  }
  if (change === 'released') {
    const isServed = before?.state === 'held' && before.promisedUntil === undefined;
    return isServed ? 'lost' : 'kept';
  }
  const isCut = lostPorts(before, after).length > 0;
  const isLeft = before?.dns?.some((address) => !after?.dns?.includes(address)) ?? false;
  const isMoved = isLeft || before?.publicAddress !== after?.publicAddress;
  return change === 'updated' && (isCut || isMoved) ? 'lost' : 'kept';
}

/** The claims that an address loses. Under another name of its holder, Services keep their ports. */
function lostPorts(before: AddressSide | undefined, after: AddressSide | undefined) {
  const isRenamed = before?.holder !== after?.holder;
  const key = (claim: string) => (isRenamed ? claim.slice(claim.lastIndexOf(' ')) : claim);
  const left = new Set(after?.claims.map(key));
  return (before?.claims ?? []).filter((claim) => !left.has(key(claim)));
}

/** The old address of each new one, for holders that change one address of a family for another. */
function movesOf(addresses: readonly AddressChange[]): ReadonlyMap<AddressChange, AddressChange> {
  const left = groupBy(
    addresses.filter(({ change, before }) => change === 'released' && before?.state === 'held'),
    (change) => moveKey(change, change.before?.holder),
  );
  const given = groupBy(
    addresses.filter((change) => listOf(change) === 'given'),
    (change) => moveKey(change, change.after?.holder),
  );
  const moves = new Map<AddressChange, AddressChange>();
  for (const [key, [to, ...others]] of given) {
    const [from, ...more] = left.get(key) ?? [];
    if (from && others.length + more.length === 0) moves.set(to, from);
  }
  return moves;
}

function moveKey({ address }: AddressChange, holder: string | undefined): string {
  return `${familyOf(address)} ${holder}`;
}

function familyOf(address: string): string {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}

/** The word for what happens to the address of a row: `allocated`, `moved`. */
export function rowWord({ change, from }: AddressRow): string {
  return from === undefined ? change.change : 'moved';
}

/** The sign of a row. */
export function rowSign({ change, from }: AddressRow): string {
  return from === undefined ? changeSigns[change.change] : '→';
}

/**
 * The holder of a row; both, `before → after`, when the address has one before and another one
 * after. The word of the row says the rest.
 */
export function rowHolder({ change, from }: AddressRow): Phrase {
  const { change: kind, before, after } = change;
  if (kind === 'released' && before?.state === 'held') return sidePhrase(before);
  if (after && (from !== undefined || before === undefined)) return sidePhrase(after);
  return holderPhrase(change);
}

/** {@link whatChanges} of a row. A move has the details of its old address too. */
export function rowDetails({ change, from }: AddressRow): readonly string[] {
  const old = (from?.details ?? []).map((detail) => `${from?.address} ${detail}`);
  return [...whatChanges(change), ...old];
}

/** The words for what rows are about: for one of them, and for several. */
export function rowNouns(rows: readonly AddressRow[]): readonly [one: string, many: string] {
  const isHostname = ({ change }: AddressRow): boolean => change.pool === noPool;
  if (!rows.some(isHostname)) return ['address', 'addresses'];
  if (rows.every(isHostname)) return ['hostname', 'hostnames'];
  return ['address or hostname', 'addresses and hostnames'];
}

/** The number of rows, with the word: `24 addresses`, `30 hostnames`. */
export function rowsText(rows: readonly AddressRow[]): string {
  return counted(rows.length, ...rowNouns(rows));
}

/** The title of the first column of rows: `Address`, `Hostname`, `Address or hostname`. */
export function rowsTitle(rows: readonly AddressRow[]): string {
  const [noun] = rowNouns(rows);
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`;
}

/** Rows that are equal but for address, holder and place; at least one. */
export type RowGroup = readonly [AddressRow, ...AddressRow[]];

/** A list of up to this many rows is shown row by row. */
export const fewRows = 20;

/** The rows of a list, each alone when they are few, else equal ones as one group. */
export function rowGroups(rows: readonly AddressRow[]): readonly RowGroup[] {
  if (rows.length <= fewRows) return rows.map((row) => [row]);
  return [...groupBy(rows, equalityKey).values()];
}

/** Equal for rows that differ in their address, holder and place only. */
function equalityKey(row: AddressRow): string {
  const { address, pool, before, after } = row.change;
  const states = [before?.state, after?.state, row.from?.pool];
  const isSame = before !== undefined && before.holder === after?.holder;
  return JSON.stringify([familyOf(address), pool, rowWord(row), states, isSame, plainDetails(row)]);
}

/** What changes in every row of a group; without the names of services when these differ. */
export function sharedDetails(group: RowGroup): readonly string[] {
  const [row] = group;
  const details = rowDetails(row);
  const isShared = group.every((other) => rowDetails(other).join('\n') === details.join('\n'));
  return isShared ? details : plainDetails(row);
}

/** The details without names of services and without the old address: `80/TCP`. */
function plainDetails(row: AddressRow): readonly string[] {
  const { before, after } = row.change;
  const claims = new Set([...(before?.claims ?? []), ...(after?.claims ?? [])]);
  const old = row.from?.address;
  return rowDetails(row).map((detail) => {
    if (claims.has(detail)) return detail.slice(detail.lastIndexOf(' ') + 1);
    return old === undefined ? detail : detail.replaceAll(old, 'the old address');
  });
}

/** The holders of a group, such as `1000 holders`. Undefined for a single row. */
export function groupHolders(group: RowGroup): number | undefined {
  if (group.length === 1) return undefined;
  return new Set(group.map(({ change }) => (change.after ?? change.before)?.holder)).size;
}
