import { expect, test } from 'vitest';
import { fillLevelOf } from '../../../../src/core/model/pools.ts';

test.each([
  [0, undefined, 'ample'],
  [79, undefined, 'ample'],
  [80, undefined, 'filling'],
  [89, undefined, 'filling'],
  [90, undefined, 'nearly full'],
  [99, undefined, 'nearly full'],
  [100, undefined, 'full'],
  [100, 400, 'full'],
  [10, 60, 'ample'],
  [10, 59, 'filling'],
  [10, 14, 'filling'],
  [10, 13, 'nearly full'],
  [85, 13, 'nearly full'],
  [95, 400, 'nearly full'],
])('%i per cent in use, %s days left: %s', (percent, daysLeft, level) => {
  expect(fillLevelOf(percent, daysLeft)).toBe(level);
});
