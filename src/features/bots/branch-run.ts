import type { Change } from '../../model/change.ts';
import type { Day } from '../../model/day.ts';
import { compareProblems, EnvironmentError, type Outcome } from '../../model/problem.ts';
import { formatAddress } from '../../net/address.ts';
import type { Commits } from '../../ports/commits.ts';
import type { TreeChanges } from '../../ports/tree.ts';
import { type ChangedTree, changedTree } from '../../workspace/changed-tree.ts';
import { committedHistory } from '../../workspace/committed-history.ts';
import { type Declared, readDeclared } from '../../workspace/declared.ts';
import type { PlannedRun } from '../synth/planned-run.ts';
import { synth } from '../synth/synth.ts';
import type { Desk } from './branch-commit.ts';

/** What a bot works with. */
export interface BotDesk extends Desk {
  readonly commits: Commits;
  /** Asked anew for every attempt. */
  readonly today: () => Day;
}

/** A change of what is declared at a head: which files, and what to answer. */
export interface Edit<Value> {
  readonly changes: TreeChanges;
  readonly value: Value;
}

/** A head with a change and what synth makes of it. */
export interface BranchRun<Value> {
  readonly run: PlannedRun;
  /** All files that differ from the head, also those that were stale there already. */
  readonly changes: TreeChanges;
  readonly value: Value;
}

/**
 * Edits what a head declares and synthesizes the result, in memory. Problems of the head, of the edit
 * and of the run. MASS_RELEASE is for people: no number lets a bot release more.
 */
export async function runOnBranch<Value>(
  { branch, commits, today }: BotDesk,
  head: string | undefined,
  edit: (tree: ChangedTree, declared: Declared) => Outcome<Edit<Value>>,
): Promise<Outcome<BranchRun<Value>>> {
  if (head === undefined)
    throw new EnvironmentError(`there is no branch ${branch.name}: push it first`);
  const tree = changedTree(await commits.tree(head));
  const declared = readDeclared(tree);
  if (declared.problems.length > 0) {
    return { ok: false, problems: declared.problems.toSorted(compareProblems) };
  }
  const edited = edit(tree, declared);
  if (!edited.ok) return edited;
  await tree.commit(edited.value.changes);
  const run = await synthHere(tree, today());
  if (!run.ok) return run;
  return {
    ok: true,
    value: { run: run.value, changes: tree.changes(), value: edited.value.value },
  };
}

/** Synthesizes a tree in memory, which takes what is written. */
export function synthHere(tree: ChangedTree, today: Day): Promise<Outcome<PlannedRun>> {
  return synth(tree, committedHistory(tree), { today, allowRelease: undefined });
}

/** `allocated 203.0.113.7 for default/akash/…`: the body of a commit message. */
export function changeLines(changes: readonly Change[]): readonly string[] {
  return changes.map(
    ({ kind, address, holder }) => `${kind} ${formatAddress(address)} for ${holder}`,
  );
}
