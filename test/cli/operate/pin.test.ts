import { describe, expect, it } from 'vitest';
import { pinSchema } from '../../../src/features/move/operation-answer.ts';
import { accountOf, leaseText } from '../../support/declarations/lease-text.ts';
import { begin, web } from '../../support/repositories/checked-branches.ts';

const service = `apiVersion: v1
kind: Service
metadata:
  name: web # the front
  namespace: shop
spec:
  type: LoadBalancer
  ports: [{ port: 80 }]
`;

const reservation = `apiVersion: leasehold.dev/v1
kind: Reservation
spec:
  namespace: shop
  service: chart # Helm's
  ports: [{ port: 443 }]
`;

/** `ann` on .1 without a pin, a Service and a Reservation. */
async function unpinned() {
  const checkout = await begin();
  checkout.put(
    'leases/ann.yaml',
    leaseText('ann', 1, [web, { ...web, service: 'api', externalPort: 81 }]),
  );
  checkout.put('leases/shop/web.yaml', service);
  checkout.put('leases/shop/chart.yaml', reservation);
  await checkout.synth('2026-01-10', 'No pins');
  return checkout;
}

describe('leasehold pin', () => {
  it('writes held addresses into the declarations, so that the allocations can be lost', {
    tags: 'slow',
  }, async () => {
    const checkout = await unpinned();
    const before = (await checkout.run('list', '-o', 'csv')).out.replace(/.*released.*\n/g, '');
    const { status, out } = await checkout.run('pin', '203.0.113.0/28', '-o', 'json');
    expect(status).toBe(0);
    expect(pinSchema.parse(JSON.parse(out)).edited).toEqual([
      'leases/ann.yaml',
      'leases/shop/chart.yaml',
      'leases/shop/web.yaml',
    ]);
    expect((await checkout.run('check')).status).toBe(0);
    expect(checkout.read('leases/shop/web.yaml')).toContain('name: web # the front');
    checkout.commit('2026-01-10', 'Pinned');
    checkout.repository.git('rm', '-rq', 'leases/allocations', 'dist');
    const anew = await checkout.run('synth', '--no-base', '--today', '2026-01-11');
    expect(anew.status).toBe(0);
    expect((await checkout.run('list', '-o', 'csv')).out).toBe(before);
  });

  it('writes nothing the second time', { tags: 'slow' }, async () => {
    const checkout = await unpinned();
    await checkout.run('pin', 'shop/web', '203.0.113.1');
    checkout.commit('2026-01-10', 'Pinned');
    const { status, out } = await checkout.run('pin', 'shop/web', '203.0.113.1');
    expect([status, out]).toEqual([0, expect.stringContaining('nothing to write')]);
    expect(checkout.repository.git('status', '--short')).toBe('');
  });

  it('leaves a pin in words of MetalLB as it is', { tags: 'slow' }, async () => {
    const checkout = await unpinned();
    const record = checkout.repository
      .git('grep', '-l', 'service/shop/web', '--', 'leases/allocations')
      .trim();
    const address = /203\.0\.113\.\d+(?=\.yaml)/.exec(record)?.[0] ?? '';
    checkout.edit(
      'leases/shop/web.yaml',
      'type: LoadBalancer',
      `type: LoadBalancer\n  loadBalancerIP: ${address}`,
    );
    await checkout.synth('2026-01-10', 'Pinned');
    const { out } = await checkout.run('pin', address);
    expect(out).toContain('nothing to write');
  });

  it('says that a dual-stack endpoint has room for one address', { tags: 'slow' }, async () => {
    const checkout = await unpinned();
    checkout.edit('leases/pools.yaml', '203.0.113.0/28', "203.0.113.0/28, '2001:db8::/64'");
    checkout.put('leases/dan.yaml', leaseText('dan', 7, [{ ...web, ipFamily: 'dual' }]));
    await checkout.synth('2026-01-10', 'Dual');
    const { out } = await checkout.run('pin', `default/akash/${accountOf('dan')}-ip-front`);
    expect(out).toMatch(/2001:db8::\S+ of \S+ is not pinned: its declarations have no free field/);
    expect((await checkout.run('check')).status).toBe(0);
  });

  it('refuses the endpoints of an SDL, and holders without an address', {
    tags: 'slow',
  }, async () => {
    const checkout = await unpinned();
    checkout.put('leases/new.yaml', leaseText('new', 8, [web]));
    const { status, out } = await checkout.run('pin', `default/akash/${accountOf('new')}-ip-front`);
    expect([status, out]).toEqual([1, expect.stringMatching(/STALE .* has no IPv4 address yet/)]);
    expect((await checkout.run('pin', 'nobody')).status).toBe(64);
  });
});
