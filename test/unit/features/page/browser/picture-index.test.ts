import { expect, test } from 'vitest';
import { PictureIndex } from '../../../../../src/features/page/browser/picture-index.ts';
import { keptUntil, pictured } from '../../../../support/page/picture.ts';

test('a holder waits that has claims and no address, also while one is kept for it', () => {
  const picture = pictured([{ pool: 'lab', range: '203.0.113.0/28', held: 3 }]);
  const [first, ...others] = picture.records;
  if (!first) throw new Error('no records');
  const waiting = (changed: Partial<typeof picture>) =>
    new PictureIndex({ ...picture, ...changed }).waiting();
  expect(waiting({})).toBe(0);
  expect(waiting({ records: others })).toBe(1);
  expect(waiting({ records: [{ ...first, ...keptUntil('2026-12-01') }, ...others] })).toBe(1);
  const holders = picture.holders.map((holder) => ({ ...holder, claims: [] }));
  expect(waiting({ records: [], holders })).toBe(0);
});
