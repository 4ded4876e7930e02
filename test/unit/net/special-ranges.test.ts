import { describe, expect, test } from 'vitest';
import { nobodys } from '../../../src/net/special-ranges.ts';
import { aRange } from '../../support/builders.ts';

describe('a range with addresses that are nobody has', () => {
  test.each([
    ['0.0.0.0/8', '0.0.0.0/8'],
    ['0.255.255.255', '0.0.0.0/8'],
    ['127.0.0.1', '127.0.0.0/8'],
    ['126.0.0.0-128.0.0.0', '127.0.0.0/8'],
    ['224.0.0.0/4', '224.0.0.0/4'],
    ['223.255.255.255-224.0.0.0', '224.0.0.0/4'],
    ['239.255.255.255', '224.0.0.0/4'],
    ['240.0.0.0', '240.0.0.0/4'],
    ['255.255.255.255', '240.0.0.0/4'],
    ['::', '::/128'],
    ['::1', '::1/128'],
    ['::1-::5', '::1/128'],
    ['ff02::1', 'ff00::/8'],
    ['fe00::/7', 'ff00::/8'],
  ])('%s, of %s', (text, block) => {
    expect(nobodys(aRange(text))).toContain(` has addresses of ${block}, `);
  });

  test.each([
    '1.0.0.0/8',
    '126.0.0.0/8',
    '128.0.0.0/8',
    '223.255.255.0/24',
    '100.64.0.0/10',
    '169.254.0.0/16',
    '::2',
    '64:ff9b::/96',
    'fd00::/8',
    'fe80::/10',
    'fec0::/10',
  ])('not %s', (text) => {
    expect(nobodys(aRange(text))).toBeUndefined();
  });
});
