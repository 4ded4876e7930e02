/** Characters of an example. */
const longest = 3000;

/** Counts of the events of all histories, and the events of the current one in order. */
export class Notes {
  readonly #counts = new Map<string, number>();
  readonly #examples = new Map<string, string>();
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

  /** Keeps the current history from a line on, if it is the first of its kind. */
  example(kind: string, from = this.lines - 1): void {
    if (this.#examples.has(kind)) return;
    const told = this.#story
      .slice(from)
      .join('\n')
      .replaceAll(/^caution: .*\n/gm, '');
    this.#examples.set(kind, `${this.#story[0]}\n${told.slice(0, longest)}`);
  }

  /** How many lines the current history has. */
  get lines(): number {
    return this.#story.length;
  }

  /** The first example of each kind. */
  get examples(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#examples);
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

/** What is expected fewer times than this is left to a longer run. */
const fewest = 3;

/** Returns what the histories did too seldom to prove something, from the counts of all. */
export function shortOf(
  counts: Readonly<Record<string, number>>,
  histories: number,
): readonly string[] {
  return wanted
    .map(({ what, of, each }) => ({ what, least: each * histories, times: sum(counts, of) }))
    .filter(({ least, times }) => least >= fewest && times <= least)
    .map(({ what, least, times }) => `${times} ${what}, more than ${least} are wanted`);
}

/** What the histories must do, on average more than `each` times, with the names under which it is counted. */
const wanted = [
  { what: 'landings', of: /^landed by/, each: 7 },
  { what: 'cheats', of: /^cheat .*tried$/, each: 0.7 },
  { what: 'cheats that are sound in themselves', of: /^cheat, sound in itself/, each: 0.2 },
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
  { what: 'clocks corrected', of: /^clocks corrected$/, each: 0.1 },
  { what: 'squashes', of: /^landed by .*squash/, each: 1.5 },
  { what: 'rebases by the forge', of: /^landed by .*(?:rebase|linear)/, each: 0.4 },
  { what: 'fast-forwards', of: /^landed by .*fast-forward/, each: 0.3 },
  { what: 'landings in a queue', of: /^landed by .*queue$/, each: 0.5 },
  { what: 'releases confirmed', of: /^confirmation /, each: 0.1 },
  { what: 'red requests forced in', of: /^forced in: /, each: 0.05 },
  { what: 'reverts on the target', of: /^reverted on the target: /, each: 0.1 },
  { what: 'pins that others want', of: /^done: contest/, each: 0.2 },
  { what: 'pools that shrink', of: /^done: shrink/, each: 0.1 },
  { what: 'edits joined', of: /^two edits joined/, each: 0.1 },
  { what: 'refusals followed as printed', of: /^hint .*: green$/, each: 2 },
  { what: 'hostnames given', of: /^a hostname (?:is given|returns|goes)/, each: 1 },
  { what: 'hostnames released', of: /^a hostname is released$/, each: 0.5 },
  { what: 'promises made', of: /^a promise is made$/, each: 0.5 },
  { what: 'promises that a lease takes over', of: /^a promise is taken over$/, each: 0.03 },
  { what: 'hostnames explained', of: /^hostnames explained$/, each: 3 },
  { what: 'addresses explained', of: /^addresses explained$/, each: 5 },
];

/** By code, the changes that it refused on their way, what was printed that can be followed, and how following it ended. */
export function hintTable(
  counts: Readonly<Record<string, number>>,
): Readonly<Record<string, Readonly<Record<string, number>>>> {
  const table: Record<string, Record<string, number>> = {};
  for (const [what, times] of Object.entries(counts).sort()) {
    const [, code, how] = what.match(/^hint (.*): (.*)$/) ?? [];
    if (code === undefined || how === undefined) continue;
    const row = { ...table[code] };
    row[how] = times;
    table[code] = row;
  }
  return table;
}

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
