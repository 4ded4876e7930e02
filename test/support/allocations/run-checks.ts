/** What one run of the allocator must keep, each as a list of what it broke: empty when all is well. */

import { allocate } from '../../../src/core/allocate/allocate.ts';
import type { Allocation, AllocationTable } from '../../../src/core/model/allocation.ts';
import type { Holder } from '../../../src/core/model/holder.ts';
import { type Family, formatAddress } from '../../../src/core/net/address.ts';
import type { Run } from './history-run.ts';
import {
  heldBy,
  isFreeForAll,
  keptFor,
  mayServe,
  poolListing,
  poolsOpenTo,
  retentionOf,
  servableOf,
} from './naive-rules.ts';
import { promisedUntil, stillPromised } from './retention.ts';

/** The table a run gave; a run with problems is a mistake of the test. */
export function tableOf(run: Run): AllocationTable {
  if (!run.outcome.ok) throw new Error('the run has problems');
  return run.outcome.value.table;
}

/** Every holder has one address per family it needs, where it may, and nobody else has any. */
export function invalid(run: Run): string[] {
  const after = tableOf(run);
  const wrong: string[] = [];
  const ids = new Set(run.holders.map(({ id }) => id));
  for (const [text, record] of after) {
    if (text !== formatAddress(record.address)) wrong.push(`${text} is filed wrongly`);
    if (!record.released && !ids.has(record.holder)) wrong.push(`${text} is held by nobody`);
  }
  for (const holder of run.holders) {
    const held = heldBy(after, holder.id);
    const families = held.map(({ address }) => address.family).sort();
    if (families.join() !== holder.families.join()) wrong.push(`${holder.id} has ${families}`);
    if (new Set(held.map(({ pool }) => pool)).size > 1) wrong.push(`${holder.id} is in two pools`);
    for (const record of held) wrong.push(...misplaced(run, holder, record));
  }
  return wrong;
}

function misplaced(run: Run, holder: Holder, record: Allocation): string[] {
  const text = formatAddress(record.address);
  const pool = poolListing(run.pools, text);
  const wrong: string[] = [];
  if (!pool || pool.name !== record.pool) return [`${text} is not in ${record.pool}`];
  if (!mayServe(pool, text)) wrong.push(`${text} is reserved or buggy`);
  if (!poolsOpenTo(run.pools, holder).includes(pool)) wrong.push(`${text} is not for ${holder.id}`);
  const pin = holder.pins.find(({ address }) => address.family === record.address.family);
  if (pin && formatAddress(pin.address) !== text) wrong.push(`${holder.id} lost its pin`);
  const former = run.before.get(text);
  const isNew = !former || former.released !== undefined;
  const isOthers = former && former.holder !== holder.id && !isFreeForAll(former, run.today);
  if (isOthers) wrong.push(`${text} was kept for ${former.holder}`);
  if (isNew && pool.state === 'draining' && isFreeForAll(former, run.today)) {
    wrong.push(`${text} was given by a draining pool`);
  }
  if (record.retain !== retentionOf(holder, pool)) wrong.push(`${text} retains ${record.retain}`);
  return wrong;
}

/** What was held stays while its holder asks for that family; else it is released for its retention. */
export function unsteady(run: Run): string[] {
  const after = tableOf(run);
  const wrong: string[] = [];
  for (const [text, before] of run.before) {
    const now = after.get(text);
    if (!now) wrong.push(`${text} is forgotten`);
    else if (before.released && now.released && now !== before) wrong.push(`${text} is touched`);
    else if (!before.released) wrong.push(...unsteadyHeld(run, before, now));
  }
  return wrong;
}

function unsteadyHeld({ holders, today }: Run, before: Allocation, now: Allocation): string[] {
  const holder = holders.find(({ id }) => id === before.holder);
  const stays = holder?.families.includes(before.address.family) === true;
  const expected = stays
    ? {
        ...before,
        pool: now.pool,
        retain: now.retain,
        keepUntil: stillPromised(before, now.retain, today),
      }
    : {
        ...before,
        keepUntil: undefined,
        released: { on: today, freeFrom: promisedUntil(before, today) },
      };
  const wanted = recordText(expected);
  const got = recordText(now);
  return wanted === got ? [] : [`${got}, not ${wanted}`];
}

