import { expect, test } from 'vitest';
import type { PoolTotals } from '../../../../../../src/core/run/plan/plan-answer.ts';
import { poolBar } from '../../../../../../src/core/run/plan/print/plan-bars.ts';
import { isPoolChanged } from '../../../../../../src/core/run/plan/print/plan-words.ts';
import { anOccupancy, aTotal } from '../../../../../support/plans/plan-builders.ts';

const named = { pool: 'default', zone: 'inet', family: 'ipv4' } as const;
const of = (before: number, after: number, usable = '100'): PoolTotals => ({
  ...named,
  before: anOccupancy({ held: before, usable }),
  after: anOccupancy({ held: after, usable }),
});

test.each<[string, PoolTotals, string]>([
  ['nothing in use', of(0, 0), '░░░░░░░░░░'],
  ['a half', of(50, 50), '█████░░░░░'],
  ['all', of(100, 100), '██████████'],
  ['nearly all', of(99, 99), '█████████░'],
  ['one of many', of(1, 1, '18446744073709551613'), '█░░░░░░░░░'],
  ['more', of(20, 60), '██++++░░░░'],
  ['less', of(60, 20), '██----░░░░'],
  ['a little more', of(20, 21), '██+░░░░░░░'],
  ['a little less', of(21, 20), '██-░░░░░░░'],
  ['the first', of(0, 1), '+░░░░░░░░░'],
  ['the last', of(99, 100), '█████████+'],
  ['kept after release, as much as was held', aTotal([12, 12]), '█░░░░░░░░░'],
  ['a new pool', { ...named, after: anOccupancy({ usable: '100', held: 30 }) }, '███░░░░░░░'],
  ['a removed pool', { ...named, before: anOccupancy({ usable: '100', held: 30 }) }, '---░░░░░░░'],
])('%s', (_, totals, bar) => {
  expect(poolBar(totals, 10)).toBe(bar);
});

test('a pool that drains is a changed one: what was free is not given any more', () => {
  const [before, after] = [anOccupancy(), { ...anOccupancy(), free: '0', draining: '50' }];
  expect(isPoolChanged({ ...named, before, after })).toBe(true);
  expect(isPoolChanged({ ...named, before, after: before })).toBe(false);
});
