// @module-tag counted

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allocate } from '../../src/core/allocate/allocate.ts';
import { type Allocation, type AllocationTable, isHeld } from '../../src/core/model/allocation.ts';
import { addDays, type Day } from '../../src/core/model/day.ts';
import type { Holder } from '../../src/core/model/holder.ts';
import { formatAddress } from '../../src/core/net/address.ts';
import { prune } from '../../src/core/run/synth/prune.ts';
import { transitionProblems } from '../../src/core/transitions/transitions.ts';
import {
  keyOf,
  ownedKeys,
  ownersOf,
  type ServiceWords,
  signed,
} from '../support/allocations/owned-records.ts';
import { aDay, poolsWith, poolWith } from '../support/allocations/tables.ts';
import { runs } from '../support/run/scope.ts';

/*
 * Histories of three Services that come, go, name keys, pin what another one had and show signatures, right
 * ones and wrong ones: what a run makes of the table is what check --base lets through, no address changes
 * its holder or its key without a signature, and no signature counts twice.
 */
const pools = poolsWith(poolWith({ addresses: ['203.0.113.0/29'], retentionDays: 4 }));
const secrets = ['old', 'new', 'third'] as const;
const secretNames: Readonly<Record<string, string>> = { old: 'own', new: 'next' };
const names = ['web', 'api', 'mail'] as const;

const step = fc.record({
  days: fc.constantFrom(0, 1, 1, 2, 5),
  name: fc.constantFrom(...names),
  declared: fc.boolean(),
  secret: fc.constantFrom(undefined, 'old', 'new'),
  /** Whose address it pins. */
  pins: fc.constantFrom(undefined, undefined, ...names),
  signs: fc.constantFrom(...Array(5).fill('rightly'), 'nothing', 'with another key', 'an old one'),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const counts = { rotated: 0, reclaimed: 0, refused: 0, runs: 0 };

function holderOf(name: string): string {
  return `default/service/shop/${name}`;
}

/** The Service of a step, with the signature that its step would show for the record it is after. */
function serviceOf(at: Step, table: AllocationTable, spent: readonly string[]): ServiceWords {
  const { name, secret } = at;
  const target = [...table.values()].find(({ holder }) => holder === holderOf(at.pins ?? name));
  const pin = at.pins !== undefined && target ? { pin: formatAddress(target.address) } : {};
  const key = secret === undefined ? {} : { secret: secretNames[secret] ?? '' };
  const base = { name, retentionDays: 6, ...key, ...pin };
  if (!target || at.signs === 'nothing') return base;
  const [old] = spent;
  if (at.signs === 'an old one') return old === undefined ? base : { ...base, signature: old };
  const owner = secrets.find((known) => keyOf(known) === target.key) ?? 'old';
  const by = at.signs === 'rightly' ? owner : 'third';
  const signature = signed(by, {
    action: isHeld(target) ? 'rotate' : 'reclaim',
    address: target.address,
    holder: holderOf(name),
    generation: target.generation,
    newKey: secret === undefined ? undefined : keyOf(secret),
    since: target.since,
  });
  return { ...base, signature };
}

interface Passage {
  readonly before: Allocation;
  readonly after: Allocation;
  readonly today: Day;
}

/** Why a passage needs a signature, or nothing. */
function need({ before, after, today }: Passage): 'rotated' | 'reclaimed' | undefined {
  const isFree = before.released !== undefined && before.released.freeFrom <= today;
  if (before.key === undefined || isFree || after.released) return undefined;
  const isOther = before.holder !== after.holder;
  if (before.released) return isOther || before.key !== after.key ? 'reclaimed' : undefined;
  return isOther || before.key !== after.key ? 'rotated' : undefined;
}

/** One run of a history. */
interface Run {
  readonly at: Step;
  readonly table: AllocationTable;
  readonly next: AllocationTable;
  readonly holders: ReturnType<typeof ownersOf>;
  readonly today: Day;
  readonly signature: string | undefined;
}

/** Holds a run to what is asked of it; gives the signature if it was used. */
function judge({ at, table, next, holders, today, signature }: Run): readonly string[] {
  const by = {
    day: today,
    target: today,
    longestRetention: 30,
    formerHolders: new Map(),
    holders,
  };
  expect(transitionProblems(table, next, by)).toEqual([]);
  expect(transitionProblems(next, prune(next, today).table, by)).toEqual([]);
  return [...next].flatMap(([address, after]) => {
    const before = table.get(address);
    const kind = before && need({ before, after, today });
    if (!before || kind === undefined) return [];
    counts[kind] += 1;
    expect([at.signs, after.generation]).toEqual(['rightly', before.generation + 1]);
    const [problem] = transitionProblems(table, next, { ...by, holders: unsigned(holders) });
    expect(problem?.code).toBe('ALLOCATION_FORGED');
    return signature ?? [];
  });
}

function unsigned(holders: Run['holders']): Run['holders'] {
  const without = (holder: Holder): Holder => ({
    ...holder,
    ownership: { ...holder.ownership, signatures: [] },
  });
  return new Map([...holders].map(([id, holder]) => [id, without(holder)]));
}

test('an address with a key goes to another holder only with a signature, and check accepts every run', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 8, maxLength: 24 }), (steps) => {
      let services = new Map<string, ServiceWords>();
      let table: AllocationTable = new Map();
      let today = aDay('2026-02-20');
      const used: string[] = [];
      for (const at of steps) {
        today = addDays(today, at.days);
        const edited = new Map(services);
        if (at.declared) edited.set(at.name, serviceOf(at, table, used));
        else edited.delete(at.name);
        const holders = ownersOf([...edited.values()], ownedKeys);
        const outcome = allocate(pools, [...holders.values()], table, { today });
        counts.runs += 1;
        counts.refused += outcome.ok ? 0 : 1;
        if (!outcome.ok) continue;
        const next = outcome.value.table;
        const { signature } = edited.get(at.name) ?? {};
        const now = judge({ at, table, next, holders, today, signature });
        expect(used.filter((old) => now.includes(old))).toEqual([]);
        used.push(...now);
        services = edited;
        table = next;
      }
    }),
    { seed: 1, numRuns: runs(1_000) },
  );
  expect(counts.rotated).toBeGreaterThan(runs(100));
  expect(counts.reclaimed).toBeGreaterThan(runs(100));
  expect(counts.refused / counts.runs).toBeGreaterThan(0.1);
  expect(counts.refused / counts.runs).toBeLessThan(0.7);
});
