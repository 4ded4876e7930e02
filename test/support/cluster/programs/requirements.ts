import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Why the suite cannot run on this machine, and how to change that; undefined when it can. */
export async function whatIsMissing(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'it needs Linux';
  if (!(await answers('go', ['version']))) return 'it needs Go 1.26 (https://go.dev/dl)';
  if (!(await answers('redis-server', ['--version']))) {
    return 'it needs redis-server (apt-get install redis-server)';
  }
  if (!(await hasHttpBackend())) {
    return 'it needs git with its http-backend (apt-get install git)';
  }
  return undefined;
}

/** git's CGI program for smart HTTP. */
export async function httpBackend(): Promise<string> {
  const { stdout } = await run('git', ['--exec-path']);
  return join(stdout.trim(), 'git-http-backend');
}

async function hasHttpBackend(): Promise<boolean> {
  try {
    return existsSync(await httpBackend());
  } catch {
    return false;
  }
}

async function answers(command: string, args: readonly string[]): Promise<boolean> {
  try {
    await run(command, [...args]);
    return true;
  } catch {
    return false;
  }
}
