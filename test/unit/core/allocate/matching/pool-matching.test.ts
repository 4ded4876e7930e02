import { describe, expect, test } from 'vitest';
import type { PoolOption } from '../../../../../src/core/allocate/matching/contention.ts';
import { admitted, matchPools } from '../../../../../src/core/allocate/matching/pool-matching.ts';
import type { Family } from '../../../../../src/core/net/address.ts';

const options = (uses: readonly Family[], ...pools: readonly string[]): readonly PoolOption[] =>
  pools.map((pool) => ({ pool, uses }));
const single = (...pools: readonly string[]) => options(['ipv4'], ...pools);
const six = (...pools: readonly string[]) => options(['ipv6'], ...pools);
const dual = (...pools: readonly string[]) => options(['ipv4', 'ipv6'], ...pools);

function free(counts: Readonly<Record<string, readonly [number, number]>>) {
  return new Map(Object.entries(counts).map(([pool, [ipv4, ipv6]]) => [pool, { ipv4, ipv6 }]));
}

describe('matchPools', () => {
  test('gives each holder its first option while addresses are free', () => {
    const holders = [single('b', 'a'), single('a', 'b')];
    expect(matchPools(holders, [], free({ a: [2, 0], b: [2, 0] }))).toEqual(['b', 'a']);
  });

  test('gives a holder a later option if another holder has no other one', () => {
    const holders = [single('a', 'b'), single('b', 'c'), single('a'), single('b')];
    const counts = free({ a: [1, 0], b: [1, 0], c: [1, 0] });
    expect(matchPools(holders.slice(0, 3), [], counts)).toEqual(['b', 'c', 'a']);
    expect(matchPools(holders, [], counts)).toBeUndefined();
  });

  test('gives a pool to the first holder that can have it', () => {
    const holders = [single('a', 'b'), single('a', 'b'), single('a')];
    expect(matchPools(holders, [], free({ a: [2, 0], b: [1, 0] }))).toEqual(['a', 'b', 'a']);
  });

  test('finds the pool for a dual-stack holder that leaves enough of both families', () => {
    const holders = [dual('a', 'b'), six('a'), single('b', 'c')];
    const counts = free({ a: [1, 1], b: [1, 1], c: [1, 0] });
    expect(matchPools(holders, [], counts)).toEqual(['b', 'a', 'c']);
  });

  test('lets a holder return to a retained address in any pool', () => {
    const holders = [[...dual('a'), ...options([], 'b')], dual('a')];
    expect(matchPools(holders, [], free({ a: [1, 1], b: [0, 0] }))).toEqual(['b', 'a']);
  });

  test('is undefined for a holder without an option', () => {
    expect(matchPools([single('a'), []], [], free({ a: [2, 0] }))).toBeUndefined();
  });

  test('matches 4,000 holders', () => {
    const all = Array.from({ length: 4_000 }, (_, index) => single(index < 2_000 ? 'a' : 'b', 'c'));
    const plan = matchPools(all, [], free({ a: [1_000, 0], b: [2_000, 0], c: [1_000, 0] }));
    expect(plan?.filter((pool) => pool === 'c')).toHaveLength(1_000);
  });
});

describe('matchPools with a holder that can return to several pools', () => {
  const torn = [...six('a'), ...single('b')];

  test('takes the first one if no other holder needs it', () => {
    expect(matchPools([torn], [], free({ a: [0, 1], b: [1, 0] }))).toEqual(['a']);
  });

  test.each([
    ['an IPv6 address', six('a', 'b'), 'b'],
    ['an IPv4 address', single('a', 'b'), 'a'],
  ])('takes the one that leaves %s to another holder', (_, other, pool) => {
    expect(matchPools([torn], [other], free({ a: [0, 1], b: [1, 0] }))).toEqual([pool]);
  });

  test('takes the one that leaves both families of one pool to a dual-stack holder', () => {
    const turned = [...torn].reverse();
    expect(matchPools([torn], [dual('a', 'b')], free({ a: [1, 1], b: [1, 0] }))).toEqual(['b']);
    expect(matchPools([turned], [dual('a', 'b')], free({ a: [0, 1], b: [1, 1] }))).toEqual(['a']);
  });

  test('takes both families of one pool if there are no other addresses', () => {
    const both = [...six('a'), ...dual('b')];
    expect(matchPools([both, both], [], free({ a: [0, 1], b: [1, 1] }))).toEqual(['a', 'b']);
    expect(matchPools([both, both], [], free({ a: [0, 1], b: [1, 0] }))).toBeUndefined();
  });

  test('is undefined if no choice leaves enough to the others', () => {
    const others = [single('a', 'b'), six('a', 'b')];
    expect(matchPools([torn], others, free({ a: [0, 1], b: [1, 0] }))).toBeUndefined();
  });

  test('is exact for forty of them beside a hundred dual-stack holders', () => {
    const many = Array.from({ length: 40 }, () => torn);
    const others = Array.from({ length: 121 }, () => dual('a', 'b'));
    const left = free({ a: [90, 80], b: [80, 90] });
    expect(matchPools(many, others.slice(1), left)).toHaveLength(40);
    expect(matchPools(many, others, left)).toBeUndefined();
  });
});

describe('admitted', () => {
  const places = (holders: readonly (readonly PoolOption[])[], counts: ReturnType<typeof free>) => [
    ...admitted(holders, counts),
  ];

  test('has all holders if all can be met, whatever the first ones prefer', () => {
    const holders = [single('a', 'b'), single('a')];
    expect(places(holders, free({ a: [1, 0], b: [1, 0] }))).toEqual([0, 1]);
  });

  test('has the first holders, and after one that cannot be met those that still can', () => {
    const holders = [
      single('a', 'b'),
      single('a'),
      single('a'),
      six('a'),
      single('a'),
      single('b'),
    ];
    expect(places(holders, free({ a: [1, 1], b: [2, 0] }))).toEqual([0, 1, 3, 5]);
  });

  test('leaves out a holder without an option', () => {
    expect(places([[], single('a')], free({ a: [1, 0] }))).toEqual([1]);
  });
});
