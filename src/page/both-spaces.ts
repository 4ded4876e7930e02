import { compareAddresses } from '../net/address.ts';
import { compareRanges } from '../net/range.ts';
import type { PictureIndex, Space } from './picture-index.ts';

/** The spaces of a picture, and those that only the one before has. Of what both have, the ranges and records of either. */
export function bothSpaces(
  before: PictureIndex | undefined,
  after: PictureIndex,
): readonly Space[] {
  if (!before) return after.spaces;
  const gone = before.spaces.filter((space) => !spaceLike(after, space));
  const own = after.spaces.map((space) => {
    const was = spaceLike(before, space);
    return was ? joined(was, space) : space;
  });
  return [...own, ...gone];
}

/** The space of the same pool and family in a picture. */
export function spaceLike(index: PictureIndex, { pool, family }: Space): Space | undefined {
  return index.spaces.find((space) => space.pool.pool === pool.pool && space.family === family);
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
