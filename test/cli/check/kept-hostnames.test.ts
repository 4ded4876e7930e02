import { describe, expect, test } from 'vitest';
import { hostnamePath } from '../../../src/core/records/hostname-file.ts';
import { hostnameText, routedPoolText } from '../../support/declarations/hostname-text.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import { checkedOn } from '../../support/repositories/checked-branches.ts';
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

/** A Service of blog with a DNS name. */
function serviceText(dns: string): string {
  return `apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: blog
  annotations: { leasehold.dev/dns: '${dns}' }
spec:
  type: LoadBalancer
  selector: { app: web }
  ports: [{ port: 80 }]
`;
}

describe('a DNS name that overlaps a hostname kept for another namespace', () => {
  test.each([wildcard, 'a.shop.example.com', '*.example.com'])(
    'is refused until the free day: %s',
    async (name) => {
      const checkout = await afterRelease();
      checkout.put('leases/blog/web.yaml', serviceText(name));

      const { status, out } = await checkout.run('synth', '--today', '2026-01-11');

      expect([status, out]).toEqual([
        1,
        expect.stringContaining(`HOSTNAME_KEPT the DNS name ${name}`),
      ]);
      await checkout.synth('2026-01-12');
      expect(await checkedOn(checkout, '2026-01-12')).toEqual([]);
    },
  );

  test('is refused by check --base, which compares it with the base', async () => {
    const checkout = await afterRelease();
    checkout.put('leases/blog/web.yaml', serviceText('a.shop.example.com'));
    await checkout.run('synth', '--today', '2026-01-12');
    checkout.commit('2026-01-11');
    expect(await checkedOn(checkout, '2026-01-11')).toContain(
      `HOSTNAME_KEPT the DNS name a.shop.example.com overlaps ${wildcard}, which is kept for namespace shop until 2026-01-12`,
    );
  });
});

test('a DNS name that the base has stays, although an overlapping hostname is kept', async () => {
  const checkout = await afterRelease();
  checkout.put('leases/blog/web.yaml', serviceText('a.shop.example.com'));
  await checkout.synth('2026-01-12');
  checkout.edit(hostnamePath(wildcard), 'freeFrom: 2026-01-12', 'freeFrom: 2026-01-31');
  checkout.commit('2026-01-12');
  checkout.repository.git('branch', '-f', 'main');
  checkout.put('leases/shop/name.yaml', hostnameText('www.example.com'));

  await checkout.synth('2026-01-13');

  expect(await checkedOn(checkout, '2026-01-13')).toEqual([]);
});

test('a pruned hostname stays removed in the next run of the branch', async () => {
  const checkout = await afterRelease();
  await checkout.run('prune', '--today', '2026-01-12');

  const { out } = await checkout.run('synth', '--today', '2026-01-12', '--base', 'main');

  expect(out).toContain('no address changes; 0 held; all files up to date\n');
  expect(() => checkout.read(hostnamePath(wildcard))).toThrow();
});
