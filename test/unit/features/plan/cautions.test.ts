import { expect, test } from 'vitest';
import { cautionsOf } from '../../../../src/features/plan/cautions.ts';
import type { Review } from '../../../../src/features/review/review.ts';
import { aDay, aTable } from '../../../support/allocations/tables.ts';
import { aDeclared, aTotal } from '../../../support/plans/plan-builders.ts';

/** What is told of a commit of a day in which an address is released, from a base of another day. */
function told(day: string, baseDay: string, { retain = 0 } = {}): readonly string[] {
  const released = { released: ['2026-01-10', '2026-03-01'] } as const;
  const base = aDeclared({ table: aTable(['10.0.0.1'], ['10.0.0.2', { retain: 1 }]) });
  const head = aDeclared({ table: aTable(['10.0.0.1', released], ['10.0.0.2', { retain }]) });
  const comparison = { day: aDay(day), base: { day: aDay(baseDay) }, baseTree: { idOf: () => '' } };
  const review = { base, head, comparison, manifests: [], dropped: [] } as unknown as Review;
  const changed = { addresses: [], hostnames: [], moved: [], pools: [aTotal([12, 60])] };
  return cautionsOf(review, changed).map(({ code }) => code);
}

test('a commit that is dated long ago is judged by the day of what it comes from', () => {
  expect(told('2026-01-11', '2026-01-11', { retain: 1 })).toEqual(['POOL_FILLING']);
  expect(told('2026-01-20', '2026-01-11', { retain: 1 })).toContain('DATE_OLD');
  expect(told('2026-01-11', '2026-01-20', { retain: 1 })).toContain('DATE_OLD');
});

test('cautions stand in the order of their codes', () => {
  expect(told('2026-01-20', '2026-01-11')).toEqual([
    'RETENTION_SHORTENED',
    'POOL_FILLING',
    'DATE_OLD',
  ]);
});
