// @module-tag counted

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allocate, placementsOf } from '../../src/core/allocate/allocate.ts';
import { holdersOf } from '../../src/core/declarations/holders.ts';
import { type AllocationTable, addressesHeldBy, isHeld } from '../../src/core/model/allocation.ts';
import { addDays, type Day } from '../../src/core/model/day.ts';
import type { Holder } from '../../src/core/model/holder.ts';
import { formatAddress } from '../../src/core/net/address.ts';
import { transitionProblems } from '../../src/core/transitions/transitions.ts';
import {
  aDay,
  claimWith,
  holderId,
  poolsWith,
  poolWith,
  promiseWith,
} from '../support/allocations/tables.ts';
import { runs } from '../support/run/scope.ts';

const names = ['ann', 'bob', 'cid', 'dee', 'eve'];
const pools = poolsWith(poolWith({ addresses: ['203.0.113.0/30'], retentionDays: 1 }));

/** What happens to one name: a promise or a lease begins or ends. */
const step = fc.record({
  name: fc.constantFrom(...names),
  what: fc.constantFrom('promise', 'lease', 'end of promise', 'end of lease'),
  days: fc.integer({ min: 0, max: 2 }),
});

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface State {
  readonly promised: ReadonlySet<string>;
  readonly leased: ReadonlySet<string>;
  readonly table: AllocationTable;
  readonly holders: readonly Holder[];
  readonly today: Day;
}

function holdersIn({ promised, leased }: Pick<State, 'promised' | 'leased'>): readonly Holder[] {
  const claims = [...leased].map((name) => claimWith({ name }));
  const promises = [...promised].map((name) => promiseWith(name));
  const outcome = holdersOf({ claims, promises }, pools);
  if (!outcome.ok) throw new Error('these claims do not conflict');
  return outcome.value;
}

/** The state after a step; undefined when the pool has no address for it. */
function after(before: State, { name, what, days }: Step): State | undefined {
  const promised = new Set(before.promised);
  const leased = new Set(before.leased);
  // synth removes the promise of an endpoint with a lease.
  if (what === 'promise' && !leased.has(name)) promised.add(name);
  if (what === 'lease') {
    promised.delete(name);
    leased.add(name);
  }
  if (what === 'end of promise') promised.delete(name);
  if (what === 'end of lease') leased.delete(name);
  const today = addDays(before.today, days);
  const holders = holdersIn({ promised, leased });
  const run = allocate(pools, holders, before.table, { today });
  if (run.ok) return { promised, leased, holders, table: run.value.table, today };
  expect(run.problems.map(({ code }) => code)).toEqual(['POOL_EXHAUSTED']);
  return undefined;
}

function addressOf({ table }: State, name: string): string | undefined {
  const [address] = addressesHeldBy(table, holderId(name));
  return address && formatAddress(address);
}

function byId(holders: readonly Holder[]): ReadonlyMap<string, Holder> {
  return new Map(holders.map((holder) => [holder.id, holder]));
}

/** What must hold of every step: see the name of the test. */
function judge(before: State, next: State): void {
  for (const name of names) {
    const isDeclared = next.promised.has(name) || next.leased.has(name);
    const [was, is] = [addressOf(before, name), addressOf(next, name)];
    expect(is !== undefined).toBe(isDeclared);
    if (isDeclared && was !== undefined) expect(is).toBe(was);
  }
  const held = [...next.table.values()].filter(isHeld);
  expect(new Set(held.map(({ holder }) => holder)).size).toBe(held.length);
  for (const { holder, promised } of held) {
    expect(promised).toBe(
      names.some((name) => holder === holderId(name) && next.promised.has(name)),
    );
  }
  // Nothing is served on an address that is only promised.
  const served = placementsOf(pools, next.holders, next.table).map(({ holder }) => holder.id);
  expect(served.sort()).toEqual([...next.leased].map(holderId).sort());
  expect(allocate(pools, next.holders, next.table, { today: undefined }).ok).toBe(true);
  const context = {
    day: next.today,
    target: next.today,
    longestRetention: 30,
    holders: byId(next.holders),
    formerHolders: byId(before.holders),
  };
  expect(transitionProblems(before.table, next.table, context)).toEqual([]);
}

const start: State = {
  promised: new Set(),
  leased: new Set(),
  table: new Map(),
  holders: [],
  today: aDay('2026-01-01'),
};

test('a promised address is of one holder, stays for its lease, and is released without one', () => {
  let taken = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 30 }), (steps) => {
      let state = start;
      for (const one of steps) {
        const next = after(state, one);
        if (!next) continue;
        judge(state, next);
        taken += Number(one.what === 'lease' && state.promised.has(one.name));
        state = next;
      }
    }),
    { seed: 1, numRuns: runs(2_000) },
  );
  expect(taken).toBeGreaterThan(runs(500));
});
