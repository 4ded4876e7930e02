import { expect, test } from 'vitest';
import type { AddressExport } from '../../../src/features/export/address-export.ts';
import { l2PoolText } from '../../support/declarations/pools-text.ts';
import { serviceText } from '../../support/declarations/service-text.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import { answerOf } from '../../support/run/json-answer.ts';

test('leasehold export addresses prints a line for each address, and the same as JSON', async () => {
  const spec = { loadBalancerIP: '203.0.113.7' };
  const { root, run, idOf, put } = await remadeCheckout({
    '.gitignore': '.leasehold/\n',
    'leases/pools.yaml': l2PoolText,
    'leases/shop/web.yaml': serviceText('web', { spec }),
  });
  const csv = `address,state,holder,owner,zone,pool,since,freeFrom,commit,publicAddress
203.0.113.7,held,default/service/shop/web,default/shop,z,p,2026-01-02,,${idOf('HEAD')},
`;
  put('leases/shop/mail.yaml', serviceText('mail'));
  const argv = ['export', 'addresses'];
  expect(await run(...argv)).toEqual({ status: 0, out: csv, err: '' });
  const answer = (await answerOf(argv, root, { schema: 'address-export' })) as AddressExport;
  expect(answer).toMatchObject({ commit: idOf('HEAD'), items: [{ owner: 'default/shop' }] });
});
