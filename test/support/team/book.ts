import { daysAfter } from '../allocations/naive-rules.ts';
import { laterDay, promisedUntil } from '../allocations/retention.ts';
import type { RecordFields } from './record-fields.ts';

/** A change that has landed, as far as the days of records go. */
export interface LandingDays {
  /** Main with it. */
  readonly commit: string;
  readonly today: string;
  /** The day of the commit of main that the change starts from. */
  readonly from: string;
  /** The holders that somebody asked to move. */
  readonly moves: ReadonlySet<string>;
}

/** What main says of one address or hostname. */
export interface Page {
  readonly record: RecordFields;
  /** True when its holder declares something for it. */
  readonly isWanted: boolean;
  /** The days that its holder is promised after a release, by what main declares. */
  readonly promise: number;
  /** The names that its holder had before a Rename, and that nobody has now. */
  readonly formers: readonly string[];
}

/** What the team knows of an address or hostname: who has it, or until when it is kept for whom. */
interface Entry {
  readonly holder: string;
  readonly isHeld: boolean;
  readonly promise: number;
  /** Nobody else may have it before this day. */
  readonly until: string;
  /** The same for what is kept, counted from the day before the landing of its release, since clocks differ by a day. */
  readonly landed: string;
}

/** The promises that main has made for all addresses, or for all hostnames, by what landed. */
export class Book {
  #entries: ReadonlyMap<string, Entry> = new Map();
  readonly #landings: { readonly commit: string; readonly states: ReadonlyMap<string, string> }[] =
    [];

  /** All that ever had a record. */
  get names(): readonly string[] {
    return [...new Set(this.#landings.flatMap(({ states }) => [...states.keys()]))];
  }

  /** By the commit of each landing, who had it, or for whom it was kept: `free` without a record. */
  statesOf(name: string): ReadonlyMap<string, string> {
    return new Map(
      this.#landings.map(({ commit, states }) => [commit, states.get(name) ?? 'free']),
    );
  }

  /** Forgets the last landing, which has been taken back: `entries` are those before it. */
  takeBack(entries: ReadonlyMap<string, Entry>): void {
    this.#entries = entries;
    this.#landings.pop();
  }

  /** What is known of all. */
  get entries(): ReadonlyMap<string, Entry> {
    return this.#entries;
  }

  /** What the last landing gave to somebody else, or forgot, before its retention since the landing of its release. */
  early: readonly string[] = [];
  /** How many days too few, since the landing, the last landing keeps what it releases. */
  short: readonly number[] = [];

  /** Records a landing, and returns the promises that it broke. */
  brokenBy(landing: LandingDays, pages: ReadonlyMap<string, Page>): readonly string[] {
    const entries = new Map<string, Entry>();
    const broken: string[] = [];
    const early: string[] = [];
    const short: number[] = [];
    for (const name of new Set([...this.#entries.keys(), ...pages.keys()])) {
      const page = pages.get(name);
      const before = renamed(this.#entries.get(name), page);
      if (before) broken.push(...wrongPassage(landing, name, before, page));
      if (before && isEarly(landing, before, page))
        early.push(`${name} goes before ${before.landed}`);
      const after = page && entryOf(landing, before, page);
      if (before?.isHeld && after?.isHeld === false && after.until < after.landed) {
        short.push(daysBetween(after.until, after.landed));
      }
      if (page) entries.set(name, entryOf(landing, before, page));
    }
    const states = new Map([...pages].map(([name, { record }]) => [name, stateOf(record)]));
    this.#landings.push({ commit: landing.commit, states });
    this.#entries = entries;
    this.early = early;
    this.short = short;
    return broken;
  }
}

/** Who has it, or for whom it is kept until when. */
function stateOf({ holder, freeFrom }: RecordFields): string {
  return freeFrom === undefined ? `held by ${holder}` : `kept for ${holder} until ${freeFrom}`;
}

/** The entry under the name that its holder has now. What is kept goes to a name of the same owner only. */
function renamed(before: Entry | undefined, page: Page | undefined): Entry | undefined {
  if (!before || !page?.formers.includes(before.holder)) return before;
  const { holder } = page.record;
  const isOwn = before.isHeld || ownerIn(before.holder) === ownerIn(holder);
  return isOwn ? { ...before, holder } : before;
}

/** The cluster and the namespace of a holder, or its account. */
function ownerIn(holder: string): string {
  const [cluster, kind, owner = ''] = holder.split('/');
  return `${cluster} ${kind === 'akash' ? owner.replace(/-ip-.*$/, '') : owner}`;
}

/** What is wrong with what became of one address or hostname. */
function wrongPassage(
  landing: LandingDays,
  name: string,
  before: Entry,
  page: Page | undefined,
): readonly string[] {
  if (!page) return wrongEnd(landing, name, before);
  return before.isHeld
    ? wrongHolding(landing, name, before, page)
    : wrongReturn(landing, name, before, page);
}

function wrongEnd({ today }: LandingDays, name: string, before: Entry): readonly string[] {
  if (before.isHeld) return [`${name} of ${before.holder} is forgotten`];
  return before.until > today ? [`${name} is forgotten before ${before.until}`] : [];
}

function wrongHolding(
  { moves }: LandingDays,
  name: string,
  before: Entry,
  { record, isWanted }: Page,
): readonly string[] {
  const { holder, freeFrom, releasedOn = '' } = record;
  if (holder !== before.holder) return [`${name} goes from ${before.holder} to ${holder}`];
  if (freeFrom === undefined) return [];
  const wrong: string[] = [];
  if (isWanted && !moves.has(holder)) wrong.push(`${name} is released, and ${holder} needs it`);
  const least = promisedUntil({ retain: before.promise, keepUntil: before.until }, releasedOn);
  if (freeFrom < least) wrong.push(`${name} is free from ${freeFrom}, promised until ${least}`);
  return wrong;
}

function wrongReturn(
  { today }: LandingDays,
  name: string,
  before: Entry,
  { record: { holder, since, freeFrom } }: Page,
): readonly string[] {
  if (freeFrom !== undefined) {
    const isSame = holder === before.holder && freeFrom === before.until;
    return isSame ? [] : [`${name}: what is kept until ${before.until} says ${freeFrom}`];
  }
  // The clock of the machine that gives it may be a day ahead.
  const last = daysAfter(today, 1);
  const isEarly = holder !== before.holder && (before.until > last || since < before.until);
  return isEarly ? [`${name} goes to ${holder} since ${since}, kept until ${before.until}`] : [];
}

function isEarly({ today }: LandingDays, before: Entry, page: Page | undefined): boolean {
  return !before.isHeld && page?.record.holder !== before.holder && today < before.landed;
}

/** What is known of an address or hostname from now on. */
function entryOf(
  { from, today }: LandingDays,
  before: Entry | undefined,
  { record: { holder, freeFrom }, promise }: Page,
): Entry {
  if (freeFrom !== undefined) {
    const landed =
      before?.isHeld === false ? before.landed : daysAfter(today, (before?.promise ?? 0) - 1);
    return { holder, isHeld: false, promise, until: freeFrom, landed };
  }
  const isSame = before?.holder === holder;
  const isShorter = isSame && before.isHeld && promise < before.promise;
  const least = isShorter ? daysAfter(from, before.promise - 1) : '';
  return {
    holder,
    isHeld: true,
    promise,
    until: laterDay(least, isSame ? before.until : undefined),
    landed: '',
  };
}

/** Days from one day to a later one. */
export function daysBetween(first: string, last: string): number {
  return (Date.parse(last) - Date.parse(first)) / 86_400_000;
}
