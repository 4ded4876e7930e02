import { describe, expect, test } from 'vitest';
import { base32Hex, sha224, sha256, sha256Hex } from '../../../../src/core/model/digest.ts';

describe('base32Hex', () => {
  test.each([
    ['', ''],
    ['f', 'CO======'],
    ['fo', 'CPNG===='],
    ['foo', 'CPNMU==='],
    ['foob', 'CPNMUOG='],
    ['fooba', 'CPNMUOJ1'],
    ['foobar', 'CPNMUOJ1E8======'],
  ])('of %j is as in RFC 4648 §10, in lower case and without padding', (text, vector) => {
    expect(base32Hex(Buffer.from(text))).toBe(vector.replaceAll('=', '').toLowerCase());
  });

  test('is the number in base 32', () => {
    for (const seed of ['a', 'b', 'c', 'd']) {
      const bytes = sha256(seed).subarray(0, 15);
      const number = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
      expect(base32Hex(bytes)).toBe(number.toString(32).padStart(24, '0'));
    }
  });
});

test('the digests are those of FIPS 180-2', () => {
  expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(Buffer.from(sha256('abc')).toString('hex')).toBe(sha256Hex('abc'));
  expect(Buffer.from(sha224('abc')).toString('hex')).toBe(
    '23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7',
  );
});

test('the digest is of the UTF-8 bytes', () => {
  expect(sha256Hex('ü')).toBe('607474ca475a9724d7360aba71a56d5df77e61350e3f724cfa1f46e857e2d85f');
});
