import { expect, test } from 'vitest';
import { csvLine } from '../../../../../src/core/text/print/escape.ts';

test.each(['=1+1', '+1', '-1+1', '@sum(a1)'])('%s is text for a spreadsheet', (text) => {
  expect(csvLine(['a', text])).toBe(`a,'${text}`);
});

test('such a character stands for itself behind another one', () => {
  expect(csvLine(['a=b', '2026-03-01', 'x@y'])).toBe('a=b,2026-03-01,x@y');
});
