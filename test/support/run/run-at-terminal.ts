import { run } from '../../../src/cli/run.ts';
import type { Day } from '../../../src/model/day.ts';

/** What a command prints for a person at a terminal of some width, in colours unless `env` says otherwise. */
export async function printedAt(
  columns: number,
  argv: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  let printed = '';
  const status = await run(argv, {
    out: (text) => {
      printed += text;
    },
    err: () => undefined,
    color: true,
    terminal: true,
    columns,
    today: () => '2026-11-20' as Day,
    env,
    cwd,
  });
  if (status !== 0) throw new Error(`${argv.join(' ')} ended with ${status}`);
  return printed;
}
