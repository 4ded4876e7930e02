import { describe, expect, test } from 'vitest';
import { allocateHostnames } from '../../../../src/core/allocate/hostnames.ts';
import type { Day } from '../../../../src/core/model/day.ts';
import type { Hostname, HostnameTable } from '../../../../src/core/model/hostname.ts';
import {
  hostnamesOnBase,
  hostnameTransitions,
  mergeHostnames,
} from '../../../../src/core/transitions/hostnames.ts';
import {
  aHostname,
  aHostnameRecord,
  hostnameTableOf,
} from '../../../support/allocations/hostname-records.ts';

/** A wildcard that shop released on 2026-01-05 and that is kept until 2026-02-04. */
const wildcard = aHostnameRecord('*.example.com', { released: ['2026-01-05', '2026-02-04'] });
/** A hostname of blog in the domain of the wildcard, given before the wildcard was released. */
const early = aHostnameRecord('a.example.com', { namespace: 'blog' });
const declared = aHostname('a.example.com', 'blog');

/** The codes and messages of a change that is checked on a day. */
function refusedOn(day: string, base: HostnameTable, head: HostnameTable): readonly string[] {
  const days = { day: day as Day, target: '2026-01-03' as Day, longestRetention: 30 };
  return hostnameTransitions(base, head, days).map(({ code, message }) => `${code} ${message}`);
}

/** The records of a run on a branch, or its problems. */
function runOnBase(
  today: string,
  hostnames: readonly Hostname[],
  { base, branch, retentionDays = 30, target = '2026-01-04' }: Branch,
) {
  const run = { today: today as Day, retentionDays };
  const start = { table: base, target: target as Day };
  const outcome = hostnamesOnBase(hostnames, branch, run, start);
  return outcome.ok ? outcome.value : outcome.problems.map(({ code }) => code);
}

interface Branch {
  readonly base: HostnameTable;
  readonly branch: HostnameTable;
  readonly retentionDays?: number;
  readonly target?: string;
}

/** The messages of a run on these records; without a day, of a frozen one. */
function messagesOf(table: HostnameTable, today?: string): readonly string[] {
  const run = { today: today as Day | undefined, retentionDays: 30 };
  const outcome = allocateHostnames([declared], table, run);
  return outcome.ok ? [] : outcome.problems.map(({ message }) => message);
}

test('a new record of a released hostname is forged, also when the base has no hostname', () => {
  expect(refusedOn('2026-01-05', hostnameTableOf(), hostnameTableOf(wildcard))).toEqual([
    'ALLOCATION_FORGED *.example.com is kept for default/namespace/shop until 2026-02-04, which did not have it in the base',
  ]);
});

describe('a hostname that overlaps one that is kept for another holder', () => {
  const kept =
    'the hostname a.example.com overlaps *.example.com, which is kept for namespace shop until 2026-02-04';

  test('is not given', () => {
    expect(messagesOf(hostnameTableOf(wildcard), '2026-01-10')).toEqual([kept]);
    expect(messagesOf(hostnameTableOf(wildcard), '2026-02-04')).toEqual([]);
  });

  test('stays when it was held before the release', () => {
    const table = hostnameTableOf(wildcard, early);
    expect(messagesOf(table, '2026-01-10')).toEqual([]);
    expect(messagesOf(table)).toEqual([]);
    expect(refusedOn('2026-01-10', table, table)).toEqual([]);
  });

  test('is refused when it was given in between, also without a day', () => {
    const given = aHostnameRecord('a.example.com', { namespace: 'blog', since: '2026-01-10' });
    expect(messagesOf(hostnameTableOf(wildcard, given), '2026-01-11')).toEqual([kept]);
    expect(messagesOf(hostnameTableOf(wildcard, given))).toEqual([kept]);
  });

  test('is forged in a change that gives it', () => {
    const base = hostnameTableOf(wildcard);
    expect(refusedOn('2026-01-10', base, hostnameTableOf(wildcard, early))).toEqual([
      'ALLOCATION_FORGED a.example.com overlaps *.example.com, which is kept for default/namespace/shop until 2026-02-04, and goes to default/namespace/blog on 2026-01-02',
    ]);
  });

  test('gets the day of the run on an old branch, once the name is free', () => {
    const sides = { base: hostnameTableOf(wildcard), branch: hostnameTableOf(wildcard, early) };
    expect(runOnBase('2026-02-03', [declared], sides)).toEqual(['HOSTNAME_KEPT']);
    const result = runOnBase('2026-02-06', [declared], sides);
    expect(result).toMatchObject({ isRebased: true });
    const since = 'table' in result && result.table.get('a.example.com')?.since;
    expect(since).toBe('2026-02-06');
  });
});

