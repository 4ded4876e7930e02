import type { WrittenPromise } from '../../core/declarations/promise/promise-file.ts';
import { endpointHolder } from '../../core/model/claim.ts';
import { InternalError, ok } from '../../core/model/problem.ts';
import { isPromised } from '../../core/records/records.ts';
import { addCommit, type CommitResult, commitMessage } from '../../lib/branch/branch-commit.ts';
import {
  type BotContext,
  type BranchRun,
  changeLines,
  isUnrecorded,
  runOnBranch,
} from '../../lib/branch/branch-run.ts';
import { promiseEdit } from '../../lib/edit/declaration-edit.ts';
import { addressFields, type DeclareResult } from './declare.ts';

/** A promise to declare in a commit. */
export interface PromiseTask {
  /** Already validated. */
  readonly promise: WrittenPromise;
  /** The commit's subject, instead of the default one. */
  readonly subject: string | undefined;
}

/**
 * Declares a promise on a branch, as `declare` does a claim. Idempotent: an equal promise with an
 * address changes nothing, and an endpoint with a lease needs none. Problems: PROMISE_DUPLICATE for
 * a promise with other fields, PROMISE_TOO_LONG, and FIELD_VALUE for a new promise whose last day is
 * over.
 */
export function declarePromise(
  context: BotContext,
  { promise, subject }: PromiseTask,
): Promise<CommitResult<DeclareResult>> {
  return addCommit(context, async (head) => {
    const outcome = await runOnBranch(context, head, (tree, declared) => {
      const edit = promiseEdit(tree, declared, promise, { today: context.today() });
      if (!edit.ok) return edit;
      const { file, text, state } = edit.value;
      const writes = new Map(state === 'added' ? [[file, text]] : []);
      return ok({ changes: { writes, removes: [] }, value: state });
    });
    if (!outcome.ok) return { kind: 'problems', problems: outcome.problems };
    const { run, changes, value: state } = outcome.value;
    const value = promiseAnswer(outcome.value, promise);
    if (state === 'present' && !isUnrecorded(run, value)) return { kind: 'nothing', value };
    const { holder, addresses } = value;
    const message = commitMessage({
      subject: subject ?? `Promise ${addresses.join(' and ')} to ${holder}`,
      body: [`endpoint ${promise.endpoint}, until ${promise.until}`, ...changeLines(run.changes)],
      trailers: [
        ['Leasehold-Holder', holder],
        ...addresses.map((address) => ['Leasehold-Address', address] as const),
      ],
    });
    const tree = await context.branch.treeWith(head ?? '', changes);
    return { kind: 'commit', draft: { tree, parent: head, message }, value };
  });
}

function promiseAnswer(
  { day, run }: BranchRun<unknown>,
  { owner, endpoint, cluster = run.workspace.pools.defaultCluster }: WrittenPromise,
): DeclareResult {
  const id = endpointHolder(cluster ?? '', owner, endpoint);
  const holder = run.workspace.holders.find((one) => one.id === id);
  if (!holder) throw new InternalError('the declared promise is not in the workspace');
  const promise = isPromised(holder) ? holder.promise : undefined;
  return {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Declaration',
    day,
    cluster: cluster ?? '',
    holder: id,
    ...addressFields(run, id),
    ...(promise ? { promisedUntil: promise.until } : {}),
    file: holder.at.file,
  };
}
