import { describe, expect, test } from 'vitest';
import type { AddressChange } from '../../../../../../src/core/run/plan/plan-answer.ts';
import {
  groupHolders,
  planRows,
  rowDetails,
  rowGroups,
  rowHolder,
  rowsText,
  rowsTitle,
  rowWord,
  sharedDetails,
} from '../../../../../../src/core/run/plan/print/plan-rows.ts';
import { phraseText } from '../../../../../../src/core/run/plan/print/plan-words.ts';
import { aChange, aliceShop, aSide } from '../../../../../support/plans/plan-builders.ts';

const other = 'default/service/team/app';

const released = (changes: Partial<AddressChange> = {}) =>
  aChange({
    change: 'released',
    before: aSide(),
    after: aSide(aliceShop, '2026-11-28'),
    details: ['free from 2026-11-28'],
    ...changes,
  });

/** The list that an address alone comes into. */
function listOf(change: AddressChange): string | undefined {
  return Object.entries(planRows({ addresses: [change] })).find(([, rows]) => rows.length > 0)?.[0];
}

test('rows say whether they are of addresses, of hostnames or of both', () => {
  const { address: _, pool: __, ...fields } = aChange();
  const hostnames = ['a.example.com', 'b.example.com'].map((hostname) => ({ ...fields, hostname }));
  const rowsOf = (addresses: readonly AddressChange[], count: number) =>
    planRows({ addresses, hostnames: hostnames.slice(0, count) }).given;
  expect(rowsText(rowsOf([aChange()], 0))).toBe('1 address');
  expect(rowsText(rowsOf([], 2))).toBe('2 hostnames');
  expect(rowsText(rowsOf([aChange()], 2))).toBe('3 addresses and hostnames');
  expect(rowsTitle(rowsOf([], 1))).toBe('Hostname');
  expect(rowsTitle(rowsOf([aChange()], 1))).toBe('Address or hostname');
});

test.each<[readonly string[] | undefined, readonly string[] | undefined, string]>([
  [['203.0.113.7'], ['203.0.113.9'], 'lost'],
  [['203.0.113.7', '2001:db8::7'], ['203.0.113.7'], 'lost'],
  [['203.0.113.7'], undefined, 'lost'],
  [undefined, ['203.0.113.7'], 'kept'],
  [['203.0.113.7'], ['203.0.113.7', '2001:db8::7'], 'kept'],
])('a hostname with %j in DNS before and %j after is in the list %s', (was, is, list) => {
  const sideIn = (dns: readonly string[] | undefined) => ({ ...aSide(), ...(dns && { dns }) });
  const change = aChange({ change: 'updated', before: sideIn(was), after: sideIn(is) });
  const { address: hostname, pool: _, ...fields } = change;
  const rows = planRows({ addresses: [], hostnames: [{ ...fields, hostname }] });
  expect(Object.entries(rows).filter(([, all]) => all.length > 0)).toMatchObject([[list, [{}]]]);
});

describe('a changed address', () => {
  test.each<[string, AddressChange, string]>([
    ['released', released(), 'lost'],
    ['allocated', aChange(), 'given'],
    [
      'reclaimed',
      aChange({ change: 'reclaimed', before: aSide(aliceShop, '2026-12-01') }),
      'given',
    ],
    ['allocated to another holder while held', aChange({ before: aSide(other) }), 'lost'],
    ['allocated after another holder', aChange({ before: aSide(other, '2026-11-01') }), 'given'],
    [
      'that loses a port',
      aChange({
        change: 'updated',
        before: aSide(),
        after: { ...aSide(), claims: ['web 81/TCP'] },
      }),
      'lost',
    ],
    [
      'that gets a port',
      aChange({ change: 'updated', before: { ...aSide(), claims: [] }, details: ['x added'] }),
      'kept',
    ],
    [
      'whose holder has another name, and the same ports',
      aChange({
        change: 'updated',
        before: aSide('default/service/shop/a'),
        after: { holder: 'default/service/shop/b', state: 'held', claims: ['b 80/TCP'] },
      }),
      'kept',
    ],
    [
      'whose holder has another name, and another port',
      aChange({
        change: 'updated',
        before: aSide('default/service/shop/a'),
        after: { holder: 'default/service/shop/b', state: 'held', claims: ['b 81/TCP'] },
      }),
      'lost',
    ],
    ['with another retention', aChange({ change: 'updated', before: aSide() }), 'kept'],
    ['that was never live', released({ before: aSide(aliceShop, '2026-11-28') }), 'kept'],
    ['allocated and released in one change', { ...released(), before: undefined } as never, 'kept'],
    [
      'without a record',
      aChange({ change: 'removed', before: aSide(other, '2026-11-01') }),
      'kept',
    ],
  ])('%s', (_, change, list) => {
    expect(listOf(change)).toBe(list);
  });
});

