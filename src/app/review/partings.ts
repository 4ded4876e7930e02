import { firstDay, type Parting } from '../../allocate/promise-passages.ts';
import { allocationsFolder } from '../../model/folders.ts';
import type { Commit, Commits } from '../ports/commits.ts';
import { readRecords } from '../workspace/declared.ts';
import type { Comparison } from './comparison.ts';

/** More of them are not read, the oldest first: a branch that merges its target every day has a lot. */
const mostPartings = 32;

/**
 * Where commits of the head part from the target, beside the base: of a merge into the target, as a forge checks it out for a
 * pull request or a merge queue, that is where its branches began. So it is of branches that are said to be merged by a squash or a rebase.
 */
export async function partingsOf(commits: Commits, comparison: Comparison): Promise<Parting[]> {
  const { base, target, between, merged, today } = comparison;
  const own = new Set(between.map(({ id }) => id));
  const points = new Set(
    between.flatMap(({ parents }) => parents.filter((parent) => !own.has(parent))),
  );
  for (const { id } of merged) {
    for (const point of await commits.mergeBases(target.id, id)) points.add(point.id);
  }
  points.delete(base.id);
  const found: Commit[] = [];
  for (const id of points) found.push(await commits.resolve(id));
  found.sort((left, right) => (left.at < right.at ? -1 : 1));
  const partings: Parting[] = [];
  for (const { id, day } of found.slice(0, mostPartings)) {
    const { table, problems } = readRecords(await commits.tree(id, [allocationsFolder]));
    if (problems.length === 0) partings.push({ table, earliest: firstDay(table, day, today) });
  }
  return partings;
}
