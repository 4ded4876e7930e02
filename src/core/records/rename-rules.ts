import type { PoolIndex } from '../declarations/pools/pool-index.ts';
import {
  type Allocation,
  type AllocationTable,
  isHeld,
  recordsByHolder,
} from '../model/allocation.ts';
import type { Former, Holder, Rename } from '../model/holder.ts';
import { groupBy } from '../model/order.ts';
import type { Position, Problem } from '../model/problem.ts';
import { byAddress, formatAddress } from '../net/address.ts';
import { isKeptFor } from './key-rules.ts';
import { maySucceed, type Succession } from './succession.ts';

/**
 * The problems of renames with each other and with what is declared: RENAME_CONFLICT for two by
 * which one holder would go on as two, or two as one, RENAME_UNKNOWN for an address that would be
 * lost because no new holder is declared. A rename that has been made is no problem, whatever is
 * declared later.
 */
export function renameTargetProblems(
  renames: readonly Rename[],
  holders: readonly Holder[],
  table: AllocationTable,
): Problem[] {
  if (renames.length === 0) return [];
  const declared = new Set(holders.map(({ id }) => id));
  const heldBy = recordsByHolder(table, isHeld);
  const bySource = groupBy(renames, ({ from }) => from);
  const goesOn = (from: string): boolean => {
    const names = new Set([from]);
    for (const name of names) {
      for (const { to } of bySource.get(name) ?? []) {
        if (declared.has(to)) return true;
        names.add(to);
      }
    }
    return false;
  };
  const lost = renames.flatMap(({ from, to, at }): Problem[] => {
    const [record] = heldBy.get(from) ?? [];
    if (!record || declared.has(from) || goesOn(from)) return [];
    const message = `${from} would be renamed to ${to}, which is not declared, and would lose ${formatAddress(record.address)}`;
    return [
      {
        code: 'RENAME_UNKNOWN',
        message,
        at,
        hint: 'declare it, correct the name, or remove the rename',
      },
    ];
  });
  const pending = renames.filter(
    ({ from, to }) =>
      heldBy.has(from) && !declared.has(from) && declared.has(to) && !heldBy.has(to),
  );
  return [...lost, ...twice(pending, 'from'), ...twice(pending, 'to')];
}

/** A second rename of one holder; the same rename again is none. */
function twice(renames: readonly Rename[], side: 'from' | 'to'): Problem[] {
  const other = side === 'from' ? 'to' : 'from';
  return [...groupBy(renames, (rename) => rename[side])].flatMap(([holder, [first, ...more]]) =>
    more
      .filter((rename) => rename[other] !== first[other])
      .map((rename): Problem => {
        const pair = `${first[other]} and ${rename[other]}`;
        const message =
          side === 'from'
            ? `${holder} is renamed to both ${pair}`
            : `both ${pair} are renamed to ${holder}`;
        return {
          code: 'RENAME_CONFLICT',
          message,
          at: rename.at,
          also: [first.at],
          hint: 'keep one of them',
        };
      }),
  );
}

/**
 * The problems of holders that get no address by their renames and have none: RENAME_CONFLICT when
 * a former holder is still declared, or its address cannot go over; RENAME_UNKNOWN when no former
 * holder has one. A holder that has an address is renamed already.
 */
export function renameProblems(
  index: PoolIndex,
  holders: readonly Holder[],
  { table }: Pick<Succession, 'table'>,
): Problem[] {
  const renamed = holders.filter(({ formerly }) => formerly.some(({ renamedAt }) => renamedAt));
  if (renamed.length === 0) return [];
  const heldBy = recordsByHolder(table, isHeld);
  const declared = new Map(holders.map((holder) => [holder.id, holder]));
  const isKept = (holder: Holder): boolean =>
    [...table.values()].some((record) => !isHeld(record) && isKeptFor(record, holder));
  return renamed.flatMap((holder): Problem[] => {
    if (heldBy.has(holder.id)) return [];
    const formers = holder.formerly.flatMap(({ id, renamedAt }) =>
      renamedAt ? [{ id, at: renamedAt }] : [],
    );
    const [first] = formers;
    if (!first) return [];
    const still = formers.find(({ id }) => declared.has(id));
    if (still) return [stillDeclared(holder, still, declared.get(still.id)?.at)];
    const records = formers.flatMap(({ id }) => heldBy.get(id) ?? []).sort(byAddress);
    const [record] = records;
    if (record) return [stays(index, holder, { record, at: first.at })];
    if (isKept(holder)) return [];
    return [
      {
        code: 'RENAME_UNKNOWN',
        message: `${holder.id} has no address, and none is held by ${formers.map(({ id }) => id).join(' or ')}, from which it is renamed`,
        at: first.at,
        hint: 'correct the name of the former holder, or remove the rename: it then gets an address of its own',
      },
    ];
  });
}

type Named = Pick<Former, 'id'> & { readonly at: Position };

function stillDeclared(holder: Holder, { id, at }: Named, other: Position | undefined): Problem {
  return {
    code: 'RENAME_CONFLICT',
    message: `${id} is renamed to ${holder.id}, but is still declared`,
    at,
    also: other ? [other] : [],
    hint: 'remove its declaration, or remove the rename: each then has an address of its own',
  };
}

function stays(
  index: PoolIndex,
  holder: Holder,
  { record, at }: { readonly record: Allocation; readonly at: Position },
): Problem {
  const address = formatAddress(record.address);
  const pool = index.of(record.address);
  const reason = maySucceed(holder, record)
    ? `it is ${pool ? `in pool ${pool.name}` : 'in no pool'}, and ${holder.id} requests ${requestText(index, holder)}`
    : `it has a key, and ${holder.id} has another owner`;
  return {
    code: 'RENAME_CONFLICT',
    message: `${address} of ${record.holder} cannot go over to ${holder.id}: ${reason}`,
    at,
    also: [holder.at],
    hint: maySucceed(holder, record)
      ? 'request the same pool and family here, and move it in a later change'
      : 'release it in one change, and declare it with a signature of its key in the next: `leasehold key sign --action reclaim`',
  };
}

function requestText(index: PoolIndex, holder: Holder): string {
  const place = holder.pool === undefined ? `zone ${index.zoneOf(holder)}` : `pool ${holder.pool}`;
  return `${holder.families.join(' and ')} of ${place}`;
}
