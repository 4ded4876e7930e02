import { allocate } from '../../../src/core/allocate/allocate.ts';
import type { Move } from '../../../src/core/allocate/move.ts';
import type { AllocationTable } from '../../../src/core/model/allocation.ts';
import type { Pools } from '../../../src/core/model/pools.ts';
import type { Problem } from '../../../src/core/model/problem.ts';
import { type Family, formatAddress } from '../../../src/core/net/address.ts';
import { anAddress, aRange } from '../declarations/pools-and-claims.ts';
import { aDay, aTable, type ClaimWords, claimWith, holderId, theHolders } from './tables.ts';

/** What a test moves: alice, both families, on 2026-03-10, if nothing else is said. */
export interface Moving {
  readonly pools: Pools;
  readonly claims?: readonly ClaimWords[];
  readonly table?: AllocationTable;
  readonly names?: readonly string[];
  readonly families?: readonly Family[];
  readonly to?: readonly string[];
  readonly pool?: string;
  readonly outOf?: readonly string[];
  readonly today?: string;
}

function moving(words: Moving) {
  const { pools, claims = [{}], table = aTable(), names = ['alice'], to = [] } = words;
  const moves = names.map(
    (name): Move => ({
      holder: holderId(name),
      families: words.families ?? ['ipv4', 'ipv6'],
      to: to.map(anAddress),
      pool: words.pool,
      outOf: (words.outOf ?? []).map(aRange),
    }),
  );
  const holders = theHolders(pools, ...claims.map(claimWith));
  const today = aDay(words.today ?? '2026-03-10');
  return allocate(pools, holders, table, { today, moves });
}

/** The table after a move that has no problem. */
export function tableMoved(words: Moving): AllocationTable {
  const outcome = moving(words);
  if (!outcome.ok) throw new Error(outcome.problems.map(({ message }) => message).join('\n'));
  return outcome.value.table;
}

/** Each address in one line: `203.0.113.1 alice from 203.0.113.7`, `203.0.113.7 (alice) until 2026-03-11`. */
export function moved(words: Moving): readonly string[] {
  return [...tableMoved(words)]
    .map(([address, { holder, released, movedFrom }]) => {
      const name = holder.split('/').at(-1);
      const who = released ? `(${name}) until ${released.freeFrom}` : name;
      return `${address} ${who}${movedFrom ? ` from ${formatAddress(movedFrom)}` : ''}`;
    })
    .sort();
}

/** The changes of a move that has no problem, as `kind address`. */
export function changesMoved(words: Moving): readonly string[] {
  const outcome = moving(words);
  if (!outcome.ok) throw new Error(outcome.problems.map(({ message }) => message).join('\n'));
  return outcome.value.changes.map(({ kind, address }) => `${kind} ${formatAddress(address)}`);
}

/** The problems of a move, as `CODE message`. */
export function notMoved(words: Moving): readonly string[] {
  return moveProblems(words).map(({ code, message }) => `${code} ${message}`);
}

/** The problems of a refused move. */
export function moveProblems(words: Moving): readonly Problem[] {
  const outcome = moving(words);
  return outcome.ok ? [] : outcome.problems;
}
