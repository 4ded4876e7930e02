import type { TreeChanges } from '../../core/interfaces/tree.ts';
import { type Outcome, ok } from '../../core/model/problem.ts';
import { type Address, formatAddress } from '../../core/net/address.ts';
import type { PlannedRun } from '../../core/run/synth/planned-run.ts';
import type { ChangedTree } from '../../core/tree/changed-tree.ts';
import type { Declared } from '../../core/tree/declared.ts';
import { addCommit, type CommitStep, commitMessage } from '../../lib/branch/branch-commit.ts';
import { changeLines, runOnBranch } from '../../lib/branch/branch-run.ts';
import {
  failedByProblems,
  type IpamAction,
  type IpamReply,
  isReply,
  success,
} from './ipam-answer.ts';
import type { IpamContext, IpamTarget } from './ipam-target.ts';
import { noChanges } from './reservation-edits.ts';

/** Applies a request at a head. */
export interface IpamEdit {
  readonly target: IpamTarget;
  readonly changes: TreeChanges;
  /** The answer after the run with the changes; a reply when it is not what is asked for. */
  answer(run: PlannedRun): IpamReply | IpamDone;
  /** True when the request goes on after the commit. */
  readonly isFirst?: boolean;
}

/** The result of a request for its answer and its commit. */
export interface IpamDone {
  readonly message: string;
  readonly address: Address;
  readonly subject: string;
}

/**
 * Carries out a request on the branch: edits, synthesizes, commits and pushes, again from the new
 * head after a concurrent push. Nothing is committed when neither the declaration nor an address of
 * the Service changes. Throws an EnvironmentError when the remote fails.
 */
export async function carryOut(
  context: IpamContext,
  action: IpamAction,
  editOf: (tree: ChangedTree, declared: Declared) => Outcome<IpamReply | IpamEdit>,
): Promise<IpamReply> {
  const ended = await addCommit(context, async (head): Promise<CommitStep<IpamReply | 'go on'>> => {
    const outcome = await runOnBranch(context, head, (tree, declared) => {
      const edit = editOf(tree, declared);
      if (!edit.ok) return edit;
      return ok({
        changes: isReply(edit.value) ? noChanges : edit.value.changes,
        value: edit.value,
      });
    });
    if (!outcome.ok) return { kind: 'problems', problems: outcome.problems };
    const { run, changes, value: edit } = outcome.value;
    if (isReply(edit)) return { kind: 'nothing', value: edit };
    const done = edit.answer(run);
    if (isReply(done)) return { kind: 'nothing', value: done };
    const reply = success(done.message, done.address);
    if (!isChanged(edit, run)) return { kind: 'nothing', value: reply };
    const tree = await context.branch.treeWith(head ?? '', changes);
    const draft = { tree, parent: head, message: messageOf(edit.target, done, run) };
    return { kind: 'commit', draft, value: edit.isFirst ? 'go on' : reply };
  });
  if (ended.kind === 'problems') return failedByProblems(action, ended.problems);
  return ended.value === 'go on' ? carryOut(context, action, editOf) : ended.value;
}

function isChanged({ changes, target }: IpamEdit, run: PlannedRun): boolean {
  const isEdited = changes.writes.size + changes.removes.length > 0;
  return isEdited || run.changes.some(({ holder }) => holder === target.holder);
}

function messageOf(
  { holder, namespace, name }: IpamTarget,
  { subject, address }: IpamDone,
  { changes }: PlannedRun,
): string {
  return commitMessage({
    subject,
    body: [`Service ${namespace}/${name}, requested over HTTP`, ...changeLines(changes)],
    trailers: [
      ['Leasehold-Holder', holder],
      ['Leasehold-Address', formatAddress(address)],
    ],
  });
}
