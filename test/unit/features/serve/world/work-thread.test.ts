// @module-tag slow

import { Worker } from 'node:worker_threads';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { EnvironmentError } from '../../../../../src/core/model/problem.ts';
import { workThread } from '../../../../../src/features/serve/world/work-thread.ts';
import { compiled } from '../../../../support/run/compiled-modules.ts';

/** What the thread of these tests does. */
interface Work {
  twice(value: ReadonlyMap<string, bigint>): Promise<ReadonlyMap<string, bigint>>;
  refuse(reason: string): Promise<never>;
  fail(): Promise<never>;
  hang(): Promise<never>;
  block(): Promise<never>;
  die(): Promise<never>;
}

const names = ['twice', 'refuse', 'fail', 'hang', 'block', 'die'] as const;

let code: string;
beforeAll(() => {
  const { url, remove } = compiled('src/features/serve/world/work-thread.ts');
  code = codeOfThread(url);
  return remove;
});

function codeOfThread(thread: string): string {
  const problem = new URL('../../../core/model/problem.js', thread).href;
  return `
    const { parentPort } = require('node:worker_threads');
    const never = () => new Promise(() => setInterval(() => {}, 1000));
    const work = async () => ({
      twice: async (value) => new Map([...value].map(([key, one]) => [key, one * 2n])),
      async refuse(reason) {
        const { EnvironmentError } = await import('${problem}');
        throw new EnvironmentError(reason);
      },
      async fail() { throw new Error('a bug'); },
      hang: never,
      async block() { for (;;); },
      async die() { process.exit(3); },
    });
    const start = async () => {
      const { answerThread } = await import('${thread}');
      answerThread(parentPort, await work(), () => process.exit(0));
    };
    start();`;
}

function scene({ longestAnswer = 60_000, longestIdle = 60_000 } = {}) {
  let started = 0;
  let ended = 0;
  const thread = workThread<Work>(names, {
    start() {
      started += 1;
      return new Worker(code, { eval: true }).once('exit', () => {
        ended += 1;
      });
    },
    longestAnswer,
    longestIdle,
  });
  onTestFinished(() => thread.close());
  return { ...thread, started: () => started, ended: () => ended };
}

const one = new Map([['one', 1n]]);
const two = new Map([['one', 2n]]);

test('a thread answers in plain data, and starts with the first question', async () => {
  const { work, started } = scene();
  expect(started()).toBe(0);
  expect(await Promise.all([work.twice(one), work.twice(two)])).toEqual([
    two,
    new Map([['one', 4n]]),
  ]);
  expect(started()).toBe(1);
});

test('an EnvironmentError is distinguished from a bug', async () => {
  const { work, started } = scene();
  const refused = await work.refuse('the disk is full').catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(EnvironmentError);
  expect(refused).toHaveProperty('message', 'the disk is full');
  const failed = await work.fail().catch((error: unknown) => error);
  expect(failed).not.toBeInstanceOf(EnvironmentError);
  expect(failed).toHaveProperty('message', expect.stringContaining('a bug'));
  expect(await work.twice(one)).toEqual(two);
  expect(started()).toBe(1);
});

test.each(['hang', 'block'] as const)(
  'a question that makes the thread %s is given up, and another thread answers the next',
  async (name) => {
    const { work, started } = scene({ longestAnswer: 5_000 });
    await expect(work[name]()).rejects.toThrow(EnvironmentError);
    expect(await work.twice(one)).toEqual(two);
    expect(started()).toBe(2);
  },
);

test('a thread that dies takes nothing with it but its question', async () => {
  const { work, started } = scene();
  await expect(work.die()).rejects.toThrow(EnvironmentError);
  expect(await work.twice(one)).toEqual(two);
  expect(started()).toBe(2);
});

test('an idle thread ends, and another one answers the next call', async () => {
  const { work, started, ended } = scene({ longestIdle: 1 });
  expect(await work.twice(one)).toEqual(two);
  await expect.poll(ended, { timeout: 10_000 }).toBe(1);
  expect(await work.twice(one)).toEqual(two);
  expect(started()).toBe(2);
});

test('closing rejects pending and later calls', async () => {
  const { work, close } = scene();
  const asked = work.hang();
  await Promise.all([expect(asked).rejects.toThrow('the program ends'), close()]);
  await expect(work.twice(one)).rejects.toThrow(EnvironmentError);
});
