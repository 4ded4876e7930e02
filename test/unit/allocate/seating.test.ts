import { describe, expect, test } from 'vitest';
import { type Seat, seating } from '../../../src/allocate/seating.ts';
import type { Family } from '../../../src/net/address.ts';

const seats = (uses: readonly Family[], ...pools: readonly string[]): readonly Seat[] =>
  pools.map((pool) => ({ pool, uses }));
const single = (...pools: readonly string[]) => seats(['ipv4'], ...pools);
const dual = (...pools: readonly string[]) => seats(['ipv4', 'ipv6'], ...pools);

function free(counts: Readonly<Record<string, readonly [number, number]>>) {
  return new Map(Object.entries(counts).map(([pool, [ipv4, ipv6]]) => [pool, { ipv4, ipv6 }]));
}

describe('seating', () => {
  test('gives each want its first choice while there is room', () => {
    const wants = [single('b', 'a'), single('a', 'b')];
    expect(seating(wants, free({ a: [2, 0], b: [2, 0] }))).toEqual(['b', 'a']);
  });

  test('moves whoever has another choice for one that has none', () => {
    const wants = [single('a', 'b'), single('b', 'c'), single('a'), single('b')];
    const rooms = free({ a: [1, 0], b: [1, 0], c: [1, 0] });
    expect(seating(wants.slice(0, 3), rooms)).toEqual(['b', 'c', 'a']);
    expect(seating(wants, rooms)).toBeUndefined();
  });

  test('finds the pool of a dual want that leaves enough of both families to the others', () => {
    const wants = [dual('a', 'b'), seats(['ipv6'], 'a'), single('b', 'c')];
    const rooms = free({ a: [1, 1], b: [1, 1], c: [1, 0] });
    expect(seating(wants, rooms)).toEqual(['b', 'a', 'c']);
  });

  test('sends back whoever can return at no cost, wherever that is', () => {
    const wants = [[...dual('a'), ...seats([], 'b')], dual('a')];
    expect(seating(wants, free({ a: [1, 1], b: [0, 0] }))).toEqual(['b', 'a']);
  });

  test('has no plan for a want without a seat', () => {
    expect(seating([single('a'), []], free({ a: [2, 0] }))).toBeUndefined();
  });

  test('takes 4,000 wants at once', () => {
    const all = Array.from({ length: 4_000 }, (_, index) => single(index < 2_000 ? 'a' : 'b', 'c'));
    const plan = seating(all, free({ a: [1_000, 0], b: [2_000, 0], c: [1_000, 0] }));
    expect(plan?.filter((pool) => pool === 'c')).toHaveLength(1_000);
  });
});
