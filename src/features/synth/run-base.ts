import { type Day, earlierDay } from '../../model/day.ts';
import { allocationsFolder } from '../../model/folders.ts';
import type { Commit, Commits } from '../../ports/commits.ts';
import type { SourceTree } from '../../ports/tree.ts';
import { firstDay } from '../../transitions/promise-passages.ts';
import type { Base } from '../../transitions/rebase.ts';
import { readRecords } from '../../workspace/declared.ts';

/** What the branch of a run starts from. */
export interface RunBase extends Base {
  /** The merge base. */
  readonly commit: Commit;
  /** Its whole tree, which is read when it is asked for. */
  tree(): Promise<SourceTree>;
}

/** The commits that a run on a branch stands between. */
export interface RunRefs {
  /** What the branch goes to: a commit that it starts from, or a later one. */
  readonly target: Commit;
  /** HEAD, and what is being merged into it. */
  readonly heads: readonly string[];
}

/**
 * What a run on top of HEAD starts from: the merge base of the target and of the commit that is to come. Undefined when that is not one
 * commit, or when its records cannot be read: nobody can tell then what the target never had.
 */
export async function runBase(
  commits: Commits,
  { target, heads }: RunRefs,
  today: Day,
): Promise<RunBase | undefined> {
  const [commit, ...others] = await commits.mergeBases(target.id, ...heads);
  if (commit === undefined || others.length > 0) return undefined;
  const { table, problems } = readRecords(await commits.tree(commit.id, [allocationsFolder]));
  if (problems.length > 0) return undefined;
  // A squash, a rebase or a merge queue puts the branch on top of the target's newest commit: its days must do there too.
  const newest = readRecords(await commits.tree(target.id, [allocationsFolder]));
  return {
    commit,
    table,
    earliest: firstDay(newest.table, target.day, today),
    target: earlierDay(target.day, today),
    tree: () => commits.tree(commit.id),
  };
}
