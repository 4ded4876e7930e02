import type { Allocation } from '../../../src/model/allocation.ts';
import type { Run } from './history-run.ts';
import { daysAfter } from './naive-rules.ts';
import { tableOf } from './run-checks.ts';

/**
 * Remembers what was promised to holders over a whole history: once a claim with a retention has left
 * an address, nobody else gets it before that many days have passed, whatever happens in between.
 */
export class PromiseBook {
  readonly #until = new Map<string, { readonly holder: string; readonly day: string }>();

  /** The promises a run breaks. Notes the ones it makes. */
  brokenBy(run: Run): string[] {
    const broken: string[] = [];
    for (const [text, now] of tableOf(run)) {
      const promise = this.#until.get(text);
      if (promise && promise.holder !== now.holder) {
        if (run.today < promise.day) broken.push(`${text} was promised until ${promise.day}`);
        this.#until.delete(text);
      }
      const before = run.before.get(text);
      if (before && !before.released) this.#note(text, before, now, run.today);
    }
    return broken;
  }

  #note(text: string, before: Allocation, now: Allocation, today: string): void {
    if (!now.released && now.retain >= before.retain) return;
    const days = [this.#until.get(text)?.day ?? '', daysAfter(today, before.retain)];
    this.#until.set(text, { holder: before.holder, day: days.sort().at(-1) ?? '' });
  }
}
