import { expect, test } from 'vitest';
import { isSince } from '../../../../src/core/model/planes.ts';

test.each([
  ['0.14.9', '0.14.9', true],
  ['0.14.10', '0.14.9', true],
  ['0.15.0', '0.14.9', true],
  ['1.0.0', '0.14.9', true],
  ['0.14.8', '0.14.9', false],
  ['0.13.10', '0.14.9', false],
  ['0.9.99', '0.15.0', false],
])('%s is %s or later: %s', (version, first, expected) => {
  expect(isSince(version, first)).toBe(expected);
});
