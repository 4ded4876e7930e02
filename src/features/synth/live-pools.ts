import type { LiveFacts } from '../../manifests/manifest-file.ts';
import { type Problem, startOf } from '../../model/problem.ts';
import {
  type AddressRange,
  compareRanges,
  firstReaching,
  formatRange,
  isRange,
  parseRange,
  rangesOverlap,
} from '../../net/range.ts';

/** A range of an IPAddressPool, and the manifest that has it. */
export interface LivePool {
  readonly range: AddressRange;
  readonly name: string;
  readonly path: string;
}

/** The pools that a manifest has. */
export function livePoolsIn(path: string, { pools }: LiveFacts): LivePool[] {
  return [...pools].flatMap(([text, name]) => {
    const range = parseRange(text);
    return isRange(range) ? [{ range, name, path }] : [];
  });
}

/** Order by range: the one that {@link poolMoves} wants. */
export function compareLivePools(left: LivePool, right: LivePool): number {
  return compareRanges(left.range, right.range);
}

/**
 * FAMILY_CHANGED for every live pool of another name that a new one overlaps: MetalLB refuses the new one
 * while the old one has the address (config.go poolsFor). `live` is sorted, and its ranges never overlap.
 */
export function poolMoves(live: readonly LivePool[], { range, name }: LivePool): Problem[] {
  const moves: Problem[] = [];
  for (let index = firstReaching(live, (pool) => pool.range, range.from); ; index += 1) {
    const other = live[index];
    if (!other || !rangesOverlap(other.range, range)) return moves;
    if (other.name !== name) {
      moves.push({
        code: 'FAMILY_CHANGED',
        message: `${formatRange(range)} would be in the IPAddressPool ${name}, but is in the live one ${other.name}, and MetalLB refuses two pools with one address`,
        at: startOf(other.path),
        hint: 'end the leases on it in one commit, and make the change in the next, once the first is applied',
      });
    }
  }
}
