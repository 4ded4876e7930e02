import { execFileSync } from 'node:child_process';
import { runProcess } from './run-process.ts';

/** True when this machine lets a process have a network of its own, which then has no way out. */
export const hasOwnNetworks = canUnshare();

function canUnshare(): boolean {
  try {
    execFileSync('unshare', ['-rn', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Runs a command to its end in a network of its own, without even loopback. */
export function runWithoutNetwork(command: readonly string[], cwd: string) {
  return runProcess('unshare', ['-rn', ...command], { cwd });
}

/** How a command ended, and the seconds that the processor was busy with it and the processes that it started. */
export async function runTimed(
  command: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
) {
  const script = 'TIMEFORMAT=\'%U %S\'; time "$@"';
  const { status, out, err } = await runProcess(
    'bash',
    ['-c', script, 'bash', ...command],
    options,
  );
  const lines = err.trimEnd().split('\n');
  const [user = 0, system = 0] = lines.pop()?.split(' ').map(Number) ?? [];
  return { status, out, err: lines.join('\n'), seconds: user + system };
}
