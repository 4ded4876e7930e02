import type { Occupancy, PoolTotals } from '../plan-answer.ts';
import { usedOf } from './plan-words.ts';

/** How many cells of a bar are in use before and after. */
export interface BarCells {
  readonly before: number;
  readonly after: number;
}

/**
 * A pool as a line of `length` characters: `█` in use, `░` free, and what changes as `+` or `-`. A
 * change is never smaller than one character, and a pool that is in use at all never looks empty.
 */
export function poolBar(totals: PoolTotals, length: number): string {
  const { before, after } = barCells(totals, length);
  const both = Math.min(before, after);
  const sign = after > before ? '+' : '-';
  const change = sign.repeat(Math.abs(after - before));
  return `${'█'.repeat(both)}${change}`.padEnd(length, '░');
}

/** The cells of a bar in use before and after. A new pool has the same before as after. */
export function barCells({ before, after }: PoolTotals, length: number): BarCells {
  const from = inUse(before ?? after);
  const to = inUse(after);
  const cells = { before: cellsOf(before ?? after, length), after: cellsOf(after, length) };
  if (from === to || cells.before !== cells.after) return cells;
  const both = Math.min(cells.after, length - 1);
  return from < to ? { before: both, after: both + 1 } : { before: both + 1, after: both };
}

function inUse(side: Occupancy | undefined): bigint {
  return side === undefined ? 0n : usedOf(side);
}

function cellsOf(side: Occupancy | undefined, length: number): number {
  if (side === undefined || inUse(side) === 0n) return 0;
  return Math.max(1, Math.floor((side.percent * length) / 100));
}
