import { expect, test } from 'vitest';
import { compareText, sortedKeys } from '../../../../src/core/model/order.ts';

test('texts are ordered by code unit, whatever a locale says', () => {
  const texts = ['b', 'a', 'B', 'ä', 'a-', 'a1', 'aa', '10', '9', '', 'é', 'e\u0301', 'z'];
  const sorted = ['', '10', '9', 'B', 'a', 'a-', 'a1', 'aa', 'b', 'e\u0301', 'z', 'ä', 'é'];
  expect([...texts].sort(compareText)).toEqual(sorted);
  expect(compareText('a', 'a')).toBe(0);
});

test('sortedKeys gives every key once, in that order', () => {
  expect(
    sortedKeys(
      new Map([
        ['b', 1],
        ['a', 2],
        ['C', 3],
      ]),
    ),
  ).toEqual(['C', 'a', 'b']);
});
