import { pushedText } from '../../features/bots/bot-text.ts';
import { type ReconcileEvent, reconcile, reconcileOnce } from '../../features/bots/reconcile.ts';
import { paintOf } from '../../text/print/paint.ts';
import { plain } from '../../text/print/plain.ts';
import { problemsText } from '../../text/print/problems-text.ts';
import { stopSignal } from '../../world/machine.ts';
import { type BranchOptions, openDesk } from '../branch-options.ts';
import { exit, type World } from '../world.ts';

interface ReconcileOptions extends BranchOptions {
  /** Milliseconds. */
  readonly interval: number;
  readonly once: boolean;
}

/** `leasehold reconcile`: ends on SIGTERM and SIGINT, with 0; with `--once`, after one round. */
export async function runReconcile(world: World, options: ReconcileOptions): Promise<number> {
  const desk = await openDesk(world, options, undefined);
  const report = (event: ReconcileEvent): void => {
    world.err(eventText(world, event, desk.branch.name));
  };
  if (options.once) {
    const { isBroken } = await reconcileOnce(desk, report);
    return isBroken ? exit.problems : exit.fine;
  }
  const stop = stopSignal();
  try {
    await reconcile(desk, { interval: options.interval, isStopped: stop.isStopped, report });
    return exit.fine;
  } finally {
    stop.close();
  }
}

function eventText(world: World, event: ReconcileEvent, branch: string): string {
  switch (event.kind) {
    case 'current':
      return `${plain(`${branch} is at ${short(event.head)}: all files up to date`)}\n`;
    case 'pushed':
      return pushedText(event.head, branch, event.changes);
    case 'rewritten':
      return `${plain(`${branch} was rewritten: ${short(event.head)} does not come from ${short(event.from)}`)}\n`;
    case 'broken':
      return `${plain(`${branch} at ${short(event.head)} has problems; nothing is pushed until they are mended`)}\n${problemsText(event.problems, paintOf(world.color))}`;
    case 'failed':
      return `${plain(`${event.reason}; trying again`)}\n`;
    case 'recovered':
      return `${plain(`${branch} is reached again`)}\n`;
  }
}

function short(commit: string): string {
  return commit.slice(0, 12);
}
