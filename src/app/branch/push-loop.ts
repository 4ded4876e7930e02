import { EnvironmentError, type Problem } from '../../model/problem.ts';
import type { Chance } from '../ports/chance.ts';
import type { CommitDraft, RemoteBranch } from '../ports/remote-branch.ts';
import type { Waiting } from '../ports/waiting.ts';

/** What a commit to a remote branch is made with. */
export interface Desk {
  readonly branch: RemoteBranch;
  readonly waiting: Waiting;
  readonly chance: Chance;
}

/**
 * What is to be done at a head: a commit on top of it, nothing, or what stands in the way. `value` is
 * the answer once that is done.
 */
export type Step<Value> =
  | { readonly kind: 'commit'; readonly draft: CommitDraft; readonly value: Value }
  | { readonly kind: 'nothing'; readonly value: Value }
  | { readonly kind: 'problems'; readonly problems: readonly Problem[] };

/** How a step ended. `commit` is the branch's new head, when a commit was needed. */
export type Ended<Value> =
  | { readonly kind: 'done'; readonly commit: string | undefined; readonly value: Value }
  | { readonly kind: 'problems'; readonly problems: readonly Problem[] };

/** The shortest time that an attempt counts as, and the longest pause, in milliseconds. */
const bounds = { attempt: 50, pause: 30_000 } as const;

/** A pause is at most this many times as long as the attempt before it. */
const mostAttempts = 16;

/** That often somebody else may be first. With the pauses, this takes minutes. */
const manyTries = 100;

/**
 * Adds one commit to a remote branch. When somebody else is first, it starts again from the new head:
 * `prepare` is asked anew, and may find that nothing is left to do. A commit whose push was cut off counts
 * as pushed when the branch has it. An EnvironmentError when the remote refuses the commit.
 */
export async function addCommit<Value>(
  { branch, waiting, chance }: Desk,
  prepare: (head: string | undefined) => Promise<Step<Value>>,
  mostTries = manyTries,
): Promise<Ended<Value>> {
  for (let tries = 1; ; tries += 1) {
    const start = waiting.now();
    const step = await prepare(await branch.head());
    if (step.kind === 'problems') return step;
    if (step.kind === 'nothing') return { kind: 'done', commit: undefined, value: step.value };
    const commit = await branch.write(step.draft);
    const reason = await pushOnce(branch, commit);
    if (reason === undefined) return { kind: 'done', commit, value: step.value };
    if (tries === mostTries) {
      throw new EnvironmentError(
        `somebody else was first on ${branch.name} ${mostTries} times; run it again: ${reason}`,
      );
    }
    await waiting.pause(longestPause(tries, waiting.now() - start) * chance());
  }
}

/**
 * In proportion to what an attempt takes here and now: many who push at once spread out until there is
 * room for the attempt of each, on a slow machine and behind a slow network too.
 */
function longestPause(tries: number, took: number): number {
  const attempts = Math.min(2 ** tries, mostAttempts);
  return Math.min(Math.max(took, bounds.attempt) * attempts, bounds.pause);
}

/** Why somebody else was first; undefined when the commit is on the branch. */
async function pushOnce(branch: RemoteBranch, commit: string): Promise<string | undefined> {
  try {
    const pushed = await branch.push(commit);
    if (pushed.kind === 'pushed') return undefined;
    if (pushed.kind === 'outrun') return pushed.reason;
    throw new EnvironmentError(`${branch.name} refuses the commit: ${pushed.reason}`);
  } catch (error) {
    if (error instanceof EnvironmentError && (await hasArrived(branch, commit))) return undefined;
    throw error;
  }
}

/** True when a push went through although its answer was lost. */
async function hasArrived(branch: RemoteBranch, commit: string): Promise<boolean> {
  try {
    const head = await branch.head();
    return head !== undefined && (await branch.comesFrom(head, commit)) === true;
  } catch {
    return false;
  }
}
