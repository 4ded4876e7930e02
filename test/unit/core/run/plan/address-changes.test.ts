import { expect, test } from 'vitest';
import type { Holder } from '../../../../../src/core/model/holder.ts';
import { unowned } from '../../../../../src/core/model/ownership.ts';
import { startOf } from '../../../../../src/core/model/problem.ts';
import { addressChanges } from '../../../../../src/core/run/plan/address-changes.ts';
import type { Declared } from '../../../../../src/core/tree/declared.ts';
import {
  anOwned,
  type OwnedWords,
  ownedKeys,
  ownedTable,
} from '../../../../support/allocations/owned-records.ts';
import {
  aTable,
  claimWith,
  poolsWith,
  poolWith,
  type RecordWords,
  theHolders,
} from '../../../../support/allocations/tables.ts';
import { aRange, thePools } from '../../../../support/declarations/pools-and-claims.ts';
import { aDeclared } from '../../../../support/plans/plan-builders.ts';

function side(words: RecordWords | undefined) {
  return aDeclared({ table: words ? aTable(['10.0.0.1', words]) : new Map() });
}

const kept: RecordWords = { released: ['2026-01-02', '2026-02-01'] };
const bob: RecordWords = { name: 'bob', since: '2026-02-01' };
const bobKept: RecordWords = { name: 'bob', released: ['2026-02-03', '2026-03-01'] };

test.each<[RecordWords | undefined, RecordWords | undefined, string]>([
  [undefined, {}, 'allocated'],
  [{}, {}, ''],
  [{}, { retain: 3 }, 'updated: kept after release: 0 → 3 days'],
  [{}, bob, 'allocated'],
  [{}, kept, 'released: free from 2026-02-01'],
  [{}, undefined, 'released: record removed'],
  [undefined, kept, 'released: allocated and released within this change, free from 2026-02-01'],
  [kept, {}, 'reclaimed: released on 2026-01-02'],
  [kept, bob, 'allocated: free since 2026-02-01'],
  [kept, kept, ''],
  [kept, { released: ['2026-01-02', '2026-02-05'] }, 'updated: free from 2026-02-01 → 2026-02-05'],
  [kept, bobKept, 'released: allocated and released within this change, free from 2026-03-01'],
  [kept, undefined, 'removed'],
])('a changed record is a change of its address: %#', (before, after, told) => {
  const changes = addressChanges({ base: side(before), head: side(after) });
  const texts = changes.map(({ change, details }) => [change, details.join(', ')]);
  expect(texts.map((text) => text.filter((part) => part !== '').join(': ')).join()).toBe(told);
});

test('addresses are listed in order, IPv4 first', () => {
  const table = aTable(['2001:db8::1'], ['10.0.0.10'], ['10.0.0.9']);
  const changes = addressChanges({ base: aDeclared(), head: aDeclared({ table }) });
  expect(changes.map(({ address }) => address)).toEqual(['10.0.0.9', '10.0.0.10', '2001:db8::1']);
});

test('a released address has the place of the declaration that had it, and not of its record', () => {
  const pools = poolsWith(poolWith({ addresses: ['10.0.0.0/28'] }));
  const claim = claimWith();
  const holders = theHolders(pools, claim);
  const base = aDeclared({ pools, holders, claims: [claim], table: aTable(['10.0.0.1', {}]) });
  const [change] = addressChanges({ base, head: side(kept) });
  expect(change?.at).toEqual({ side: 'base', file: claim.at.file, line: claim.at.line });
});

