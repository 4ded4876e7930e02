import { allocate } from '../../../src/core/allocate/allocate.ts';
import type { Move } from '../../../src/core/allocate/move.ts';
import { holdersOf } from '../../../src/core/declarations/holders.ts';
import type { AllocationTable } from '../../../src/core/model/allocation.ts';
import type { ProblemCode } from '../../../src/core/model/codes/problem-codes.ts';
import { type Day, parseDay } from '../../../src/core/model/day.ts';
import type { Holder } from '../../../src/core/model/holder.ts';
import type { Problem } from '../../../src/core/model/problem.ts';
import { strandedPromises } from '../../../src/core/run/synth/promise-rules.ts';
import { prune } from '../../../src/core/run/synth/prune.ts';
import { transitionProblems } from '../../../src/core/transitions/transitions.ts';
import type { SynthInput } from './ledger.ts';
import { families } from './plain-workspace.ts';
import { claimsIn, keysOfWorkspace, poolsOf, promisesIn } from './product-model.ts';

/** What plays a history: the planner alone, or all of leasehold. */
export interface Planner {
  /** The codes of refusals for what does not show in addresses: names of objects, and what a live cluster refuses. */
  readonly refusesAlso: readonly ProblemCode[];
  /** What is recorded now. */
  readonly table: AllocationTable;
  /** Synthesizes: the problems of a refused run, which changed nothing. */
  synth(input: SynthInput): Promise<readonly Problem[]> | readonly Problem[];
  /** What `check` says after it, with and without the run before as its base: empty when all is well. */
  check(input: SynthInput): Promise<readonly Problem[]> | readonly Problem[];
  /** Prunes. */
  prune(input: SynthInput): Promise<void> | void;
}

/** The allocator and what judges its tables, without a file. */
export class PurePlanner implements Planner {
  readonly refusesAlso = [];
  #table: AllocationTable = new Map();
  #before: AllocationTable = new Map();
  #former: readonly Holder[] = [];
  #holders: readonly Holder[] = [];

  get table(): AllocationTable {
    return this.#table;
  }

  synth({ workspace, today, mover }: SynthInput): readonly Problem[] {
    const pools = poolsOf(workspace);
    const holders = holdersOf(
      { claims: claimsIn(workspace), promises: promisesIn(workspace) },
      pools,
      keysOfWorkspace(),
    );
    if (!holders.ok) return holders.problems;
    const stranded = strandedPromises(holders.value);
    if (stranded.length > 0) return stranded;
    const words = { today: dayOf(today), moves: movesOf(mover) };
    const outcome = allocate(pools, holders.value, this.#table, words);
    if (!outcome.ok) return outcome.problems;
    this.#before = this.#table;
    this.#table = outcome.value.table;
    this.#former = this.#holders;
    this.#holders = holders.value;
    return [];
  }

  check({ workspace, today }: SynthInput): readonly Problem[] {
    const frozen = allocate(poolsOf(workspace), this.#holders, this.#table, { today: undefined });
    const by = {
      day: dayOf(today),
      target: dayOf(today),
      longestRetention: 30,
      formerHolders: byId(this.#former),
      holders: byId(this.#holders),
    };
    const changes = transitionProblems(this.#before, this.#table, by);
    return frozen.ok ? changes : [...frozen.problems, ...changes];
  }

  prune({ today }: SynthInput): void {
    this.#before = this.#table;
    this.#table = prune(this.#table, dayOf(today)).table;
  }
}

function byId(holders: readonly Holder[]): ReadonlyMap<string, Holder> {
  return new Map(holders.map((holder) => [holder.id, holder]));
}

/** What `leasehold move` is told: to give the holder any other addresses. */
export function movesOf(mover: string | undefined): readonly Move[] {
  return mover === undefined ? [] : [{ holder: mover, families, to: [], pool: undefined }];
}

/** The day of a text that is one. */
export function dayOf(text: string): Day {
  const day = parseDay(text);
  if (!day) throw new Error(`${text} is no day`);
  return day;
}
