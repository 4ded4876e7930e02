import { describe, expect, test } from 'vitest';
import type { Seat } from '../../../../src/allocate/matching/contention.ts';
import { admitted, seating } from '../../../../src/allocate/matching/zone.ts';
import type { Family } from '../../../../src/net/address.ts';

const seats = (uses: readonly Family[], ...pools: readonly string[]): readonly Seat[] =>
  pools.map((pool) => ({ pool, uses }));
const single = (...pools: readonly string[]) => seats(['ipv4'], ...pools);
const six = (...pools: readonly string[]) => seats(['ipv6'], ...pools);
const dual = (...pools: readonly string[]) => seats(['ipv4', 'ipv6'], ...pools);

function free(counts: Readonly<Record<string, readonly [number, number]>>) {
  return new Map(Object.entries(counts).map(([pool, [ipv4, ipv6]]) => [pool, { ipv4, ipv6 }]));
}

describe('seating', () => {
  test('gives each want its first choice while there is room', () => {
    const wants = [single('b', 'a'), single('a', 'b')];
    expect(seating(wants, [], free({ a: [2, 0], b: [2, 0] }))).toEqual(['b', 'a']);
  });

  test('gives another pool to whoever has one, for one that has none', () => {
    const wants = [single('a', 'b'), single('b', 'c'), single('a'), single('b')];
    const rooms = free({ a: [1, 0], b: [1, 0], c: [1, 0] });
    expect(seating(wants.slice(0, 3), [], rooms)).toEqual(['b', 'c', 'a']);
    expect(seating(wants, [], rooms)).toBeUndefined();
  });

  test('gives the first pool to the first that can have it', () => {
    const wants = [single('a', 'b'), single('a', 'b'), single('a')];
    expect(seating(wants, [], free({ a: [2, 0], b: [1, 0] }))).toEqual(['a', 'b', 'a']);
  });

  test('finds the pool of a dual want that leaves enough of both families to the others', () => {
    const wants = [dual('a', 'b'), six('a'), single('b', 'c')];
    const rooms = free({ a: [1, 1], b: [1, 1], c: [1, 0] });
    expect(seating(wants, [], rooms)).toEqual(['b', 'a', 'c']);
  });

  test('sends back whoever can return at no cost, wherever that is', () => {
    const wants = [[...dual('a'), ...seats([], 'b')], dual('a')];
    expect(seating(wants, [], free({ a: [1, 1], b: [0, 0] }))).toEqual(['b', 'a']);
  });

  test('has no plan for a want without a seat', () => {
    expect(seating([single('a'), []], [], free({ a: [2, 0] }))).toBeUndefined();
  });

  test('takes 4,000 wants at once', () => {
    const all = Array.from({ length: 4_000 }, (_, index) => single(index < 2_000 ? 'a' : 'b', 'c'));
    const plan = seating(all, [], free({ a: [1_000, 0], b: [2_000, 0], c: [1_000, 0] }));
    expect(plan?.filter((pool) => pool === 'c')).toHaveLength(1_000);
  });
});

describe('seating of a want that can return to several pools', () => {
  const torn = [...six('a'), ...single('b')];

  test('takes the first when nobody else needs it', () => {
    expect(seating([torn], [], free({ a: [0, 1], b: [1, 0] }))).toEqual(['a']);
  });

  test.each([
    ['an IPv6 address', six('a', 'b'), 'b'],
    ['an IPv4 address', single('a', 'b'), 'a'],
  ])('takes the one that leaves %s to somebody else', (_, other, pool) => {
    expect(seating([torn], [other], free({ a: [0, 1], b: [1, 0] }))).toEqual([pool]);
  });

  test('takes the one that leaves both families of one pool to a dual want', () => {
    const turned = [...torn].reverse();
    expect(seating([torn], [dual('a', 'b')], free({ a: [1, 1], b: [1, 0] }))).toEqual(['b']);
    expect(seating([turned], [dual('a', 'b')], free({ a: [0, 1], b: [1, 1] }))).toEqual(['a']);
  });

  test('takes both families of one pool when all others are used up', () => {
    const both = [...six('a'), ...dual('b')];
    expect(seating([both, both], [], free({ a: [0, 1], b: [1, 1] }))).toEqual(['a', 'b']);
    expect(seating([both, both], [], free({ a: [0, 1], b: [1, 0] }))).toBeUndefined();
  });

  test('has no plan when none leaves the others enough', () => {
    const others = [single('a', 'b'), six('a', 'b')];
    expect(seating([torn], others, free({ a: [0, 1], b: [1, 0] }))).toBeUndefined();
  });

  test('is exact for forty of them beside a hundred that want both families', () => {
    const many = Array.from({ length: 40 }, () => torn);
    const others = Array.from({ length: 121 }, () => dual('a', 'b'));
    const left = free({ a: [90, 80], b: [80, 90] });
    expect(seating(many, others.slice(1), left)).toHaveLength(40);
    expect(seating(many, others, left)).toBeUndefined();
  });
});

describe('who is met', () => {
  const places = (wants: readonly (readonly Seat[])[], rooms: ReturnType<typeof free>) => [
    ...admitted(wants, rooms),
  ];

  test('is everybody when all can be, whatever the first ones would like', () => {
    const wants = [single('a', 'b'), single('a')];
    expect(places(wants, free({ a: [1, 0], b: [1, 0] }))).toEqual([0, 1]);
  });

  test('is who comes first, and after one that is not met whoever still can be', () => {
    const wants = [single('a', 'b'), single('a'), single('a'), six('a'), single('a'), single('b')];
    expect(places(wants, free({ a: [1, 1], b: [2, 0] }))).toEqual([0, 1, 3, 5]);
  });

  test('is nobody without a seat', () => {
    expect(places([[], single('a')], free({ a: [1, 0] }))).toEqual([1]);
  });
});
