import { expect, test } from 'vitest';
import { turnstile } from '../../../../src/features/serve/turnstile.ts';

test('lets so many in at once, so many wait, and turns the rest away', async () => {
  const gate = turnstile(2, 1);
  const ends: (() => void)[] = [];
  const work = () => new Promise<string>((end) => ends.push(() => end('done')));
  const first = gate.pass(work);
  const second = gate.pass(work);
  const third = gate.pass(work);
  expect(await gate.pass(work)).toBeUndefined();
  expect(ends).toHaveLength(2);
  ends[0]?.();
  expect(await first).toBe('done');
  await expect.poll(() => ends.length).toBe(3);
  ends[1]?.();
  ends[2]?.();
  expect([await second, await third]).toEqual(['done', 'done']);
});

test('one that waited stands in the place of the one before it: no more run at once', async () => {
  const gate = turnstile(1, 2);
  const ends: (() => void)[] = [];
  const work = () => new Promise<string>((end) => ends.push(() => end('done')));
  const [first, second] = [gate.pass(work), gate.pass(work)];
  ends[0]?.();
  await first;
  await expect.poll(() => ends.length).toBe(2);
  const third = gate.pass(work);
  expect(ends).toHaveLength(2);
  ends[1]?.();
  await second;
  await expect.poll(() => ends.length).toBe(3);
  ends[2]?.();
  expect(await third).toBe('done');
});

test('one that fails makes room too', async () => {
  const gate = turnstile(1, 0);
  const fails = gate.pass(() => Promise.reject(new Error('no')));
  await expect(fails).rejects.toThrow('no');
  expect(await gate.pass(async () => 'next')).toBe('next');
});
