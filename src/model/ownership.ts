import { type Address, formatAddress } from '../net/address.ts';
import type { Day } from './day.ts';
import { isSignedBy } from './ownership-key.ts';
import type { Position } from './problem.ts';

/** A key that `leases/keys/<namespace>/<name>.yaml` declares. */
export interface DeclaredKey {
  readonly namespace: string;
  readonly name: string;
  /** 16 bytes in base64url: what makes a guess at the secret good for this key alone. */
  readonly salt: string;
  /** Ed25519, 32 bytes in base64url. */
  readonly publicKey: string;
  readonly at: Position;
}

/** What `leases/keys/` declares. */
export interface Keys {
  /** What signatures are made for, 32 hex digits, so that none counts in another repository. */
  readonly repository: string | undefined;
  /** By {@link keyText}. */
  readonly byName: ReadonlyMap<string, DeclaredKey>;
}

/** No key at all. */
export const noKeys: Keys = { repository: undefined, byName: new Map() };

/** One signature of a declaration. */
export interface Signature {
  /** 86 characters of base64url. */
  readonly text: string;
  readonly at: Position;
}

/** By what a holder proves that an address is its own. */
export interface Ownership {
  /** The key that its declarations name; undefined for none. */
  readonly key: DeclaredKey | undefined;
  /** Those of its declarations, spent ones too. */
  readonly signatures: readonly Signature[];
  /** See {@link Keys.repository}. */
  readonly repository: string | undefined;
}

/** No key, and nothing to prove anything with. */
export const unowned: Ownership = { key: undefined, signatures: [], repository: undefined };

/**
 * What a signature allows: `reclaim` lets another holder have an address that is kept after release, `rotate`
 * gives a held address another key, or none.
 */
export type OwnershipAction = 'reclaim' | 'rotate';

/** What a signature says. */
export interface Statement {
  readonly action: OwnershipAction;
  readonly repository: string;
  readonly address: Address;
  /** Who is to have the address. */
  readonly holder: string;
  /** How often the address changed its holder or its key before: see `Allocation.generation`. */
  readonly generation: number;
  /** The key that the address is to have; undefined for none. */
  readonly newKey: string | undefined;
  /** Since when the record's holder has the address. */
  readonly since: Day;
}

/**
 * The text that is signed: `leasehold/v1|action|repository id|address|holder|generation|new key|since`. No
 * part can hold a `|`. The generation kills a signature once it was used. The day kills those of an address
 * that nobody had in between, and whose record starts at generation 0 again.
 */
export function statementText(statement: Statement): string {
  const { action, repository, address, holder, generation, newKey, since } = statement;
  const place = [repository, formatAddress(address), holder];
  return ['leasehold/v1', action, ...place, generation, newKey ?? '', since].join('|');
}

/** True when one of the signatures says it, by the secret of a public key. */
export function isProven(
  signatures: readonly Signature[],
  publicKey: string,
  statement: Statement,
): boolean {
  const text = statementText(statement);
  return signatures.some((signature) => isSignedBy(publicKey, text, signature.text));
}

const signatureText = /^[A-Za-z0-9_-]{85}[AQgw]$/;

/**
 * The signatures that a declaration gives: one, or several with commas between them, since a holder of two
 * families has two addresses. Undefined when that is not what the text is.
 */
export function parseSignatures(text: string): readonly string[] | undefined {
  const parts = text.split(',').map((part) => part.trim());
  return parts.every((part) => signatureText.test(part)) ? parts : undefined;
}

/** `shop/web`: how a command line and a message name a key. */
export function keyText({
  namespace,
  name,
}: {
  readonly namespace: string;
  readonly name: string;
}): string {
  return `${namespace}/${name}`;
}
