// @module-tag counted

import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { allocateHostnames } from '../../src/core/allocate/hostnames.ts';
import { hostnameProblems } from '../../src/core/declarations/hostname-rules.ts';
import { isHeld } from '../../src/core/model/allocation.ts';
import { addDays, type Day } from '../../src/core/model/day.ts';
import {
  type Hostname,
  type HostnameTable,
  hostnameHolder,
  isSameHostname,
} from '../../src/core/model/hostname.ts';
import { type Problem, startOf } from '../../src/core/model/problem.ts';
import { hostnamesOnBase, hostnameTransitions } from '../../src/core/transitions/hostnames.ts';
import { thePools } from '../support/declarations/pools-and-claims.ts';
import { runs } from '../support/run/scope.ts';

/*
 * Branches of two namespaces declare and remove names that overlap, and are merged into main as git
 * merges them: each declaration and each record is a file. A merge lands when its check is green.
 */

const retentionDays = 7;
const names = ['a.example.com', '*.example.com', 'a.b.example.com', '*.b.example.com', 'c.example'];

/** The declarations by file, and the records. */
interface State {
  readonly declared: ReadonlyMap<string, Hostname>;
  readonly table: HostnameTable;
}

/** A branch: how many landings before the newest one it starts, what it toggles, and its days. */
const branchArbitrary = fc.record({
  age: fc.nat(3),
  toggles: fc.array(
    fc.record({
      namespace: fc.constantFrom('shop', 'blog'),
      name: fc.constantFrom(...names),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  days: fc.nat(5),
});

/** What the branches reached: a generator that reaches little proves little. */
const seen = { landed: 0, conflicts: 0, overlaps: 0, kept: 0, ended: 0 };

afterAll(() => {
  console.log(JSON.stringify(seen));
});

test('no name is held by two namespaces on a green main, and the hint ends each overlap', () => {
  fc.assert(
    fc.property(fc.array(branchArbitrary, { minLength: 2, maxLength: 16 }), (branches) => {
      const mains: [State, ...State[]] = [{ declared: new Map(), table: new Map() }];
      let today = '2026-01-01' as Day;
      for (const { age, toggles, days } of branches) {
        const main = mains[0];
        const base = mains[Math.min(age, mains.length - 1)] ?? main;
        today = addDays(today, days);
        const branch = synthesized(toggled(base, toggles), base, today);
        if (!branch) continue;
        const merged = mergeOf(base, main, branch);
        if (!merged) continue;
        const landing = overlapsOf(merged).length > 0 ? obeyed(merged, main, today) : merged;
        if (refusalsOf(landing, main, today).length > 0) continue;
        seen.landed += 1;
        mains.unshift(landing);
        expect(heldTwice(landing.table)).toEqual([]);
      }
    }),
    { seed: 905, numRuns: runs(1000) },
  );
  expect(seen.landed).toBeGreaterThan(0);
});

function toggled(
  { declared, table }: State,
  toggles: readonly { readonly namespace: string; readonly name: string }[],
): State {
  const next = new Map(declared);
  for (const { namespace, name } of toggles) {
    const file = `leases/${namespace}/${name}.yaml`;
    if (!next.delete(file)) next.set(file, hostnameIn(namespace, name, file));
  }
  return { declared: next, table };
}

function hostnameIn(namespace: string, hostname: string, file: string): Hostname {
  const holder = hostnameHolder('default', namespace);
  const service = { service: 'web', port: 80, at: startOf(file) };
  return { kind: 'Hostname', cluster: 'default', namespace, hostname, holder, ...service };
}

/** The state after a run on a branch; undefined if the run is refused. */
function synthesized(state: State, base: State, today: Day): State | undefined {
  if (overlapsOf(state).length > 0) return undefined;
  const from = { table: base.table, target: today };
  const run = { today, retentionDays };
  const result = hostnamesOnBase([...state.declared.values()], state.table, run, from);
  if (result.ok) return { declared: state.declared, table: result.value.table };
  if (result.problems.some(({ code }) => code === 'HOSTNAME_KEPT')) seen.kept += 1;
  return undefined;
}

function overlapsOf({ declared, table }: State): Problem[] {
  const hostnames = [...declared.values()];
  return hostnameProblems({ hostnames, claims: [], hostnameTable: table }, thePools());
}

/** The merge of a branch into main; undefined when a file conflicts. */
function mergeOf(base: State, main: State, branch: State): State | undefined {
  const declared = threeWay(base.declared, main.declared, branch.declared, (one, other) => {
    return one?.hostname === other?.hostname;
  });
  const table = threeWay(base.table, main.table, branch.table, isSameHostname);
  if (declared && table) return { declared, table };
  seen.conflicts += 1;
  return undefined;
}

function threeWay<Value>(
  base: ReadonlyMap<string, Value>,
  ours: ReadonlyMap<string, Value>,
  theirs: ReadonlyMap<string, Value>,
  isSame: (left: Value | undefined, right: Value | undefined) => boolean,
): ReadonlyMap<string, Value> | undefined {
  const merged = new Map<string, Value>();
  for (const key of new Set([...base.keys(), ...ours.keys(), ...theirs.keys()])) {
    const [before, own, other] = [base.get(key), ours.get(key), theirs.get(key)];
    const isOwnNew = !isSame(before, own);
    if (isOwnNew && !isSame(before, other) && !isSame(own, other)) return undefined;
    const value = isOwnNew ? own : other;
    if (value !== undefined) merged.set(key, value);
  }
  return merged;
}

/** The merge after its author has removed each new name that overlaps another one, and a run. */
function obeyed(merged: State, main: State, today: Day): State {
  seen.overlaps += 1;
  const declared = new Map(merged.declared);
  for (const { at, also = [] } of overlapsOf(merged)) {
    for (const { file } of [at, ...also]) if (!main.declared.has(file)) declared.delete(file);
  }
  const { kept } = seen;
  const ended = synthesized({ declared, table: merged.table }, main, today);
  if (ended) seen.ended += 1;
  // Main may have released a name that overlaps one of those left: that one has to wait.
  else expect(seen.kept).toBe(kept + 1);
  return ended ?? merged;
}

/** The problems of `check --base`, for a merge into main. */
function refusalsOf(landing: State, main: State, day: Day): readonly Problem[] {
  const frozen = { today: undefined, retentionDays };
  const result = allocateHostnames([...landing.declared.values()], landing.table, frozen);
  return [
    ...overlapsOf(landing),
    ...(result.ok ? [] : result.problems),
    ...hostnameTransitions(main.table, landing.table, {
      day,
      target: day,
      longestRetention: retentionDays,
    }),
  ];
}

/** The pairs of held names that overlap and have two holders, by rules of their own. */
function heldTwice(table: HostnameTable): readonly string[] {
  const held = [...table.values()].filter(isHeld);
  return held.flatMap((one) =>
    held
      .filter(({ holder, hostname }) => holder !== one.holder && isBelow(hostname, one.hostname))
      .map(({ hostname }) => `${hostname} and ${one.hostname}`),
  );
}

function isBelow(hostname: string, other: string): boolean {
  if (hostname === other) return true;
  return other.startsWith('*.') && hostname.endsWith(other.slice(1));
}
