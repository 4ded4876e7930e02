import { createPrivateKey, createPublicKey, scryptSync, sign, verify } from 'node:crypto';

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