test('a public address comes with an address, and is told when it changes', () => {
  const claim = { ...claimWith(), dns: [{ name: 'web.example.com', at: startOf('a') }] };
  const holder: Holder = {
    ...{ id: claim.holder, clusters: ['default'], claims: [claim], promise: undefined },
    ...{ families: ['ipv4'], pool: undefined, zone: undefined, pins: [], at: claim.at },
    advertisement: undefined,
    ...{ retentionDays: 0, ownership: unowned, formerly: [] },
  };
  const table = aTable(['10.0.0.1']);
  const behind = (outside: string | undefined) => {
    const pool = poolWith({ addresses: ['10.0.0.0/28'] });
    const rule = outside && { inside: aRange('10.0.0.0/28'), outside: aRange(outside) };
    const pools = poolsWith({ ...pool, nat: rule ? [rule] : [] });
    return aDeclared({ pools, table, claims: [claim], holders: [holder] });
  };
  const told = (...[base, head]: readonly [Declared, Declared]) =>
    addressChanges({ base, head }).map(({ change, details }) => [change, ...details]);
  const [none, one, other] = [undefined, '198.51.100.1', '198.51.100.0/28'].map(behind);
  if (!none || !one || !other) throw new Error('three sides');
  expect(told(one, one)).toEqual([]);
  expect(told(one, { ...other, table: aTable(['10.0.0.2']) })).toContainEqual([
    ...['allocated', 'public address 198.51.100.2', 'DNS name web.example.com moved from 10.0.0.1'],
  ]);
  const change = (arrow: string) => [
    ['updated', `public address ${arrow}`, `DNS name web.example.com ${arrow}`],
  ];
  expect(told(one, behind('203.0.113.5'))).toEqual(change('198.51.100.1 → 203.0.113.5'));
  expect(told(none, one)).toEqual(change('10.0.0.1 → 198.51.100.1'));
  expect(told(one, none)).toEqual(change('198.51.100.1 → 10.0.0.1'));
});

type ClaimWords = NonNullable<Parameters<typeof claimWith>[0]>;

test.each<[ClaimWords, ClaimWords, string]>([
  [{ pin: '10.0.0.1' }, {}, 'web 80/TCP: the pin 10.0.0.1 is removed'],
  [{}, { pin: '10.0.0.1' }, 'web 80/TCP: pinned to 10.0.0.1'],
  [{}, { zone: 'north' }, 'web 80/TCP: zone inet (the default) → north'],
  [{ zone: 'north' }, {}, 'web 80/TCP: zone north → inet (the default)'],
  [{ pool: 'a' }, { zone: 'inet' }, 'web 80/TCP: zone unset → inet, web 80/TCP: pool a → any'],
])('a pin and a zone that change are told as such: %#', (before, after, told) => {
  const sideOf = (words: ClaimWords) => {
    const claims = [claimWith(words)];
    const pools = thePools();
    const holders = theHolders(pools, ...claims);
    return aDeclared({ pools, table: aTable(['10.0.0.1']), claims, holders });
  };
  const [change] = addressChanges({ base: sideOf(before), head: sideOf(after) });
  expect(change?.details.join(', ')).toBe(told);
});

const retained = ['2026-03-01', '2026-03-20'] as const;
const taken = { since: '2026-03-10', generation: 1 };

/** A side of a plan with one record and no declarations. */
const keySide = (record: OwnedWords) =>
  aDeclared({ keys: ownedKeys, table: ownedTable(anOwned(record)) });

test.each<[string, OwnedWords, OwnedWords, string]>([
  ['gets its first key', {}, { secret: 'old' }, 'key added'],
  [
    'gets another key',
    { secret: 'old' },
    { secret: 'new', generation: 1 },
    'key changed, with a signature of its key',
  ],
  [
    'gets rid of its key',
    { secret: 'old' },
    { generation: 1 },
    'key removed, with a signature of its key',
  ],
  [
    'goes to another holder while it is kept',
    { secret: 'old', released: retained },
    { ...taken, holder: 'default/service/blog/web' },
    'reassigned before it was free, with a signature of its key',
  ],
  [
    'goes to another holder when it is free',
    { secret: 'old', released: retained },
    { holder: 'default/service/blog/web', since: '2026-03-20' },
    'free since 2026-03-20',
  ],
  [
    'comes back under another key',
    { secret: 'old', released: retained },
    { ...taken, secret: 'new' },
    'released on 2026-03-01; reassigned before it was free, with a signature of its key',
  ],
])('the details of an address that %s', (_, before, after, details) => {
  const [change] = addressChanges({ base: keySide(before), head: keySide(after) });
  expect(change?.details.join('; ')).toBe(details);
});
