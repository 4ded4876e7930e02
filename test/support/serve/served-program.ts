import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { expect, onTestFinished } from 'vitest';
import { botEnvironment } from '../repositories/bot-remote.ts';

/** `leasehold serve` as a process of its own. */
export interface ServedProgram {
  readonly url: string;
  readonly process: ChildProcess;
  /** What it has printed. */
  err(): string;
  /** Waits until something is served. */
  ready(): Promise<void>;
  /** Sends SIGTERM and gives the exit status. */
  stop(): Promise<number | null>;
}

/** Starts the bin of a built program over a checkout, looking each second, and waits until it listens. */
export async function startServe(
  cli: string,
  root: string,
  ...options: readonly string[]
): Promise<ServedProgram> {
  const argv = [cli, '-C', root, 'serve', '--listen', '127.0.0.1:0', '--interval', '1s'];
  const env = { ...process.env, ...botEnvironment };
  return servedBy(spawn(process.execPath, [...argv, ...options], { env, stdio }));
}

/** How a program that serves is started: see {@link servedBy}. */
export const stdio: ['ignore', 'ignore', 'pipe'] = ['ignore', 'ignore', 'pipe'];

/** What a process serves that was started just now, with its standard error in a pipe. It is killed when the test ends. */
export async function servedBy(
  child: ChildProcessByStdio<null, null, Readable>,
): Promise<ServedProgram> {
  onTestFinished(() => void child.kill('SIGKILL'));
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const listening = /listening on (http:\S+)/;
  await expect.poll(() => err, patient).toMatch(listening);
  const url = listening.exec(err)?.[1] ?? '';
  return {
    url,
    process: child,
    err: () => err,
    async ready() {
      await expect.poll(async () => (await fetch(`${url}/ready`)).status, patient).toBe(200);
    },
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

const patient = { timeout: 30_000, interval: 200 };
