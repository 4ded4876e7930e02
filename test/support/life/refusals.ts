/** Whether a run must be refused, told from the words and the book of promises alone. */

import { daysAfter } from '../allocations/naive-rules.ts';
import {
  contradictsItself,
  type Offers,
  offersOf,
  poolsFor,
  type Wish,
  wishesOf,
} from './holder-requests.ts';
import { isKeptFor, isSignedOver, rotationRefusal } from './key-rules.ts';
import type { Scene } from './ledger.ts';
import { families, familyOf, type PoolWords } from './plain-workspace.ts';
import { type Entries, type Entry, isFree } from './records.ts';
import { isLeftAlone } from './signatures.ts';
import { inherited } from './succession.ts';

interface Judged extends Scene {
  readonly offers: Offers;
  readonly entries: Entries;
}

interface Want {
  readonly holder: string;
  readonly wish: Wish;
  readonly held: readonly string[];
  readonly lacks: readonly ('ipv4' | 'ipv6')[];
}

/**
 * Why a run must be refused; empty when it must go well. Undefined where several holders want new addresses at once:
 * whether all of them can have some is for the brute force of other tests.
 */
export function refusalsOf(scene: Scene, before: Entries): readonly string[] | undefined {
  const entries = leaving(scene, inherited(scene, before));
  const judged = { ...scene, entries, offers: offersOf(scene.town) };
  const reasons = [...pinnedMove(scene)];
  const wants: Want[] = [];
  for (const [holder, wish] of wishesOf(scene.town)) {
    const want = wantOf(entries, holder, wish);
    if (contradictsItself(wish)) reasons.push(`${holder} contradicts itself`);
    reasons.push(...strandings(judged, wish, want.held));
    if (want.lacks.length > 0) wants.push(want);
  }
  if (reasons.length > 0) return reasons;
  const [want, ...more] = wants;
  if (!want) return [];
  return more.length > 0 ? undefined : cannotMeet(judged, want);
}

/** Who pins what it has cannot be moved from there. */
function pinnedMove({ town, mover }: Scene): string[] {
  const pins = mover === undefined ? undefined : wishesOf(town).get(mover)?.pins;
  return pins && pins.size > 0 ? [`${mover} pins what it has`] : [];
}

/** What a holder has of what it wishes for, and what it lacks. */
function wantOf(entries: Entries, holder: string, wish: Wish): Want {
  const held: string[] = [];
  for (const [text, entry] of entries) {
    const isOwn = entry.holder === holder && !entry.released;
    if (isOwn && wish.families.has(familyOf(text))) held.push(text);
  }
  const has = held.map(familyOf);
  const lacks = families.filter((family) => wish.families.has(family) && !has.includes(family));
  return { holder, wish, held, lacks };
}

/** What a holder that is moved leaves is kept from everybody today, itself too. */
function leaving({ mover, today }: Scene, entries: Entries): Entries {
  if (mover === undefined) return entries;
  const next = new Map(entries);
  for (const [text, entry] of entries) {
    if (entry.holder !== mover || entry.released) continue;
    next.set(text, {
      ...entry,
      holder: '',
      key: undefined,
      released: { on: today, freeFrom: '9999-12-31' },
    });
  }
  return next;
}

/** Why held addresses may not stay where they are. */
function strandings(
  { town, offers, entries, today }: Judged,
  wish: Wish,
  held: readonly string[],
): string[] {
  const allowed = poolsFor(wish, town, offers);
  const pools = new Set(held.map((text) => offers.listing.get(text)));
  const reasons = pools.size > 1 ? [`${held} are in two pools`] : [];
  for (const text of held) {
    const pool = offers.listing.get(text);
    const pin = pinOf(wish, familyOf(text));
    const entry = entries.get(text);
    const refused =
      entry &&
      pool &&
      rotationRefusal(wish, text, promised({ wish, text, today }, pool, entry), today);
    if (refused !== undefined) reasons.push(refused);
    if (!pool || !offers.servable.has(text)) reasons.push(`${text} is held and not to be had`);
    else if (!allowed.includes(pool)) reasons.push(`${text} is held in another pool`);
    if (pin !== undefined && pin !== text) reasons.push(`${text} is held and ${pin} is pinned`);
  }
  return reasons;
}

/** An entry whose promise gets shorter today, or that others leave, is promised until then. */
function promised(
  { wish, text, today }: { readonly wish: Wish; readonly text: string; readonly today: string },
  { cooldownDays }: PoolWords,
  entry: Entry,
): Entry {
  const isShorter = Math.max(wish.retain, cooldownDays) < entry.retain;
  if (!isShorter && !isLeftAlone(wish, text, entry)) return entry;
  const until = daysAfter(today, entry.retain);
  return { ...entry, keepUntil: until > (entry.keepUntil ?? '') ? until : entry.keepUntil };
}

/** Why the only holder that lacks something cannot have it. */
function cannotMeet(judged: Judged, want: Want): string[] {
  const { town, offers } = judged;
  const { wish, held, lacks } = want;
  const allowed = poolsFor(wish, town, offers);
  const deciding = [...held, ...families.flatMap((family) => pinOf(wish, family) ?? [])];
  const [first] = deciding;
  const decided = first === undefined ? undefined : offers.listing.get(first);
  if (first !== undefined && (!decided || !allowed.includes(decided))) {
    return [`${first} is not where it may be`];
  }
  const pools = decided ? [decided] : allowed;
  const isMet = pools.some((pool) => lacks.every((family) => canGive(judged, want, pool, family)));
  return isMet ? [] : [`no pool has ${lacks} for ${want.holder}`];
}

function canGive(
  judged: Judged,
  { holder, wish }: Want,
  pool: PoolWords,
  family: 'ipv4' | 'ipv6',
): boolean {
  const { offers } = judged;
  const pin = pinOf(wish, family);
  for (const text of offers.servable) {
    if (familyOf(text) !== family || offers.listing.get(text) !== pool) continue;
    if (pin !== undefined && pin !== text) continue;
    if (mayGet(judged, { holder, wish }, pool, text)) return true;
  }
  return false;
}

/** True when a holder may get this very address today: the pool gives it, or it is kept for the holder. */
function mayGet(
  { entries, today }: Judged,
  { holder, wish }: Pick<Want, 'holder' | 'wish'>,
  { state }: PoolWords,
  text: string,
): boolean {
  const entry = entries.get(text);
  if (!entry || isFree(entry, today)) return state === 'active';
  if (!entry.released) return false;
  if (isKeptFor(wish, holder, entry)) return true;
  return state === 'active' && isSignedOver(wish, holder, text, entry);
}

function pinOf({ pins }: Wish, family: 'ipv4' | 'ipv6'): string | undefined {
  return [...pins].find((pin) => familyOf(pin) === family);
}
