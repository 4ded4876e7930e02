import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AllocationTable } from '../../../../src/core/model/allocation.ts';
import { prune } from '../../../../src/core/run/synth/prune.ts';
import { codesOf, tableAfter } from '../../../support/allocations/allocation-run.ts';
import { aDay, aTable, poolsWith, poolWith } from '../../../support/allocations/tables.ts';

const pools = poolsWith(poolWith({ addresses: ['203.0.113.0/30'] }));
const address = '203.0.113.2';

function freeFrom(table: AllocationTable): string | undefined {
  return table.get(address)?.released?.freeFrom;
}

/** Ends the only lease on an address that is kept for some days. */
function endedOn(day: string, retain: number): AllocationTable {
  return tableAfter({ pools, table: aTable([address, { retain }]), today: day });
}

describe('an address is retained to the day', () => {
  it.each([
    ['2026-03-10', 0, '2026-03-10'],
    ['2026-03-10', 1, '2026-03-11'],
    ['2026-01-31', 1, '2026-02-01'],
    ['2026-01-31', 30, '2026-03-02'],
    ['2028-01-31', 30, '2028-03-01'],
    ['2026-02-28', 1, '2026-03-01'],
    ['2028-02-28', 1, '2028-02-29'],
    ['2028-02-29', 30, '2028-03-30'],
    ['2100-02-28', 1, '2100-03-01'],
    ['2026-04-30', 30, '2026-05-30'],
    ['2026-12-31', 1, '2027-01-01'],
    ['2026-12-02', 30, '2027-01-01'],
    ['2027-12-31', 60, '2028-02-29'],
  ])('when released on %s for %i days: until %s', (day, retain, until) => {
    expect(freeFrom(endedOn(day, retain))).toBe(until);
  });

  it('and is free for any holder on that day', () => {
    const kept = endedOn('2028-02-28', 2);
    const bob = [{ name: 'bob', pin: address }];
    expect(codesOf({ pools, claims: bob, table: kept, today: '2028-02-29' })).toEqual([
      'PIN_RETAINED',
    ]);
    expect(codesOf({ pools, claims: bob, table: kept, today: '2028-03-01' })).toEqual([]);
    expect(prune(kept, aDay('2028-02-29')).changes).toEqual([]);
    expect(prune(kept, aDay('2028-03-01')).changes).toMatchObject([{ kind: 'removed' }]);
  });

  it('whatever the time zone of the machine', () => {
    for (const zone of [
      'Pacific/Kiritimati',
      'Pacific/Niue',
      'Europe/Berlin',
      'America/Sao_Paulo',
    ]) {
      process.env.TZ = zone;
      expect([zone, freeFrom(endedOn('2026-03-28', 1))]).toEqual([zone, '2026-03-29']);
      expect([zone, freeFrom(endedOn('2026-10-24', 2))]).toEqual([zone, '2026-10-26']);
    }
  });
});

let zone: string | undefined;
beforeEach(() => {
  zone = process.env.TZ;
});
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

describe('the first release counts', () => {
  const ended = endedOn('2026-03-10', 5);

  it('and no later run changes the day', () => {
    for (const today of ['2026-03-10', '2026-03-12', '2026-03-15', '2026-07-01']) {
      expect(freeFrom(tableAfter({ pools, table: ended, today }))).toBe('2026-03-15');
    }
    const others = tableAfter({
      pools,
      claims: [{ name: 'bob' }],
      table: ended,
      today: '2026-03-12',
    });
    expect(freeFrom(others)).toBe('2026-03-15');
  });

  it('and a return that ends on the same day does not change it', () => {
    const back = tableAfter({ pools, claims: [{ retain: 5 }], table: ended, today: '2026-03-10' });
    expect(freeFrom(tableAfter({ pools, table: back, today: '2026-03-10' }))).toBe('2026-03-15');
  });

  it('and a return with a shorter retention does not shorten it', () => {
    const back = tableAfter({ pools, claims: [{}], table: ended, today: '2026-03-11' });
    expect(freeFrom(tableAfter({ pools, table: back, today: '2026-03-12' }))).toBe('2026-03-15');
  });

  it('and its holder can return until another holder has it', () => {
    for (const today of ['2026-03-10', '2026-03-14', '2026-03-15', '2026-12-31']) {
      const back = tableAfter({ pools, claims: [{}], table: ended, today });
      expect(back.get(address)).toMatchObject({ holder: 'default/akash/alice', since: today });
    }
  });
});

describe('a shared address', () => {
  const long = { port: 80, retain: 20 };
  const short = { port: 81, retain: 3 };
  const held = tableAfter({
    pools,
    claims: [{ ...long, pin: address }, short],
    today: '2026-03-01',
  });

  function endingOn(first: readonly [string, typeof long], last: string): string | undefined {
    const [day, stays] = first;
    const one = tableAfter({ pools, claims: [stays], table: held, today: day });
    return freeFrom(tableAfter({ pools, table: one, today: last }));
  }

  it('is retained until the latest day of any of its Services', () => {
    expect(endingOn(['2026-03-10', short], '2026-03-11')).toBe('2026-03-30');
    expect(endingOn(['2026-03-10', short], '2026-03-29')).toBe('2026-04-01');
    expect(endingOn(['2026-03-10', long], '2026-03-11')).toBe('2026-03-31');
  });

  it('is retained for the longest retention when all end together', () => {
    expect(freeFrom(tableAfter({ pools, table: held, today: '2026-03-10' }))).toBe('2026-03-30');
  });
});
