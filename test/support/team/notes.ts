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

/** Returns what the histories did too seldom to prove something, from the counts of all. */
export function shortOf(
  counts: Readonly<Record<string, number>>,
  histories: number,
): readonly string[] {
  return wanted
    .map(({ what, of, each }) => ({ what, least: each * histories, times: sum(counts, of) }))
    .filter(({ least, times }) => times <= least)
    .map(({ what, least, times }) => `${times} ${what}, more than ${least} are wanted`);
}

/** What the histories must do, on average more than `each` times, with the names under which it is counted. */
const wanted = [
  { what: 'landings', of: /^landed by/, each: 8 },
  { what: 'cheats', of: /^cheat .*tried$/, each: 1 },
  { what: 'cheats that are sound in themselves', of: /^cheat, sound in itself/, each: 0.3 },
  { what: 'red checks', of: /^red: /, each: 4 },
  { what: 'updates with conflicts', of: /with conflicts$/, each: 2 },
  {
    what: 'reverts, cherry-picks and stacks',
    of: /^(?:reverts (?:by|in)|cherry-picks|stacked)/,
    each: 1,
  },
  { what: 'runs killed while they write', of: /^runs killed while they write$/, each: 0.5 },
  { what: 'halves of runs committed', of: /^half of a run committed$/, each: 0.05 },
  { what: 'leases of a bot', of: /^a bot: declare$/, each: 0.5 },
  { what: 'remotes that vanish', of: /^remotes that vanish$/, each: 0.2 },
  { what: 'clocks corrected', of: /^clocks corrected$/, each: 0.2 },
  { what: 'hostnames given', of: /^a hostname (?:is given|returns|goes)/, each: 1 },
  { what: 'hostnames released', of: /^a hostname is released$/, each: 0.5 },
  { what: 'promises made', of: /^a promise is made$/, each: 0.5 },
  { what: 'promises that a lease takes over', of: /^a promise is taken over$/, each: 0.03 },
  { what: 'hostnames explained', of: /^hostnames explained$/, each: 3 },
  { what: 'addresses explained', of: /^addresses explained$/, each: 5 },
];

function sum(counts: Readonly<Record<string, number>>, of: RegExp): number {
  return Object.entries(counts).reduce(
    (all, [what, times]) => all + (of.test(what) ? times : 0),
    0,
  );
}

/** Thrown for honest work that was refused without a reason, a cheat that passed, or a broken promise. */
export class TeamFault extends Error {
  override readonly name = 'TeamFault';
}
