import { describe, expect, it } from 'vitest';
import { EnvironmentError } from '../../../../src/core/model/problem.ts';
import type { Verification } from '../../../../src/features/cluster/verification-answer.ts';
import {
  changedLines,
  type Poll,
  pollOrFailure,
  watchCluster,
} from '../../../../src/features/cluster/watch.ts';
import { goldenCase, verificationOf } from '../../../support/live/verification.ts';

const failed = (reason: string): Poll => ({ kind: 'failed', reason });

describe('watchCluster', () => {
  /** What a watch reports of these polls, what it returns, and how long it takes. */
  async function watched(polls: readonly (Poll | undefined)[]) {
    const changes: unknown[] = [];
    let polled = 0;
    let time = 0;
    const last = await watchCluster({
      clock: {
        now: () => time,
        pause: async (milliseconds) => {
          time += milliseconds;
        },
      },
      interval: 30_000,
      isStopped: () => polled === polls.length,
      poll: async () => polls[polled++],
      onChange: async (found, before) => {
        changes.push([before, found]);
      },
    });
    return { changes, last, time };
  }

  it('reports the first result and each one that differs, until it is stopped', async () => {
    const { changes, last, time } = await watched([
      failed('a'),
      failed('a'),
      failed('b'),
      failed('a'),
    ]);
    expect(changes).toEqual([
      [undefined, failed('a')],
      [failed('a'), failed('b')],
      [failed('b'), failed('a')],
    ]);
    expect(last).toEqual(failed('a'));
    expect(time).toBe(90_000);
  });

  it('returns the result before a poll that was cut short', async () => {
    const { changes, last } = await watched([failed('a'), undefined]);
    expect(changes).toEqual([[undefined, failed('a')]]);
    expect(last).toEqual(failed('a'));
    expect((await watched([undefined])).last).toBeUndefined();
  });

  it('reports no other day or commit without a change', async () => {
    const verification = await verificationOf(goldenCase('naming-readable'));
    const at = (commit: string): Poll => ({
      kind: 'verified',
      verification,
      state: { day: '2026-01-02', commit },
    });
    const { changes, last } = await watched([at('a'), at('b')]);
    expect(changes).toEqual([[undefined, at('a')]]);
    expect(last).toEqual(at('b'));
  });
});

describe('pollOrFailure', () => {
  it('takes a cluster that is not reached for a result, and no other error', async () => {
    const throwing = (error: Error) => () => Promise.reject(error);
    const { signal } = new AbortController();
    const down = throwing(new EnvironmentError('down'));
    expect(await pollOrFailure(down, signal)).toEqual(failed('down'));
    await expect(pollOrFailure(throwing(new TypeError('bug')), signal)).rejects.toThrow('bug');
  });

  it('has no result of a poll that fails after a stop', async () => {
    const poll = () => Promise.reject(new EnvironmentError('down'));
    expect(await pollOrFailure(poll, AbortSignal.abort())).toBeUndefined();
  });
});

describe('changedLines', () => {
  const well = () => verificationOf(goldenCase('naming-readable'));
  const disturbed = () =>
    verificationOf(goldenCase('naming-readable'), ({ service, addressPool }) => {
      service[1]!.status = {};
      addressPool.push({
        metadata: {
          name: 'ip-203.0.113.9',
          namespace: 'metallb-system',
          labels: { 'app.kubernetes.io/managed-by': 'leasehold' },
        },
        spec: { addresses: ['203.0.113.9/32'] },
      });
    });

  it('has no line of an equal verification', async () => {
    const { changed, gone } = changedLines(await well(), await well());
    expect([changed.claims, changed.objects, changed.findings, gone]).toEqual([[], [], [], []]);
  });

  it('has what is new or other, and names what is no more', async () => {
    const [before, after]: readonly Verification[] = [await well(), await disturbed()];
    const worse = changedLines(before!, after!).changed;
    expect(worse.claims.map(({ state }) => state)).toEqual(['pending', 'pending']);
    expect(worse.objects.map(({ state }) => state)).toEqual(['left over']);
    expect(worse.counts).toEqual(after!.counts);
    const better = changedLines(after!, before!);
    expect(better.changed.claims.map(({ state }) => state)).toEqual(['ok', 'ok']);
    expect(better.gone).toEqual(['left over IPAddressPool metallb-system/ip-203.0.113.9']);
  });
});
