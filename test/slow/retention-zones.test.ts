import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { daysAfter } from '../support/allocations/naive-rules.ts';
import { accountOf, leaseText } from '../support/declarations/lease-text.ts';
import { providerPoolsText } from '../support/declarations/pools-text.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { type Finished, runProcess } from '../support/run/run-process.ts';
import { putFile, tempTree } from '../support/trees/temp-tree.ts';
import { filesBelow } from '../support/trees/tree-bytes.ts';

interface Surroundings {
  readonly TZ: string;
  readonly LC_ALL: string;
}

/**
 * Where the day is another one than in UTC, before or after it, and where letters and digits are others; each with a
 * day of release and days of retention, over the end of a February, a month, a year, and a leap day. At every hour some
 * zone has another day than UTC.
 */
const cases: readonly (Surroundings & { readonly on: string; readonly days: number })[] = [
  { TZ: 'UTC', LC_ALL: 'C', on: '2027-02-27', days: 2 },
  { TZ: 'Pacific/Kiritimati', LC_ALL: 'C', on: '2028-02-28', days: 2 },
  { TZ: 'America/Los_Angeles', LC_ALL: 'en_US.UTF-8', on: '2026-12-31', days: 30 },
  { TZ: 'Etc/GMT+12', LC_ALL: 'tr_TR.UTF-8', on: '2100-02-28', days: 1 },
  { TZ: 'Asia/Riyadh', LC_ALL: 'ar_SA.UTF-8', on: '2099-12-15', days: 30 },
];

const pools = providerPoolsText(`pools:
  - { name: default, zone: inet, addresses: [203.0.113.7/32], retentionDays: 0 }
`);

let program: BuiltProgram;

beforeAll(() => {
  program = buildProgram();
  return () => program.remove();
});

describe.each(cases)('a process with TZ=$TZ and LC_ALL=$LC_ALL', ({ on, days, ...env }) => {
  test(`keeps an address released on ${on} for as long as promised: ${days} days`, async () => {
    const root = tempTree({ 'leases/pools.yaml': pools });
    const run = (...argv: readonly string[]) => leasehold(root, env, ...argv, '--allow-date-ahead');
    lease(root, 'ann', days);
    expect(await run('synth', '--today', daysAfter(on, -1))).toMatchObject({ status: 0 });
    rmSync(join(root, 'leases/ann.yaml'));
    expect(await run('synth', '--today', on)).toMatchObject({ status: 0 });
    expect(recordIn(root)).toContain(`on: ${on}\n  freeFrom: ${daysAfter(on, days)}\n`);
    lease(root, 'bob', 0);
    const early = await run('synth', '--today', daysAfter(on, days - 1));
    expect([early.status, early.out]).toEqual([1, expect.stringContaining('POOL_EXHAUSTED')]);
    expect(await run('synth', '--today', daysAfter(on, days))).toMatchObject({ status: 0 });
    expect(recordIn(root)).toContain(
      `${accountOf('bob')}-ip-front\nsince: ${daysAfter(on, days)}\n`,
    );
  });

  test('takes the day from the clock by UTC', async () => {
    const root = tempTree({ 'leases/pools.yaml': pools });
    lease(root, 'ann', 0);
    const before = new Date().toISOString().slice(0, 10);
    expect(await leasehold(root, env, 'synth')).toMatchObject({ status: 0 });
    const after = new Date().toISOString().slice(0, 10);
    expect([before, after]).toContain(/since: (.*)/.exec(recordIn(root))?.[1]);
  });
});

function leasehold(root: string, env: Surroundings, ...argv: readonly string[]): Promise<Finished> {
  return runProcess(process.execPath, [program.cli, ...argv], { cwd: root, env: { ...env } });
}

function lease(root: string, owner: string, retentionDays: number): void {
  const endpoint = { name: 'front', service: 'web', port: 80, retentionDays };
  putFile(root, `leases/${owner}.yaml`, leaseText(owner, 1000, [endpoint]));
}

function recordIn(root: string): string {
  return [...filesBelow(root, ['leases/allocations']).values()].join('');
}
