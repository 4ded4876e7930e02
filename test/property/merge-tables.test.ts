// @module-tag counted

import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { type AllocationTable, isHeld } from '../../src/core/model/allocation.ts';
import type { Claim } from '../../src/core/model/claim.ts';
import { mergeTables } from '../../src/core/transitions/merge-tables.ts';
import {
  aDay,
  aTable,
  claimWith,
  poolsWith,
  poolWith,
  type RecordWords,
  theHolders,
} from '../support/allocations/tables.ts';
import { runs } from '../support/run/scope.ts';

const today = aDay('2026-03-10');
const addresses = ['203.0.113.0', '203.0.113.1', '203.0.113.2', '203.0.113.9', '192.0.2.1'];
const addresses6 = ['2001:db8::1', '2001:db8::2', '2001:db8:1::1'];
const names = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank'];

const wordsArbitrary: fc.Arbitrary<RecordWords | undefined> = fc.option(
  fc
    .record({
      name: fc.constantFrom(...names),
      since: fc.constantFrom('2026-01-01', '2026-02-01'),
      retain: fc.constantFrom(0, 5),
      released: fc.constantFrom(
        undefined,
        undefined,
        ['2026-03-01', '2026-03-06'] as const,
        ['2026-03-01', '2026-04-01'] as const,
      ),
    })
    .map(({ released, ...words }) => (released ? { ...words, released } : words)),
  { nil: undefined, freq: 2 },
);

type Words = Readonly<Record<string, RecordWords | undefined>>;

/** What a side does to an address: nothing, release it, or put another record or none in its place. */
type Edit = 'nothing' | 'release' | { readonly record: RecordWords | undefined };

function ofEach<Value>(arbitrary: fc.Arbitrary<Value>) {
  return fc.record(
    Object.fromEntries([...addresses, ...addresses6].map((address) => [address, arbitrary])),
  );
}

const editsArbitrary = ofEach<Edit>(
  fc.oneof(
    { weight: 5, arbitrary: fc.constant('nothing' as const) },
    { weight: 2, arbitrary: fc.constant('release' as const) },
    { weight: 2, arbitrary: wordsArbitrary.map((record) => ({ record })) },
  ),
);

function edited(words: Words, edits: Readonly<Record<string, Edit>>): Words {
  return Object.fromEntries(
    Object.entries(words).map(([address, record]) => {
      const edit = edits[address] ?? 'nothing';
      if (typeof edit === 'object') return [address, edit.record];
      if (edit === 'nothing' || !record) return [address, record];
      return [address, { released: ['2026-03-08', '2026-03-20'] as const, ...record }];
    }),
  );
}

const claimsArbitrary: fc.Arbitrary<readonly Claim[]> = fc
  .uniqueArray(
    fc.record(
      {
        name: fc.constantFrom(...names),
        ipFamily: fc.constantFrom('ipv4', 'ipv6', 'dual'),
        pin: fc.constantFrom(...addresses.slice(0, 3)),
      },
      { requiredKeys: ['name', 'ipFamily'] },
    ),
    { selector: ({ name }) => name },
  )
  .map((all) => all.map(({ pin, ...words }) => claimWith(pin ? { ...words, pin } : words)));

const poolsArbitrary = fc.constantFrom(
  poolsWith(poolWith({ addresses: ['203.0.113.0/28', '2001:db8::/64'] })),
  poolsWith(
    poolWith({ addresses: ['203.0.113.0/29', '2001:db8::/64'], reserved: ['203.0.113.1'] }),
    poolWith({ name: 'more', addresses: ['192.0.2.0/28', '2001:db8:1::/64'] }),
  ),
);

/** What the random merges reached: a generator that reaches little proves little. */
const reached = { merges: 0, given: 0, dropped: 0, released: 0, pruned: 0 };

afterAll(() => {
  console.log(reached);
});

function tableOf(words: Words): AllocationTable {
  return aTable(
    ...Object.entries(words).flatMap(([address, one]) => (one ? [[address, one] as const] : [])),
  );
}

/** A table in which each holder keeps only its first address of a family. */
function unsplit(table: AllocationTable): AllocationTable {
  const seen = new Set<string>();
  return new Map(
    [...table].filter(([, record]) => {
      const key = `${record.holder} ${record.address.family}`;
      if (!isHeld(record) || !seen.has(key)) return isHeld(record) ? seen.add(key) : true;
      return false;
    }),
  );
}

function splitIn(table: AllocationTable): string[] {
  const counts = new Map<string, number>();
  for (const { holder, address, released } of table.values()) {
    const key = `${holder} ${address.family}`;
    if (!released) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > 1).map(([key]) => key);
}

test('mergeTables takes nothing from the kept side, splits no holder, and is idempotent', () => {
  fc.assert(
    fc.property(
      ofEach(wordsArbitrary),
      fc.tuple(editsArbitrary, editsArbitrary),
      claimsArbitrary,
      poolsArbitrary,
      (words, [keptEdits, otherEdits], claims, pools) => {
        const base = unsplit(tableOf(words));
        const kept = unsplit(tableOf(edited(words, keptEdits)));
        const other = tableOf(edited(words, otherEdits));
        const holders = theHolders(pools, ...claims);
        const result = mergeTables({ kept, other, base }, pools, holders, today);

        expect(splitIn(result)).toEqual([]);
        for (const [address, record] of kept) {
          if (!isHeld(record)) continue;
          const after = result.get(address);
          expect(after?.holder).toBe(record.holder);
          expect(after?.since).toBe(record.since);
          const needs = holders.find(({ id }) => id === record.holder)?.families ?? [];
          if (needs.includes(record.address.family)) expect(after?.released).toBeUndefined();
        }
        for (const sides of [
          { kept, other: result, base: kept },
          { kept: result, other, base },
          { kept: result, other: result, base },
        ]) {
          const again = mergeTables(sides, pools, holders, today);
          if (sides.kept === kept) expect(sorted(again)).toEqual(sorted(result));
          expect(splitIn(again)).toEqual([]);
        }
        count(kept, other, result);
      },
    ),
    { seed: 1, numRuns: runs(10_000) },
  );
  expect(Math.min(...Object.values(reached))).toBeGreaterThan(runs(200));
});

function sorted(table: AllocationTable): unknown[] {
  return [...table].sort(([left], [right]) => (left < right ? -1 : 1));
}

function count(kept: AllocationTable, other: AllocationTable, result: AllocationTable): void {
  reached.merges += 1;
  for (const [address, record] of other) {
    if (!isHeld(record) || kept.get(address)?.holder === record.holder) continue;
    if (result.get(address)?.holder === record.holder) reached.given += 1;
    else reached.dropped += 1;
  }
  for (const [address, record] of kept) {
    const after = result.get(address);
    if (!after) reached.pruned += 1;
    else if (isHeld(record) && !isHeld(after)) reached.released += 1;
  }
}
