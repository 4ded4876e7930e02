import { expect, test } from 'vitest';
import { cautionsOf } from '../../../../../src/core/run/plan/cautions.ts';
import { noChangedObjects } from '../../../../../src/core/run/plan/objects/object-groups.ts';
import type { Review } from '../../../../../src/core/run/review/review.ts';
import { aDay, aTable } from '../../../../support/allocations/tables.ts';
import { aDeclared, aTotal } from '../../../../support/plans/plan-builders.ts';

/** What is told of a commit in which an address is released and a retention gets shorter. */
function told(): readonly string[] {
  const released = { released: ['2026-01-10', '2026-03-01'] } as const;
  const base = aDeclared({ table: aTable(['10.0.0.1'], ['10.0.0.2', { retain: 1 }]) });
  const head = aDeclared({ table: aTable(['10.0.0.1', released], ['10.0.0.2', { retain: 0 }]) });
  const day = aDay('2026-01-11');
  const comparison = { day, base: { day }, baseTree: { idOf: () => '' } };
  const review = { base, head, comparison, manifests: [], dropped: [] } as unknown as Review;
  const changed = {
    addresses: [],
    hostnames: [],
    moved: [],
    pools: [aTotal([12, 60])],
    manifests: [],
    changed: noChangedObjects,
  };
  return cautionsOf(review, changed).map(({ code }) => code);
}

test('cautions stand in the order of their codes', () => {
  expect(told()).toEqual(['RETENTION_SHORTENED', 'POOL_FILLING']);
});
