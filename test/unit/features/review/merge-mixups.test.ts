import { expect, test } from 'vitest';
import { mixedUp } from '../../../../src/features/review/merge-mixups.ts';
import { aClaim } from '../../../support/declarations/pools-and-claims.ts';

function named(endpoint: string, name: string, line = 1) {
  return aClaim({ endpoint, dns: [{ name, at: { file: 'leases/web.yaml', line, column: 1 } }] });
}

test('a claim with the DNS name of another one is declared by no side of a merge', () => {
  const sides = [
    { items: [named('one', 'one.example.com')] },
    { items: [named('two', 'two.example.com')] },
  ];
  const blended = named('two', 'one.example.com');

  expect(mixedUp([named('one', 'one.example.com'), blended], sides)).toEqual([blended]);
});

test('a claim with its DNS name on another line is declared by a side of a merge', () => {
  expect(
    mixedUp([named('one', 'a.example.com', 2)], [{ items: [named('one', 'a.example.com')] }]),
  ).toEqual([]);
});
