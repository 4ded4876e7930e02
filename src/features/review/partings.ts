import { allocationsFolder } from '../../model/folders.ts';
import type { Commit, Commits } from '../../ports/commits.ts';
import { firstDay, type Parting } from '../../transitions/promise-passages.ts';
import { readRecords } from '../../workspace/declared.ts';
import type { Comparison } from './comparison.ts';

/** At most so many are read, the oldest first: a branch that merges its target every day has many. */
const mostPartings = 32;

/**
 * The commits at which branches of the head part from the target, without the base. A forge checks out a merge into the target
 * for a pull request or a merge queue: these are where its branches began. Branches that a squash or a rebase brought in
 * have such commits too.
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
