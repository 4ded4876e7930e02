import { daysAfter } from '../allocations/naive-rules.ts';
import type { Seeded } from '../run/seeded.ts';

/** Says which day it is. */
export interface Clock {
  readonly today: string;
}

/** The clock of one machine, which may be days ahead of the team's or behind it, until somebody corrects it. */
export class MachineClock implements Clock {
  readonly #team: Clock;
  #daysAhead: number;

  constructor(team: Clock, daysAhead: number) {
    this.#team = team;
    this.#daysAhead = daysAhead;
  }

  get today(): string {
    return daysAfter(this.#team.today, this.#daysAhead);
  }

  get isWrong(): boolean {
    return this.#daysAhead !== 0;
  }

  correct(): void {
    this.#daysAhead = 0;
  }
}

/** How many days a machine's clock is ahead: most are right, most others a day off. */
export function someDaysAhead(random: Seeded): number {
  return random.chance(0.75) ? 0 : ([-1, -1, 1, 1, -3, 4][random.below(6)] ?? 0);
}
