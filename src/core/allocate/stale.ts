import type { PoolIndex } from '../declarations/pools/pool-index.ts';
import type { Allocation } from '../model/allocation.ts';
import { purposeText } from '../model/holder.ts';
import type { Problem } from '../model/problem.ts';
import { familyName } from '../net/address.ts';
import { type HolderStatus, recordProblem, type TableCheck } from '../records/held.ts';
import { isOtherKey, isSharedWithKey, rotationProblem } from '../records/key-rules.ts';
import { isPromised, retainOf } from '../records/records.ts';

const hint = 'run `leasehold synth` and commit what it writes';

/** Returns a STALE problem for each change that a writing run would make to the table. */
export function staleProblems(index: PoolIndex, review: TableCheck): Problem[] {
  return [
    ...review.statuses.flatMap((status) => [
      ...notAllocated(status),
      ...notUpToDate(index, status),
      ...notRekeyed(status),
    ]),
    ...review.gone.map((record) =>
      stale(record, `is held by ${record.holder}, and no claim needs it`),
    ),
  ];
}

function notAllocated({ holder, lacks }: HolderStatus): Problem[] {
  return lacks.map((family) => ({
    code: 'STALE',
    message: `${purposeText(holder)} has no ${familyName(family)} address yet`,
    at: holder.at,
    hint,
  }));
}

/** Records whose key differs from the key that their holder names. */
function notRekeyed({ holder, kept }: HolderStatus): Problem[] {
  return [...kept.values()]
    .filter((record) => isOtherKey(holder, record) && !rotationProblem(holder, record, undefined))
    .map((record) =>
      stale(
        record,
        `is recorded with ${keyName(record.key)}, and should be with ${keyName(holder.ownership.key?.publicKey)}`,
      ),
    );
}

function notSharedAsRecorded(record: Allocation, shared: boolean): Problem {
  const [was, is] = [record.shared, shared].map((several) => (several ? 'several' : 'one'));
  return stale(record, `is recorded with ${was} Service on it, and should be with ${is}`);
}

function notPromisedAsRecorded(record: Allocation): Problem {
  const message = record.promised
    ? 'is recorded as promised, and a lease has it'
    : 'is recorded for a lease, and is only promised';
  return stale(record, message);
}

function stale(record: Allocation, message: string): Problem {
  return recordProblem('STALE', record, message, hint);
}

function keyName(key: string | undefined): string {
  return key === undefined ? 'no key' : `key ${key}`;
}

function notUpToDate(index: PoolIndex, { holder, kept }: HolderStatus): Problem[] {
  return [...kept.values()].flatMap((record) => {
    const pool = index.of(record.address);
    const shared = isSharedWithKey(holder, record.address);
    if (pool && shared !== record.shared && !isOtherKey(holder, record)) {
      return [notSharedAsRecorded(record, shared)];
    }
    if (isPromised(holder) !== record.promised) return [notPromisedAsRecorded(record)];
    if (!pool || (pool.name === record.pool && retainOf(holder, pool) === record.retain)) return [];
    return [
      stale(
        record,
        `is recorded with pool ${record.pool} and retain ${record.retain}, and should be with pool ${pool.name} and retain ${retainOf(holder, pool)}`,
      ),
    ];
  });
}
