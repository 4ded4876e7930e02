import type { Commits } from '../../core/interfaces/commits.ts';
import type { TreeChanges } from '../../core/interfaces/tree.ts';
import type { History } from '../../core/interfaces/work-tree.ts';
import type { Change } from '../../core/model/allocation.ts';
import type { Day } from '../../core/model/day.ts';
import {
  EnvironmentError,
  failSorted,
  type Outcome,
  ok,
  type Problem,
} from '../../core/model/problem.ts';
import { formatAddress } from '../../core/net/address.ts';
import type { PlannedRun } from '../../core/run/synth/planned-run.ts';
import { synth } from '../../core/run/synth/synth.ts';
import { type ChangedTree, changedTree } from '../../core/tree/changed-tree.ts';
import { type Declared, readDeclared } from '../../core/tree/declared.ts';
import { sourceLines } from '../../core/tree/source-line.ts';
import { committedHistory } from '../../core/tree/workspace.ts';
import type { CommitContext } from './branch-commit.ts';

/** A commit context with the repository's commits and the clock of a bot. */
export interface BotContext extends CommitContext {
  readonly commits: Commits;
  /** Called for every attempt. */
  readonly today: () => Day;
}

/** An edit of the declarations of a head, and a value for the answer. */
export interface Edit<Value> {
  readonly changes: TreeChanges;
  readonly value: Value;
}

/** The result of an edit and a synth at a head. */
export interface BranchRun<Value> {
  /** The day of this attempt. */
  readonly day: Day;
  readonly run: PlannedRun;
  /** All files that differ from the head, also those that were already stale there. */
  readonly changes: TreeChanges;
  readonly value: Value;
}

/**
 * Edits the declarations of a head and synthesizes the result, in memory. Problems: those of the
 * head, the edit and the run. A bot cannot override MASS_RELEASE.
 */
export async function runOnBranch<Value>(
  { branch, commits, today }: BotContext,
  head: string | undefined,
  edit: (tree: ChangedTree, declared: Declared) => Outcome<Edit<Value>>,
): Promise<Outcome<BranchRun<Value>>> {
  if (head === undefined)
    throw new EnvironmentError(`branch ${branch.name} does not exist: push it first`);
  const tree = changedTree(await commits.tree(head));
  const source = sourceLines(tree);
  const failed = (problems: readonly Problem[]) =>
    failSorted(problems.map((problem) => ({ ...problem, source })));
  const declared = readDeclared(tree);
  if (declared.problems.length > 0) return failed(declared.problems);
  const edited = edit(tree, declared);
  if (!edited.ok) return failed(edited.problems);
  await tree.commit(edited.value.changes);
  const day = today();
  const run = await synthHere(tree, commits, head, day);
  if (!run.ok) return failed(run.problems);
  return ok({ day, run: run.value, changes: tree.changes(), value: edited.value.value });
}

/** Synthesizes a tree in memory, which receives the written files, over that of the head. */
export function synthHere(
  tree: ChangedTree,
  commits: Commits,
  head: string,
  today: Day,
): Promise<Outcome<PlannedRun>> {
  const history: History = {
    ...committedHistory(tree),
    committed: () => commits.tree(head),
    landings: (days) => commits.landings(head, days),
  };
  return synth(tree, history, { today });
}

/**
 * True when the branch does not have an address of an answer yet: a person has committed only the
 * declaration.
 */
export function isUnrecorded(
  { changes }: PlannedRun,
  answer: { readonly holder: string; readonly addresses: readonly string[] },
): boolean {
  return changes.some(
    ({ address, holder }) =>
      holder === answer.holder && answer.addresses.includes(formatAddress(address)),
  );
}

/** `allocated 203.0.113.7 for default/akash/…`: the body of a commit message. */
export function changeLines(changes: readonly Change[]): readonly string[] {
  return changes.map(
    ({ kind, address, holder }) => `${kind} ${formatAddress(address)} for ${holder}`,
  );
}
