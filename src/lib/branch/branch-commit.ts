import type { Clock } from '../../core/interfaces/clock.ts';
import type { Random } from '../../core/interfaces/random.ts';
import { EnvironmentError, type Problem } from '../../core/model/problem.ts';
import { sanitize } from '../../core/text/print/escape.ts';
import type { CommitDraft, RemoteBranch } from './remote-branch.ts';

/** The dependencies of a commit to a remote branch. */
export interface CommitContext {
  readonly branch: RemoteBranch;
  readonly waiting: Clock;
  readonly chance: Random;
  /** Called once per head when the branch accepts no push although its head stays the same. */
  readonly reportWait: (line: string) => void;
}

/**
 * The next step at a head: a commit on top of it, nothing, or the problems that prevent one.
 * `value` is the answer of the step.
 */
export type CommitStep<Value> =
  | { readonly kind: 'commit'; readonly draft: CommitDraft; readonly value: Value }
  | { readonly kind: 'nothing'; readonly value: Value }
  | { readonly kind: 'problems'; readonly problems: readonly Problem[] };

/** The result of a step. `commit` is the branch's new head; undefined when nothing changed. */
export type CommitResult<Value> =
  | { readonly kind: 'done'; readonly commit: string | undefined; readonly value: Value }
  | { readonly kind: 'problems'; readonly problems: readonly Problem[] };

/** The minimum time that an attempt counts for, and the longest pause, in milliseconds. */
const bounds = { attempt: 50, pause: 30_000 } as const;

/** The longest pause, in multiples of the attempt before it. */
const mostAttempts = 16;

/** The number of tries before the push fails. With the pauses, they take minutes. */
const manyTries = 100;

/**
 * Milliseconds without an accepted push or a new head: `all` before the run fails, `silent` before
 * it is reported. A concurrent push moves the head; the lock of a killed push stays forever.
 */
const stallTimes = { all: 30_000, silent: 3_000 } as const;

/**
 * Adds one commit to a remote branch. After a concurrent push it starts again from the new head:
 * `prepare` is called again, and may find that nothing is left to do. A commit whose push was cut
 * off counts as pushed when the branch has it. Throws an EnvironmentError when the remote refuses
 * the commit, and when the branch accepts no push for half a minute while its head stays the same.
 */
export async function addCommit<Value>(
  context: CommitContext,
  prepare: (head: string | undefined) => Promise<CommitStep<Value>>,
  mostTries = manyTries,
): Promise<CommitResult<Value>> {
  const { branch, waiting, chance } = context;
  const stall = new StallTimer(context);
  for (let tries = 1; ; tries += 1) {
    const start = waiting.now();
    const head = await branch.head();
    const step = await prepare(head);
    if (step.kind === 'problems') return step;
    if (step.kind === 'nothing') return { kind: 'done', commit: undefined, value: step.value };
    const commit = await branch.write(step.draft);
    const reason = await pushOnce(branch, commit);
    if (reason === undefined) return { kind: 'done', commit, value: step.value };
    if (tries === mostTries) {
      throw new EnvironmentError(
        `other pushes to ${branch.name} were first ${mostTries} times; run it again: ${reason}`,
      );
    }
    const remaining = stall.remaining(head, start, reason);
    await waiting.pause(Math.min(longestPause(tries, waiting.now() - start) * chance(), remaining));
  }
}

/** Measures how long a branch has accepted no push while its head stays the same. */
class StallTimer {
  readonly #context: CommitContext;
  #head: string | undefined;
  #since: number | undefined;
  #isReported = false;

  constructor(context: CommitContext) {
    this.#context = context;
  }

  /**
   * The milliseconds left for further pushes onto a head that accepted none. Throws an
   * EnvironmentError when the time is over. `start` is the time at which the attempt began.
   */
  remaining(head: string | undefined, start: number, reason: string): number {
    const { branch, waiting, reportWait } = this.#context;
    if (this.#since === undefined || head !== this.#head) {
      this.#head = head;
      this.#since = start;
      this.#isReported = false;
    }
    const waited = waiting.now() - this.#since;
    const what = `${branch.name} accepts no push, although its head stays the same (${reason})`;
    if (waited >= stallTimes.all) {
      throw new EnvironmentError(
        `${what}: a push that was killed may have left its lock there; run it again`,
      );
    }
    if (waited >= stallTimes.silent && !this.#isReported) {
      this.#isReported = true;
      reportWait(`${what}; retrying for ${stallTimes.all / 1000} s`);
    }
    return stallTimes.all - waited;
  }
}

/**
 * The longest pause in milliseconds, in proportion to the duration of an attempt, so that
 * concurrent pushes spread out far enough on slow machines and networks too.
 */
function longestPause(tries: number, took: number): number {
  const attempts = Math.min(2 ** tries, mostAttempts);
  return Math.min(Math.max(took, bounds.attempt) * attempts, bounds.pause);
}

/** The reason why a concurrent push was first; undefined when the commit is on the branch. */
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

/** True when a push succeeded although its answer was lost. */
async function hasArrived(branch: RemoteBranch, commit: string): Promise<boolean> {
  try {
    const head = await branch.head();
    return head !== undefined && (await branch.comesFrom(head, commit)) === true;
  } catch {
    return false;
  }
}

/** The parts of a commit message. The texts may come from tenants. */
export interface MessageParts {
  readonly subject: string;
  /** Lines of the body. */
  readonly body?: readonly string[];
  /** Trailers in order; a name may occur more than once. */
  readonly trailers?: readonly (readonly [name: string, value: string])[];
}

/** Further lines are only counted. */
const mostLines = 50;

/**
 * A commit message: subject, body and trailers, separated by blank lines. Line breaks inside a part
 * are escaped, so that a tenant's text cannot forge a trailer.
 */
export function commitMessage({ subject, body = [], trailers = [] }: MessageParts): string {
  const omitted = body.length - mostLines;
  const lines = [...body.slice(0, mostLines), ...(omitted > 0 ? [`and ${omitted} more`] : [])];
  const paragraphs = [
    [subject],
    lines,
    trailers.map(([name, value]) => `${name}: ${value}`),
  ].filter((paragraph) => paragraph.length > 0);
  return `${paragraphs.map((paragraph) => paragraph.map(sanitize).join('\n')).join('\n\n')}\n`;
}

/** The value of the last trailer of this name in the last paragraph of a message. */
export function trailerOf(message: string, name: string): string | undefined {
  const paragraphs = message.trimEnd().split(/\n[ \t]*\n/);
  const lines = paragraphs.length > 1 ? (paragraphs.at(-1) ?? '').split('\n') : [];
  const found = lines.filter((line) => line.startsWith(`${name}: `)).at(-1);
  return found?.slice(name.length + 2).trim();
}
