/**
 * Starts programs for a test process and ends them with it: when it asks, when it is interrupted, and when
 * it is gone in any other way, which closes the channel between the two. Then removes the folder of their files.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, rmSync } from 'node:fs';

const [, , folder] = process.argv;
const children = new Map();

process.on('message', ({ id, command, args, env, cwd, log }) => {
  const output = openSync(log, 'a');
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', output, output] });
  children.set(id, child);
  const gone = (reason) => {
    children.delete(id);
    if (process.connected) process.send({ id, gone: reason });
  };
  child.on('error', (error) => gone(error.message));
  child.on('exit', (code, signal) => gone(signal ?? `exit status ${code}`));
  if (child.pid !== undefined) process.send({ id, pid: child.pid });
});

async function end() {
  // Waited for, so that their CPU seconds are among those of the step that started them.
  const ends = [...children.values()].map((child) => once(child, 'exit'));
  for (const child of children.values()) child.kill('SIGKILL');
  await Promise.allSettled(ends);
  // LEASEHOLD_TEST_KEEP=1 leaves what the programs wrote, and their logs, for a look.
  if (!process.env.LEASEHOLD_TEST_KEEP) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
  process.exit(0);
}

process.on('disconnect', end);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);
