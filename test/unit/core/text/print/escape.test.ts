import { expect, test } from 'vitest';
import { csvText } from '../../../../../src/core/text/print/escape.ts';

test.each(['=1+1', '+1', '-1+1', '@sum(a1)'])('%s is text for a spreadsheet', (text) => {
  expect(csvText('one,two', [{ one: 'a', two: text }])).toBe(`one,two\na,'${text}\n`);
});

test('such a character stands for itself behind another one', () => {
  const row = { one: 'a=b', two: '2026-03-01', three: 'x@y' };
  expect(csvText('one,two,three', [row])).toBe('one,two,three\na=b,2026-03-01,x@y\n');
});

test('a list is one cell, and a field that a row lacks is empty', () => {
  expect(csvText('one,two', [{ one: ['a', 'b'] }, { two: 1, three: 2 }])).toBe(
    'one,two\na b,\n,1\n',
  );
});
