import { createPrivateKey, createPublicKey, scryptSync, sign, verify } from 'node:crypto';
import { type Address, formatAddress } from '../net/address.ts';
import type { Day } from './day.ts';
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

/** What a secret and a salt give: the key that everybody may see, and the power to sign. */
export interface KeyPair {
  /** The Ed25519 public key: 32 bytes in base64url, 43 characters. */
  readonly publicKey: string;
  /** The signature of a text's UTF-8 bytes: 64 bytes in base64url, 86 characters. */
  sign(text: string): string;
}

/** 128 MiB and a third of a second for each guess. */
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 160 * 1024 * 1024 } as const;

/** RFC 8410 §7: what stands before the 32 bytes of an Ed25519 seed in PKCS #8. */
const seedPrefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * The key pair of a secret: its seed is scrypt(secret, salt, N=2^17, r=8, p=1). The salt is base64url. The
 * same secret and salt give the same key everywhere.
 */
export function keyPairOf(secret: Uint8Array, salt: string): KeyPair {
  const seed = scryptSync(secret, Buffer.from(salt, 'base64url'), 32, cost);
  const privateKey = createPrivateKey({
    key: Buffer.concat([seedPrefix, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return {
    publicKey: x,
    sign: (text) => sign(null, Buffer.from(text, 'utf8'), privateKey).toString('base64url'),
  };
}

/** True when a signature of a text is by the secret of a public key. False for whatever is malformed. */
export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  try {
    const key = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: publicKey },
      format: 'jwk',
    });
    return verify(null, Buffer.from(text, 'utf8'), key, Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
}
