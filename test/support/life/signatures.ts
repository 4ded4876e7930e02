import { statementText } from '../../../src/model/ownership.ts';
import { keyOf, pairOf, repository } from '../allocations/owned-records.ts';
import { aDay } from '../allocations/tables.ts';
import { anAddress } from '../declarations/pools-and-claims.ts';
import type { Wish } from './holder-requests.ts';
import { familyOf } from './plain-workspace.ts';
import type { Entry } from './records.ts';

/** The keys that each namespace of Services has, with the secret of each. */
export const secrets: Readonly<Record<string, string>> = { own: 'old', next: 'new' };

/** The public key of a key's name; undefined for none. */
export function publicKeyOf(name: string | undefined): string | undefined {
  return name === undefined ? undefined : keyOf(secrets[name] ?? '');
}

/** A signature in plain words: what it allows, and the name of the key that signed it. */
export interface Proof {
  readonly action: 'rotate' | 'reclaim';
  readonly address: string;
  readonly holder: string;
  readonly generation: number;
  readonly newKey: string | undefined;
  readonly since: string;
  readonly by: string;
}

const made = new WeakMap<Proof, string>();

/** The signature itself. */
export function signatureOf(proof: Proof): string {
  const known = made.get(proof);
  if (known !== undefined) return known;
  const { by, newKey, address, since, ...said } = proof;
  const statement = {
    ...said,
    repository,
    address: anAddress(address),
    newKey: publicKeyOf(newKey),
    since: aDay(since),
  };
  const text = pairOf(secrets[by] ?? '').sign(statementText(statement));
  made.set(proof, text);
  return text;
}

/** The key that the claims of a holder name; undefined for none. */
export function keyOfWish({ keys }: Wish): string | undefined {
  return publicKeyOf([...keys][0]);
}

/** True when several Services of a wish that names a key want an address of a family: the book notes that it is shared. */
export function isSharedUnderKey(wish: Wish, family: 'ipv4' | 'ipv6'): boolean {
  return keyOfWish(wish) !== undefined && wish.tenants[family].size > 1;
}

/** True when Services that shared an address with a key have left one alone: they are still promised it. */
export function isLeftAlone(wish: Wish, text: string, entry: Entry): boolean {
  return entry.shared && entry.retain > 0 && !isSharedUnderKey(wish, familyOf(text));
}

/** True when a wish shows a signature, by the key of an entry, for just this. */
export function isProven(
  action: Proof['action'],
  wish: Wish,
  {
    holder,
    text,
    entry,
  }: { readonly holder: string; readonly text: string; readonly entry: Entry },
): boolean {
  const [newKey] = wish.keys;
  return wish.proofs.some(
    (proof) =>
      proof.action === action &&
      proof.address === text &&
      proof.holder === holder &&
      proof.generation === entry.generation &&
      proof.newKey === newKey &&
      proof.since === entry.since &&
      publicKeyOf(proof.by) === entry.key,
  );
}

/** True when a released address is kept for a holder, under the key that it names now. */
export function isKeptUnderKey(wish: Wish, entry: Entry): boolean {
  return entry.key === undefined || entry.key === keyOfWish(wish);
}
