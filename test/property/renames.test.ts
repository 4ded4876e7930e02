// @module-tag counted

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allocate } from '../../src/core/allocate/allocate.ts';
import { holdersOf } from '../../src/core/declarations/holders.ts';
import { type AllocationTable, isHeld } from '../../src/core/model/allocation.ts';
import { addDays, type Day } from '../../src/core/model/day.ts';
import type { Holder, Rename } from '../../src/core/model/holder.ts';
import type { IPFamily } from '../../src/core/model/lease.ts';
import { startOf } from '../../src/core/model/problem.ts';
import { mergeTables } from '../../src/core/transitions/merge-tables.ts';
import { allocateOnBase, type Base } from '../../src/core/transitions/rebase.ts';
import { transitionProblems } from '../../src/core/transitions/transitions.ts';
import { aDay, poolsWith, poolWith } from '../support/allocations/tables.ts';
import { serviceClaim } from '../support/declarations/service-claims.ts';
import { runs } from '../support/run/scope.ts';

const pools = poolsWith(
  poolWith({ name: 'p', addresses: ['203.0.113.0/26', '2001:db8::/122'], retentionDays: 3 }),
);
const begin = aDay('2026-03-10');

/** A Service that is followed under all of its names. */
interface Followed {
  readonly first: string;
  readonly name: string;
  readonly family: IPFamily;
}

/** What people have declared. */
interface Town {
  readonly services: readonly Followed[];
  readonly renames: readonly Rename[];
}

const idOf = (name: string): string => `default/service/shop/${name}`;

function holdersIn({ services, renames }: Town): readonly Holder[] {
  const claims = services.map(({ name, family }) => serviceClaim({ name, ipFamily: family }));
  const holders = holdersOf({ claims, promises: [], renames }, pools);
  if (!holders.ok) throw new Error('the claims conflict');
  return holders.value;
}

/** The addresses of a holder that it had in `table` since the same day. */
function addressesOf(table: AllocationTable, name: string): readonly string[] {
  return [...table].flatMap(([text, record]) =>
    isHeld(record) && record.holder === idOf(name) ? [`${text} since ${record.since}`] : [],
  );
}

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('rename' as const), at: fc.nat() }) },
  fc.record({ kind: fc.constant('add' as const), at: fc.nat() }),
  fc.record({ kind: fc.constant('remove' as const), at: fc.nat() }),
  fc.record({ kind: fc.constant('day' as const), at: fc.nat() }),
);
const familyArbitrary = fc.constantFrom<IPFamily>('ipv4', 'ipv6', 'dual');

/** One step of a town; names are never used twice. */
function stepped(
  town: Town,
  { kind, at }: { readonly kind: string; readonly at: number },
  name: string,
): Town {
  const { services, renames } = town;
  const one = services[at % Math.max(1, services.length)];
  if (kind === 'add') {
    return { ...town, services: [...services, { first: name, name, family: 'ipv4' }] };
  }
  if (!one || kind === 'day') return town;
  const rest = services.filter((other) => other !== one);
  if (kind === 'remove') return { ...town, services: rest };
  const place = { ...startOf('leases/rename.yaml'), line: renames.length + 1 };
  const rename = { from: idOf(one.name), to: idOf(name), at: place };
  return { services: [...rest, { ...one, name }], renames: [...renames, rename] };
}

const seen = { renamed: 0, twice: 0 };

test('whoever is renamed keeps the addresses of the base, over any branch and merge', () => {
  fc.assert(
    fc.property(
      fc.array(familyArbitrary, { minLength: 1, maxLength: 6 }),
      fc.array(step, { minLength: 1, maxLength: 8 }),
      fc.nat({ max: 2 }),
      (families, steps, others) => {
        const services = families.map((family, index) => {
          return { first: `s${index}`, name: `s${index}`, family };
        });
        const started = allocate(pools, holdersIn({ services, renames: [] }), new Map(), {
          today: begin,
        });
        if (!started.ok) throw new Error('the town does not fit');
        const base: Base = { table: started.value.table, target: begin };
        let town: Town = { services, renames: [] };
        let table = base.table;
        let today: Day = begin;
        for (const [index, one] of steps.entries()) {
          town = stepped(town, one, `n${index}`);
          if (one.kind === 'day') today = addDays(today, 1);
          table = onBase(town, table, today, base);
          expectLawful(town, table, today, base);
        }
        // The target gets other Services, and the branch merges it.
        const more = Array.from({ length: others }, (_, index) => {
          return { first: `o${index}`, name: `o${index}`, family: 'ipv4' as const };
        });
        const target = allocate(
          pools,
          holdersIn({ services: [...services, ...more], renames: [] }),
          base.table,
          { today },
        );
        if (!target.ok) throw new Error('the target does not fit');
        const merged = { ...town, services: [...town.services, ...more] };
        const sides = { kept: target.value.table, other: table, base: base.table };
        const joined = mergeTables(sides, pools, holdersIn(merged), today);
        const landed = { table: target.value.table, target: today };
        const after = onBase(merged, joined, today, landed);
        expectLawful(merged, after, today, landed);
        // Once it has landed, the renames may go.
        const cleaned = { ...merged, renames: [] };
        expect(onBase(cleaned, after, today, { table: after, target: today })).toEqual(after);
      },
    ),
    { seed: 11, numRuns: runs(1_000) },
  );
  expect(seen.renamed).toBeGreaterThan(runs(500));
  expect(seen.twice).toBeGreaterThan(runs(50));
});

function onBase(town: Town, table: AllocationTable, today: Day, base: Base): AllocationTable {
  const run = allocateOnBase(pools, holdersIn(town), table, { today, moves: [], base });
  if (!run.ok)
    throw new Error(run.problems.map(({ code, message }) => `${code} ${message}`).join());
  return run.value.table;
}

/** The records may be merged, the next run changes nothing, and each Service has what it had in the base. */
function expectLawful(town: Town, table: AllocationTable, today: Day, base: Base): void {
  const holders = holdersIn(town);
  const by = {
    ...{ day: today, target: base.target, longestRetention: 30, formerHolders: new Map() },
    holders: new Map(holders.map((holder) => [holder.id, holder])),
  };
  expect(transitionProblems(base.table, table, by)).toEqual([]);
  expect(allocate(pools, holders, table, { today: undefined })).toMatchObject({ ok: true });
  expect(onBase(town, table, today, base)).toEqual(table);
  for (const { first, name } of town.services) {
    const had = addressesOf(base.table, first);
    if (had.length === 0) continue;
    expect(addressesOf(table, name)).toEqual(had);
    if (name === first) continue;
    seen.renamed += 1;
    if (town.renames.some(({ from }) => town.renames.some(({ to }) => to === from)))
      seen.twice += 1;
  }
}
