import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { tempTree } from '../trees/temp-tree.ts';

/**
 * The commands of git that a run starts, in their order, without settings (`-c`). For the time of
 * the run, the `git` of PATH is a script that logs its command and starts the real one.
 */
export async function gitStarts(run: () => Promise<unknown>): Promise<readonly string[]> {
  const folder = tempTree();
  const log = join(folder, 'log');
  const path = process.env.PATH ?? '';
  writeFileSync(join(folder, 'git'), script(path, log));
  chmodSync(join(folder, 'git'), 0o755);
  vi.stubEnv('PATH', `${folder}:${path}`);
  try {
    await run();
  } finally {
    vi.stubEnv('PATH', path);
  }
  if (!existsSync(log)) return [];
  const lines = readFileSync(log, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => line.replaceAll(/-c \S+ /g, ''));
}

function script(path: string, log: string): string {
  return `#!/bin/sh
export PATH='${path}'
echo "$*" >> '${log}'
exec git "$@"
`;
}
