import { describe, expect, it } from 'vitest';
import { formatRange } from '../../../../../src/core/net/range.ts';
import { parseGoRange } from '../../../../../src/features/import/metallb/metallb-range.ts';

/** What MetalLB makes of a text: a range, or why it is none. */
function read(text: string): string {
  const parsed = parseGoRange(text);
  return parsed.kind === 'range' ? formatRange(parsed.range) : parsed.kind;
}

describe('an address text, read as MetalLB does', () => {
  it.each([
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['2001:DB8::/32', '2001:db8::/32'],
    ['10.0.0.5/24', '10.0.0.0/24'],
    ['10.0.0.0/024', '10.0.0.0/24'],
    ['10.0.0.5/32', '10.0.0.5/32'],
    ['1.2.3.1-1.2.3.10', '1.2.3.1-1.2.3.10'],
    ['1.2.3.1 - 1.2.3.10', '1.2.3.1-1.2.3.10'],
    ['  1.2.3.0-1.2.3.255 ', '1.2.3.0/24'],
    ['1.2.3.4-1.2.3.4', '1.2.3.4/32'],
    ['FD00:0::2-fd00::3', 'fd00::2/127'],
    ['::ffff:1.2.3.0/120', '1.2.3.0/24'],
    ['::FFFF:102:300/120', '1.2.3.0/24'],
    ['0:0:0:0:0:ffff:1.2.3.0/120', '1.2.3.0/24'],
    ['::ffff:1.2.3.4-1.2.3.10', '1.2.3.4-1.2.3.10'],
    ['64:ff9b::1.2.3.0/120', '64:ff9b::102:300/120'],
  ])('%j is %s', (text, range) => {
    expect(read(text)).toBe(range);
  });

  it.each([
    '10.0.0.5',
    ' 10.0.0.0/8',
    '10.0.0.0/8 ',
    '010.0.0.0/8',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/255.0.0.0',
    '10.0.0.0/-1',
    '1.2.3.10-1.2.3.1',
    '1.2.3.1-10',
    '1.2.3.1-1.2.3.2-1.2.3.3',
    '1.2.3.0/24-1.2.3.10',
    '1.2.3.1,1.2.3.2',
    '1.2.3.1–1.2.3.2',
    'fe80::1%eth0-fe80::2',
    '2001:db8::1-1.2.3.4',
    'a-b-c',
    '',
    '/',
    '-',
  ])('%j is refused', (text) => {
    expect(read(text)).toBe('refused');
  });

  it('refuses a range from IPv4 to IPv6', () => {
    expect(read('1.2.3.4-2001:db8::1')).toBe('empty');
  });

  it.each([
    '0.0.0.0/0',
    '0.0.0.0 - 255.255.255.255',
    '::/0',
    '::ffff:0.0.0.0/96',
    '::ffff:1.2.3.0/90',
    '::/64',
    '::-::1:0:0:0',
    '224.0.0.0/4',
    '127.0.0.1-127.0.0.9',
  ])('%j is more than leasehold gives out', (text) => {
    expect(read(text)).toBe('unfit');
  });
});
