import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { processContext } from '../../../src/cli/process-context.ts';

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
