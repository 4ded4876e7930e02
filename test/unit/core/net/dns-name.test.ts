import { describe, expect, test } from 'vitest';
import { compareDnsNames, dnsNameFault, isInDomain } from '../../../../src/core/net/dns-name.ts';

const label63 = 'a'.repeat(63);
const longest = `${`${label63}.`.repeat(3)}${'a'.repeat(61)}`;

describe('a DNS name', () => {
  test.each([
    'shop.example.com',
    'a.b',
    '*.example.com',
    '0.example.com',
    'xn--bcher-kva.example',
    'a--b.example',
    `${label63}.example`,
    longest,
  ])('is %s', (text) => {
    expect(dnsNameFault(text)).toBeUndefined();
  });

  test.each([
    ['', 'a label is empty'],
    ['.', 'a label is empty'],
    ['a..b', 'a label is empty'],
    ['shop', 'it has fewer than two labels'],
    ['*.com', 'it has fewer than two labels'],
    ['*', 'it has fewer than two labels'],
    ['a.*.example.com', 'the wildcard * is not the first label'],
    ['w*.example.com', 'a label has other characters'],
    ['_sip.example.com', 'a label has other characters'],
    ['a b.example.com', 'a label has other characters'],
    ['-a.example.com', 'a label has other characters'],
    ['a-.example.com', 'a label has other characters'],
    ['203.0.113.7', 'the last label is a number'],
    ['2001:db8::7', 'a label has other characters'],
    [`${label63}a.example`, 'a label has 64 characters, more than 63'],
    [`a${longest}`, 'it has 254 characters, more than 253'],
  ])('is not %j', (text, reason) => {
    expect(dnsNameFault(text)?.reason).toContain(reason);
    expect(dnsNameFault(text)?.canonical).toBeUndefined();
  });

  test.each([
    ['Shop.Example.com', 'shop.example.com'],
    ['shop.example.com.', 'shop.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['*.BÜCHER.example.', '*.xn--bcher-kva.example'],
  ])('in another form, %s, has the canonical form %s', (text, canonical) => {
    expect(dnsNameFault(text)).toEqual({ reason: 'not in canonical form', canonical });
  });
});

test('a domain can be a single label, and has no wildcard', () => {
  expect(dnsNameFault('lan', 'domain')).toBeUndefined();
  expect(dnsNameFault('Example.com', 'domain')?.canonical).toBe('example.com');
  expect(dnsNameFault('*.example.com', 'domain')).toEqual({ reason: 'a domain has no wildcard' });
});

test('a domain has itself and the names below it', () => {
  expect(isInDomain('example.com', 'example.com')).toBe(true);
  expect(isInDomain('*.shop.example.com', 'example.com')).toBe(true);
  expect(isInDomain('badexample.com', 'example.com')).toBe(false);
});

test('names are in the order of their labels from the last one', () => {
  const names = ['b.a.example', 'a.b.example', 'a.example', '*.a.example', 'z.com', 'a.b.example'];

  expect(names.toSorted(compareDnsNames)).toEqual([
    'z.com',
    'a.example',
    '*.a.example',
    'b.a.example',
    'a.b.example',
    'a.b.example',
  ]);
});
