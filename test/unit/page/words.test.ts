import { expect, test } from 'vitest';
import type { ListClaim } from '../../../src/model/list.ts';
import { PictureIndex } from '../../../src/page/picture-index.ts';
import { claimsText } from '../../../src/page/words.ts';
import { pictured } from '../../support/pictured.ts';

/** What the table says of one record with these claims. */
function told(claims: readonly ListClaim[], most: number): readonly string[] {
  const picture = pictured([{ pool: 'lab', range: '203.0.113.0/30', held: 1 }]);
  const holders = picture.holders.map((holder) => ({ ...holder, claims }));
  return new PictureIndex({ ...picture, holders }).records.map((record) =>
    claimsText(record, most),
  );
}

test('the table names a claim of Akash by its dseq, and one of a Service by its namespace', () => {
  const claim: ListClaim = {
    ...{ namespace: 'shop', service: 'web', externalPort: 443, protocol: 'TCP' },
    file: 'leases/a.yaml:3',
  };
  const lease = 'akash1owner/18500001/1/1/akash1provider';
  expect(told([claim], 3)).toEqual(['shop/web 443/TCP']);
  expect(told([{ ...claim, lease, namespace: 'prbbqsqnmrgne4r6roah7' }], 3)).toEqual([
    '18500001 web 443/TCP',
  ]);
  expect(told([claim, claim, claim], 2)).toEqual(['shop/web 443/TCP, shop/web 443/TCP and 1 more']);
});
