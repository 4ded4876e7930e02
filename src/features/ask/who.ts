import * as z from 'zod';
import { PoolIndex } from '../../declarations/pools/pool-index.ts';
import { type Allocation, isHeld } from '../../model/allocation.ts';
import type { Pool } from '../../model/pools.ts';
import type { Question } from '../../model/question.ts';
import { type Address, byAddress, formatAddress, isBuggyIP } from '../../net/address.ts';
import { type AddressRange, rangeHas, rangeSize } from '../../net/range.ts';
import { setHas } from '../../net/range-set.ts';
import { type Answer, answeredDay, answeredState, apiVersion } from '../../text/answer.ts';
import { hostnameItem } from './hostnames-answer.ts';
import { listClaims } from './list.ts';
import { listClaimSchema, promisedUntil } from './list-answer.ts';
import { namedIn } from './name-index.ts';
import { lastPromisedDay, type WorkspaceSnapshot } from './workspace-snapshot.ts';

/**
 * The state of an address:
 *
 * - `held`: it has a holder.
 * - `released`: it is still recorded for its last holder.
 * - `free`: it has no record.
 * - `reserved`: it is never allocated: reserved, or skipped because of `avoidBuggyIPs`.
 * - `in no pool`: no pool contains it.
 */
const addressStates = ['held', 'released', 'free', 'reserved', 'in no pool'] as const;

type WhoState = (typeof addressStates)[number];

const whoItem = z.strictObject({
  address: z.string().describe('In canonical form.'),
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
  file: z.string().exactOptional().describe('The allocation file.'),
  promisedUntil,
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
 * finds the recorded addresses behind a NAT that it is for.
 */
export function whoHas(question: Question, snapshot: WorkspaceSnapshot): WhoMatches {
  const index = new PoolIndex(snapshot.pools);
  if (question.kind === 'address') {
    const { address } = question;
    const items = itemsIn({ from: address, to: address }, index, snapshot);
    return { items: items.length > 0 ? items : [bareItem(address, index)], waiting: [] };
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
    ...addressFields(address, index),
    state: isHeld(record) ? 'held' : 'released',
    pool: pool?.name ?? record.pool,
    ...(pool ? { zone: pool.zone } : {}),
    holder,
    since,
    ...(released ? { released } : {}),
    ...(at ? { file: at.file } : {}),
    ...(isHeld(record) ? lastPromisedDay(snapshot, holder) : {}),
    claims: isHeld(record) ? listClaims(pools, claims.get(holder) ?? []) : [],
  };
}

function addressFields(
  address: Address,
  index: PoolIndex,
): Pick<WhoItem, 'address' | 'publicAddress'> {
  const own = formatAddress(address);
  const beyond = formatAddress(index.publicAddress(address));
  return { address: own, ...(beyond === own ? {} : { publicAddress: beyond }) };
}

function bareItem(address: Address, index: PoolIndex): WhoItem {
  const pool = index.of(address);
  return {
    ...addressFields(address, index),
    state: bareState(address, pool),
    ...(pool ? { pool: pool.name, zone: pool.zone } : {}),
    claims: [],
  };
}

function bareState(address: Address, pool: Pool | undefined): WhoState {
  if (!pool) return 'in no pool';
  const isLeftOut = pool.avoidBuggyIPs && isBuggyIP(address);
  return isLeftOut || setHas(pool.reserved, address) ? 'reserved' : 'free';
}
