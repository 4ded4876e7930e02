// @module-tag counted

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Allocation } from '../../../../../src/core/model/allocation.ts';
import { addDays, type Day } from '../../../../../src/core/model/day.ts';
import { paintOf } from '../../../../../src/core/text/print/problems-text.ts';
import {
  daysOfMonth,
  type UsageSpan,
  usageIn,
} from '../../../../../src/features/ask/history/usage.ts';
import {
  type Usage,
  usageCsv,
  usageTable,
} from '../../../../../src/features/ask/history/usage-answer.ts';
import type { RecordLog } from '../../../../../src/lib/history/address-history.ts';
import type { RecordedEvent } from '../../../../../src/lib/history/history-events.ts';
import { somePools } from '../../../../support/declarations/read-declaration.ts';
import { runs } from '../../../../support/run/scope.ts';

const day = (text: string) => text as Day;

/** A version of the record of an address. */
interface Version {
  readonly state: 'held' | 'released' | 'none' | 'unreadable';
  readonly holder?: string;
  readonly freeFrom?: string;
  /** The time of the commit. */
  readonly from: string;
}

/** The changes of an address, each by a commit of its own. */
function eventsOf(versions: readonly Version[]): readonly RecordedEvent[] {
  return versions.map(({ state, holder, freeFrom, from }, index) => {
    const event = { event: 'given', at: from, author: 'Ann', subject: 'A lease' } as const;
    const released = freeFrom === undefined ? {} : { released: { on: from, freeFrom } };
    const record = { holder, pool: 'default', ...released } as unknown as Allocation;
    return {
      event: { ...event, commit: `c${index}` },
      after: state === 'none' || state === 'unreadable' ? state : record,
    };
  });
}

function recordsWith(histories: Readonly<Record<string, readonly Version[]>>): RecordLog {
  return {
    ...{ ref: 'main', commit: 'c', at: '2026-03-01T00:00:00Z', shallow: false },
    events: new Map(
      Object.entries(histories).map(([address, versions]) => [address, eventsOf(versions)]),
    ),
  };
}

const ann = 'default/akash/akash1ann-ip-web';
const bob = 'default/service/shop/web';
const january = daysOfMonth('2026-01', day('2026-03-01'));

const daysBy = ({ items }: Usage) =>
  items.map(({ owner, heldDays, retainedDays, addresses }) => [
    owner,
    heldDays,
    retainedDays,
    addresses.map(({ commit }) => commit),
  ]);

/** Versions of a record from December on, up to nine days apart. */
const someVersions = fc
  .array(
    fc.record({
      state: fc.constantFrom('held' as const, 'released' as const, 'none' as const),
      holder: fc.constantFrom(ann, bob),
      after: fc.nat(9),
      free: fc.nat(9),
    }),
    { maxLength: 12 },
  )
  .map((versions) => {
    let on = day('2025-12-20');
    return versions.map(({ state, holder, after, free }): Version => {
      on = addDays(on, after);
      const from = `${on}T12:00:00Z`;
      if (state === 'none') return { state, from };
      const freeFrom = addDays(on, free);
      return { state, holder, from, ...(state === 'released' ? { freeFrom } : {}) };
    });
  });

/** The state that an address has for a holder at the end of each day, if it has one. */
function statesByHand(versions: readonly Version[], holder: string, span: UsageSpan): string[] {
  const states: string[] = [];
  for (let today = span.from; today < span.end; today = addDays(today, 1)) {
    const last = versions.findLast(({ from }) => from <= `${today}T23:59:59Z`);
    const isOver = last?.freeFrom !== undefined && today >= last.freeFrom;
    if (last?.holder === holder && !isOver) states.push(last.state);
  }
  return states;
}

describe('daysOfMonth', () => {
  it.each([
    ['2026-01', '2026-03-01', '2026-02-01'],
    ['2026-02', '2026-03-01', '2026-03-01'],
    ['2026-12', '2027-01-01', '2027-01-01'],
    ['2028-02', '2028-02-29', '2028-02-29'],
    ['2026-03', '2026-03-01', '2026-03-01'],
    ['2026-04', '2026-03-01', '2026-04-01'],
  ])('of %s on %s ends before %s', (month, today, end) => {
    expect(daysOfMonth(month, day(today))).toEqual({ month, from: `${month}-01`, end });
  });
});

