import { expect, test } from 'vitest';
import { movedClaims } from '../../../../src/features/plan/serving-cautions.ts';
import type { Claim } from '../../../../src/model/claim.ts';
import { aTable, claimWith, type RecordWords } from '../../../support/allocations/tables.ts';
import { aDeclared } from '../../../support/plans/plan-builders.ts';

type Records = readonly (readonly [string, RecordWords?])[];

function told(before: readonly [Claim[], Records], after: readonly [Claim[], Records]) {
  const side = ([claims, records]: readonly [Claim[], Records]) =>
    aDeclared({ claims, table: aTable(...records) });
  return movedClaims(side(before), side(after)).map(
    ({ after: { service }, from, to }) => `${service} ${from} ${to}`,
  );
}

const both: Records = [['10.0.0.1'], ['2001:db8::1']];
const web = claimWith({ service: 'web' });
const six = claimWith({ service: 'six', port: 81, ipFamily: 'dual' });

test.each<[string, Records, readonly string[]]>([
  ['stays', both, []],
  [
    'goes with its holder, of either family',
    [['10.0.0.2'], ['2001:db8::2']],
    ['web 10.0.0.1 10.0.0.2', 'six 10.0.0.1 10.0.0.2', 'six 2001:db8::1 2001:db8::2'],
  ],
  [
    'stays, where only the address of a family goes that it does not want',
    [['10.0.0.1'], ['2001:db8::2']],
    ['six 2001:db8::1 2001:db8::2'],
  ],
  ['has no address any more', [], []],
  ['has one that it gave back', [['10.0.0.2', { released: ['2026-01-02', '2026-02-01'] }]], []],
])('a claim that %s', (_, records, moves) => {
  expect(told([[web, six], both], [[web, six], records])).toEqual(moves);
});

test('a claim that comes or goes has not moved', () => {
  expect(told([[], both], [[web], [['10.0.0.2']]])).toEqual([]);
  expect(told([[web], both], [[], [['10.0.0.2']]])).toEqual([]);
});
