import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasTestNamed, parityRowsOf } from '../support/docs/parity-table.ts';

/*
 * Pages that compare leasehold with something else say in a last column, `held by`, which tests hold it. A row without
 * a test, and a test that is renamed or gone, are found here.
 */
const repository = resolve(import.meta.dirname, '../..');
const rows = readdirSync(join(repository, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) => {
    const page = readFileSync(join(repository, 'docs', name), 'utf8');
    return parityRowsOf(page).map((row) => ({ ...row, name }));
  });
const differences = rows.filter(({ name }) => name === 'differences.md');

describe('tables that say which tests hold them', () => {
  test('stand on the pages that compare', () => {
    const pages = new Set(rows.map(({ name }) => name));
    expect([...pages].sort()).toEqual(['differences.md', 'vitistack.md']);
  });

  test.each(rows.map((row) => [row.name, row.rule.slice(0, 70), row] as const))(
    'of %s name a test for: %s',
    (_, __, { tests }) => {
      expect(tests.length).toBeGreaterThan(0);
      expect(tests.filter((one) => !hasTestNamed(repository, one))).toEqual([]);
    },
  );
});

describe('the table of differences', () => {
  test('is of every system whose documents are compared', () => {
    expect([...new Set(differences.map(({ heading }) => heading))]).toEqual([
      'Akash: the page of the IP operator',
      'Akash: the guides to IP leases',
      'MetalLB',
      'vitistack',
      'Argo CD and Flux',
      'Kubespray',
    ]);
  });

  test.each(differences.map((row) => [row.rule.slice(0, 70), row] as const))(
    'says all of it, and where it was read or seen: %s',
    (_, { cells }) => {
      expect(cells).toHaveLength(3);
      expect(cells.filter((cell) => cell === '')).toEqual([]);
      expect(cells[1]).toMatch(/\((`[\w./-]+`|\[support#|seen with)|as above\)|`[\w./-]+\.go`/);
    },
  );
});

describe('a reference to a test', () => {
  const file = 'test/golden/held-by.test.ts';
  const bad = 'test/golden/bad/services.yaml';

  test.each([
    [file, 'stand on the pages that compare', true],
    [file, 'stand on the pages that comp', false],
    [file, 'as const', false],
    [file, 'test/golden/bad/services.yaml', false],
    [bad, 'More than thirty', true],
    [bad, 'More than', false],
    [bad, 'web', false],
    ['test/golden/none.test.ts', 'stand on the pages that compare', false],
  ])('to %s, %s is found: %s', (path, title, isFound) => {
    expect(hasTestNamed(repository, { path, title })).toBe(isFound);
  });

  test('is read from the last cell of a row, several too', () => {
    const text = `## One\n\n| a | b | held by |\n| --- | --- | --- |\n| x \\| y | z | [f](../test/f.test.ts) *t u*; *v*; [g](../test/g.yaml) *w* |\n| n | o | p |\n\n| a | b |\n| --- | --- |\n| q | r |\n`;
    expect(parityRowsOf(text)).toEqual([
      {
        heading: 'One',
        rule: 'x | y',
        cells: ['x | y', 'z'],
        tests: [
          { path: 'test/f.test.ts', title: 't u' },
          { path: 'test/f.test.ts', title: 'v' },
          { path: 'test/g.yaml', title: 'w' },
        ],
      },
      { heading: 'One', rule: 'n', cells: ['n', 'o'], tests: [] },
    ]);
  });
});
