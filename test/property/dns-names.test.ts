// @module-tag counted

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareDnsNames, dnsNameFault } from '../../src/core/net/dns-name.ts';
import { runs } from '../support/run/scope.ts';

// Random letters after xn-- are no punycode.
const label = fc
  .stringMatching(/^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/)
  .filter((text) => !text.startsWith('xn--'));
const anyName = fc
  .tuple(fc.constantFrom('', '*.'), fc.array(label, { minLength: 1, maxLength: 3 }))
  .map(([wildcard, labels]) => `${wildcard}${labels.join('.')}.example`);

describe('the canonical form of a DNS name', () => {
  it('is accepted, and is the hint for each other form', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        expect(dnsNameFault(name)).toBeUndefined();
        expect(dnsNameFault(`${name}.`)?.canonical).toBe(name);
        expect(dnsNameFault(`${name.slice(0, -1)}E`)?.canonical).toBe(name);
      }),
      { seed: 901, numRuns: runs(300) },
    );
  });

  it('is accepted when it is a hint, for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'grapheme' })), (text) => {
        for (const name of [text, `${text}.example`]) {
          const { canonical } = dnsNameFault(name) ?? {};
          if (canonical !== undefined) expect(dnsNameFault(canonical)).toBeUndefined();
        }
      }),
      { seed: 902, numRuns: runs(1000) },
    );
  });
});

describe('the order of DNS names', () => {
  it('does not depend on their order before', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyName, { maxLength: 8 }), (names) => {
        const sorted = names.toSorted(compareDnsNames);
        expect(names.toReversed().sort(compareDnsNames)).toEqual(sorted);
      }),
      { seed: 903, numRuns: runs(200) },
    );
  });
});
