import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Candidates } from '../../../../src/core/allocate/candidates.ts';
import { type Family, formatAddress } from '../../../../src/core/net/address.ts';
import { rangeSetOf } from '../../../../src/core/net/range-set.ts';
import { anAddress, aRange } from '../../../support/declarations/pools-and-claims.ts';

function candidates(texts: readonly string[], words: { family?: Family; avoid?: boolean } = {}) {
  return new Candidates(
    rangeSetOf(texts.map(aRange)),
    words.family ?? 'ipv4',
    words.avoid ?? false,
  );
}

/** What a naive list says may be given: 10.0.n.250 and on, over the border of two /24. */
function listOf(sizes: readonly number[], avoid: boolean): string[] {
  const all = sizes.flatMap((size, net) =>
    Array.from({ length: size }, (_, at) =>
      at < 6 ? `10.0.${2 * net}.${250 + at}` : `10.0.${2 * net + 1}.${at - 6}`,
    ),
  );
  return avoid ? all.filter((text) => !/\.(0|255)$/.test(text)) : all;
}

test('lowest returns free addresses in order, over all ranges', () => {
  const some = candidates(['10.0.0.6/31', '10.0.0.1-10.0.0.3', '10.0.0.9', '::/120']);
  some.take(anAddress('10.0.0.2'));
  expect(some.size).toBe(6n);
  const texts = Array.from({ length: 5 }, () => {
    const address = some.lowest();
    some.take(address);
    return formatAddress(address);
  });
  expect(texts).toEqual(['10.0.0.1', '10.0.0.3', '10.0.0.6', '10.0.0.7', '10.0.0.9']);
});

test('every address is returned once by either strategy, until none is left', {
  tags: 'slow',
}, () => {
  const words = fc.record({
    sizes: fc.array(fc.integer({ min: 1, max: 15 }), { minLength: 1, maxLength: 4 }),
    avoid: fc.boolean(),
    taken: fc.array(fc.nat(40)),
    seeds: fc.array(fc.nat(9), { minLength: 60, maxLength: 60 }),
  });
  fc.assert(
    fc.property(words, ({ sizes, avoid, taken, seeds }) => {
      const left = listOf(sizes, avoid);
      const from = candidates(listOf(sizes, false), { avoid });
      expect(from.size).toBe(BigInt(left.length));
      const takeAway = (text: string) => {
        from.take(anAddress(text));
        left.splice(left.indexOf(text), 1);
      };
      for (const text of left.filter((_, index) => taken.includes(index))) takeAway(text);
      for (const seed of seeds.slice(0, left.length)) {
        const isLowest = seed < 5;
        const text = formatAddress(isLowest ? from.lowest() : from.spread(`${seed}`));
        expect(isLowest ? left.slice(0, 1) : left).toContain(text);
        takeAway(text);
      }
    }),
    { seed: 1, numRuns: 300 },
  );
});

describe('has', () => {
  test('is true for addresses of the family in the ranges, except avoided buggy ones', () => {
    const some = candidates(['10.0.0.254-10.0.1.1', 'fd00::ff-fd00::100'], { avoid: true });
    const has = ['10.0.0.253', '10.0.0.254', '10.0.0.255', '10.0.1.0', '10.0.1.1', 'fd00::ff'].map(
      (text) => some.has(anAddress(text)),
    );
    expect(has).toEqual([false, true, false, false, true, false]);
    expect(some.size).toBe(2n);
  });

  test('does not treat IPv6 addresses as buggy', () => {
    const six = candidates(['fd00::fe-fd00::100'], { family: 'ipv6', avoid: true });
    expect(six.size).toBe(3n);
    expect(six.has(anAddress('fd00::ff'))).toBe(true);
  });
});

describe('pools too large to list', () => {
  const large = [
    ['a /12', ['10.16.0.0/12'], {}, 1n << 20n],
    ['a /8 without .0 and .255', ['10.0.0.0/8'], { avoid: true }, 254n << 16n],
    ['a /64', ['2001:db8::/64'], { family: 'ipv6' }, 1n << 64n],
    ['a /1', ['8000::/1'], { family: 'ipv6' }, 1n << 127n],
  ] as const;

  test.each(large)('%s gives 5,000 addresses by either strategy', (_, texts, words, size) => {
    const spread = candidates(texts, words);
    const lowest = candidates(texts, words);
    const given = new Set<string>();
    for (let round = 0; round < 5_000; round += 1) {
      const address = spread.spread(`holder ${round}`);
      spread.take(address);
      given.add(formatAddress(address));
      lowest.take(lowest.lowest());
    }
    expect(given.size).toBe(5_000);
    expect(spread.size).toBe(size);
    expect([...given].filter((text) => !spread.has(anAddress(text)))).toEqual([]);
  });

  test('a /19 gives its last free address', () => {
    const from = candidates(['10.0.0.0/19']);
    const given = new Set<string>();
    for (let round = 0; round < 1 << 13; round += 1) {
      const address = from.spread('the same holder');
      from.take(address);
      given.add(formatAddress(address));
    }
    expect(given.size).toBe(1 << 13);
  });
});

describe('spread', () => {
  const names = Array.from({ length: 400 }, (_, index) => `default/akash/owner${index}-ip-web`);

  test('two holders start at the same address about as rarely as by chance', () => {
    const empty = candidates(['10.0.0.0/24']);
    const first = names.map((name) => formatAddress(empty.spread(name)));
    const pairs = first.flatMap((one, index) =>
      first.slice(index + 1).map((other) => one === other),
    );
    const share = pairs.filter((same) => same).length / pairs.length;
    expect(share).toBeGreaterThan(0.5 / 256);
    expect(share).toBeLessThan(2 / 256);
  });

  test('also in a pool that is nearly full', () => {
    const full = candidates(['10.0.0.0/24']);
    for (let last = 0; last < 192; last += 1) full.take(anAddress(`10.0.0.${last}`));
    const first = names.map((name) => formatAddress(full.spread(name)));
    const pairs = first.flatMap((one, index) =>
      first.slice(index + 1).map((other) => one === other),
    );
    const share = pairs.filter((same) => same).length / pairs.length;
    expect(new Set(first).size).toBeGreaterThan(55);
    expect(share).toBeLessThan(2 / 64);
  });

  test('starts at the first 16 bytes of SHA-256 of the name, modulo the pool size', () => {
    const one = candidates(['10.0.0.0/8']);
    expect(formatAddress(one.spread('default/akash/alice'))).toBe('10.149.213.113');
    expect(one.spread('default/akash/alice')).toEqual(
      candidates(['10.0.0.0/8']).spread('default/akash/alice'),
    );
  });
});
