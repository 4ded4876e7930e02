import { expect, test } from 'vitest';
import type { Day } from '../../../src/model/day.ts';
import type { HostnameTable } from '../../../src/model/hostname.ts';
import { hostnameTransitions } from '../../../src/transitions/hostnames.ts';
import { aHostnameRecord, hostnameTableOf } from '../../support/allocations/hostname-records.ts';

/** A wildcard that shop released on 2026-01-05 and that is kept until 2026-02-04. */
const wildcard = aHostnameRecord('*.example.com', { released: ['2026-01-05', '2026-02-04'] });

/** The codes and messages of a change that is checked on a day. */
function refusedOn(day: string, base: HostnameTable, head: HostnameTable): readonly string[] {
  const earliest = '2026-01-03' as Day;
  const days = { day: day as Day, earliest, target: earliest, longestRetention: 30 };
  return hostnameTransitions(base, head, days).map(({ code, message }) => `${code} ${message}`);
}

test('a new record of a released hostname is forged, also when the base has no hostname', () => {
  expect(refusedOn('2026-01-05', hostnameTableOf(), hostnameTableOf(wildcard))).toEqual([
    'ALLOCATION_FORGED *.example.com is kept for default/namespace/shop until 2026-02-04, which did not have it in the base',
  ]);
});
