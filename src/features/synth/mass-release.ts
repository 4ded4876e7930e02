import { type Problem, startOf } from '../../model/problem.ts';

/** Addresses that were held and are no more. */
export interface Releases {
  /** How many were held before. */
  readonly held: number;
  /** The allocation files of those that are released, in the order of the addresses. */
  readonly files: readonly string[];
  /** The exact numbers that somebody has said. */
  readonly allowed: readonly number[];
}

/** How many addresses may be released without being told to: 10 % of the held ones, at least 3. */
function releaseLimit(held: number): number {
  return Math.max(3, Math.floor(held / 10));
}

/** MASS_RELEASE, unless the number is small or was said; `hintOf` tells how to say it. */
export function massRelease(
  { held, files, allowed }: Releases,
  hintOf: (count: number) => string,
): Problem | undefined {
  const [first] = files;
  if (first === undefined || files.length <= releaseLimit(held)) return undefined;
  if (allowed.includes(files.length)) return undefined;
  return {
    code: 'MASS_RELEASE',
    message: `${files.length} of ${held} held addresses would be released`,
    at: startOf(first),
    hint: `if it is meant: ${hintOf(files.length)}`,
  };
}
