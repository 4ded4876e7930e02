import { realpathSync } from 'node:fs';
import { relative } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import { shellWord } from '../../text/print/escape.ts';
import { type CliContext, coloredEnv, type ProcessContext, placeOf } from '../cli-context.ts';
import { UsageError } from '../failure.ts';
import { type WorkspacePlace, workspaceAround } from '../workspace-place.ts';
import {
  noDisplay,
  type ProgressDisplay,
  plainDisplay,
  terminalDisplay,
} from './progress-display.ts';

/** `--progress`. */
export function progressOption() {
  return new Option(
    '--progress <how>',
    'plain: a line for each phase; auto: a line at a terminal, and plain in CI for a long run',
  )
    .choices(['auto', 'plain', 'none'])
    .default('auto');
}

/** The global options. */
interface StartOptions {
  readonly directory: string;
  readonly progress: string;
  readonly quiet: boolean;
  /** Undefined when neither `--color` nor `--no-color` is given. */
  readonly color?: boolean | undefined;
}

/** The display that the options and the process ask for. */
function displayFor(
  { err: write, env, elapsed, errColumns }: ProcessContext,
  { progress, quiet }: StartOptions,
): ProgressDisplay {
  if (quiet || progress === 'none' || elapsed === undefined) return noDisplay;
  if (progress === 'plain') return plainDisplay({ write, elapsed }, true);
  if (env.CI) return plainDisplay({ write, elapsed }, false);
  return errColumns === undefined ? noDisplay : terminalDisplay({ write, elapsed }, errColumns);
}

/** A command's context, and what to do when it has ended. */
interface Started {
  readonly context: CliContext;
  end(): void;
}

/** The context of a command, once its global options are read. */
export function startedContext(context: ProcessContext, options: StartOptions): Started {
  const display = displayFor(context, options);
  const { out, err, ask } = context;
  const cleared = (write: (text: string) => void) => (text: string) => {
    display.clear();
    write(text);
  };
  const question = ask && {
    ask: (text: string) => {
      display.clear();
      return ask(text);
    },
  };
  const place = placeOf(context, options);
  refuseTakenOption(context, options, place);
  const { quiet } = options;
  const own: CliContext = {
    ...context,
    ...question,
    out: cleared(out),
    err: cleared(err),
    place,
    progress: display,
    quiet,
    ...(options.color === undefined
      ? {}
      : { color: options.color, env: coloredEnv(context.env, options.color) }),
    // The options of the command are read later than those of the program.
    get output() {
      return context.output;
    },
  };
  return { context: own, end: display.end };
}

/**
 * Throws a UsageError when npx took `-C` for itself, and the folder that it names is in another
 * workspace than that of the command. In `npx --no leasehold -C DIR list` the option is npm's
 * `--prefix`: npm 9 to 11 pass it on as the global and as the local prefix, which otherwise differ.
 */
function refuseTakenOption(
  { cwd, env }: ProcessContext,
  { directory }: StartOptions,
  { root }: WorkspacePlace,
): void {
  const { npm_command: program, npm_config_prefix: prefix, npm_config_local_prefix: local } = env;
  if (program !== 'exec' || prefix === undefined || prefix !== local || directory !== '.') return;
  const named = workspaceAround(prefix);
  if (!named.isFound || realpathSync(named.root) === realpathSync(root)) return;
  const shown = relative(cwd, named.root);
  throw new UsageError(
    `npx used -C itself, so leasehold would act on the current folder and not on ${shown}: ` +
      `write \`npx --no -- leasehold -C ${shellWord(shown)}\``,
  );
}