describe('usageIn', () => {
  it('counts a day for the holder at its end, and retained days until the address is free', () => {
    const records = recordsWith({
      '203.0.113.7': [
        { state: 'held', holder: ann, from: '2026-01-03T23:59:59Z' },
        { state: 'released', holder: ann, freeFrom: '2026-01-12', from: '2026-01-10T00:00:00Z' },
        { state: 'held', holder: bob, from: '2026-01-20T10:00:00Z' },
      ],
    });
    expect(daysBy(usageIn(records, somePools, january))).toEqual([
      ['akash1ann', 7, 2, ['c0']],
      ['default/shop', 12, 0, ['c2']],
    ]);
  });

  it('counts the last change of a day only', () => {
    const records = recordsWith({
      '203.0.113.7': [
        { state: 'held', holder: ann, from: '2026-01-30T01:00:00Z' },
        { state: 'none', from: '2026-01-30T02:00:00Z' },
        { state: 'held', holder: bob, from: '2026-01-30T03:00:00Z' },
      ],
    });
    expect(daysBy(usageIn(records, somePools, january))).toEqual([['default/shop', 2, 0, ['c2']]]);
  });

  it('names the commit that gave an address before the month, and adds up spells of a holder', () => {
    const records = recordsWith({
      '203.0.113.7': [
        { state: 'held', holder: ann, from: '2025-06-01T10:00:00Z' },
        { state: 'none', from: '2026-01-02T10:00:00Z' },
        { state: 'held', holder: ann, from: '2026-01-31T10:00:00Z' },
      ],
    });
    expect(daysBy(usageIn(records, somePools, january))).toEqual([['akash1ann', 2, 0, ['c0']]]);
  });

  it('lets a later commit with an earlier date take effect when the commit before it did', () => {
    const records = recordsWith({
      '203.0.113.7': [
        { state: 'held', holder: ann, from: '2026-01-10T10:00:00Z' },
        { state: 'held', holder: bob, from: '2026-01-05T10:00:00Z' },
      ],
    });
    expect(daysBy(usageIn(records, somePools, january))).toEqual([['default/shop', 22, 0, ['c1']]]);
  });

  it('counts the days of a group for the group, and none of an unreadable record', () => {
    const records = recordsWith({
      '203.0.113.7': [{ state: 'held', holder: 'anycast/dns', from: '2026-01-31T10:00:00Z' }],
      '203.0.113.8': [{ state: 'unreadable', from: '2026-01-01T10:00:00Z' }],
    });
    expect(daysBy(usageIn(records, somePools, january))).toEqual([['anycast/dns', 1, 0, ['c0']]]);
  });

  it('equals a count by hand of each day of each address', () => {
    fc.assert(
      fc.property(
        fc.array(someVersions, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 40 }),
        (histories, ended) => {
          const named = histories.map((versions, index) => [`203.0.113.${index}`, versions]);
          const span = daysOfMonth('2026-01', addDays(day('2026-01-01'), ended));
          const { items } = usageIn(recordsWith(Object.fromEntries(named)), somePools, span);
          const used = items.flatMap(({ addresses }) => addresses);
          for (const holder of [ann, bob]) {
            const own = used.filter((one) => one.holder === holder);
            const held = own.reduce((sum, { heldDays }) => sum + heldDays, 0);
            const retained = own.reduce((sum, { retainedDays }) => sum + retainedDays, 0);
            const states = histories.flatMap((versions) => statesByHand(versions, holder, span));
            expect([holder, held, retained]).toEqual([
              holder,
              states.filter((state) => state === 'held').length,
              states.filter((state) => state === 'released').length,
            ]);
          }
        },
      ),
      { seed: 7, numRuns: runs(2_000) },
    );
  });
});

describe('the text of a usage', () => {
  const usage = usageIn(
    recordsWith({ '203.0.113.7': [{ state: 'held', holder: bob, from: '2026-01-30T10:00:00Z' }] }),
    somePools,
    january,
  );

  it('is a table with a line per owner, zone and family', () => {
    const [header, line] = usageTable(usage, { paint: paintOf(false) }).split('\n');
    expect(header).toMatch(/^OWNER +ZONE +FAMILY +ADDRESSES +HELD DAYS +RETAINED DAYS$/);
    expect(line?.split(/ {2,}/)).toEqual(['default/shop', 'inet', 'ipv4', '1', '2', '0']);
  });

  it('is CSV with a line per address', () => {
    expect(usageCsv(usage)).toBe(
      'month,owner,zone,family,address,holder,heldDays,retainedDays,commit\n2026-01,default/shop,inet,ipv4,203.0.113.7,default/service/shop/web,2,0,c0\n',
    );
  });
});
