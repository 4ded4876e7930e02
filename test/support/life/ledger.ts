/**
 * The book of promises: who had which address, since when, and what was promised to whom, told from the words alone.
 * It shares no code with the allocator, and takes from it nothing but which free address a newcomer got.
 */

import { daysAfter } from '../allocations/naive-rules.ts';
import { anAddress } from '../declarations/pools-and-claims.ts';
import {
  contradictsItself,
  type Offers,
  offersOf,
  poolsFor,
  type Wish,
  wishesOf,
} from './holder-requests.ts';
import { generationOf, mayHaveKept, rotationRefusal } from './key-rules.ts';
import { families, familyOf, type PoolWords, poolName, type Town } from './plain-workspace.ts';
import { type Entries, type Entry, isFree, unlike } from './records.ts';
import { isKeptUnderKey, isLeftAlone, isSharedUnderKey, keyOfWish } from './signatures.ts';
import { inherited } from './succession.ts';

/** A day in a town. */
export interface Scene {
  readonly town: Town;
  readonly today: string;
  /** The holder that somebody moves from all of its addresses, if somebody does. */
  readonly mover?: string | undefined;
}

interface Looked extends Scene {
  readonly offers: Offers;
  readonly wishes: ReadonlyMap<string, Wish>;
}

/** The book of one repository. */
export class Ledger {
  #entries: Entries = new Map();

  /** What is in the book. */
  get entries(): Entries {
    return this.#entries;
  }

