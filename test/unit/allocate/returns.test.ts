import { expect, test } from 'vitest';
import { chooseWays, type Way } from '../../../src/allocate/returns.ts';

const nobody = { ipv4: 0, ipv6: 0, dual: 0 };
const sixOfA: Way = { pool: 'a', uses: 'ipv6' };
const fourOfB: Way = { pool: 'b', uses: 'ipv4' };

function free(a: readonly [number, number], b: readonly [number, number]) {
  const counts = ([ipv4, ipv6]: readonly [number, number]) => ({ ipv4, ipv6 });
  return new Map([
    ['a', counts(a)],
    ['b', counts(b)],
  ]);
}

test('the first way is taken when nobody else needs it', () => {
  expect(chooseWays([[sixOfA, fourOfB]], nobody, free([0, 1], [1, 0]))).toEqual([sixOfA]);
});

test.each([
  ['an IPv6 address', { ...nobody, ipv6: 1 }, fourOfB],
  ['an IPv4 address', { ...nobody, ipv4: 1 }, sixOfA],
] as const)('the way is taken that leaves %s to somebody else', (_, need, way) => {
  expect(chooseWays([[sixOfA, fourOfB]], need, free([0, 1], [1, 0]))).toEqual([way]);
});

test('the way is taken that leaves both families of one pool to a dual want', () => {
  const dual = { ...nobody, dual: 1 };
  expect(chooseWays([[sixOfA, fourOfB]], dual, free([1, 1], [1, 0]))).toEqual([fourOfB]);
  expect(chooseWays([[fourOfB, sixOfA]], dual, free([0, 1], [1, 1]))).toEqual([sixOfA]);
});

test('an earlier choice gives way to a later one', () => {
  const both = [[sixOfA, fourOfB], [sixOfA]];
  expect(chooseWays(both, nobody, free([0, 1], [1, 0]))).toEqual([fourOfB, sixOfA]);
});

test('a want whose ways are all used up takes both families of one pool', () => {
  const two = [[sixOfA], [sixOfA]];
  expect(chooseWays(two, nobody, free([0, 1], [1, 1]))).toEqual([sixOfA, undefined]);
  expect(chooseWays(two, nobody, free([0, 1], [1, 0]))).toBeUndefined();
});

test('there is no choice when no way leaves the others enough', () => {
  const need = { ...nobody, ipv4: 1, ipv6: 1 };
  expect(chooseWays([[sixOfA, fourOfB]], need, free([0, 1], [1, 0]))).toBeUndefined();
});

test('hopeless states are remembered: 40 wants over two pools end soon, either way', () => {
  const many = Array.from({ length: 40 }, () => [sixOfA, fourOfB]);
  const left = free([90, 80], [80, 90]);
  expect(chooseWays(many, { ...nobody, dual: 120 }, left)).toHaveLength(40);
  expect(chooseWays(many, { ...nobody, dual: 121 }, left)).toBeUndefined();
});
