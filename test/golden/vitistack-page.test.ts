import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { annotationKeysRead } from '../../src/declarations/service/service-metadata.ts';
import { type ParityRow, parityRowsOf } from '../support/docs/parity-table.ts';

/*
 * docs/vitistack.md says of every rule of vitistack's operator and API what leasehold does. A rule that is left out, and
 * an annotation that the page does not know, are found here; tests that it names and are gone, in held-by.test.ts.
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
    expect(codesBelow('Annotations').sort()).toEqual([...annotationKeysRead].sort());
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
});
