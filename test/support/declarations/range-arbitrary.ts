import fc from 'fast-check';
import { type Family, familyBits } from '../../../src/core/net/address.ts';
import type { AddressRange } from '../../../src/core/net/range.ts';

/** The addresses between two of one family: anywhere in the space, few and many, at its ends too, and all there are. */
export const anySpan: fc.Arbitrary<AddressRange> = fc
  .record({
    family: fc.constantFrom<Family[]>('ipv4', 'ipv6'),
    start: fc.oneof(
      { weight: 9, arbitrary: fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }) },
      { weight: 1, arbitrary: fc.constant(0n) },
    ),
    length: fc.oneof(
      fc.bigInt({ min: 0n, max: 300n }),
      fc.nat(128).map((shift) => (1n << BigInt(shift)) - 1n),
    ),
  })
  .map(({ family, start, length }) => {
    const last = (1n << BigInt(familyBits[family])) - 1n;
    const from = start & last;
    const to = from + length > last ? last : from + length;
    return { from: { family, value: from }, to: { family, value: to } };
  });
