import type { HolderRequest } from './holder-requests.ts';
import { familyOf } from './plain-workspace.ts';
import type { Entry } from './records.ts';
import { isKeptUnderKey, isSigned, keyOfRequest } from './signatures.ts';

/**
 * Why a held address may not get the key that its claims name, or none: more than one Service stands on it, it is
 * promised to one that left, or nobody signed. Undefined when it may, or has it.
 */
export function rotationRefusal(
  request: HolderRequest,
  text: string,
  entry: Entry,
  today: string,
): string | undefined {
  if (entry.key === undefined || entry.key === keyOfRequest(request)) return undefined;
  if (request.tenants[familyOf(text)].size > 1) return `${text} has a key, and several stand on it`;
  if (entry.keepUntil !== undefined && entry.keepUntil > today) {
    return `${text} has a key, and is promised until ${entry.keepUntil}`;
  }
  return isSigned('rotate', request, { holder: entry.holder, text, entry })
    ? undefined
    : `${text} has another key, and nobody signed`;
}

/** True when an address that is kept may go to a holder: it is kept for it, or it is signed over to it. */
export function mayHaveKept(
  request: HolderRequest,
  holder: string,
  text: string,
  entry: Entry,
): boolean {
  return isKeptFor(request, holder, entry) || isSignedOver(request, holder, text, entry);
}

/** True when an address that is kept is kept for this holder, under the key that it names. */
export function isKeptFor(request: HolderRequest, holder: string, entry: Entry): boolean {
  return entry.holder === holder && isKeptUnderKey(request, entry);
}

/** True when a holder pins an address that is kept with a key, and has its signature. */
export function isSignedOver(
  request: HolderRequest,
  holder: string,
  text: string,
  entry: Entry,
): boolean {
  if (entry.key === undefined || !request.pins.has(text)) return false;
  return isSigned('reclaim', request, { holder, text, entry });
}

/** How often an address that was kept has been signed over once a holder has it. */
export function generationOf(request: HolderRequest, holder: string, former: Entry): number {
  return former.generation + (isKeptFor(request, holder, former) ? 0 : 1);
}
