import { type Phase, type Progress, phases } from '../../interfaces/progress.ts';

/** Shows the progress of a run on standard error. */
export interface ProgressDisplay extends Progress {
  /** Takes back what is shown, before other text is printed. */
  clear(): void;
}

/** How a display writes, and the time. */
interface DisplayOutput {
  readonly write: (text: string) => void;
  /** Milliseconds since the process started. */
  readonly elapsed: () => number;
}

/** Shows nothing. */
export const noDisplay: ProgressDisplay = {
  begin: () => {},
  step: () => {},
  clear: () => {},
  end: () => {},
};

/** Milliseconds. */
const times = { untilShown: 500, betweenDraws: 100, untilGuess: 1000, untilLong: 10_000 } as const;

/** A phase that runs. */
interface Running {
  readonly phase: Phase;
  readonly total: number | undefined;
  readonly start: number;
  done: number;
}

/**
 * One line at a terminal: the phase, the count, and the time that the phase still takes. It appears
 * when the process has run for half a second. The work blocks the process, so the line is drawn by
 * the work's own steps, without a timer.
 */
export function terminalDisplay(
  { write, elapsed }: DisplayOutput,
  columns: number,
): ProgressDisplay {
  let running: Running | undefined;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let isShown = false;
  const draw = (now: number): void => {
    if (!running || now < times.untilShown) return;
    drawnAt = now;
    isShown = true;
    write(`\r\u001b[2K${lineOf(running, now).slice(0, columns - 1)}`);
  };
  const clear = (): void => {
    if (isShown) write('\r\u001b[2K');
    isShown = false;
  };
  return {
    begin(phase, total) {
      const now = elapsed();
      running = { phase, total, start: now, done: 0 };
      draw(now);
    },
    step(phase) {
      if (running?.phase !== phase) return;
      running.done += 1;
      const now = elapsed();
      if (now - drawnAt >= times.betweenDraws) draw(now);
    },
    clear,
    end() {
      clear();
      running = undefined;
    },
  };
}

function lineOf({ phase, total, start, done }: Running, now: number): string {
  const place = `[${phases.indexOf(phase) + 1}/${phases.length}] ${phase}`;
  if (total === undefined) return place;
  const left = timeLeft(now - start, done, total);
  return `${place} ${counted(Math.min(done, total))} of ${counted(total)}${left}`;
}

/** Empty as long as a guess would be wild. */
function timeLeft(milliseconds: number, done: number, total: number): string {
  if (milliseconds < times.untilGuess || done === 0 || done >= total) return '';
  const seconds = Math.ceil((milliseconds / done) * (total - done) * 0.001);
  return seconds < 120 ? `, ${seconds} s left` : `, ${Math.ceil(seconds / 60)} min left`;
}

function counted(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/**
 * A line for each phase, when it has ended. Without `isAsked`, only in a run that takes longer than
 * ten seconds.
 */
export function plainDisplay({ write, elapsed }: DisplayOutput, isAsked: boolean): ProgressDisplay {
  let running: Running | undefined;
  let waiting = '';
  const end = (): void => {
    if (!running) return;
    const now = elapsed();
    const { phase, total, start } = running;
    const count = total === undefined ? '' : ` ${counted(total)},`;
    waiting += `${phase}:${count} ${((now - start) / 1000).toFixed(1)} s\n`;
    running = undefined;
    if (!isAsked && now < times.untilLong) return;
    write(waiting);
    waiting = '';
  };
  return {
    begin(phase, total) {
      end();
      running = { phase, total, start: elapsed(), done: 0 };
    },
    step: () => {},
    clear: () => {},
    end,
  };
}
