import { allocate } from '../../../src/core/allocate/allocate.ts';
import type { AllocationResult, AllocationTable } from '../../../src/core/model/allocation.ts';
import type { Claim } from '../../../src/core/model/claim.ts';
import type { Day } from '../../../src/core/model/day.ts';
import type { Holder } from '../../../src/core/model/holder.ts';
import type { Pool, Pools } from '../../../src/core/model/pools.ts';
import type { Outcome } from '../../../src/core/model/problem.ts';
import { type Address, type Family, formatAddress } from '../../../src/core/net/address.ts';
import type { History, HolderPlan, Step } from './history-arbitrary.ts';
import { addressesOf, daysAfter, freeIn, mayServe } from './naive-rules.ts';
import { aDay, type ClaimWords, claimWith, theHolders } from './tables.ts';

/** One run of the allocator in a history, with what it was given and what it gave. */
export interface Run {
  readonly pools: Pools;
  readonly holders: readonly Holder[];
  readonly before: AllocationTable;
  readonly today: Day;
  readonly outcome: Outcome<AllocationResult>;
}

/** What is declared at one point of a history. */
interface Declared {
  readonly pools: Pools;
  readonly claims: ReadonlyMap<string, readonly Claim[]>;
}

const mostHolders = 24;

/** Allocates for the step of a history that has this number. */
export type Allocating = (
  step: number,
  given: Pick<Run, 'pools' | 'holders' | 'before' | 'today'>,
) => Outcome<AllocationResult>;

/** Plays a history. A run with problems leaves the table, and the edit before it is taken back. */
export function runsOf(history: History, allocating: Allocating = onTheTarget): readonly Run[] {
  const runs: Run[] = [];
  const removed = new Map<string, readonly Claim[]>();
  let declared: Declared = { pools: history.pools, claims: new Map() };
  let table: AllocationTable = new Map();
  let today = aDay('2026-02-25');
  let named = 0;
  const nextName = () => {
    named += 1;
    return `h${named}`;
  };
  for (const [number, step] of history.steps.entries()) {
    if (step.kind === 'days') today = aDay(daysAfter(today, step.count));
    const edited = edit(declared, step, { table, today, removed, nextName });
    const holders = theHolders(edited.pools, ...[...edited.claims.values()].flat());
    const given = { pools: edited.pools, holders, before: table, today };
    const outcome = allocating(number, given);
    runs.push({ ...given, outcome });
    if (!outcome.ok) continue;
    for (const [name, claims] of declared.claims) {
      if (!edited.claims.has(name)) removed.set(name, claims);
    }
    declared = edited;
    table = outcome.value.table;
  }
  return runs;
}

function onTheTarget(
  _: number,
  { pools, holders, before, today }: Parameters<Allocating>[1],
): Outcome<AllocationResult> {
  return allocate(pools, holders, before, { today });
}

interface Scene {
  readonly table: AllocationTable;
  readonly today: Day;
  readonly removed: ReadonlyMap<string, readonly Claim[]>;
  readonly nextName: () => string;
}

function edit(declared: Declared, step: Step, scene: Scene): Declared {
  const { pools } = declared;
  const claims = new Map(declared.claims);
  const names = [...claims.keys()];
  const declare = (name: string, plan: HolderPlan) => {
    if (claims.size < mostHolders) claims.set(name, claimsOf(pools, name, plan));
  };
  switch (step.kind) {
    case 'add':
      for (const plan of step.plans) declare(scene.nextName(), plan);
      break;
    case 'crowd':
      for (const plan of crowdOf(pools, step, scene)) declare(scene.nextName(), plan);
      break;
    case 'change': {
      const name = picked(names, step.choice);
      if (name !== undefined) declare(name, step.plan);
      break;
    }
    case 'remove':
      for (const choice of step.choices) claims.delete(picked(names, choice) ?? '');
      break;
    case 'return': {
      const gone = [...scene.removed.keys()].filter((name) => !claims.has(name));
      const name = picked(gone, step.choice);
      if (name === undefined || claims.size >= mostHolders) break;
      claims.set(name, step.plan ? claimsOf(pools, name, step.plan) : scene.removed.get(name)!);
      break;
    }
    case 'drain':
      return { pools: drained(pools, step.choice), claims };
    case 'days':
  }
  return { pools, claims };
}

