import { describe, expect, test } from 'vitest';
import type { Claim } from '../../../../../src/core/model/claim.ts';
import {
  movedClaims,
  publicPortCautions,
} from '../../../../../src/core/run/plan/serving-cautions.ts';
import {
  aTable,
  claimWith,
  poolsWith,
  poolWith,
  type RecordWords,
} from '../../../../support/allocations/tables.ts';
import { aRange } from '../../../../support/declarations/pools-and-claims.ts';
import { aDeclared } from '../../../../support/plans/plan-builders.ts';

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

describe('a port behind a public address', () => {
  const names = ['ann', 'ben', 'cem'] as const;

  /** The first owners have 80/TCP, from 10.0.0.1 on. */
  function side(count: number, { outside = '198.51.100.1', port = 80 } = {}) {
    const pool = poolWith({ addresses: ['10.0.0.0/28'] });
    const nat = [{ inside: aRange('10.0.0.0/28'), outside: aRange(outside) }];
    const own = names.slice(0, count);
    return aDeclared({
      pools: poolsWith({ ...pool, nat }),
      claims: own.map((name, index) => claimWith({ name, port: index === 0 ? 80 : port })),
      table: aTable(...own.map((name, index) => [`10.0.0.${index + 1}`, { name }] as const)),
    });
  }

  const told = (...sides: Parameters<typeof publicPortCautions>) =>
    publicPortCautions(...sides).map(({ message, at }) => `${at?.file} ${message}`);

  const ben =
    'leases/ben-1.yaml 10.0.0.2 (default/akash/ben) has 80/TCP behind 198.51.100.1, and so has 10.0.0.1 (default/akash/ann, leases/ann-1.yaml:1)';

  test('of a second address is told, with both places', () => {
    expect(told(side(1), side(2))).toEqual([ben]);
    expect(told(side(2), side(3))).toHaveLength(1);
  });

  test('is told of the address that comes, also when it is the lower one', () => {
    const two = side(2);
    const table = new Map([...two.table].filter(([, { holder }]) => holder.endsWith('/ben')));
    const claims = two.claims.filter(({ holder }) => holder.endsWith('/ben'));
    expect(told(aDeclared({ ...two, claims, table }), two)).toEqual([
      'leases/ann-1.yaml 10.0.0.1 (default/akash/ann) has 80/TCP behind 198.51.100.1, and so has 10.0.0.2 (default/akash/ben, leases/ben-1.yaml:1)',
    ]);
  });

  test('is not told when it was so, when it goes, or is of another port or public address', () => {
    expect(told(side(2), side(2))).toEqual([]);
    expect(told(side(3), side(2))).toEqual([]);
    expect(told(side(1), side(2, { port: 81 }))).toEqual([]);
    expect(told(side(1), side(2, { outside: '198.51.100.0/28' }))).toEqual([]);
    expect(told(side(1), aDeclared({ ...side(2), pools: undefined }))).toEqual([]);
  });

  test('is told when the NAT is changed to one address', () => {
    expect(told(side(2, { outside: '198.51.100.0/28' }), side(2))).toHaveLength(1);
  });
});
