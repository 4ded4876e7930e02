import { expect, test } from 'vitest';
import { hostnamePath } from '../../../src/records/hostname-file.ts';
import { hostnameText, routedPoolText } from '../../support/declarations/hostname-text.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import type { LeaseCheckout } from '../../support/repositories/lease-checkout.ts';

const wildcard = '*.shop.example.com';
const file = 'leases/shop/wild.yaml';

/** A branch of a `main` where shop released a wildcard on 2026-01-05: free from 2026-01-12. */
async function afterRelease(): Promise<LeaseCheckout> {
  const checkout = await remadeCheckout({
    '.gitignore': '.leasehold/\n',
    'leases/pools.yaml': routedPoolText,
    [file]: hostnameText(wildcard),
  });
  checkout.repository.git('checkout', '-q', '-B', 'change');
  checkout.put(file, '');
  await checkout.synth('2026-01-05');
  checkout.repository.git('branch', '-f', 'main');
  return checkout;
}

test('a pruned hostname stays removed in the next run of the branch', async () => {
  const checkout = await afterRelease();
  await checkout.run('prune', '--today', '2026-01-12');

  const { out } = await checkout.run('synth', '--today', '2026-01-12', '--base', 'main');

  expect(out).toContain('no address changes; 0 held; all files up to date\n');
  expect(() => checkout.read(hostnamePath(wildcard))).toThrow();
});
