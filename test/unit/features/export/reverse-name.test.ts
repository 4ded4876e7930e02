import { expect, test } from 'vitest';
import { reverseName } from '../../../../src/features/export/reverse-name.ts';
import { anAddress } from '../../../support/declarations/pools-and-claims.ts';

test.each([
  ['203.0.113.7', '7.113.0.203.in-addr.arpa'],
  ['0.0.0.10', '10.0.0.0.in-addr.arpa'],
  [
    '2001:db8::567:89ab',
    'b.a.9.8.7.6.5.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa',
  ],
])('the name of %s is %s', (address, name) => {
  expect(reverseName(anAddress(address))).toBe(name);
});
