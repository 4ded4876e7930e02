import * as z from 'zod';
import { PoolIndex } from '../../core/declarations/pools/pool-index.ts';
import { type Allocation, isHeld } from '../../core/model/allocation.ts';
import {
  type Address,
  byAddress,
  compareAddresses,
  formatAddress,
  isBuggyIP,
} from '../../core/net/address.ts';
import { type AddressRange, formatShortRange, rangeHas, rangeSize } from '../../core/net/range.ts';
import { rangeSetOf, subtract } from '../../core/net/range-set.ts';
import {
  type Answer,
  answeredDay,
  answeredState,
  answeredWithheld,
  apiVersion,
} from '../../core/text/answer.ts';
import type { Question } from '../../core/text/question.ts';
import { announcedAs } from './announced.ts';
import { hostnameItem } from './hostnames-answer.ts';
import { listClaims, withheldOf } from './list.ts';
import { answeredAnnounced, listClaimSchema, promisedUntil } from './list-answer.ts';
import { namedIn } from './name-index.ts';
import { lastPromisedDay, type WorkspaceSnapshot } from './workspace-snapshot.ts';

/**
 * The state of an address:
 *
 * - `held`: it has a holder.
 * - `released`: it is still recorded for its last holder.
 * - `free`: it has no record.
 * - `draining`: it has no record, and its pool gives no new addresses.
 * - `reserved`: it is never allocated: reserved, or skipped because of `avoidBuggyIPs`.
 * - `in no pool`: no pool contains it.
 */
const addressStates = ['held', 'released', 'free', 'draining', 'reserved', 'in no pool'] as const;

type WhoState = (typeof addressStates)[number];

const whoItem = z.strictObject({
  address: z
    .string()
    .describe(
      'In canonical form. Of a public address that is for several, none with a record: a block or first-last.',
    ),
  publicAddress: z
    .string()
    .exactOptional()
    .describe('The address by which clients beyond the NAT of its pool reach it.'),
  state: z.enum(addressStates),
  pool: z.string().exactOptional(),
  zone: z.string().exactOptional(),
  holder: z.string().exactOptional().describe('After release, the last holder.'),
  since: answeredDay
    .exactOptional()
    .describe('The day the address was allocated to the holder, UTC.'),
  released: z
    .strictObject({
      on: answeredDay,
      freeFrom: answeredDay.describe('The first day the address is free for any holder.'),
    })
    .exactOptional(),
  withheld: answeredWithheld,
  file: z.string().exactOptional().describe('The allocation file.'),
  promisedUntil,
  announced: answeredAnnounced,
  claims: z.array(listClaimSchema).describe('The claims served on the address.'),
});

export type WhoItem = Answer<typeof whoItem>;

export const whoSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Who'),
    ...answeredState,
    asked: z.string().describe('The query, as typed.'),
    items: z.array(whoItem).describe('By address, IPv4 first.'),
    hostnames: z
      .array(hostnameItem)
      .min(1)
      .exactOptional()
      .describe(
        'Of a name: the hostnames that answer for it, or whose holder, namespace or Service has it.',
      ),
  })
  .describe('The output of leasehold who -o json.');

export type Who = Answer<typeof whoSchema>;

/** The addresses that match a query. */
export interface WhoMatches {
  /** Sorted by address, IPv4 first. For a range, only recorded addresses. */
  readonly items: readonly WhoItem[];
  /** Matching declared holders without an address. */
  readonly waiting: readonly string[];
}

/**
 * Finds the holders of an address, of the recorded addresses of a range, or of the addresses of a
 * name: a holder, an owner, an IP endpoint, a dseq, a lease id, a sharing key, a service, a
 * namespace or a DNS name. A name must match exactly. An address or range may be public: it also
 * finds the recorded addresses behind a NAT that it is for, and an address also those without a
 * record when no address behind it has one.
 */
export function whoHas(question: Question, snapshot: WorkspaceSnapshot): WhoMatches {
  const index = new PoolIndex(snapshot.pools);
  if (question.kind === 'address') {
    const { address } = question;
    const items = itemsIn({ from: address, to: address }, index, snapshot);
    return { items: items.length > 0 ? items : bareItems(address, index), waiting: [] };
  }
  if (question.kind === 'name') {
    const { records, waiting } = namedIn(snapshot, question.name);
    return { items: records.map((record) => recordedItem(record, index, snapshot)), waiting };
  }
  if (question.kind === 'nothing') return { items: [], waiting: [] };
  return { items: itemsIn(question.range, index, snapshot), waiting: [] };
}

