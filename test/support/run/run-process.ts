import { execFile } from 'node:child_process';

/** How a process ended, and what it printed. */
export interface Finished {
  readonly status: number | string | null | undefined;
  readonly out: string;
  readonly err: string;
}

/**
 * Runs a Node program to its end in a folder, with these variables beside the test's own. It does not know that
 * it runs in CI, where a long run prints its phases.
 */
export function runProcess(
  node: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<Finished> {
  const { CI: _, ...own } = process.env;
  const env = { ...own, ...options.env };
  const limits = { maxBuffer: 2 ** 26, encoding: 'utf8' as const };
  return new Promise((resolve) => {
    execFile(node, [...args], { cwd: options.cwd, env, ...limits }, (error, out, err) => {
      resolve({ status: error === null ? 0 : error.code, out, err });
    });
  });
}
