import type { Problem } from '../../../src/model/problem.ts';
import { daysAfter } from '../allocations/naive-rules.ts';
import { Ledger, type Scene } from './ledger.ts';
import type { PoolWords, Town, Words } from './plain-workspace.ts';
import type { Planner } from './planner.ts';
import type { Entries } from './records.ts';
import { refusalsOf } from './refusals.ts';
import { Dice } from './seeded-choices.ts';
import { doings, type Step, type StepKind } from './steps.ts';

/** Pools, the first day, and what happens then. */
export interface Life {
  readonly pools: readonly PoolWords[];
  readonly start: string;
  readonly steps: readonly Step[];
}

/** One step as it went. */
export interface Played extends Scene {
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
  readonly #ended: Words[] = [];
  #town: Town;
  #today: string;
  #step = 0;

  constructor({ pools, start }: Life, planner: Planner) {
    this.#planner = planner;
    this.#town = { pools, declared: new Map() };
    this.#today = start;
  }

  async step({ kind, seed }: Step): Promise<Played> {
    const entries = this.#ledger.entries;
    const around = { dice: new Dice(seed), entries, ended: this.#ended, step: this.#step };
    const { town, days = 0, prunes = false, mover } = doings[kind].does(this.#town, around);
    this.#step += 1;
    this.#today = daysAfter(this.#today, days);
    const scene = { town, today: this.#today, mover };
    const pruned = prunes ? await this.#prune(scene) : [];
    const refusals = refusalsOf(scene, this.#ledger.entries);
    const problems = await this.#planner.synth(scene);
    const after = problems.length === 0 ? await this.#accept(scene) : [];
    const broken = [...pruned, ...this.#misjudged(problems, refusals), ...after];
    return { ...scene, kind, problems, before: entries, after: this.#ledger.entries, broken };
  }

  async #prune(scene: Scene): Promise<readonly string[]> {
    await this.#planner.prune(scene);
    return this.#ledger.brokenByPrune(scene.today, this.#planner.table);
  }

  /** A run that went well is kept; the edit before one that was refused is taken back. */
  async #accept(scene: Scene): Promise<readonly string[]> {
    const broken = this.#ledger.brokenBy(scene, this.#planner.table);
    for (const { code, message } of await this.#planner.check(scene)) {
      broken.push(`check: ${code} ${message}`);
    }
    for (const [file, words] of this.#town.declared) {
      if (!scene.town.declared.has(file)) this.#ended.push(words);
    }
    this.#town = scene.town;
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
