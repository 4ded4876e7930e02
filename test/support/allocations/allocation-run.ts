import { allocate } from '../../../src/core/allocate/allocate.ts';
import type { AllocationResult, AllocationTable } from '../../../src/core/model/allocation.ts';
import type { Pools } from '../../../src/core/model/pools.ts';
import type { Outcome, Problem } from '../../../src/core/model/problem.ts';
import { formatAddress } from '../../../src/core/net/address.ts';
import { aDay, aTable, type ClaimWords, claimWith, theHolders } from './tables.ts';

/** What a test allocates: claims in words, an empty table on 2026-03-10 if nothing else is said. */
export interface Allocating {
  readonly pools: Pools;
  readonly claims?: readonly ClaimWords[];
  readonly table?: AllocationTable;
  readonly today?: string | undefined;
}

/** Allocates, by default on 2026-03-10; `today: undefined` is a frozen run. */
function allocating(words: Allocating): Outcome<AllocationResult> {
  const { pools, claims = [], table = aTable() } = words;
  const today = 'today' in words ? words.today : '2026-03-10';
  const holders = theHolders(pools, ...claims.map(claimWith));
  return allocate(pools, holders, table, { today: today === undefined ? undefined : aDay(today) });
}

/** The table of a run that has no problem. */
export function tableAfter(words: Allocating): AllocationTable {
  return allocated(words).table;
}

/** The changes of a run that has no problem, as `kind address`. */
export function changesOf(words: Allocating): readonly string[] {
  return allocated(words).changes.map(({ kind, address }) => `${kind} ${formatAddress(address)}`);
}

/** The addresses held after a run that has no problem, as `address name`. */
export function heldAfter(words: Allocating): readonly string[] {
  return [...tableAfter(words)]
    .filter(([, { released }]) => !released)
    .map(([text, { holder }]) => `${text} ${holder.split('/').at(-1)}`)
    .sort();
}

/** The problems of a run; none when it went well. */
export function problemsOf(words: Allocating): readonly Problem[] {
  const outcome = allocating(words);
  return outcome.ok ? [] : outcome.problems;
}

/** The codes of the problems of a run. */
export function codesOf(words: Allocating): readonly string[] {
  return problemsOf(words).map(({ code }) => code);
}

function allocated(words: Allocating): AllocationResult {
  const outcome = allocating(words);
  if (!outcome.ok) throw new Error(outcome.problems.map(({ message }) => message).join('\n'));
  return outcome.value;
}
