import { EnvironmentError, type Problem } from '../../model/problem.ts';
import type { Chance } from '../../ports/chance.ts';
import type { CommitDraft, RemoteBranch } from '../../ports/remote-branch.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { plain } from '../../text/print/plain.ts';

/** What a commit to a remote branch is made with. */
export interface Desk {
  readonly branch: RemoteBranch;
  readonly waiting: Waiting;
  readonly chance: Chance;
  /** Hears, once for a head, that the branch takes no push although nobody moves it. */
  readonly tellWait: (line: string) => void;
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
 * Milliseconds for which a branch may stay where it is and take no push, and from when on that is told. Who is first
 * moves it; what a push that was killed locked stays locked for good.
 */
const patience = { all: 30_000, silent: 3_000 } as const;

/**
 * Adds one commit to a remote branch. When somebody else is first, it starts again from the new head:
 * `prepare` is asked anew, and may find that nothing is left to do. A commit whose push was cut off counts
 * as pushed when the branch has it. An EnvironmentError when the remote refuses the commit, and when the branch
 * takes none for half a minute in which nobody moves it.
 */
export async function addCommit<Value>(
  desk: Desk,
  prepare: (head: string | undefined) => Promise<Step<Value>>,
  mostTries = manyTries,
): Promise<Ended<Value>> {
  const { branch, waiting, chance } = desk;
  const standstill = new Standstill(desk);
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
        `somebody else was first on ${branch.name} ${mostTries} times; run it again: ${reason}`,
      );
    }
    const left = standstill.left(head, start, reason);
    await waiting.pause(Math.min(longestPause(tries, waiting.now() - start) * chance(), left));
  }
}

/** How long a branch has stood still and taken no push. */
class Standstill {
  readonly #desk: Desk;
  #head: string | undefined;
  #since: number | undefined;
  #isTold = false;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /**
   * The time that is left for a push onto a head that took none. An EnvironmentError when it is over.
   * `start` is when the attempt began.
   */
  left(head: string | undefined, start: number, reason: string): number {
    const { branch, waiting, tellWait } = this.#desk;
    if (this.#since === undefined || head !== this.#head) {
      this.#head = head;
      this.#since = start;
      this.#isTold = false;
    }
    const waited = waiting.now() - this.#since;
    const what = `${branch.name} takes no commit, and nobody moves it (${reason})`;
    if (waited >= patience.all) {
      throw new EnvironmentError(
        `${what}: a push that was killed may have left its lock there; run it again`,
      );
    }
    if (waited >= patience.silent && !this.#isTold) {
      this.#isTold = true;
      tellWait(`${what}; tried for ${patience.all / 1000} s`);
    }
    return patience.all - waited;
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

/** What a commit message is put together from; texts may come from tenants. */
export interface MessageParts {
  readonly subject: string;
  /** Lines of the body. */
  readonly body?: readonly string[];
  /** What follows a name in the last paragraph, in order; a name may come more than once. */
  readonly trailers?: readonly (readonly [name: string, value: string])[];
}

/** More lines than this say nothing that the changes of the commit do not. */
const mostLines = 50;

/**
 * A commit message: subject, body, trailers, with a blank line between. Each part stays one line,
 * whatever it holds, so that no text of a tenant can pass for a trailer.
 */
export function commitMessage({ subject, body = [], trailers = [] }: MessageParts): string {
  const left = body.length - mostLines;
  const lines = [...body.slice(0, mostLines), ...(left > 0 ? [`and ${left} more`] : [])];
  const paragraphs = [
    [subject],
    lines,
    trailers.map(([name, value]) => `${name}: ${value}`),
  ].filter((paragraph) => paragraph.length > 0);
  return `${paragraphs.map((paragraph) => paragraph.map(plain).join('\n')).join('\n\n')}\n`;
}

/** The value of the last trailer of a name in a message's last paragraph; undefined when there is none. */
export function trailerOf(message: string, name: string): string | undefined {
  const paragraphs = message.trimEnd().split(/\n[ \t]*\n/);
  const lines = paragraphs.length > 1 ? (paragraphs.at(-1) ?? '').split('\n') : [];
  const found = lines.filter((line) => line.startsWith(`${name}: `)).at(-1);
  return found?.slice(name.length + 2).trim();
}