interface PlainRecord extends Omit<Allocation, 'keepUntil' | 'released'> {
  readonly keepUntil: string | undefined;
  readonly released: { readonly on: string; readonly freeFrom: string } | undefined;
}

function recordText({ address, pool, holder, ...record }: PlainRecord): string {
  const { since, retain, keepUntil, released } = record;
  const days = [since, retain, keepUntil, released?.on, released?.freeFrom].join();
  return `${formatAddress(address)} ${pool} ${holder} ${days}`;
}

/** In a pool: what is kept for the holder, else what it had, else never held, else longest free. */
export function outOfTurn(run: Run): string[] {
  const after = tableOf(run);
  const wrong: string[] = [];
  for (const [text, record] of after) {
    const former = run.before.get(text);
    if (record.released || (former && !former.released)) continue;
    const holder = run.holders.find(({ id }) => id === record.holder);
    const { family } = record.address;
    if (!holder || holder.pins.some(({ address }) => address.family === family)) continue;
    const better = betterThan(run, record, former);
    if (better !== undefined) wrong.push(`${record.holder} got ${text} before ${better}`);
  }
  return wrong;
}

/** An address of the same pool and family that had to come first and was still to be had. */
function betterThan(run: Run, given: Allocation, former: Allocation | undefined) {
  const { holder, pool, address } = given;
  const here = (record: Allocation) =>
    mayServe(declaredPool(run, pool), formatAddress(record.address)) &&
    record.address.family === address.family;
  const kept = keptFor(run.before, holder, run.today).filter(here);
  if (kept.length > 0) {
    const newest = kept
      .map((record) => record.released?.on ?? '')
      .sort()
      .at(-1);
    const isBest = former?.released?.on === newest && former?.holder === holder;
    return isBest ? undefined : 'the one kept for it';
  }
  const left = leftIn(run, pool, address.family);
  if (former?.holder === holder) return undefined;
  if (left.some(([, record]) => record?.holder === holder)) return 'one it had';
  if (!former) return undefined;
  const freeFrom = former.released?.freeFrom ?? '';
  return left.find(([, record]) => (record?.released?.freeFrom ?? '') < freeFrom)?.[0];
}

/** What nobody got in this run though anybody could, with what was recorded of it. */
function leftIn(run: Run, name: string, family: Family) {
  const after = tableOf(run);
  return [...servableOf(declaredPool(run, name))].flatMap(([text, address]) => {
    const isLeft =
      isFreeForAll(run.before.get(text), run.today) && after.get(text)?.released !== undefined;
    const isNever = !run.before.has(text) && !after.has(text);
    if (address.family !== family || !(isLeft || isNever)) return [];
    return [[text, run.before.get(text)] as const];
  });
}

function declaredPool(run: Run, name: string) {
  const pool = run.pools.pools.find((candidate) => candidate.name === name);
  if (!pool) throw new Error(`${name} is not declared`);
  return pool;
}

/** A second run changes nothing, and a frozen one finds nothing to do. */
export function restless({ pools, holders, today, ...run }: Run): string[] {
  const after = tableOf({ pools, holders, today, ...run });
  const again = allocate(pools, holders, after, { today });
  const frozen = allocate(pools, holders, after, { today: undefined });
  const wrong: string[] = [];
  if (!again.ok || again.value.changes.length > 0) wrong.push('a second run changes something');
  if (!frozen.ok) wrong.push('a frozen run finds it stale');
  return wrong;
}

/** The changes are exactly what differs between the tables, by address. */
export function miscounted(run: Run): string[] {
  if (!run.outcome.ok) return ['the run has problems'];
  const { table, changes } = run.outcome.value;
  const changed = new Set(changes.map(({ address }) => formatAddress(address)));
  if (changed.size !== changes.length) return ['an address changes twice'];
  return [...table.keys()]
    .filter((text) => (table.get(text) !== run.before.get(text)) !== changed.has(text))
    .map((text) => `${text} is not told rightly`);
}
