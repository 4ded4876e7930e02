import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { processContext } from '../../../src/core/cli/process-context.ts';
import { run } from '../../../src/core/cli/run.ts';
import type { Day } from '../../../src/core/model/day.ts';
import { features } from '../../../src/features.ts';
import { accountOf } from '../../support/declarations/lease-text.ts';
import { begin } from '../../support/repositories/checked-branches.ts';

/** Runs a command line where the clock says 2026-01-20. */
async function runWithClock(cwd: string, argv: readonly string[]) {
  let err = '';
  const status = await run(argv, features, {
    out: () => undefined,
    err: (text) => {
      err += text;
    },
    color: false,
    terminal: false,
    today: () => '2026-01-20' as Day,
    env: {},
    cwd,
  });
  return { status, err };
}

describe('a day that is ahead of the clock', () => {
  it.each([
    ['synth'],
    ['prune'],
    ['move', '203.0.113.1'],
    ['release', '203.0.113.1'],
    ['release', '--cluster', 'default'],
    ['resolve'],
    ['purge', `${accountOf('ann')}/1/1/1`],
    ['declare', `${accountOf('ann')}/1/1/1`, 'web', '80', '--endpoint', 'front'],
    ['add', 'promise', accountOf('ann'), 'front'],
    ['migrate-layout', 'pool'],
  ])('is refused, by a day too: %s', async (...words) => {
    const { root, repository } = await begin();
    const { status, err } = await runWithClock(root, [...words, '--today', '2026-01-21']);
    expect(err).toContain('today is 2026-01-20 by the clock (UTC), and --today or LEASEHOLD_TODAY');
    expect(status).toBe(64);
    expect(repository.git('status', '--short', 'leases', 'dist')).toBe('');
  });

  it('is recorded with the option', async () => {
    const { root } = await begin();
    const words = ['synth', '--today', '2099-12-31', '--allow-date-ahead'];
    expect(await runWithClock(root, words)).toMatchObject({ status: 0 });
  });

  it.each(['2026-01-20', '2026-01-06'])('does not include %s', async (day) => {
    const { root } = await begin();
    expect(await runWithClock(root, ['synth', '--today', day])).toMatchObject({ status: 0 });
  });

  it('is accepted by commands that record nothing', async () => {
    const { root } = await begin();
    const words = ['pools', '--today', '2027-01-01'];
    expect(await runWithClock(root, words)).toMatchObject({ status: 0 });
  });
});

// One world: each watches the streams of the process.
const world = processContext();
const zone = process.env.TZ;
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

it.each(['Pacific/Kiritimati', 'Pacific/Niue', 'America/Sao_Paulo', 'UTC'])(
  'today is the UTC day in %s',
  (name) => {
    process.env.TZ = name;
    for (const [time, day] of [
      ['2028-02-28T23:59:59Z', '2028-02-28'],
      ['2028-02-29T00:00:00Z', '2028-02-29'],
      ['2026-12-31T12:00:00Z', '2026-12-31'],
    ] as const) {
      vi.setSystemTime(new Date(time));
      expect(world.today()).toBe(day);
    }
  },
);
