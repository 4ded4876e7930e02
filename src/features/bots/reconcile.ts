import { restUnlessStopped } from '../../core/interfaces/clock.ts';
import type { Change } from '../../core/model/allocation.ts';
import type { Day } from '../../core/model/day.ts';
import { EnvironmentError, type Problem } from '../../core/model/problem.ts';
import { changedTree } from '../../core/tree/changed-tree.ts';
import { addCommit, type CommitResult, commitMessage } from '../../lib/branch/branch-commit.ts';
import { type BotContext, changeLines, synthHere } from '../../lib/branch/branch-run.ts';

/** An event of a reconcile loop, reported once and not in every round. */
export type ReconcileEvent =
  | { readonly kind: 'current'; readonly head: string }
  | { readonly kind: 'pushed'; readonly head: string; readonly changes: readonly Change[] }
  | { readonly kind: 'broken'; readonly head: string; readonly problems: readonly Problem[] }
  | { readonly kind: 'rewritten'; readonly head: string; readonly from: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly pause: number }
  | { readonly kind: 'recovered' };

/** Options of a reconcile loop. */
export interface ReconcileRun {
  /** Milliseconds between two rounds. */
  readonly interval: number;
  /** True once the loop must end, after the current round. */
  readonly isStopped: () => boolean;
  readonly report: (event: ReconcileEvent) => void;
}

/** The result of the last round. */
interface Seen {
  readonly head: string;
  readonly day: Day;
  readonly isBroken: boolean;
}

/** Milliseconds: the longest pause after failures. */
const longestPause = 300_000;

/** Push attempts of one round; the next round continues. */
const triesOfRound = 5;

/**
 * Follows a branch until it is stopped: synthesizes each new head and pushes the files that are
 * stale in it. Continues when the remote is unreachable or refuses the push, and when the branch is
 * rewritten. While the declarations have problems, nothing is pushed.
 */
export async function reconcile(context: BotContext, run: ReconcileRun): Promise<void> {
  let seen: Seen | undefined;
  let failures = 0;
  let reported = '';
  while (!run.isStopped()) {
    let pause = run.interval;
    try {
      seen = await reconcileOnce(context, run.report, seen);
      if (failures > 0) run.report({ kind: 'recovered' });
      failures = 0;
    } catch (error) {
      if (!(error instanceof EnvironmentError)) throw error;
      failures += 1;
      pause = pauseAfter(failures, run.interval);
      if (failures === 1 || reported !== error.message) {
        run.report({ kind: 'failed', reason: error.message, pause });
      }
      reported = error.message;
    }
    await restUnlessStopped(context.waiting, pause, run.isStopped);
  }
}

/**
 * One round. Skips a head that a round of the same day has checked: the result would be the same.
 * Throws an EnvironmentError when the remote is unreachable or refuses the push.
 */
export async function reconcileOnce(
  context: BotContext,
  report: ReconcileRun['report'],
  seen?: Seen,
): Promise<Seen> {
  const { branch, today } = context;
  const day = today();
  const head = await branch.head();
  if (head === undefined) throw new EnvironmentError(`branch ${branch.name} does not exist`);
  if (seen?.head === head && seen.day === day) return seen;
  if (seen !== undefined && (await branch.comesFrom(head, seen.head)) !== true) {
    report({ kind: 'rewritten', head, from: seen.head });
  }
  let at = head;
  const ended = await addCommit(
    context,
    async (found) => {
      at = found ?? head;
      return stepAt(context, at, day);
    },
    triesOfRound,
  );
  reportResult(ended, { at, seen, report });
  const isBroken = ended.kind === 'problems';
  return { head: ended.kind === 'done' ? (ended.commit ?? at) : at, day, isBroken };
}

async function stepAt({ branch, commits }: BotContext, head: string, day: Day) {
  const tree = changedTree(await commits.tree(head));
  const outcome = await synthHere(tree, commits, head, day);
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

function reportResult(
  ended: CommitResult<readonly Change[]>,
  {
    at,
    seen,
    report,
  }: {
    readonly at: string;
    readonly seen: Seen | undefined;
    readonly report: ReconcileRun['report'];
  },
): void {
  const isNews = seen?.head !== at;
  if (ended.kind === 'problems') {
    if (isNews || !seen.isBroken) {
      report({ kind: 'broken', head: at, problems: ended.problems });
    }
  } else if (ended.commit !== undefined) {
    report({ kind: 'pushed', head: ended.commit, changes: ended.value });
  } else if (isNews || seen.isBroken) {
    report({ kind: 'current', head: at });
  }
}

/** Milliseconds: doubles with each failure after the first. */
function pauseAfter(failures: number, interval: number): number {
  return Math.min(interval * 2 ** (failures - 1), Math.max(interval, longestPause));
}
