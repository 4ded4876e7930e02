import { expect, test } from 'vitest';
import { EnvironmentError } from '../../../../src/core/model/problem.ts';
import type { BranchAnswer } from '../../../../src/features/serve/long-work.ts';
import { PendingPolls } from '../../../../src/features/serve/pending-polls.ts';
import { aDay } from '../../../support/allocations/tables.ts';

const question = { target: 'c0ffee', day: aDay('2026-01-10'), time: '2026-01-10T08:00:00Z' };
const answer = {
  fingerprint: 'all of them',
  pending: { refs: [], skipped: [], leftOut: 0, isComplete: true },
};

/** Looks whose answers and timeouts end when the test resolves them. */
function scene() {
  const asked: { resolve(answer: BranchAnswer): void; reject(error: Error): void }[] = [];
  const waits: number[] = [];
  const polls = new PendingPolls({
    branches: () => new Promise((resolve, reject) => asked.push({ resolve, reject })),
    timeouts: {
      endsWithin(milliseconds, work) {
        waits.push(milliseconds);
        return Promise.race([
          work.then(
            () => true,
            () => true,
          ),
          new Promise<boolean>((resolve) => setImmediate(() => resolve(false))),
        ]);
      },
    },
  });
  return { polls, asked, waits };
}

test('a poll that hangs does not block the next one, and is not repeated', async () => {
  const { polls, asked, waits } = scene();
  const reason = 'the poll of the branches has not finished yet';
  expect(await polls.poll(question)).toMatchObject({ seenAt: undefined, reason });
  expect(await polls.poll(question)).toMatchObject({ seenAt: undefined, reason });
  expect([asked.length, waits]).toEqual([1, [30_000, 5_000]]);
  asked[0]?.resolve(answer);
  await expect
    .poll(async () => polls.poll(question))
    .toEqual({ pending: answer.pending, seenAt: question.time, reason: undefined });
});

test.each([
  [new EnvironmentError('the remote is away'), 'the remote is away'],
  [new TypeError('x is not a function'), 'this is a bug of leasehold: x is not a function'],
])('the error of a poll is the reason until a poll succeeds: %s', async (error, reason) => {
  const { polls, asked } = scene();
  const first = polls.poll(question);
  asked[0]?.reject(error);
  expect(await first).toMatchObject({ reason });
  const second = polls.poll(question);
  asked[1]?.resolve(answer);
  expect(await second).toMatchObject({ reason: undefined, seenAt: question.time });
});
