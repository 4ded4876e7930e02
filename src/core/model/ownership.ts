import { createPrivateKey, createPublicKey, scryptSync, sign, verify } from 'node:crypto';
import { type Address, formatAddress } from '../net/address.ts';
import type { Day } from './day.ts';
import type { Position } from './problem.ts';

/** A key that `leases/keys/<namespace>/<name>.yaml` declares. */
export interface DeclaredKey {
  readonly namespace: string;
  readonly name: string;
  /** 16 bytes in base64url. A guess at a secret can be tried against one salt only. */
  readonly salt: string;
  /** Ed25519, 32 bytes in base64url. */
  readonly publicKey: string;
  readonly at: Position;
}

/** The declarations in `leases/keys/`. */
export interface Keys {
  /** The id of the repository, 32 hex digits. A signature is not valid in another repository. */
  readonly repository: string | undefined;
  /** By {@link keyText}. */
  readonly byName: ReadonlyMap<string, DeclaredKey>;
}

/** No keys. */
export const noKeys: Keys = { repository: undefined, byName: new Map() };

/** One signature of a declaration. */
export interface Signature {
  /** 86 characters of base64url. */
  readonly text: string;
  readonly at: Position;
}

/** The proof of a holder that an address is its own. */
export interface Ownership {
  /** The key that its declarations name; undefined for none. */
  readonly key: DeclaredKey | undefined;
  /** The signatures in its declarations, also used ones. */
  readonly signatures: readonly Signature[];
  /** See {@link Keys.repository}. */
  readonly repository: string | undefined;
}

/** No key and no signatures. */
export const unowned: Ownership = { key: undefined, signatures: [], repository: undefined };

/**
 * What a signature allows: `reclaim` gives an address that is kept after release to another holder,
 * `rotate` gives a held address another key, or none.
 */
export type OwnershipAction = 'reclaim' | 'rotate';

/** The content of a signature. */
export interface Statement {
  readonly action: OwnershipAction;
  readonly repository: string;
  readonly address: Address;
  /** The holder that gets or keeps the address. */
  readonly holder: string;
  /** See `Allocation.generation`. */
  readonly generation: number;
  /** The new key of the address; undefined for none. */
  readonly newKey: string | undefined;
  /** The day in the record since which its holder has the address. */
  readonly since: Day;
}

/**
 * The text that is signed: `leasehold/v1|action|repository id|address|holder|generation|new
 * key|since`. No part can contain a `|`. The generation makes a signature valid once. The day makes
 * a signature invalid after the address became free and its record started at generation 0 again.
 */
export function statementText(statement: Statement): string {
  const { action, repository, address, holder, generation, newKey, since } = statement;
  const place = [repository, formatAddress(address), holder];
  return ['leasehold/v1', action, ...place, generation, newKey ?? '', since].join('|');
}

/** True when one of the signatures is of the statement, by the secret of a public key. */
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
 * Parses the signatures of a declaration: one, or several separated by commas, since a dual-stack
 * holder has two addresses. Undefined for any other text.
 */
export function parseSignatures(text: string): readonly string[] | undefined {
  const parts = text.split(',').map((part) => part.trim());
  return parts.every((part) => signatureText.test(part)) ? parts : undefined;
}

/** A key in a command line and in messages: `shop/web`. */
export function keyText({
  namespace,
  name,
}: {
  readonly namespace: string;
  readonly name: string;
}): string {
  return `${namespace}/${name}`;
}

/** The key pair of a secret and a salt. */
export interface KeyPair {
  /** The Ed25519 public key: 32 bytes in base64url, 43 characters. */
  readonly publicKey: string;
  /** The signature of a text's UTF-8 bytes: 64 bytes in base64url, 86 characters. */
  sign(text: string): string;
}

/** 128 MiB and a third of a second for each guess at a secret. */
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 160 * 1024 * 1024 } as const;

/** RFC 8410 §7: the bytes before the 32 bytes of an Ed25519 seed in PKCS #8. */
const seedPrefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * Derives the key pair of a secret: the seed is scrypt(secret, salt, N=2^17, r=8, p=1). The salt is
 * base64url.
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

/** True for a signature of a text by the secret of a public key. False for malformed values. */
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
