/** What happened in histories of teams: how often, and in the one that is played, what after what. */
export class Notes {
  readonly #counts = new Map<string, number>();
  #story: string[] = [];

  /** Begins the story of another history. */
  begin(title: string): void {
    this.#story = [title];
    this.count('histories');
  }

  /** Counts something that happened once more. */
  count(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }

  /** Tells what happened next. */
  tell(line: string): void {
    this.#story.push(line);
  }

  /** What happened in the history that is played, line by line. */
  get story(): string {
    return this.#story.join('\n');
  }

  /** All counts, sorted. */
  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counts].sort(([left], [right]) => (left < right ? -1 : 1)));
  }
}

/** Honest work that leasehold refused without a reason, a cheat that passed, or a promise that was broken. */
export class TeamFault extends Error {
  override readonly name = 'TeamFault';
}
