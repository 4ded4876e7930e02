import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { evidenceIn, hasTestNamed, tableRowsOf } from '../support/docs/evidence.ts';

/*
 * Pages that compare leasehold with other systems have their evidence in test/golden/held-by: the tests that hold each
 * row. A row without a test, and a test that is renamed or gone, are found here.
 */
const repository = resolve(import.meta.dirname, '../..');

function comparison(name: string) {
  const read = (path: string) => readFileSync(join(repository, path), 'utf8');
  const evidence = evidenceIn(read(`test/golden/held-by/${name}.yaml`));
  const headings = new Set(evidence.map(({ heading }) => heading));
  const rows = tableRowsOf(read(`docs/${name}.md`)).filter(({ heading }) => headings.has(heading));
  return { evidence, rows };
}

describe.each(['differences', 'vitistack'])('the rows of docs/%s.md', (name) => {
  const { evidence, rows } = comparison(name);

  test('are those of its evidence, in order', () => {
    const shown = evidence.filter(({ isListed }) => isListed);
    expect(rows.map(({ heading, cells }) => [heading, cells[0]])).toEqual(
      shown.map(({ heading, rule }) => [heading, rule]),
    );
  });

  test('have no empty cell', () => {
    expect(rows.filter(({ cells }) => cells.includes(''))).toEqual([]);
  });

  test.each(evidence.map((one) => [one.rule.slice(0, 70), one] as const))(
    'name tests that exist: %s',
    (_, { tests }) => {
      expect(tests.length).toBeGreaterThan(0);
      expect(tests.filter((one) => !hasTestNamed(repository, one))).toEqual([]);
    },
  );
});

test('docs/differences.md compares every system, and each row was read or seen', () => {
  const { evidence } = comparison('differences');
  expect([...new Set(evidence.map(({ heading }) => heading))]).toEqual([
    'Akash: the page of the IP operator',
    'Akash: the guides to IP leases',
    'Akash: the inventory operator',
    'MetalLB',
    'vitistack',
    'Argo CD and Flux',
    'Cilium',
    'Kubespray',
  ]);
  expect(evidence.filter(({ read }) => read.length === 0)).toEqual([]);
});

describe('a reference to a test', () => {
  const file = 'test/golden/held-by.test.ts';
  const bad = 'test/golden/bad/services.yaml';

  test.each([
    [file, 'are those of its evidence, in order', true],
    [file, 'are those of its evidence', false],
    [file, 'as const', false],
    [file, 'test/golden/bad/services.yaml', false],
    [bad, 'More than thirty', true],
    [bad, 'More than', false],
    [bad, 'web', false],
    ['test/golden/none.test.ts', 'are those of its evidence, in order', false],
  ])('to %s, %s is found: %s', (path, title, isFound) => {
    expect(hasTestNamed(repository, { path, title })).toBe(isFound);
  });
});
