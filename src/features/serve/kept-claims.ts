import { isHeld } from '../../model/allocation.ts';
import { type Claim, compareClaims } from '../../model/claim.ts';
import type { Known } from '../ask/known.ts';

/**
 * What a tree says, with the last good claims of declarations that are not sound in it: as long as their holders
 * have their addresses, what stands on them is still there. Without an earlier look, what the tree says alone.
 */
export function withKeptClaims(before: Known | undefined, now: Known): Known {
  const broken = new Set(now.problems.map(({ at }) => at.file));
  if (before === undefined || broken.size === 0) return now;
  const holding = new Set([...now.table.values()].filter(isHeld).map(({ holder }) => holder));
  const read = new Set([...now.claims.values()].flat().map(({ at }) => at.file));
  const isKept = ({ at, holder }: Claim): boolean =>
    broken.has(at.file) && !read.has(at.file) && holding.has(holder);
  const claims = new Map(now.claims);
  for (const [holder, earlier] of before.claims) {
    const kept = earlier.filter(isKept);
    if (kept.length === 0) continue;
    claims.set(holder, [...(claims.get(holder) ?? []), ...kept].sort(compareClaims));
  }
  return { ...now, claims };
}
