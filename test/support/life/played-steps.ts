import type { Problem } from '../../../src/core/model/problem.ts';
import { daysAfter } from '../allocations/naive-rules.ts';
import { requestsOf } from './holder-requests.ts';
import { Ledger, type SynthInput } from './ledger.ts';
import type { PlainDeclaration, PlainPool, PlainWorkspace } from './plain-workspace.ts';
import type { Planner } from './planner.ts';
import type { Entries } from './records.ts';
import { refusalsOf } from './refusals.ts';
import { SeededRandom } from './seeded-random.ts';
import { type Step, type StepKind, stepActions } from './steps.ts';

/** Pools, the first day, and what happens then. */
export interface Life {
  readonly pools: readonly PlainPool[];
  readonly start: string;
  readonly steps: readonly Step[];
}

/** One step as it went. */
export interface Played extends SynthInput {
  readonly kind: StepKind;
  /** Why the run was refused; none when it went well. */
  readonly problems: readonly Problem[];
  readonly before: Entries;
  /** The same as before where the run was refused. */
  readonly after: Entries;
  /** What it broke. */
  readonly broken: readonly string[];
}

/** Plays a life step by step, up to its end or to the first step that breaks something. */
export async function* playedSteps(life: Life, planner: Planner): AsyncGenerator<Played> {
  const play = new Play(life, planner);
  for (const step of life.steps) {
    const played = await play.step(step);
    yield played;
    if (played.broken.length > 0) return;
  }
}

class Play {
  readonly #planner: Planner;
  readonly #ledger = new Ledger();
  readonly #ended: PlainDeclaration[] = [];
  #workspace: PlainWorkspace;
  #today: string;
  #step = 0;

  constructor({ pools, start }: Life, planner: Planner) {
    this.#planner = planner;
    this.#workspace = { pools, declared: new Map(), promises: new Map() };
    this.#today = start;
  }

  async step({ kind, seed }: Step): Promise<Played> {
    const entries = this.#ledger.entries;
    const context = {
      random: new SeededRandom(seed),
      entries,
      ended: this.#ended,
      step: this.#step,
      today: this.#today,
    };
    const {
      workspace,
      days = 0,
      prunes = false,
      mover,
    } = stepActions[kind].action(this.#workspace, context);
    this.#step += 1;
    this.#today = daysAfter(this.#today, days);
    const input = { workspace, today: this.#today, mover };
    const pruned = prunes ? await this.#prune(input) : [];
    const refusals = refusalsOf(input, this.#ledger.entries);
    const problems = await this.#planner.synth(input);
    const after = problems.length === 0 ? await this.#accept(input) : [];
    const broken = [...pruned, ...this.#misjudged(problems, refusals), ...after];
    return { ...input, kind, problems, before: entries, after: this.#ledger.entries, broken };
  }

  async #prune(input: SynthInput): Promise<readonly string[]> {
    await this.#planner.prune(input);
    return this.#ledger.brokenByPrune(input.today, this.#planner.table);
  }

  /** A run that went well is kept; the edit before one that was refused is taken back. */
  async #accept(input: SynthInput): Promise<readonly string[]> {
    const broken = this.#ledger.brokenBy(input, this.#planner.table);
    for (const { code, message } of await this.#planner.check(input)) {
      broken.push(`check: ${code} ${message}`);
    }
    for (const [file, words] of this.#workspace.declared) {
      if (!input.workspace.declared.has(file)) this.#ended.push(words);
    }
    this.#workspace = withoutTaken(input.workspace);
    return broken;
  }
  /** A run is refused when it must be, and not when it must go well. */
  #misjudged(
    problems: readonly Problem[],
    refusals: readonly string[] | undefined,
  ): readonly string[] {
    if (refusals === undefined || refusals.length > 0 === problems.length > 0) return [];
    if (refusals.length > 0) return refusals.map((reason) => `not refused, though ${reason}`);
    const also = this.#planner.refusesAlso;
    return problems
      .filter(({ code }) => !also.includes(code))
      .map(({ code, message }) => `refused without need: ${code} ${message}`);
  }
}

/** A promise is gone once a lease has its address. */
function withoutTaken(workspace: PlainWorkspace): PlainWorkspace {
  const requests = requestsOf(workspace);
  const promises = [...workspace.promises].filter(([holder]) => requests.get(holder)?.isPromise);
  return promises.length === workspace.promises.size
    ? workspace
    : { ...workspace, promises: new Map(promises) };
}
