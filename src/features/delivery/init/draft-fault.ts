import { readPools } from '../../../declarations/pools/pools-file.ts';
import { poolsPath } from '../../../model/folders.ts';
import { poolsText } from './pools-text.ts';
import type { PoolsDraft } from './setup.ts';

/** What is wrong with a pool file as a whole, such as pools that overlap; undefined when nothing is. */
export function draftFault(draft: PoolsDraft): string | undefined {
  const read = readPools(poolsPath, new TextEncoder().encode(poolsText(draft)));
  if (read.ok) return undefined;
  const [problem] = read.problems;
  return problem && (problem.hint ? `${problem.message}; ${problem.hint}` : problem.message);
}
