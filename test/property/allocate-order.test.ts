// @module-tag counted

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allocate } from '../../src/core/allocate/allocate.ts';
import { holdersOf } from '../../src/core/declarations/holders.ts';
import type { Allocation, AllocationResult } from '../../src/core/model/allocation.ts';
import { sortedKeys } from '../../src/core/model/order.ts';
import type { Outcome } from '../../src/core/model/problem.ts';
import { formatAddress } from '../../src/core/net/address.ts';
import { crowdArbitrary, crowdDay } from '../support/allocations/crowded-arbitrary.ts';
import { historyArbitrary, planArbitrary } from '../support/allocations/history-arbitrary.ts';
import { runsOf } from '../support/allocations/history-run.ts';
import { tableOf } from '../support/allocations/run-checks.ts';
import { aDay, claimWith, theHolders } from '../support/allocations/tables.ts';
import { runs } from '../support/run/scope.ts';

const today = aDay(crowdDay);

test('the order of claims, holders and records changes nothing', () => {
  const orders = fc.array(fc.nat(1_000_000), { minLength: 3, maxLength: 40 });
  fc.assert(
    fc.property(crowdArbitrary, orders, ({ pools, table, claims, holders }, keys) => {
      const claimsAgain = holdersOf({ claims: shuffled(claims, keys), promises: [] }, pools);
      expect(claimsAgain).toEqual({ ok: true, value: holders });

      const tableAgain = new Map(shuffled([...table], keys));
      const first = allocate(pools, holders, table, { today });
      const again = allocate(pools, shuffled(holders, keys), tableAgain, { today });
      expect(outcomeText(again)).toBe(outcomeText(first));

      const frozen = allocate(pools, holders, table, { today: undefined });
      const frozenAgain = allocate(pools, shuffled(holders, keys), tableAgain, {
        today: undefined,
      });
      expect(outcomeText(frozenAgain)).toBe(outcomeText(frozen));
    }),
    { seed: 1, numRuns: runs(1_500) },
  );
});

test('one holder more or less changes no address of the others', () => {
  const added = fc.record({ plan: planArbitrary, name: fc.stringMatching(/^[a-z]{1,3}$/) });
  const reached = { added: 0, removed: 0 };
  fc.assert(
    fc.property(historyArbitrary, added, fc.nat(), (history, { plan, name }, choice) => {
      const run = runsOf(history).findLast(({ outcome }) => outcome.ok);
      if (!run) return;
      const before = tableOf(run);
      const zone = run.pools.pools[choice % run.pools.pools.length]?.zone;
      const ipFamily = plan.families;
      const claim = claimWith({ name, ipFamily, zone, retain: plan.retain });
      const claims = run.holders.flatMap((holder) => holder.claims);
      const more = theHolders(run.pools, ...claims, claim);
      const withOne = allocate(run.pools, more, before, { today: run.today });
      if (withOne.ok) {
        reached.added += 1;
        expect(heldLines(withOne.value, claim.holder)).toEqual(heldLines({ table: before }));
      }

      const gone = run.holders[choice % run.holders.length];
      if (!gone) return;
      const fewer = run.holders.filter((holder) => holder !== gone);
      const withoutOne = allocate(run.pools, fewer, before, { today: run.today });
      expect(withoutOne.ok).toBe(true);
      if (!withoutOne.ok) return;
      reached.removed += 1;
      expect(heldLines(withoutOne.value)).toEqual(heldLines({ table: before }, gone.id));
    }),
    { seed: 1, numRuns: runs(1_500) },
  );
  expect(reached.added).toBeGreaterThan(runs(400));
  expect(reached.removed).toBeGreaterThan(runs(1_000));
});

/** The same items in an order that the keys decide. */
function shuffled<Item>(items: readonly Item[], keys: readonly number[]): readonly Item[] {
  return items
    .map((item, index) => ({ item, key: (keys[index % keys.length] ?? 0) * (index + 1) }))
    .sort((left, right) => (left.key % 9973) - (right.key % 9973))
    .map(({ item }) => item);
}

/** All of an outcome but the order of the table's keys. */
function outcomeText(outcome: Outcome<AllocationResult>): string {
  const plain = outcome.ok
    ? {
        changes: outcome.value.changes,
        table: sortedKeys(outcome.value.table).map((text) => outcome.value.table.get(text)),
      }
    : outcome.problems;
  return JSON.stringify(plain, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
}

/** `address holder since`, of what is held by others than one. */
function heldLines({ table }: Pick<AllocationResult, 'table'>, except?: string): readonly string[] {
  const others = ({ released, holder }: Allocation) => !released && holder !== except;
  return [...table.values()]
    .filter(others)
    .map(({ address, holder, since }) => `${formatAddress(address)} ${holder} ${since}`)
    .sort();
}
