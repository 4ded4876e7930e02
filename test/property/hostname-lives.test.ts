// @module-tag counted

import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { allocateHostnames } from '../../src/core/allocate/hostnames.ts';
import { hostnameProblems } from '../../src/core/declarations/hostname-rules.ts';
import { addDays, type Day, laterDay } from '../../src/core/model/day.ts';
import type { Hostname, HostnameRecord, HostnameTable } from '../../src/core/model/hostname.ts';
import { defaultHttp } from '../../src/core/model/lease.ts';
import { type Problem, startOf } from '../../src/core/model/problem.ts';
import { expiredHostnames } from '../../src/core/run/synth/prune.ts';
import {
  hostnamesOnBase,
  hostnameTransitions,
  mergeHostnames,
} from '../../src/core/transitions/hostnames.ts';
import { thePools } from '../support/declarations/pools-and-claims.ts';
import {
  type HostnameEntries,
  hostnameFaults,
  hostnameRefusals,
  recordedAfter,
} from '../support/life/hostname-ledger.ts';
import { runs } from '../support/run/scope.ts';

/*
 * Names of two namespaces and of the leases of two owners, on main and on branches: declared, removed, moved, pruned,
 * with retentions that change. Each run is compared with the rules of hostname-ledger.ts.
 */

const names = [
  ...['a.example.com', '*.example.com', 'a.b.example.com'],
  ...['b.example', '*.b.example', 'c.example', 'd.example'],
];
const lease = { owner: 'akash1x', dseq: '1', gseq: 1, oseq: 1, provider: 'akash1p' };
const holders = [
  ...['default/namespace/shop', 'default/namespace/blog'],
  ...['default/akash/ann', 'default/akash/ben'],
];
const longestPoolRetention = 9;

interface State {
  readonly declared: ReadonlyMap<string, string>;
  readonly table: HostnameTable;
  readonly retentionDays: number;
}

/** One edit before a run: a name ends or begins, or one that was released goes to who had it last, or to any. */
const edit = fc.record({
  name: fc.constantFrom(...names),
  holder: fc.constantFrom(...holders),
  what: fc.constantFrom('end', 'end', 'give', 'return', 'take'),
  nth: fc.nat(9),
});

const step = fc.record({
  edits: fc.array(edit, { minLength: 1, maxLength: 2, size: 'max' }),
  days: fc.constantFrom(0, 0, 1, 1, 2, 3, 5, 12),
  retentionDays: fc.option(fc.nat(longestPoolRetention), { freq: 4, nil: undefined }),
  prunes: fc.constantFrom(false, false, false, true),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** A branch of main: how many landings before the newest one it starts, and its runs. */
const branch = fc.record({
  age: fc.constantFrom(0, 0, 1, 2),
  steps: fc.array(step, { minLength: 1, maxLength: 4, size: 'max' }),
});

type Branch = typeof branch extends fc.Arbitrary<infer Value> ? Value : never;

/** What the histories reached. */
const seen = { runs: 0, refused: 0, landed: 0, behind: 0, returned: 0, toAnother: 0 };

afterAll(() => {
  console.log(JSON.stringify(seen));
});

test('a life of hostnames is recorded as the rules say, and check accepts each of its runs', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }), (steps) => {
      let state: State = { declared: new Map(), table: new Map(), retentionDays: 5 };
      let today = '2026-01-01' as Day;
      for (const one of steps) {
        today = addDays(today, one.days);
        const before = pruned(state, one, today);
        expectAccepted(state, { ...before, declared: state.declared }, [today, today]);
        const edited = editedBy(before, one);
        const input = { ...edited, today };
        const refusals = hostnameRefusals(before.table, input);
        const problems = declaredProblems(edited);
        const result = allocateHostnames(hostnamesIn(edited), before.table, input);
        if (!result.ok) problems.push(...result.problems);
        expect({ refusals, codes: problems.length > 0 }).toEqual({
          refusals,
          codes: refusals.length > 0,
        });
        seen.runs += 1;
        if (!result.ok || problems.length > 0) {
          seen.refused += 1;
          state = { ...state, table: before.table };
          continue;
        }
        const { table } = result.value;
        expect(entriesOf(table)).toEqual(entriesOf(recordedAfter(before.table, input)));
        note(before.table, table);
        const next = { ...edited, table };
        expectAccepted({ ...state, table: before.table }, next, [today, today]);
        state = next;
      }
    }),
    { seed: 911, numRuns: runs(200) },
  );
  expect(seen.returned).toBeGreaterThan(runs(100));
  expect(seen.toAnother).toBeGreaterThan(runs(50));
});

test('a branch of many runs lands, also after others, and is refused only for a reason', () => {
  fc.assert(
    fc.property(fc.array(branch, { minLength: 2, maxLength: 14, size: 'max' }), (branches) => {
      const start = '2026-01-01' as Day;
      const mains: [Landed, ...Landed[]] = [
        { declared: new Map(), table: new Map(), retentionDays: 5, day: start },
      ];
      for (const one of branches) {
        const landed = landedFrom(mains, one);
        if (landed) mains.unshift(landed);
      }
    }),
    { seed: 912, numRuns: runs(200) },
  );
  expect(seen.landed).toBeGreaterThan(runs(400));
  expect(seen.behind).toBeGreaterThan(runs(100));
});

