import { daysAfter } from '../allocations/naive-rules.ts';
import {
  familyOf,
  heldIn,
  isServed,
  promiseOf,
  type RecordView,
  type TreeView,
  wantedIn,
} from './view.ts';

/** What the team knows of an address: who has it, or until when it is kept for whom. */
interface Entry {
  readonly holder: string;
  readonly isHeld: boolean;
  /** The days that its holder is promised after a release, by what main declares. */
  readonly promise: number;
  /** Nobody else may have it before this day. */
  readonly until: string;
}

/** A change that has landed: a pull request, or a commit of the bot. */
export interface Landing {
  /** Main with it. */
  readonly commit: string;
  readonly today: string;
  /** The day of the commit of main that the change starts from. */
  readonly from: string;
  /** The holders that somebody asked to move. */
  readonly moves: ReadonlySet<string>;
  /** The tree of main with it. */
  readonly view: TreeView;
}

/** The book of promises of one main branch, kept by what landed, and by no code of the product. */
export class Ledger {
  #entries: ReadonlyMap<string, Entry> = new Map();
  #held: ReadonlyMap<string, string> = new Map();
  readonly #landings: { readonly commit: string; readonly states: ReadonlyMap<string, string> }[] =
    [];

  /** The addresses that ever had a record. */
  get addresses(): readonly string[] {
    return [...new Set(this.#landings.flatMap(({ states }) => [...states.keys()]))];
  }

  /** By the commit of each landing, who had an address, or for whom it was kept: `free` without a record. */
  statesOf(address: string): ReadonlyMap<string, string> {
    return new Map(
      this.#landings.map(({ commit, states }) => [commit, states.get(address) ?? 'free']),
    );
  }

  /** Records a landing, and returns the promises that it broke. */
  brokenBy(landing: Landing): readonly string[] {
    const { view } = landing;
    const wanted = wantedIn(view);
    const entries = new Map<string, Entry>();
    const broken = [...unserved(view), ...misannounced(view)];
    for (const address of new Set([...this.#entries.keys(), ...view.records.keys()])) {
      const before = this.#entries.get(address);
      const record = view.records.get(address);
      broken.push(...wrongPassage(landing, address, { before, record, wanted }));
      if (record) entries.set(address, entryOf(landing, { before, record, wanted }));
    }
    const states = new Map([...view.records].map(([key, record]) => [key, stateOf(record)]));
    this.#landings.push({ commit: landing.commit, states });
    const held = heldIn(view);
    broken.push(...this.#silentMoves(held, landing));
    this.#entries = entries;
    this.#held = held;
    return broken;
  }

  /** Who had an address and has another one of the family has been moved because somebody asked. */
  #silentMoves(held: ReadonlyMap<string, string>, { moves }: Landing): readonly string[] {
    const now = new Map([...held].map(([address, key]) => [key, address]));
    return [...this.#held].flatMap(([address, key]) => {
      const [holder = ''] = key.split(' ');
      const after = now.get(key);
      const isSame = after === undefined || held.get(address) === key;
      return isSame || moves.has(holder) ? [] : [`${key} went from ${address} to ${after}`];
    });
  }
}

/** Who has an address, or for whom it is kept until when. */
function stateOf({ holder, freeFrom }: RecordView): string {
  return freeFrom === undefined ? `held by ${holder}` : `kept for ${holder} until ${freeFrom}`;
}

interface Passage {
  readonly before: Entry | undefined;
  readonly record: RecordView | undefined;
  readonly wanted: ReturnType<typeof wantedIn>;
}

/** What is wrong with what became of one address. */
function wrongPassage(landing: Landing, address: string, passage: Passage): readonly string[] {
  const { before, record } = passage;
  if (!before) return [];
  if (!record) return wrongEnd(landing, address, before);
  return before.isHeld
    ? wrongHolding(landing, before, { ...passage, record })
    : wrongReturn(landing, before, record);
}

function wrongEnd({ today }: Landing, address: string, before: Entry): readonly string[] {
  if (before.isHeld) return [`${address} of ${before.holder} is forgotten`];
  return before.until > today ? [`${address} is forgotten before ${before.until}`] : [];
}

function wrongHolding(
  { from, moves }: Landing,
  before: Entry,
  { record, wanted }: Passage & { readonly record: RecordView },
): readonly string[] {
  const { address, holder, freeFrom, releasedOn = '' } = record;
  if (holder !== before.holder) return [`${address} goes from ${before.holder} to ${holder}`];
  if (freeFrom === undefined) return [];
  const wrong: string[] = [];
  const isWanted = wanted.has(`${holder} ${familyOf(address)}`);
  if (isWanted && !moves.has(holder)) wrong.push(`${address} is released, and ${holder} needs it`);
  const promised = [
    before.until,
    daysAfter(releasedOn, before.promise),
    daysAfter(from, before.promise - 1),
  ];
  const least = promised.reduce(later);
  if (freeFrom < least) wrong.push(`${address} is free from ${freeFrom}, promised until ${least}`);
  return wrong;
}

function wrongReturn(
  { today }: Landing,
  before: Entry,
  { address, holder, since, freeFrom }: RecordView,
): readonly string[] {
  if (freeFrom !== undefined) {
    const isSame = holder === before.holder && freeFrom === before.until;
    return isSame ? [] : [`${address}: what is kept until ${before.until} says ${freeFrom}`];
  }
  const isEarly = holder !== before.holder && (before.until > today || since < before.until);
  return isEarly ? [`${address} goes to ${holder} since ${since}, kept until ${before.until}`] : [];
}

/** What is known of an address from now on. */
function entryOf(
  { from, view }: Landing,
  { before, record, wanted }: Passage & { readonly record: RecordView },
): Entry {
  const { address, holder, freeFrom } = record;
  const claims = wanted.get(`${holder} ${familyOf(address)}`) ?? [];
  const promise = promiseOf(view, address, claims);
  if (freeFrom !== undefined) return { holder, isHeld: false, promise, until: freeFrom };
  const isSame = before?.holder === holder;
  const isShorter = isSame && before.isHeld && promise < before.promise;
  const least = isShorter ? daysAfter(from, before.promise - 1) : '';
  return { holder, isHeld: true, promise, until: later(least, isSame ? before.until : '') };
}

/** Who declares something has one address of each family for it, and nobody else has any. */
function unserved(view: TreeView): readonly string[] {
  const served = [...heldIn(view).values()];
  const wanted = wantedIn(view);
  const twice = served.filter((key, index) => served.indexOf(key) !== index);
  return [
    ...twice.map((key) => `${key} has two addresses`),
    ...[...wanted.keys()].filter((key) => !served.includes(key)).map((key) => `${key} has none`),
    ...served.filter((key) => !wanted.has(key)).map((key) => `${key} holds without a claim`),
  ];
}

/** Every held address is announced once, unless it is only promised, and nothing else is. */
function misannounced(view: TreeView): readonly string[] {
  const held = heldIn(view);
  const wrong: string[] = [];
  for (const [address, files] of view.announced) {
    if (!held.has(address)) wrong.push(`${files} announces ${address}, which nobody holds`);
    if (files.length > 1) wrong.push(`${address} is announced by ${files.join(' and ')}`);
  }
  const wanted = wantedIn(view);
  for (const [address, key] of held) {
    const isMissing = wanted.get(key)?.some(isServed) ?? true;
    if (!view.announced.has(address) && isMissing)
      wrong.push(`${address} is held and not announced`);
  }
  const astray = view.pinned.filter(
    ({ address, file }) => !view.announced.get(address)?.includes(file),
  );
  return [...wrong, ...astray.map(({ address, file }) => `${file} pins ${address}, of another`)];
}

function later(left: string, right: string): string {
  return right > left ? right : left;
}