/** The recorded addresses that are in a range, or that have a public address in it. */
function itemsIn(
  range: AddressRange,
  index: PoolIndex,
  snapshot: WorkspaceSnapshot,
): readonly WhoItem[] {
  const { table, pools } = snapshot;
  if (pools.pools.every(({ nat }) => nat.length === 0) && rangeSize(range) === 1n) {
    const record = table.get(formatAddress(range.from));
    return record ? [recordedItem(record, index, snapshot)] : [];
  }
  return itemsOf(
    snapshot,
    index,
    ({ address }) => rangeHas(range, address) || rangeHas(range, index.publicAddress(address)),
  );
}

/** Returns every recorded address, IPv4 first. */
export function allRecorded(snapshot: WorkspaceSnapshot): readonly WhoItem[] {
  return itemsOf(snapshot, new PoolIndex(snapshot.pools), () => true);
}

function itemsOf(
  snapshot: WorkspaceSnapshot,
  index: PoolIndex,
  test: (record: Allocation) => boolean,
): readonly WhoItem[] {
  return [...snapshot.table.values()]
    .filter(test)
    .sort(byAddress)
    .map((record) => recordedItem(record, index, snapshot));
}

function recordedItem(record: Allocation, index: PoolIndex, snapshot: WorkspaceSnapshot): WhoItem {
  const { address, holder, since, released, at } = record;
  const { claims, pools } = snapshot;
  const pool = index.of(address) ?? index.named(record.pool);
  return {
    ...addressFields({ from: address, to: address }, index),
    state: isHeld(record) ? 'held' : 'released',
    pool: pool?.name ?? record.pool,
    ...(pool ? { zone: pool.zone } : {}),
    holder,
    since,
    ...(released ? { released, ...withheldOf(index, [record]) } : {}),
    ...(at ? { file: at.file } : {}),
    ...(isHeld(record) ? lastPromisedDay(snapshot, holder) : {}),
    ...(isHeld(record) ? announcedAs(pool, pools, claims.get(holder)) : {}),
    claims: isHeld(record) ? listClaims(pools, claims.get(holder) ?? []) : [],
  };
}

function addressFields(
  range: AddressRange,
  index: PoolIndex,
): Pick<WhoItem, 'address' | 'publicAddress'> {
  const [beyond] = index.publicAddresses([range.from]) ?? [];
  return {
    address: formatShortRange(range),
    ...(beyond ? { publicAddress: formatAddress(beyond) } : {}),
  };
}

/** An address without a record or, of a public address, all that it is for. */
function bareItems(address: Address, index: PoolIndex): readonly WhoItem[] {
  const behind = index.behind(address);
  const ranges = behind.length > 0 ? behind : [{ from: address, to: address }];
  return ranges.flatMap((range) => bareParts(range, index));
}

/** The free and reserved parts of a range, which is an address or the inside of a rule. */
function bareParts(range: AddressRange, index: PoolIndex): readonly WhoItem[] {
  const pool = index.of(range.from);
  const item = (part: AddressRange, state: WhoState): WhoItem => ({
    ...addressFields(part, index),
    state,
    ...(pool ? { pool: pool.name, zone: pool.zone } : {}),
    claims: [],
  });
  if (!pool) return [item(range, 'in no pool')];
  const whole = rangeSetOf([range]);
  const isLeftOut = pool.avoidBuggyIPs && rangeSize(range) === 1n && isBuggyIP(range.from);
  const open = isLeftOut ? rangeSetOf([]) : subtract(whole, pool.reserved);
  const free = 'free' as const;
  const states = [
    ...open.ranges.map((part) => ({ part, state: pool.state === 'active' ? free : pool.state })),
    ...subtract(whole, open).ranges.map((part) => ({ part, state: 'reserved' as const })),
  ];
  return states
    .sort((left, right) => compareAddresses(left.part.from, right.part.from))
    .map(({ part, state }) => item(part, state));
}
