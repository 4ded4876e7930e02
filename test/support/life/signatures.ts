import { statementText } from '../../../src/core/model/ownership.ts';
import { keyOf, pairOf, repository } from '../allocations/owned-records.ts';
import { aDay } from '../allocations/tables.ts';
import { anAddress } from '../declarations/pools-and-claims.ts';
import type { HolderRequest } from './holder-requests.ts';
import { familyOf } from './plain-workspace.ts';
import type { Entry } from './records.ts';

/** The keys that each namespace of Services has, with the secret of each. */
export const secrets: Readonly<Record<string, string>> = { own: 'old', next: 'new' };

/** The public key of a key's name; undefined for none. */
export function publicKeyOf(name: string | undefined): string | undefined {
  return name === undefined ? undefined : keyOf(secrets[name] ?? '');
}

/** A signature as plain data: its statement, and the name of the key that signed it. */
export interface PlainSignature {
  readonly action: 'rotate' | 'reclaim';
  readonly address: string;
  readonly holder: string;
  readonly generation: number;
  readonly newKey: string | undefined;
  readonly since: string;
  readonly by: string;
}

const made = new WeakMap<PlainSignature, string>();

/** The signature itself. */
export function signatureOf(signature: PlainSignature): string {
  const known = made.get(signature);
  if (known !== undefined) return known;
  const { by, newKey, address, since, ...said } = signature;
  const statement = {
    ...said,
    repository,
    address: anAddress(address),
    newKey: publicKeyOf(newKey),
    since: aDay(since),
  };
  const text = pairOf(secrets[by] ?? '').sign(statementText(statement));
  made.set(signature, text);
  return text;
}

/** The key that the claims of a holder name; undefined for none. */
export function keyOfRequest({ keys }: HolderRequest): string | undefined {
  return publicKeyOf([...keys][0]);
}

/** True when several Services of a request that names a key want an address of a family: the ledger notes that it is shared. */
export function isSharedUnderKey(request: HolderRequest, family: 'ipv4' | 'ipv6'): boolean {
  return keyOfRequest(request) !== undefined && request.tenants[family].size > 1;
}

/** True when Services that shared an address with a key have left one alone: they are still promised it. */
export function isLeftAlone(request: HolderRequest, text: string, entry: Entry): boolean {
  return entry.shared && entry.retain > 0 && !isSharedUnderKey(request, familyOf(text));
}

/** True when a request shows a signature, by the key of an entry, for just this. */
function isSigned(
  action: PlainSignature['action'],
  request: HolderRequest,
  {
    holder,
    text,
    entry,
  }: { readonly holder: string; readonly text: string; readonly entry: Entry },
): boolean {
  const [newKey] = request.keys;
  return request.signatures.some(
    (signature) =>
      signature.action === action &&
      signature.address === text &&
      signature.holder === holder &&
      signature.generation === entry.generation &&
      signature.newKey === newKey &&
      signature.since === entry.since &&
      publicKeyOf(signature.by) === entry.key,
  );
}

/** True when a released address is kept for a holder, under the key that it names now. */
export function isKeptUnderKey(request: HolderRequest, entry: Entry): boolean {
  return entry.key === undefined || entry.key === keyOfRequest(request);
}

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