function drained(pools: Pools, choice: number): Pools {
  const chosen = picked(pools.pools, choice);
  return {
    ...pools,
    pools: pools.pools.map((pool) => (pool === chosen ? { ...pool, state: 'draining' } : pool)),
  };
}

/** Plans for holders of the default zone until it has `spare` addresses of a family left. */
function crowdOf(
  pools: Pools,
  step: Extract<Step, { kind: 'crowd' }>,
  { table, today }: Scene,
): readonly HolderPlan[] {
  const left = { ipv4: 0, ipv6: 0 };
  for (const pool of pools.pools) {
    if (pool.zone !== pools.defaultZone || pool.state !== 'active') continue;
    left.ipv4 += freeIn(pool, 'ipv4', table, today).length;
    left.ipv6 += freeIn(pool, 'ipv6', table, today).length;
  }
  const plans: HolderPlan[] = [];
  for (const plan of step.plans) {
    const families = familiesIn(inZone(pools, pools.defaultZone), plan.families);
    if (plan.from === 'pin') continue;
    for (const family of familyList(families)) left[family] -= 1;
    if (Math.min(left.ipv4, left.ipv6) < step.spare) break;
    plans.push({ ...plan, families, from: 'default' });
  }
  return plans;
}

/** The claims of one holder; on a pool without the family it asks for, of the family there is. */
function claimsOf(pools: Pools, name: string, plan: HolderPlan): readonly Claim[] {
  const pool = picked(pools.pools, plan.choice);
  if (!pool) throw new Error('a history has at least one pool');
  const open = { pool: [pool], pin: [pool], zone: inZone(pools, pool.zone) };
  const from = plan.from === 'default' ? inZone(pools, pools.defaultZone) : open[plan.from];
  const families = familiesIn(from, plan.families);
  const words: ClaimWords = {
    name,
    ipFamily: families,
    ...(plan.from === 'zone' ? { zone: pool.zone } : {}),
    ...(plan.from === 'pool' ? { pool: pool.name } : {}),
  };
  const pin = plan.from === 'pin' ? pinIn(pool, familyList(families), plan.choice) : undefined;
  return Array.from({ length: plan.claims }, (_, index) =>
    claimWith({
      ...words,
      port: 80 + index,
      ...(index === 0 && pin !== undefined ? { pin } : {}),
      retain: index === 0 ? plan.retain : 0,
    }),
  );
}

function pinIn(pool: Pool, families: readonly Family[], choice: number): string | undefined {
  const fits = ([text, { family }]: [string, Address]) =>
    families.includes(family) && (mayServe(pool, text) || choice % 10 === 0);
  const found = picked([...addressesOf(pool)].filter(fits), choice >> 3);
  return found && formatAddress(found[1]);
}

/** What is asked for, or what there is when the pools do not have it. */
function familiesIn(from: readonly Pool[], wanted: HolderPlan['families']): HolderPlan['families'] {
  const has = (pool: Pool, family: Family) => pool.ranges.some((r) => r.from.family === family);
  const offers = (family: Family) => from.some((pool) => has(pool, family));
  if (wanted === 'dual' && from.some((pool) => has(pool, 'ipv4') && has(pool, 'ipv6')))
    return 'dual';
  if (wanted === 'ipv6' && offers('ipv6')) return 'ipv6';
  return offers('ipv4') ? 'ipv4' : 'ipv6';
}

function familyList(families: HolderPlan['families']): readonly Family[] {
  return families === 'dual' ? ['ipv4', 'ipv6'] : [families];
}

function inZone(pools: Pools, zone: string): readonly Pool[] {
  return pools.pools.filter((pool) => pool.zone === zone);
}

function picked<Item>(items: readonly Item[], choice: number): Item | undefined {
  return items.length === 0 ? undefined : items[choice % items.length];
}
