import type { CliContext } from '../../../src/core/cli/cli-context.ts';
import { run } from '../../../src/core/cli/run.ts';
import type { Day } from '../../../src/core/model/day.ts';
import { features } from '../../../src/features.ts';

/** What one command line printed, and its exit status. */
export interface Finished {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/**
 * Runs a command line in this process, as the bin would in `cwd`, without colours; with `asking`, where somebody sits. The clock
 * is that of 2026-11-20, or of the day that the command line says.
 */
export function runInProcess(
  argv: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
  asking?: CliContext['asking'],
): Promise<Finished> {
  const day = argv[argv.indexOf('--today') + 1 || argv.length] ?? '2026-11-20';
  return runOn(day, argv, cwd, { env, asking });
}

/** The same, where the clock says `day`. */
export async function runOn(
  day: string,
  argv: readonly string[],
  cwd: string,
  { env = {}, asking }: { env?: CliContext['env']; asking?: CliContext['asking'] | undefined } = {},
): Promise<Finished> {
  let out = '';
  let err = '';
  const status = await run(argv, features, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    color: false,
    terminal: false,
    today: () => day as Day,
    env,
    cwd,
    ...(asking ? { asking } : {}),
  });
  return { status, out, err };
}