/** Main with a branch of it; undefined when people have to decide. */
function landedFrom(mains: readonly [Landed, ...Landed[]], one: Branch): Landed | undefined {
  const [main] = mains;
  const base = mains[Math.min(one.age, mains.length - 1)] ?? main;
  const branched = branchOf(base, one.steps);
  const landed = base === main ? branched : resolvedOn(main, base, branched);
  if (!landed) return undefined;
  expectAccepted(main, landed, [main.day, landed.day]);
  seen.landed += 1;
  seen.behind += Number(base !== main);
  return landed;
}

/** The runs of a branch. One that is refused is taken back. */
function branchOf(base: Landed, steps: readonly Step[]): Landed {
  let state = base;
  for (const one of steps) {
    const day = addDays(state.day, one.days);
    const next = ranOn(base, { ...editedBy(pruned(state, one, day), one), day });
    if (next) expectAccepted(base, next, [base.day, day]);
    state = next ?? { ...state, day };
  }
  return state;
}

/** A state of a day. */
interface Landed extends State {
  readonly day: Day;
}

/** A run on a branch; undefined when it is refused, which it is for a reason only. */
function ranOn(base: Landed, edited: Landed): Landed | undefined {
  const run = { today: edited.day, retentionDays: edited.retentionDays };
  const from = { table: base.table, target: base.day };
  const result = hostnamesOnBase(hostnamesIn(edited), edited.table, run, from);
  const problems = [...declaredProblems(edited), ...(result.ok ? [] : result.problems)];
  if (result.ok && problems.length === 0) return { ...edited, table: result.value.table };
  // A single run on the base is refused too.
  const refusals = hostnameRefusals(base.table, { ...edited, today: edited.day });
  if (refusals.length === 0) expect(problems).toEqual([]);
  return undefined;
}

/** A branch that is behind main, after resolve; undefined when people have to decide. */
function resolvedOn(main: Landed, base: Landed, own: Landed): Landed | undefined {
  const declared = new Map(main.declared);
  for (const name of new Set([...base.declared.keys(), ...own.declared.keys()])) {
    const [was, theirs, mine] = [base, main, own].map((one) => one.declared.get(name));
    if (mine === was || mine === theirs) continue;
    if (theirs !== was) return undefined;
    if (mine === undefined) declared.delete(name);
    else declared.set(name, mine);
  }
  const isOwnRetention = own.retentionDays !== base.retentionDays;
  const { retentionDays } = isOwnRetention ? own : main;
  const sides = { kept: main.table, other: own.table, base: base.table };
  const day = laterDay(main.day, own.day);
  const table = mergeHostnames(sides, day);
  return ranOn(main, { declared, retentionDays, table, day });
}

/** `check --base` accepts a change, and the tree is what synth gives. */
function expectAccepted(before: State, after: State, [target, day]: readonly [Day, Day]): void {
  const frozen = allocateHostnames(hostnamesIn(after), after.table, {
    today: undefined,
    retentionDays: after.retentionDays,
  });
  const changes = hostnameTransitions(before.table, after.table, {
    ...{ day, target, longestRetention: longestPoolRetention },
  });
  expect([...(frozen.ok ? [] : frozen.problems), ...changes]).toEqual([]);
  expect(declaredProblems(after)).toEqual([]);
  expect(hostnameFaults(after.table, after)).toEqual([]);
}

function pruned<Of extends State>(state: Of, { prunes }: Step, today: Day): Of {
  if (!prunes) return state;
  const table = new Map(state.table);
  for (const { hostname } of expiredHostnames(table, today)) table.delete(hostname);
  return { ...state, table };
}

function editedBy<Of extends State>(
  state: Of,
  { edits, retentionDays = state.retentionDays }: Step,
): Of {
  const declared = new Map(state.declared);
  for (const { name, holder, what, nth } of edits) {
    const released = [...state.table.values()].filter((one) => one.released);
    const last = released[nth % released.length];
    if (what === 'return' && last) declared.set(last.hostname, last.holder);
    else if (what === 'take' && last) declared.set(last.hostname, holder);
    else if (what === 'end') declared.delete([...declared.keys()][nth % declared.size] ?? name);
    else declared.set(name, holder);
  }
  return { ...state, declared, retentionDays };
}

function hostnamesIn({ declared }: State): readonly Hostname[] {
  return [...declared].map(([hostname, holder]): Hostname => {
    const at = startOf(`leases/${hostname}.yaml`);
    const route = { kind: 'Hostname', cluster: 'default', service: 'web', port: 80 } as const;
    const [, kind, name = ''] = holder.split('/');
    return kind === 'namespace'
      ? { ...route, namespace: name, hostname, holder, at }
      : { ...route, lease: { ...lease, owner: name }, http: defaultHttp, hostname, holder, at };
  });
}

function declaredProblems(state: State): Problem[] {
  const hostnames = hostnamesIn(state);
  return hostnameProblems({ hostnames, claims: [], hostnameTable: state.table }, thePools());
}

function entriesOf(entries: HostnameEntries): readonly unknown[] {
  return [...entries.values()]
    .map(({ hostname, holder, since, retain, keepUntil, released }) => ({
      ...{ hostname, holder, since, retain, keepUntil, released },
    }))
    .sort((left, right) => (left.hostname < right.hostname ? -1 : 1));
}

function note(before: HostnameTable, after: HostnameTable): void {
  for (const [name, is] of after) {
    const was: HostnameRecord | undefined = before.get(name);
    if (!was?.released || is.released) continue;
    if (was.holder !== is.holder) seen.toAnother += 1;
    else if (is.since < was.released.freeFrom) seen.returned += 1;
  }
}
