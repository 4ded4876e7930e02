import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readKeys } from '../../src/codec/service-keys.ts';
import { hasTestNamed, type ParityRow, parityRowsOf } from '../support/parity-table.ts';

/*
 * docs/vitistack.md says of every rule of vitistack's operator and API what leasehold does, and which test holds it. A
 * test that is renamed or gone, and an annotation that the page does not know, are found here.
 */
const repository = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(repository, 'docs/vitistack.md'), 'utf8');
const rows = parityRowsOf(page);

/** The texts in backticks of the first cells below a heading. */
function codesBelow(heading: string): string[] {
  return rowsBelow(heading).flatMap(({ rule }) =>
    [...rule.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ''),
  );
}

function rowsBelow(heading: string): readonly ParityRow[] {
  return rows.filter((row) => row.heading === heading);
}

describe('the table of vitistack’s rules', () => {
  test('names every annotation that a Service is read by, and no other', () => {
    expect(codesBelow('Annotations').sort()).toEqual([...readKeys].sort());
  });

  test('has a row for each of the faults W1 to W14', () => {
    const numbers = rowsBelow('Faults').map(({ rule }) => /^W\d+/.exec(rule)?.[0]);
    expect(numbers).toEqual(Array.from({ length: 14 }, (_, index) => `W${index + 1}`));
  });

  test('is as long as the reference', () => {
    expect(rowsBelow('Refusals').length).toBeGreaterThanOrEqual(19);
    expect(rowsBelow('Changes').length).toBeGreaterThanOrEqual(10);
    expect(rowsBelow('Addresses, retention, sharing, secrets').length).toBeGreaterThanOrEqual(25);
  });

  test.each(rows.map((row) => [row.rule.slice(0, 70), row] as const))(
    'names a test for: %s',
    (_, { tests }) => {
      expect(tests.length).toBeGreaterThan(0);
      expect(tests.filter((one) => !hasTestNamed(repository, one))).toEqual([]);
    },
  );
});

describe('a reference to a test', () => {
  const file = 'test/golden/vitistack-page.test.ts';
  const bad = 'test/golden/bad/services.yaml';

  test.each([
    [file, 'is as long as the reference', true],
    [file, 'is as long as the refer', false],
    [file, 'as const', false],
    [file, 'test/golden/bad/services.yaml', false],
    [bad, 'More than thirty', true],
    [bad, 'More than', false],
    [bad, 'web', false],
    ['test/golden/none.test.ts', 'is as long as the reference', false],
  ])('to %s, %s is found: %s', (path, title, isFound) => {
    expect(hasTestNamed(repository, { path, title })).toBe(isFound);
  });

  test('is read from the last cell of a row, several too', () => {
    const text = `## One\n\n| a | b | held by |\n| --- | --- | --- |\n| x \\| y | z | [f](../test/f.test.ts) *t u*; *v*; [g](../test/g.yaml) *w* |\n| n | o | p |\n\n| a | b |\n| --- | --- |\n| q | r |\n`;
    expect(parityRowsOf(text)).toEqual([
      {
        heading: 'One',
        rule: 'x | y',
        tests: [
          { path: 'test/f.test.ts', title: 't u' },
          { path: 'test/f.test.ts', title: 'v' },
          { path: 'test/g.yaml', title: 'w' },
        ],
      },
      { heading: 'One', rule: 'n', tests: [] },
    ]);
  });
});
