import { describe, expect, it } from 'vitest';
import type { Clock as PortClock } from '../../../../src/core/interfaces/clock.ts';
import { EnvironmentError, InternalError } from '../../../../src/core/model/problem.ts';
import { verifyUntilOk } from '../../../../src/features/cluster/verify.ts';
import type { LiveCluster } from '../../../../src/lib/kubernetes/live-cluster.ts';
import { applied } from '../../../support/live/applied-objects.ts';
import { desiredOf, goldenCase, memoryCluster } from '../../../support/live/verification.ts';

/** A clock that only a pause moves. */
class Clock implements PortClock {
  readonly pauses: number[] = [];
  time = 5000;
  now(): number {
    return this.time;
  }
  async pause(milliseconds: number): Promise<void> {
    this.pauses.push(milliseconds);
    this.time += milliseconds;
  }
}

type Poll = 'well' | 'pending' | Error;

/** Verifies a cluster that is found so, look by look; the last one stays. */
async function waitedFor(timeout: number, ...polls: readonly [Poll, ...Poll[]]) {
  const root = goldenCase('one-lease');
  const well = applied(root);
  const pending = structuredClone(well);
  pending.service[0]!.status = {};
  const clock = new Clock();
  const told: unknown[] = [];
  let index = -1;
  const cluster: LiveCluster = {
    ...memoryCluster(well),
    async list(kind, namespace) {
      if (kind === 'namespace') index = Math.min(index + 1, polls.length - 1);
      const look = polls[index]!;
      if (look instanceof Error) throw look;
      return memoryCluster(look === 'well' ? well : pending).list(kind, namespace);
    },
  };
  const outcome = await verifyUntilOk(await desiredOf(root), cluster, {
    waiting: clock,
    timeout,
    onWait: (found) => told.push(found),
  }).catch((error: Error) => error);
  return { outcome, pauses: clock.pauses, told };
}

const unreached = new EnvironmentError('not reached');

describe('verifyUntilOk', () => {
  it('compares once with a timeout of 0', async () => {
    const { outcome, pauses, told } = await waitedFor(0, 'pending', 'well');

    expect(outcome).toMatchObject({ ok: false, counts: { ok: 0, pending: 1 } });
    expect([pauses, told]).toEqual([[], []]);
  });

  it('returns as soon as the cluster is ok', async () => {
    const { outcome, pauses, told } = await waitedFor(60_000, 'pending', 'pending', 'well');

    expect(outcome).toMatchObject({ ok: true });
    expect(pauses).toEqual([2000, 2000]);
    expect(told).toEqual([expect.objectContaining({ counts: { ok: 0, pending: 1 } })]);
  });

  it('does not wait when the cluster is ok', async () => {
    expect(await waitedFor(60_000, 'well')).toMatchObject({ pauses: [], told: [] });
  });

  it('compares a last time at the timeout and returns that result', async () => {
    const { outcome, pauses } = await waitedFor(5000, 'pending');

    expect(outcome).toMatchObject({ ok: false });
    expect(pauses).toEqual([2000, 2000, 1000]);
  });

  it('retries an unreachable cluster', async () => {
    const { outcome, told } = await waitedFor(60_000, unreached, unreached, 'well');

    expect(outcome).toMatchObject({ ok: true });
    expect(told).toEqual([unreached]);
  });

  it('throws when the last attempt fails', async () => {
    expect((await waitedFor(3000, 'pending', unreached)).outcome).toBe(unreached);
    expect((await waitedFor(0, unreached)).outcome).toBe(unreached);
  });

  it('rethrows other errors at once', async () => {
    const bug = new InternalError('a bug');
    const { outcome, pauses } = await waitedFor(60_000, bug, 'well');

    expect([outcome, pauses]).toEqual([bug, []]);
  });
});
