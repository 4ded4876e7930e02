import type { Wish } from './holder-requests.ts';
import { familyOf } from './plain-workspace.ts';
import type { Entry } from './records.ts';
import { isKeptUnderKey, isProven, keyOfWish } from './signatures.ts';

/**
 * Why a held address may not get the key that its claims name, or none: more than one Service stands on it, it is
 * promised to one that left, or nobody signed. Undefined when it may, or has it.
 */
export function rotationRefusal(
  wish: Wish,
  text: string,
  entry: Entry,
  today: string,
): string | undefined {
  if (entry.key === undefined || entry.key === keyOfWish(wish)) return undefined;
  if (wish.tenants[familyOf(text)].size > 1) return `${text} has a key, and several stand on it`;
  if (entry.keepUntil !== undefined && entry.keepUntil > today) {
    return `${text} has a key, and is promised until ${entry.keepUntil}`;
  }
  return isProven('rotate', wish, { holder: entry.holder, text, entry })
    ? undefined
    : `${text} has another key, and nobody signed`;
}

/** True when an address that is kept may go to a holder: it is kept for it, or it is signed over to it. */
export function mayHaveKept(wish: Wish, holder: string, text: string, entry: Entry): boolean {
  return isKeptFor(wish, holder, entry) || isSignedOver(wish, holder, text, entry);
}

/** True when an address that is kept is kept for this holder, under the key that it names. */
export function isKeptFor(wish: Wish, holder: string, entry: Entry): boolean {
  return entry.holder === holder && isKeptUnderKey(wish, entry);
}

/** True when a holder pins an address that is kept with a key, and has its signature. */
export function isSignedOver(wish: Wish, holder: string, text: string, entry: Entry): boolean {
  if (entry.key === undefined || !wish.pins.has(text)) return false;
  return isProven('reclaim', wish, { holder, text, entry });
}

/** How often an address that was kept has been signed over once a holder has it. */
export function generationOf(wish: Wish, holder: string, former: Entry): number {
  return former.generation + (isKeptFor(wish, holder, former) ? 0 : 1);
}