describe('a holder that gets one address for another', () => {
  const to = aChange({ address: '203.0.113.9', details: ['moved from 203.0.113.7'] });

  test('has one row, with what becomes of both', () => {
    const { lost, given } = planRows({ addresses: [released(), to] });

    expect([lost, given]).toEqual([[{ change: to, from: released() }], []]);
    expect(lost.map(rowWord)).toEqual(['moved']);
    expect(lost.map((row) => phraseText(rowHolder(row), String))).toEqual([aliceShop]);
    expect(lost.map(rowDetails)).toEqual([
      ['web 80/TCP', 'moved from 203.0.113.7', '203.0.113.7 free from 2026-11-28'],
    ]);
  });

  test.each<[string, readonly AddressChange[]]>([
    ['of the other family', [released(), aChange({ address: '2001:db8::9' })]],
    ['where it has two new ones', [released(), to, aChange({ address: '203.0.113.10' })]],
    ['where it loses two', [released(), released({ address: '203.0.113.8' }), to]],
    ['that another holder gets', [released(), aChange({ ...to, after: aSide(other) })]],
  ])('has rows of their own for an address %s', (_, addresses) => {
    const { lost, given, kept } = planRows({ addresses });

    expect([...lost, ...given, ...kept]).toHaveLength(addresses.length);
    expect([...lost, ...given, ...kept].filter(({ from }) => from !== undefined)).toEqual([]);
  });
});

describe('equal rows', () => {
  const rowsOf = (count: number, change: (index: number) => Partial<AddressChange> = () => ({})) =>
    Array.from({ length: count }, (_, index) => ({
      change: aChange({
        address: `198.51.100.${index}`,
        after: aSide(`default/service/team/app-${index % 9}`),
        ...change(index),
      }),
    }));
  const sizes = (...args: Parameters<typeof rowsOf>) =>
    rowGroups(rowsOf(...args)).map((group) => group.length);

  test('stay apart while a list is short', () => {
    expect(sizes(20)).toEqual(Array(20).fill(1));
  });

  test('are one group in a long list, whatever their holders and places', () => {
    expect(sizes(21)).toEqual([21]);
    expect(rowGroups(rowsOf(21)).map(groupHolders)).toEqual([9]);
  });

  test('are one group when only the names of their services differ, which are left out then', () => {
    const holder = (index: number) => `default/service/team/app-${index}`;
    const rows = rowsOf(24, (index) => ({
      after: { ...aSide(holder(index)), claims: [`app-${index} 80/TCP`] },
      details: ['free since 2026-11-01'],
    }));

    expect(rowGroups(rows).map((group) => [group.length, sharedDetails(group)])).toEqual([
      [24, ['80/TCP', 'free since 2026-11-01']],
    ]);
    expect(rowGroups(rows.slice(0, 1)).map(sharedDetails)).toEqual([
      ['app-0 80/TCP', 'free since 2026-11-01'],
    ]);
  });

  test.each<[string, (index: number) => Partial<AddressChange>]>([
    ['pools', (index) => ({ pool: index % 2 ? 'a' : 'b' })],
    ['families', (index) => (index % 2 ? { address: `2001:db8::${index}` } : {})],
    ['changes', (index) => (index % 2 ? { change: 'reclaimed' } : {})],
    ['details', (index) => ({ details: [`free since 2026-11-0${(index % 2) + 1}`] })],
  ])('are apart by their %s', (_, change) => {
    expect(sizes(30, change)).toEqual([15, 15]);
  });
});