  /**
   * What a run broke that wrote these records: empty when it kept all promises, moved nobody, and gave everybody
   * what was asked for. Notes what it did.
   */
  brokenBy(scene: Scene, after: Entries): string[] {
    const looked = { ...scene, offers: offersOf(scene.town), wishes: wishesOf(scene.town) };
    this.#entries = inherited(scene, this.#entries);
    const wrong: string[] = [];
    for (const [text, now] of after) {
      const before = this.#entries.get(text);
      const expected = before ? followOn(looked, text, before, now) : fresh(looked, text, now);
      if (typeof expected === 'string') wrong.push(expected);
      else wrong.push(...unlike(text, expected, now));
    }
    for (const text of this.#entries.keys()) {
      if (!after.has(text)) wrong.push(`${text} is forgotten`);
    }
    wrong.push(...this.#unserved(looked, after), ...this.#unsaidMoves(looked, after));
    this.#entries = after;
    return wrong;
  }

  /** What a prune broke: it takes away the released addresses that are free, and changes nothing. */
  brokenByPrune(today: string, after: Entries): string[] {
    const wrong: string[] = [];
    for (const [text, before] of this.#entries) {
      const now = after.get(text);
      if (now) wrong.push(...unlike(text, before, now));
      else if (!isFree(before, today))
        wrong.push(`${text} of ${before.holder} is pruned too early`);
      if (now && isFree(before, today)) wrong.push(`${text} is not pruned`);
    }
    if (after.size > this.#entries.size) wrong.push('a prune makes a record');
    this.#entries = after;
    return wrong;
  }

  /** Every wish has one address of each family, in one pool that it may have, its pins, and what was kept for it. */
  #unserved(looked: Looked, after: Entries): string[] {
    const held = new Map<string, string[]>();
    for (const [text, { holder, released }] of after) {
      if (released) continue;
      const own = held.get(holder);
      if (own) own.push(text);
      else held.set(holder, [text]);
    }
    const wrong: string[] = [];
    for (const [holder, wish] of looked.wishes) {
      const own = held.get(holder) ?? [];
      held.delete(holder);
      if (contradictsItself(wish)) wrong.push(`${holder} contradicts itself`);
      wrong.push(...misserved(looked, holder, own), ...this.#notReturned(looked, holder, own));
    }
    for (const holder of held.keys()) wrong.push(`${holder} holds without a claim`);
    return wrong;
  }

  /** Who has been moved has other addresses, which say where they came from. */
  #unsaidMoves({ mover }: Scene, after: Entries): string[] {
    if (mover === undefined) return [];
    const left = [...this.#entries].filter(([, one]) => one.holder === mover && !one.released);
    const got = [...after].filter(([, one]) => one.holder === mover && !one.released);
    return got
      .filter(([text, { movedFrom }]) => {
        const from = left.find(([other]) => familyOf(other) === familyOf(text))?.[0];
        return !from || anAddress(from).value !== movedFrom?.value;
      })
      .map(([text]) => `${text} does not say where ${mover} was moved from`);
  }

  /** A holder that lacked one family, and for which such an address is kept where it may be, gets that one back. */
  #notReturned({ town, offers, wishes, today }: Looked, holder: string, own: readonly string[]) {
    const wish = wishes.get(holder);
    const given = own.filter(
      (text) => this.#entries.get(text)?.released !== undefined || !this.#entries.has(text),
    );
    const [text] = given;
    if (!wish || text === undefined || given.length > 1 || wish.pins.has(text)) return [];
    const decided = own.find((other) => other !== text);
    const allowed = poolsFor(wish, town, offers)
      .map(poolName)
      .filter((name) => decided === undefined || name === nameOf(offers, decided));
    const kept = [...this.#entries].filter(
      ([other, entry]) =>
        entry.holder === holder &&
        entry.released !== undefined &&
        !isFree(entry, today) &&
        familyOf(other) === familyOf(text) &&
        isKeptUnderKey(wish, entry) &&
        offers.servable.has(other) &&
        allowed.includes(nameOf(offers, other)),
    );
    if (kept.length === 0) return [];
    const got = kept.find(([other]) => other === text)?.[1];
    const later = kept.filter(
      ([other, entry]) =>
        nameOf(offers, other) === nameOf(offers, text) &&
        (entry.released?.on ?? '') > (got?.released?.on ?? ''),
    );
    return got && later.length === 0
      ? []
      : [`${holder} got ${text}, and not ${kept.map(([other]) => other)} that is kept for it`];
  }
}

/** What must be recorded of an address that has a record. */
function followOn(looked: Looked, text: string, before: Entry, now: Entry): Entry | string {
  const { today, wishes } = looked;
  if (before.released) {
    if (now.released) return before;
    const wish = wishes.get(now.holder);
    if (wish && !isFree(before, today) && !mayHaveKept(wish, now.holder, text, before)) {
      return `${text} goes to ${now.holder} on ${today}, and was kept for ${before.holder} until ${before.released.freeFrom}`;
    }
    const made = fresh(looked, text, now, before);
    if (typeof made === 'string') return made;
    const isOwn = now.holder === before.holder;
    const { freeFrom } = before.released;
    return isOwn && freeFrom > daysAfter(today, made.retain)
      ? { ...made, keepUntil: freeFrom }
      : made;
  }
  return whileHeld(looked, text, before);
}

/** What must be recorded of an address that was held before. */
function whileHeld(looked: Looked, text: string, before: Entry): Entry | string {
  const { today, wishes, offers } = looked;
  const promised = later(daysAfter(today, before.retain), before.keepUntil);
  if (before.holder === looked.mover) {
    const freeFrom = later(promised, daysAfter(today, 1));
    return { ...before, keepUntil: undefined, shared: false, released: { on: today, freeFrom } };
  }
  const wish = wishes.get(before.holder);
  if (!wish?.families.has(familyOf(text))) {
    const released = { on: today, freeFrom: promised };
    return { ...before, keepUntil: undefined, shared: false, released };
  }
  const pool = offers.listing.get(text);
  if (!pool) return `${text} is held and in no pool`;
  const retain = promiseOf(wish, pool);
  const isPromised = retain < before.retain || isLeftAlone(wish, text, before);
  const keepUntil = isPromised ? promised : before.keepUntil;
  const refused = rotationRefusal(wish, text, { ...before, keepUntil }, today);
  if (refused !== undefined) return refused;
  const key = keyOfWish(wish);
  const generation = before.generation + (before.key === undefined || before.key === key ? 0 : 1);
  const shared = isSharedUnderKey(wish, familyOf(text));
  return { ...before, pool: poolName(pool), retain, keepUntil, key, generation, shared };
}

/** What must be recorded of an address that somebody gets today. */
function fresh(looked: Looked, text: string, now: Entry, former?: Entry): Entry | string {
  const { today, wishes, offers } = looked;
  const wish = wishes.get(now.holder);
  const pool = offers.listing.get(text);
  if (!wish?.families.has(familyOf(text))) return `${now.holder} gets ${text} and does not want it`;
  if (!pool) return `${now.holder} gets ${text}, which is in no pool`;
  const isKept =
    former?.holder === now.holder && !isFree(former, today) && isKeptUnderKey(wish, former);
  if (pool.state === 'draining' && !isKept) return `${text} is given by a draining pool`;
  const made = { holder: now.holder, pool: poolName(pool), since: today };
  const movedFrom = now.holder === looked.mover ? now.movedFrom : undefined;
  return {
    ...made,
    retain: promiseOf(wish, pool),
    keepUntil: undefined,
    released: undefined,
    movedFrom,
    key: keyOfWish(wish),
    shared: isSharedUnderKey(wish, familyOf(text)),
    generation: former && !isFree(former, today) ? generationOf(wish, now.holder, former) : 0,
  };
}

function misserved({ town, offers, wishes }: Looked, holder: string, own: readonly string[]) {
  const wish = wishes.get(holder);
  if (!wish) return [];
  const wrong: string[] = [];
  const has = own.map(familyOf).sort().join();
  const wants = families.filter((family) => wish.families.has(family)).join();
  if (has !== wants) wrong.push(`${holder} has ${own}, and wants ${wants}`);
  const allowed = poolsFor(wish, town, offers);
  if (new Set(own.map((text) => nameOf(offers, text))).size > 1) {
    wrong.push(`${holder} is in two pools`);
  }
  for (const text of own) {
    const pool = offers.listing.get(text);
    if (!offers.servable.has(text)) wrong.push(`${holder} has ${text}, which nobody may have`);
    if (!pool || !allowed.includes(pool)) wrong.push(`${holder} may not have ${text}`);
  }
  for (const pin of wish.pins) {
    if (wish.families.has(familyOf(pin)) && !own.includes(pin)) {
      wrong.push(`${holder} has ${own}, and pins ${pin}`);
    }
  }
  return wrong;
}

function promiseOf({ retain }: Wish, { cooldownDays }: PoolWords): number {
  return Math.max(retain, cooldownDays);
}

function nameOf({ listing }: Offers, text: string): string {
  const pool = listing.get(text);
  return pool ? poolName(pool) : '';
}

function later(left: string, right: string | undefined): string {
  return right !== undefined && right > left ? right : left;
}
