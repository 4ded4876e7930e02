import type { Change } from '../../model/change.ts';
import type { Day } from '../../model/day.ts';
import { EnvironmentError, type Problem } from '../../model/problem.ts';
import { changedTree } from '../../workspace/changed-tree.ts';
import { addCommit, commitMessage, type Ended } from './branch-commit.ts';
import { type BotDesk, changeLines, synthHere } from './branch-run.ts';

/** Something that a reconcile loop has to say. Each is told once, not in every round. */
export type ReconcileEvent =
  | { readonly kind: 'current'; readonly head: string }
  | { readonly kind: 'pushed'; readonly head: string; readonly changes: readonly Change[] }
  | { readonly kind: 'broken'; readonly head: string; readonly problems: readonly Problem[] }
  | { readonly kind: 'rewritten'; readonly head: string; readonly from: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly pause: number }
  | { readonly kind: 'recovered' };

/** How a loop is run. */
export interface ReconcileRun {
  /** Milliseconds between two looks. */
  readonly interval: number;
  /** True once the loop is to end; the round that is under way is finished. */
  readonly isStopped: () => boolean;
  readonly tell: (event: ReconcileEvent) => void;
}

/** What the last round left behind. */
interface Seen {
  readonly head: string;
  readonly day: Day;
  readonly isBroken: boolean;
}

/** Milliseconds: the longest pause after failures, and how often a pause looks whether it is over. */
const pauses = { longest: 300_000, slice: 200 } as const;

/** That often a round lets somebody else be first; the next round goes on. */
const triesOfRound = 5;

/**
 * Follows a branch until it is stopped: synthesizes each new head, and pushes what is stale in it. Survives
 * a remote that is not reached or refuses the push, a branch that is rewritten, and declarations with
 * problems, for which nothing is pushed until they are mended.
 */
export async function reconcile(desk: BotDesk, run: ReconcileRun): Promise<void> {
  let seen: Seen | undefined;
  let failures = 0;
  let told = '';
  while (!run.isStopped()) {
    let pause = run.interval;
    try {
      seen = await reconcileOnce(desk, run.tell, seen);
      if (failures > 0) run.tell({ kind: 'recovered' });
      failures = 0;
    } catch (error) {
      if (!(error instanceof EnvironmentError)) throw error;
      failures += 1;
      pause = pauseAfter(failures, run.interval);
      if (failures === 1 || told !== error.message) {
        run.tell({ kind: 'failed', reason: error.message, pause });
      }
      told = error.message;
    }
    await rest(desk, pause, run.isStopped);
  }
}

/**
 * One round. A head that was looked at on the same day is left alone: the result would be the same. An
 * EnvironmentError when the remote is not reached or refuses the push.
 */
export async function reconcileOnce(
  desk: BotDesk,
  tell: ReconcileRun['tell'],
  seen?: Seen,
): Promise<Seen> {
  const { branch, today } = desk;
  const day = today();
  const head = await branch.head();
  if (head === undefined) throw new EnvironmentError(`there is no branch ${branch.name}`);
  if (seen?.head === head && seen.day === day) return seen;
  if (seen !== undefined && (await branch.comesFrom(head, seen.head)) !== true) {
    tell({ kind: 'rewritten', head, from: seen.head });
  }
  let at = head;
  const ended = await addCommit(
    desk,
    async (found) => {
      at = found ?? head;
      return stepAt(desk, at, day);
    },
    triesOfRound,
  );
  tellEnd(ended, { at, seen, tell });
  const isBroken = ended.kind === 'problems';
  return { head: ended.kind === 'done' ? (ended.commit ?? at) : at, day, isBroken };
}

async function stepAt({ branch, commits }: BotDesk, head: string, day: Day) {
  const tree = changedTree(await commits.tree(head));
  const outcome = await synthHere(tree, day);
  if (!outcome.ok) return { kind: 'problems', problems: outcome.problems } as const;
  const value = outcome.value.changes;
  const changes = tree.changes();
  const isCurrent = changes.writes.size + changes.removes.length === 0;
  if (isCurrent) return { kind: 'nothing', value } as const;
  const message = commitMessage({
    subject: `Synthesize ${head.slice(0, 12)}`,
    body: changeLines(value),
  });
  const draft = { tree: await branch.treeWith(head, changes), parent: head, message };
  return { kind: 'commit', draft, value } as const;
}

function tellEnd(
  ended: Ended<readonly Change[]>,
  {
    at,
    seen,
    tell,
  }: {
    readonly at: string;
    readonly seen: Seen | undefined;
    readonly tell: ReconcileRun['tell'];
  },
): void {
  const isNews = seen?.head !== at;
  if (ended.kind === 'problems') {
    if (isNews || !seen.isBroken) {
      tell({ kind: 'broken', head: at, problems: ended.problems });
    }
  } else if (ended.commit !== undefined) {
    tell({ kind: 'pushed', head: ended.commit, changes: ended.value });
  } else if (isNews || seen.isBroken) {
    tell({ kind: 'current', head: at });
  }
}

/** Twice as long each time, but not for the first failure. */
function pauseAfter(failures: number, interval: number): number {
  return Math.min(interval * 2 ** (failures - 1), Math.max(interval, pauses.longest));
}

/** In slices, so that a stop need not wait for its end. */
async function rest({ waiting }: BotDesk, pause: number, isStopped: () => boolean): Promise<void> {
  const end = waiting.now() + pause;
  for (let left = pause; left > 0 && !isStopped(); left = end - waiting.now()) {
    await waiting.pause(Math.min(left, pauses.slice));
  }
}