describe('a run on a branch', () => {
  test('leaves out a free record that the branch has pruned', () => {
    const [base, branch] = [hostnameTableOf(wildcard), hostnameTableOf()];
    const result = runOnBase('2026-02-04', [], { base, branch });
    expect(result).toMatchObject({ table: new Map(), changes: [] });
  });

  test('restores a kept record that the branch has lost, which is no release', () => {
    const [base, branch] = [hostnameTableOf(wildcard), hostnameTableOf()];
    const result = runOnBase('2026-02-03', [], { base, branch });
    expect(result).toMatchObject({ table: base, changes: [], isRebased: true });
  });

  test('reports the release of a held record that the branch has lost', () => {
    const [base, branch] = [hostnameTableOf(early), hostnameTableOf()];
    const result = runOnBase('2026-01-10', [], { base, branch });
    expect(result).toMatchObject({ changes: [{ kind: 'released', hostname: 'a.example.com' }] });
  });

  test('keeps the day of an earlier run that made the retention shorter', () => {
    const base = hostnameTableOf(early);
    const first = runOnBase('2026-01-10', [declared], { base, branch: base, retentionDays: 7 });
    const branch = 'table' in first ? first.table : hostnameTableOf();
    expect(branch.get('a.example.com')).toMatchObject({ retain: 7, keepUntil: '2026-02-09' });
    expect(runOnBase('2026-01-11', [declared], { base, branch, retentionDays: 7 })).toMatchObject({
      changes: [],
      isRebased: false,
    });
  });

  test('gives a released hostname again from today, not from a day before its release', () => {
    const released = ['2026-01-20', '2026-01-27'] as const;
    const former = aHostnameRecord('a.example.com', { namespace: 'blog', retain: 7, released });
    const result = runOnBase('2026-01-22', [declared], {
      base: hostnameTableOf(former),
      branch: hostnameTableOf({ ...early, retain: 40 }),
      retentionDays: 40,
      target: '2026-01-19',
    });
    const since = 'table' in result && result.table.get('a.example.com')?.since;
    expect(since).toBe('2026-01-22');
  });
});

describe('a merge', () => {
  const today = '2026-01-10' as Day;
  const held = aHostnameRecord('shop.example.com');
  const released = aHostnameRecord('shop.example.com', { released: ['2026-01-05', '2026-02-04'] });
  const longer = aHostnameRecord('shop.example.com', { retain: 60 });
  const tables = { held, released, longer };

  test.each([
    ['released', 'longer', 'held', 'released'],
    ['longer', 'released', 'held', 'longer'],
    ['held', 'released', 'held', 'released'],
    ['held', 'longer', 'held', 'longer'],
  ] as const)('of %s and %s, which were %s, has %s', (kept, other, base, merged) => {
    const sides = {
      kept: hostnameTableOf(tables[kept]),
      other: hostnameTableOf(tables[other]),
      base: hostnameTableOf(tables[base]),
    };
    expect(mergeHostnames(sides, today)).toEqual(hostnameTableOf(tables[merged]));
  });
});
