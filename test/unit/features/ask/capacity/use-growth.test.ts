import { describe, expect, test } from 'vitest';
import { decimalOf, growthPerDay } from '../../../../../src/features/ask/capacity/use-growth.ts';

describe('growth a day', () => {
  test.each([
    [[], '0.000'],
    [[5], '0.000'],
    [[5, 5, 5], '0.000'],
    [[0, 1, 2, 3], '1.000'],
    [[3, 2, 1, 0], '-1.000'],
    [[0, 0, 1], '0.500'],
    // Numpy's polyfit([0..5], [0, 4, 3, 9, 7, 20], 1) says 3.2857….
    [[0, 4, 3, 9, 7, 20], '3.286'],
  ])('of %j is the slope of the line of least squares', (counts, growth) => {
    expect(decimalOf(growthPerDay(counts), 3)).toBe(growth);
  });

  test.each([
    [1n, 8n, '0.13'],
    [-1n, 8n, '-0.13'],
    [1n, 3n, '0.33'],
    [-1n, 1000n, '0.00'],
    [1999n, 1000n, '2.00'],
    [12345n, 1n, '12345.00'],
  ])('%i over %i is written %s', (over, under, text) => {
    expect(decimalOf({ over, under }, 2)).toBe(text);
  });
});
