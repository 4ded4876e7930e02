import type { AllocationTable } from '../../model/allocation.ts';
import { earlierDay } from '../../model/day.ts';
import { allocationsFolder } from '../../model/folders.ts';
import { longestRetention } from '../../model/lease.ts';
import { longestCooldown } from '../../model/pools.ts';
import type { Problem } from '../../model/problem.ts';
import type { Commit, Commits } from '../../ports/commits.ts';
import type { SourceTree } from '../../ports/tree.ts';
import { firstDay, type Parting } from '../../transitions/days.ts';
import { joinedPassageProblems } from '../../transitions/moves.ts';
import { type Judgement, transitionProblems } from '../../transitions/transitions.ts';
import { type Declared, readRecords } from '../../workspace/declared.ts';
import { type Comparison, shownRef } from './comparison.ts';

interface Sides {
  readonly base: Declared;
  readonly head: Declared;
}

/** What of the records may not follow from those of the base, each with the command that mends it. */
export async function passageProblems(
  commits: Commits,
  comparison: Comparison,
  { base, head }: Sides,
): Promise<Problem[]> {
  const { headTree, day, today, target } = comparison;
  const before = readable(base.table, headTree, head.table);
  const judgement: Judgement = {
    day,
    longestPromise: longestPromise(base, head),
    earliest: firstDay(base.table, comparison.base.day, today),
    target: earlierDay(target.day, today),
    holders: new Map((head.holders ?? []).map((holder) => [holder.id, holder])),
    formerHolders: new Map((base.holders ?? []).map((holder) => [holder.id, holder])),
  };
  const found = transitionProblems(before, head.table, judgement);
  // Older commits are only asked about what would be refused else.
  const partings = found.length > 0 ? await partingsOf(commits, comparison) : [];
  const problems =
    partings.length > 0
      ? transitionProblems(before, head.table, { ...judgement, partings })
      : found;
  return [...problems, ...joinedElsewhere(base, head)].map((problem) =>
    mended(problem, comparison),
  );
}

/** ALLOCATION_FORGED for what a Service should have brought along. */
function joinedElsewhere(base: Declared, { pools, holders, table }: Declared): Problem[] {
  return pools && holders
    ? joinedPassageProblems(pools, holders, { base: base.table, head: table })
    : [];
}

/** Without the records whose files the head has and nobody can read: those are problems of their own. */
function readable(
  base: AllocationTable,
  headTree: SourceTree,
  head: AllocationTable,
): AllocationTable {
  const present = new Set(headTree.list(allocationsFolder).map(({ path }) => path));
  return new Map(
    [...base].filter(([address, { at }]) => head.has(address) || !present.has(at?.file ?? '')),
  );
}

/** In whole days. While the head's pools cannot be read, no pool file may promise more. */
function longestPromise(base: Declared, head: Declared): number {
  if (!head.pools) return longestCooldown;
  const pools = [...(base.pools?.pools ?? []), ...head.pools.pools];
  return Math.max(longestRetention, ...pools.map(({ cooldownDays }) => cooldownDays));
}

/**
 * A problem of records, with the one command that mends it: a run that knows the base makes again what the branch did, and
 * takes from the base what nobody may have changed. The forge's button that reverts a merge leaves such records too.
 */
export function mended(problem: Problem, { targetRef }: Comparison): Problem {
  if (problem.hint !== undefined) return problem;
  const ref = shownRef(targetRef);
  const base = ref === undefined ? '' : ` --base ${ref}`;
  const hint = `on the branch, after a git fetch, run leasehold synth${base} and commit what it writes: it records what the branch does as one run on the base`;
  return { ...problem, hint };
}

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
