import { isIPv4, isIPv6 } from 'node:net';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, test } from 'vitest';
import {
  type Address,
  compareAddresses,
  formatAddress,
  isAddress,
  isBuggyIP,
  parseAddress,
} from '../../../../src/core/net/address.ts';
import { anAddress } from '../../../support/declarations/pools-and-claims.ts';

const ipv4 = fc
  .bigInt({ min: 0n, max: (1n << 32n) - 1n })
  .map((value): Address => ({ family: 'ipv4', value }));
const group = fc.oneof(fc.constant(0), fc.constant(0xffff), fc.integer({ min: 0, max: 0xffff }));
const ipv6 = fc
  .array(group, { minLength: 8, maxLength: 8 })
  .map((groups): Address => ({ family: 'ipv6', value: groups.reduce(append, 0n) }))
  .filter(({ value }) => value >> 32n !== 0xffffn);

function append(value: bigint, part: number): bigint {
  return (value << 16n) | BigInt(part);
}

describe('parseAddress', () => {
  test.each([
    ['203.0.113.7', 'ipv4', 0xcb007107n],
    ['0.0.0.0', 'ipv4', 0n],
    ['255.255.255.255', 'ipv4', 0xffffffffn],
    ['::', 'ipv6', 0n],
    ['::1', 'ipv6', 1n],
    ['2001:DB8::7', 'ipv6', 0x20010db8_00000000_00000000_00000007n],
    ['2001:0db8:0000:0000:0000:0000:0000:0007', 'ipv6', 0x20010db8_00000000_00000000_00000007n],
    ['1:2:3:4:5:6:7:8', 'ipv6', 0x00010002_00030004_00050006_00070008n],
    ['1:2:3:4:5:6:7::', 'ipv6', 0x00010002_00030004_00050006_00070000n],
    ['::fffe:102:304', 'ipv6', 0xfffe_0102_0304n],
  ] as const)('reads %s', (text, family, value) => {
    expect(parseAddress(text)).toEqual({ family, value });
  });

  test.each([
    '',
    ' ',
    '10.1',
    '10',
    '0x0a.0.0.1',
    '010.0.0.1',
    '10.0.0.01',
    '00.0.0.0',
    '10.0.0.256',
    '10.0.0.1.2',
    '10.0.0.-1',
    '10.0.0.1 ',
    ' 10.0.0.1',
    '10.0.0.1\n',
    '１０.0.0.1',
    '10.0.0.1%eth0',
    'fe80::1%eth0',
    ':',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:8::',
    '1:2:3:4:5:6:7:8:',
    ':1:2:3:4:5:6:7:8',
    '12345::',
    'g::',
    '::1 ',
    '[::1]',
    '::ffff:1.2.3.4',
    '::1.2.3.4',
    '::ffff:102:304',
    '0:0:0:0:0:FFFF:102:304',
    'example.org',
  ])('refuses %j with a reason', (text) => {
    const parsed = parseAddress(text);
    expect(isAddress(parsed)).toBe(false);
    expect(!isAddress(parsed) && parsed.reason).toMatch(/^'.*[^.]$/s);
  });

  test('an IPv4-mapped address is refused with the IPv4 address to write instead', () => {
    for (const text of ['::ffff:1.2.3.4', '::ffff:102:304']) {
      expect(parseAddress(text)).toEqual({ reason: expect.stringContaining('plain IPv4 address') });
    }
  });

  test('says that a leading zero is the reason', () => {
    expect(parseAddress('10.0.0.010')).toEqual({ reason: expect.stringContaining('leading zero') });
  });

  test('shows only the start of a very long text', () => {
    const parsed = parseAddress('1'.repeat(10_000));
    expect(isAddress(parsed) ? '' : parsed.reason.length).toBeLessThan(120);
  });

  test('agrees with the platform on random texts, but for what it refuses on purpose', {
    tags: 'slow',
  }, () => {
    const parts = fc.constantFrom(
      '0',
      '1',
      'ff',
      'abcd',
      '12345',
      '255',
      '256',
      '',
      '::',
      ':',
      '.',
    );
    const text = fc.array(parts, { maxLength: 17 }).map((some) => some.join(''));
    const joined = fc.array(fc.constantFrom('0', '1', 'ffff', '00a'), { maxLength: 9 });
    const texts = fc.oneof(
      text,
      joined.map((some) => some.join(':')),
      joined.map((some) => some.join('.')),
    );
    fc.assert(
      fc.property(texts, (some) => {
        const parsed = parseAddress(some);
        const isPlain = some.includes(':') ? !some.includes('.') : !/(^|\.)0\d/.test(some);
        const isMapped = /^(0*:){0,5}:?f{4}:[^:]+:[^:]+$/.test(some);
        const known = isIPv4(some) || isIPv6(some);
        if (isAddress(parsed)) expect(known).toBe(true);
        else if (known && isPlain) expect([some, isMapped]).toEqual([some, true]);
      }),
      { seed: 1, numRuns: 20_000 },
    );
  });
});

describe('formatAddress', () => {
  test.each([
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:0db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['2001:db8:0:0:0:1:0:0', '2001:db8::1:0:0'],
    ['2001:DB8::AbCd', '2001:db8::abcd'],
    ['0:0:0:0:0:0:0:0', '::'],
    ['1:0:0:0:0:0:0:0', '1::'],
    ['0:0:0:0:0:0:0:1', '::1'],
  ])('writes %s as RFC 5952 wants it', (text, canonical) => {
    expect(formatAddress(anAddress(text))).toBe(canonical);
  });

  test('writes what parseAddress reads back', () => {
    fc.assert(
      fc.property(fc.oneof(ipv4, ipv6), (address) => {
        expect(parseAddress(formatAddress(address))).toEqual(address);
      }),
      { seed: 1, numRuns: 3_000 },
    );
  });

  test('writes IPv6 as the platform writes it in a URL', () => {
    fc.assert(
      fc.property(ipv6, (address) => {
        const text = formatAddress(address);
        expect(`[${text}]`).toBe(new URL(`http://[${plainText(address)}]/`).hostname);
      }),
      { seed: 1, numRuns: 3_000 },
    );
  });
});

describe('compareAddresses', () => {
  test('puts IPv4 first and then goes by number, not by text', () => {
    const texts = ['::1', '10.0.0.2', '2001:db8::', '10.0.0.10', '9.0.0.0', '::'];
    const sorted = texts.map(anAddress).sort(compareAddresses).map(formatAddress);
    expect(sorted).toEqual(['9.0.0.0', '10.0.0.2', '10.0.0.10', '::', '::1', '2001:db8::']);
  });

  test('is zero for one address only', () => {
    expect(compareAddresses(anAddress('::1'), anAddress('0::1'))).toBe(0);
    expect(compareAddresses(anAddress('0.0.0.1'), anAddress('::1'))).toBe(-1);
    expect(compareAddresses(anAddress('::1'), anAddress('0.0.0.1'))).toBe(1);
  });
});

/** All eight groups, nothing left out. */
function plainText({ value }: Address): string {
  const groups = Array.from(
    { length: 8 },
    (_, index) => (value >> BigInt(112 - 16 * index)) & 0xffffn,
  );
  return groups.map((part) => part.toString(16)).join(':');
}

describe('an address that old firmware takes for a network’s own', () => {
  test.each([
    ['10.0.0.0', true],
    ['10.0.0.255', true],
    ['10.0.1.0', true],
    ['203.0.113.255', true],
    ['10.0.0.1', false],
    ['10.0.0.254', false],
    ['2001:db8::', false],
    ['2001:db8::ff', false],
  ])('isBuggyIP(%s) is %s', (text, buggy) => {
    expect(isBuggyIP(anAddress(text))).toBe(buggy);
  });
});

test('an IPv6 address has the text that ipaddr.js gives it', () => {
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
      const text = formatAddress({ family: 'ipv6', value: groups.reduce(append, 0n) });
      expect(text).toBe(new ipaddr.IPv6(groups).toRFC5952String());
    }),
    { seed: 1, numRuns: 2_000 },
  );
});
