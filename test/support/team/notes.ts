/** Counts of the events of all histories, and the events of the current one in order. */
export class Notes {
  readonly #counts = new Map<string, number>();
  #story: string[] = [];

  /** Begins the story of another history. */
  begin(title: string): void {
    this.#story = [title];
    this.count('histories');
  }

  /** Adds one to the count of an event. */
  count(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }

  /** Appends a line to the current history. */
  tell(line: string): void {
    this.#story.push(line);
  }

  /** The lines of the current history. */
  get story(): string {
    return this.#story.join('\n');
  }

  /** All counts, sorted. */
  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counts].sort(([left], [right]) => (left < right ? -1 : 1)));
  }
}

/** Thrown for honest work that was refused without a reason, a cheat that passed, or a broken promise. */
export class TeamFault extends Error {
  override readonly name = 'TeamFault';
}
