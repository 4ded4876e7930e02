import { describe, expect, test } from 'vitest';
import {
  isProven,
  isSignedBy,
  keyPairOf,
  parseSignatures,
  statementText,
} from '../../../../src/core/model/ownership.ts';
import { startOf } from '../../../../src/core/model/problem.ts';
import { aStatement, pairOf, signed } from '../../../support/allocations/owned-records.ts';
import { aDay } from '../../../support/allocations/tables.ts';
import { anAddress } from '../../../support/declarations/pools-and-claims.ts';

const at = startOf('leases/shop/web.yaml');

describe('a key pair', () => {
  test('is what scrypt and Ed25519 make of the secret and the salt', { tags: 'slow' }, () => {
    // As Python sees it: the seed is hashlib.scrypt(b'correct horse battery staple', salt=bytes(range(16)),
    // n=2**17, r=8, p=1, dklen=32), the key Ed25519PrivateKey.from_private_bytes(seed) of `cryptography`.
    const salt = Buffer.from(Array.from({ length: 16 }, (_, byte) => byte)).toString('base64url');
    const pair = keyPairOf(Buffer.from('correct horse battery staple'), salt);
    expect(pair.publicKey).toBe('bxbnkXnY56SEZBADQViD_KcIi83q4Ek1qfJWbh0Y0yw');
    expect(pair.sign('leasehold')).toBe(
      'ZTCc931u5OeSuJrzQ6upWM2WrchxJv9wZf7IOClPnXXXjXC3gXjUunHtQlut43D-mFIYOsEe3oPx4tOgY20vBg',
    );
  });

  test('is another one for another salt', { tags: 'slow' }, () => {
    const other = keyPairOf(Buffer.from('old'), `${'A'.repeat(21)}Q`);
    expect(other.publicKey).not.toBe(pairOf('old').publicKey);
    expect(other.publicKey).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  test('makes signatures that only its public key verifies', () => {
    const signature = pairOf('old').sign('a text');
    expect(isSignedBy(pairOf('old').publicKey, 'a text', signature)).toBe(true);
    expect(isSignedBy(pairOf('old').publicKey, 'a test', signature)).toBe(false);
    expect(isSignedBy(pairOf('new').publicKey, 'a text', signature)).toBe(false);
  });

  test.each([
    ['a key that is too short', 'AAAA', 'A'.repeat(86)],
    ['a key that is not a curve point', '_'.repeat(43), 'A'.repeat(86)],
    ['an empty key', '', 'A'.repeat(86)],
    ['a signature that is too short', pairOf('old').publicKey, 'AAAA'],
    ['an empty signature', pairOf('old').publicKey, ''],
  ])('%s confirms nothing, and throws nothing', (_, publicKey, signature) => {
    expect(isSignedBy(publicKey, 'a text', signature)).toBe(false);
  });
});

describe('a statement', () => {
  test('is one line of all its parts', () => {
    const newKey = pairOf('new').publicKey;
    expect(statementText(aStatement({ generation: 3, newKey, since: aDay('2026-02-01') }))).toBe(
      `leasehold/v1|rotate|0123456789abcdef0123456789abcdef|203.0.113.7|default/service/shop/web|3|${newKey}|2026-02-01`,
    );
    expect(statementText(aStatement({ address: anAddress('2001:DB8:0::7') }))).toMatch(
      /\|2001:db8::7\|.*\|0\|\|2026-01-01$/,
    );
  });

  test('is proven by one of several signatures', () => {
    const texts = [signed('new'), signed('old')];
    const signatures = texts.map((text) => ({ text, at }));
    const { publicKey } = pairOf('old');
    expect(isProven(signatures, publicKey, aStatement())).toBe(true);
    expect(isProven(signatures.slice(0, 1), publicKey, aStatement())).toBe(false);
    expect(isProven([], publicKey, aStatement())).toBe(false);
  });
});

describe('the signatures of a declaration', () => {
  const [one, other] = [signed('old'), signed('new')];

  test('stand alone or with commas between them', () => {
    expect(parseSignatures(one)).toEqual([one]);
    expect(parseSignatures(`${one}, ${other}`)).toEqual([one, other]);
    expect(parseSignatures(`${one},${other}`)).toEqual([one, other]);
  });

  test.each([
    ['nothing', ''],
    ['one that is cut off', one.slice(1)],
    ['one that is too long', `${one}A`],
    ['one with padding', `${one}==`],
    ['plain base64', `+${one.slice(1)}`],
    ['bits beyond the last byte', `${one.slice(0, -1)}B`],
    ['an empty one among them', `${one},`],
    ['no comma between them', `${one} ${other}`],
  ])('are not %s', (_, text) => {
    expect(parseSignatures(text)).toBeUndefined();
  });
});
