import type { Readable, Writable } from 'node:stream';
import type { Day } from '../model/day.ts';

/** What a command may know of the process that runs it. */
export interface World {
  /** Standard output: results. */
  readonly out: (text: string) => void;
  /** Standard error: problems and what was done. */
  readonly err: (text: string) => void;
  /** Whether standard error takes colours. */
  readonly color: boolean;
  /** Whether standard output is a terminal, which a person reads. */
  readonly terminal: boolean;
  /** How many characters a line of that terminal has; not there without one. */
  readonly columns?: number;
  /** The current UTC day, unless `--today` says another. */
  readonly today: () => Day;
  /** The environment: where CI says what it runs for. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder commands run in, unless `-C` says another. */
  readonly cwd: string;
  /** Asks whoever sits at the terminal, and gives the answer; not there without one. */
  readonly ask?: (question: string) => Promise<string>;
  /** The terminal at which somebody answers many questions; not there without one. */
  readonly asking?: { readonly input: Readable; readonly output: Writable };
}

/**
 * Exit statuses: 0 fine, 1 problems in the committed files or in a live cluster, 64 wrong usage, 70 a
 * bug of ours, 74 the disk, git, the lock, or a cluster that cannot be asked, 130 questions that somebody ended.
 */
export const exit = {
  fine: 0,
  problems: 1,
  usage: 64,
  bug: 70,
  environment: 74,
  stopped: 130,
} as const;

/** Exit statuses of `plan` alone: something changes (only when asked for), and it must not be merged. */
export const planExit = { changes: 2, blocked: 3 } as const;

/**
 * Exit statuses of `capacity` alone: fewer addresses may be promised than were asked for; enough, but open branches may take
 * more of them than could be counted.
 */
export const capacityExit = { short: 3, unknown: 4 } as const;
