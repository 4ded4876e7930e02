import { expect, test } from 'vitest';
import { cautionsFor } from '../../../../../src/core/run/plan/caution-text.ts';

const told = (count: number) =>
  cautionsFor(
    Array.from({ length: count }, (_, index) => index + 1),
    {
      one: (item) => ({ code: 'LEASE_CUT', message: `${item}` }),
      many: (shown, all) => ({ code: 'LEASE_CUT', message: `${all}: ${shown.join(' ')}` }),
    },
  ).map(({ message }) => message);

test('five cautions of a kind stand for themselves, and more of them are one', () => {
  expect(told(0)).toEqual([]);
  expect(told(5)).toEqual(['1', '2', '3', '4', '5']);
  expect(told(6)).toEqual(['6: 1 2 3']);
});
