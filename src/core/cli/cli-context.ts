import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { Progress } from '../interfaces/progress.ts';
import type { RenderObjects } from '../manifests/render.ts';
import type { Day } from '../model/day.ts';
import { type WorkspacePlace, workspaceAround } from './workspace-place.ts';

/** The parts of a process that a command may use. */
export interface ProcessContext {
  /** Writes to standard output. `tell` has the rule for what is printed where. */
  readonly out: (text: string) => void;
  /** Writes to standard error. */
  readonly err: (text: string) => void;
  /** True when standard error takes colours. */
  readonly color: boolean;
  /** True when standard output is a TTY. */
  readonly terminal: boolean;
  /** Width of that TTY in columns; absent when standard output is not a TTY. */
  readonly columns?: number;
  /** The format that `-o` of the running command names; undefined for a command without `-o`. */
  readonly output?: string | undefined;
  /** Width of standard error in columns; absent when it is not a TTY, or a dumb one. */
  readonly errColumns?: number;
  /** Milliseconds since the process started; absent where no progress is shown. */
  readonly elapsed?: () => number;
  /** The current UTC day, unless `--today` replaces it. */
  readonly today: () => Day;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's current folder: file names on the command line count from it. */
  readonly cwd: string;
  /** The folder of the program, which may be a clone of leasehold. */
  readonly program?: string;
  /** Asks one question at the terminal; absent when standard input or error is not a TTY. */
  readonly ask?: (question: string) => Promise<string>;
  /** The words after the name of the program; absent outside of a command. */
  readonly argv?: readonly string[];
  /** Renders the objects of a file as constructs; absent outside of `npx cdk8s synth`. */
  readonly renderObjects?: RenderObjects;
  /** The streams for prompts; absent when standard input or error is not a TTY, or a dumb one. */
  readonly asking?: { readonly input: Readable; readonly output: Writable };
}

/** The context of a command. */
export interface CliContext extends ProcessContext {
  readonly place: WorkspacePlace;
  readonly progress: Progress;
  /** With `--quiet`, a run prints no summary. */
  readonly quiet: boolean;
}

/** The absolute path of the root of the workspace, looked for from the folder of `-C`. */
export function workingRoot(
  { cwd }: ProcessContext,
  { directory }: { readonly directory: string },
): string {
  return placeOf({ cwd }, { directory }).root;
}

/** Where the workspace is, looked for from the folder of `-C`. */
export function placeOf(
  { cwd }: Pick<ProcessContext, 'cwd'>,
  { directory }: { readonly directory: string },
): WorkspacePlace {
  return workspaceAround(resolve(cwd, directory));
}

/**
 * True when a stream takes colours: never with NO_COLOR; else as FORCE_COLOR says; else a terminal
 * that is not a dumb one.
 */
export function takesColors(isTerminal: boolean, env: ProcessContext['env']): boolean {
  const { NO_COLOR: isRefused, FORCE_COLOR: forced } = env;
  if (isRefused) return false;
  return forced ? !['0', 'false'].includes(forced) : isTerminal && env.TERM !== 'dumb';
}

/** The environment with what `--color` or `--no-color` says in place of its variables. */
export function coloredEnv(env: ProcessContext['env'], color: boolean): ProcessContext['env'] {
  return { ...env, NO_COLOR: color ? undefined : '1', FORCE_COLOR: color ? '1' : undefined };
}

/** True for a format of `-o` that programs read. */
export function isData(format: string | undefined): format is 'json' | 'yaml' {
  return format === 'json' || format === 'yaml';
}

/**
 * Exit statuses: 0 success, 1 problems in the committed files or in a live cluster, 64 wrong usage,
 * 70 a bug in leasehold, 74 a failure of the disk, git, the lock or the network, 130 prompts that
 * the user ended, and a watch that a signal ended before its first result.
 */
export const exit = {
  fine: 0,
  problems: 1,
  usage: 64,
  bug: 70,
  environment: 74,
  stopped: 130,
} as const;

/**
 * Further exit statuses of `plan`: something changes (only when asked for), and it must not be
 * merged.
 */
export const planExit = { changes: 2, blocked: 3 } as const;

/**
 * Further exit statuses of `capacity`: fewer addresses may be promised than were asked for; enough,
 * but open branches may take more of them than could be counted.
 */
export const capacityExit = { short: 3, unknown: 4 } as const;

/** The version of the package; a test compares it with package.json. */
export const version = '0.1.0';
