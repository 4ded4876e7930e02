import { expect, test } from 'vitest';
import { EnvironmentError } from '../../../../src/core/model/problem.ts';
import { boundedGitWork, semaphore } from '../../../../src/features/serve/bounded-git-work.ts';
import type { GitWork } from '../../../../src/lib/service/serve-state.ts';

/** Git work that counts its queries and answers when the test resolves them. */
function slowGit() {
  const asked: string[] = [];
  const ends: (() => void)[] = [];
  const answer = (text: string) => {
    asked.push(text);
    return new Promise<unknown>((end) => ends.push(() => end({ text })));
  };
  const git = {
    ledger: (commit: string) => answer(`ledger ${commit}`),
    plan: ({ head }: { readonly head: string }) => answer(`plan ${head}`),
  } as unknown as GitWork;
  return { asked, ends, questions: boundedGitWork(git) };
}

test('the ledger of a commit is read once, also for concurrent queries', async () => {
  const { asked, ends, questions } = slowGit();
  const both = [questions.ledger('a'), questions.ledger('a')];
  await expect.poll(() => ends.length).toBe(1);
  ends[0]?.();
  const [first, second] = await Promise.all(both);
  expect(second).toBe(first);
  expect(await questions.ledger('a')).toBe(first);
  const other = questions.ledger('b');
  await expect.poll(() => ends.length).toBe(2);
  ends[1]?.();
  await other;
  expect(asked).toEqual(['ledger a', 'ledger b']);
});

test('a failed ledger is read again', async () => {
  let isThere = false;
  const questions = boundedGitWork({
    async ledger(commit: string) {
      if (!isThere) throw new EnvironmentError('git is gone');
      return { commit };
    },
  } as unknown as GitWork);
  await expect(questions.ledger('a')).rejects.toThrow('git is gone');
  isThere = true;
  expect(await questions.ledger('a')).toEqual({ commit: 'a' });
});

test('a query above the limit is refused, and the others are answered', async () => {
  const { ends, questions } = slowGit();
  const day = '2026-01-10' as never;
  const ask = (head: number) => questions.plan({ base: 'base', head: String(head), day });
  const waiting = Array.from({ length: 34 }, (_, index) => ask(index));
  await expect(ask(34)).rejects.toThrow('too many requests are waiting for git');
  for (let index = 0; index < waiting.length; index += 1) {
    await expect.poll(() => ends.length).toBeGreaterThan(index);
    ends[index]?.();
  }
  expect(await Promise.all(waiting)).toHaveLength(34);
});

test('a semaphore limits running and waiting work, and refuses the rest', async () => {
  const gate = semaphore(2, 1);
  const ends: (() => void)[] = [];
  const work = () => new Promise<string>((end) => ends.push(() => end('done')));
  const first = gate.run(work);
  const second = gate.run(work);
  const third = gate.run(work);
  expect(await gate.run(work)).toBeUndefined();
  expect(ends).toHaveLength(2);
  ends[0]?.();
  expect(await first).toBe('done');
  await expect.poll(() => ends.length).toBe(3);
  ends[1]?.();
  ends[2]?.();
  expect([await second, await third]).toEqual(['done', 'done']);
});

test('waiting work takes over the slot of finished work, so the limit holds', async () => {
  const gate = semaphore(1, 2);
  const ends: (() => void)[] = [];
  const work = () => new Promise<string>((end) => ends.push(() => end('done')));
  const [first, second] = [gate.run(work), gate.run(work)];
  ends[0]?.();
  await first;
  await expect.poll(() => ends.length).toBe(2);
  const third = gate.run(work);
  expect(ends).toHaveLength(2);
  ends[1]?.();
  await second;
  await expect.poll(() => ends.length).toBe(3);
  ends[2]?.();
  expect(await third).toBe('done');
});

test('failed work frees its slot', async () => {
  const gate = semaphore(1, 0);
  const fails = gate.run(() => Promise.reject(new Error('no')));
  await expect(fails).rejects.toThrow('no');
  expect(await gate.run(async () => 'next')).toBe('next');
});
