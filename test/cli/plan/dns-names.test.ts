import { expect, test } from 'vitest';
import type { Plan } from '../../../src/core/run/plan/plan-answer.ts';
import { l2PoolText } from '../../support/declarations/pools-text.ts';
import { serviceText } from '../../support/declarations/service-text.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';

function named(name: string, address: string, dns: string): string {
  return serviceText(name, { dns, spec: { loadBalancerIP: address } });
}

test('a plan tells a DNS name that comes, goes or moves to another address', async () => {
  const { run, put } = await remadeCheckout({
    '.gitignore': '.leasehold/\n',
    'leases/pools.yaml': l2PoolText,
    'leases/shop/api.yaml': named('api', '203.0.113.8', 'api.example.com'),
    'leases/shop/web.yaml': named('web', '203.0.113.7', 'old.example.com,shop.example.com'),
  });
  put('leases/shop/api.yaml', named('api', '203.0.113.8', 'api.example.com,shop.example.com'));
  put('leases/shop/web.yaml', named('web', '203.0.113.7', 'new.example.com'));

  const { out, err } = await run('plan', '--base', 'HEAD', '-o', 'json');

  const { addresses } = JSON.parse(out) as Plan;
  expect(
    addresses.map(({ address, details }) => [address, details]),
    err,
  ).toEqual([
    [
      '203.0.113.7',
      [
        'DNS name new.example.com added',
        'DNS name old.example.com removed',
        'DNS name shop.example.com moved to 203.0.113.8',
      ],
    ],
    ['203.0.113.8', ['DNS name shop.example.com moved from 203.0.113.7']],
  ]);
  expect((await run('who', 'shop.example.com')).out).toContain('default/service/shop/api');
});
