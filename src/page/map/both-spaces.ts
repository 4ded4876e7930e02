import { compareAddresses } from '../../net/address.ts';
import { compareRanges, formatRange } from '../../net/range.ts';
import type { PictureIndex, Space } from '../picture-index.ts';

/** A space of one picture or of two that are compared. */
export interface BothSpaces {
  /** Of what both have, the newer one with the ranges and records of either. */
  readonly space: Space;
  readonly was: Space | undefined;
  readonly is: Space | undefined;
}

/** The spaces of a picture, and those that only the one before has. A pool that is called something else is the same one. */
export function bothSpaces(
  before: PictureIndex | undefined,
  after: PictureIndex,
): readonly BothSpaces[] {
  const old = before?.spaces ?? [];
  const own = after.spaces.map((is) => {
    const was = old.find(isNamedLike(is)) ?? renamed(is, old, after.spaces);
    return { space: was ? joined(was, is) : is, was, is };
  });
  const gone = old.filter((space) => !own.some(({ was }) => was === space));
  return [...own, ...gone.map((was) => ({ space: was, was, is: undefined }))];
}

/** True for the space of the same pool and family. */
function isNamedLike({ pool, family }: Space): (other: Space) => boolean {
  return (other) => other.pool.pool === pool.pool && other.family === family;
}

/** The one that had the same ranges, and whose name nobody has now. */
function renamed(is: Space, old: readonly Space[], now: readonly Space[]): Space | undefined {
  const text = rangesText(is);
  return old.find((was) => rangesText(was) === text && !now.some(isNamedLike(was)));
}

function rangesText({ ranges }: Space): string {
  return ranges.map(formatRange).join();
}

function joined(was: Space, is: Space): Space {
  return {
    ...is,
    ranges: [...was.ranges, ...is.ranges].sort(compareRanges),
    records: [...was.records, ...is.records].sort((one, other) =>
      compareAddresses(one.address, other.address),
    ),
  };
}
