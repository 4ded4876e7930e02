import { PoolIndex } from '../../declarations/pools/pool-index.ts';
import { type Allocation, isHeld } from '../../model/allocation.ts';
import type { Pool } from '../../model/pools.ts';
import type { Question } from '../../model/question.ts';
import { type Address, compareAddresses, formatAddress, isBuggyIP } from '../../net/address.ts';
import { rangeHas } from '../../net/range.ts';
import { setHas } from '../../net/range-set.ts';
import type { Known } from './known.ts';
import { listClaims } from './list.ts';
import { namedIn } from './name-index.ts';
import type { AddressState, WhoItem } from './who-answer.ts';

/** The addresses that a question is about, and holders it names that are declared and have none yet. */
export interface Answer {
  /** By address, IPv4 first. Of a range, those that are recorded. */
  readonly items: readonly WhoItem[];
  readonly waiting: readonly string[];
}

/**
 * Who has what a question names: an address, the recorded ones of a range, or those of a holder, an owner, a
 * dseq, a lease id, a sharing key, a service or a namespace. A name matches whole.
 */
export function whoHas(question: Question, known: Known): Answer {
  const index = new PoolIndex(known.pools);
  if (question.kind === 'address') {
    const record = known.table.get(formatAddress(question.address));
    const item = record ? recordedItem(record, index, known) : bareItem(question.address, index);
    return { items: [item], waiting: [] };
  }
  if (question.kind === 'name') {
    const { records, waiting } = namedIn(known, question.name);
    return { items: records.map((record) => recordedItem(record, index, known)), waiting };
  }
  if (question.kind === 'nothing') return { items: [], waiting: [] };
  const isMeant = ({ address }: Allocation): boolean => rangeHas(question.range, address);
  return { items: itemsOf(known, index, isMeant), waiting: [] };
}

/** Every address that is recorded, IPv4 first. */
export function allRecorded(known: Known): readonly WhoItem[] {
  return itemsOf(known, new PoolIndex(known.pools), () => true);
}

function itemsOf(
  known: Known,
  index: PoolIndex,
  test: (record: Allocation) => boolean,
): readonly WhoItem[] {
  return [...known.table.values()]
    .filter(test)
    .sort((left, right) => compareAddresses(left.address, right.address))
    .map((record) => recordedItem(record, index, known));
}

function recordedItem(record: Allocation, index: PoolIndex, { claims, pools }: Known): WhoItem {
  const { address, holder, since, released, at } = record;
  const pool = index.of(address) ?? index.named(record.pool);
  return {
    address: formatAddress(address),
    state: isHeld(record) ? 'held' : 'released',
    pool: pool?.name ?? record.pool,
    ...(pool ? { zone: pool.zone } : {}),
    holder,
    since,
    ...(released ? { released } : {}),
    ...(at ? { file: at.file } : {}),
    claims: isHeld(record) ? listClaims(pools, claims.get(holder) ?? []) : [],
  };
}

function bareItem(address: Address, index: PoolIndex): WhoItem {
  const pool = index.of(address);
  return {
    address: formatAddress(address),
    state: bareState(address, pool),
    ...(pool ? { pool: pool.name, zone: pool.zone } : {}),
    claims: [],
  };
}

function bareState(address: Address, pool: Pool | undefined): AddressState {
  if (!pool) return 'in no pool';
  const isLeftOut = pool.avoidBuggyIPs && isBuggyIP(address);
  return isLeftOut || setHas(pool.reserved, address) ? 'reserved' : 'free';
}
