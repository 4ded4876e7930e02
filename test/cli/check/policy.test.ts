import { describe, expect, test } from 'vitest';
import { accountOf, leaseText } from '../../support/declarations/lease-text.ts';
import { policyHead, tenantsText } from '../../support/declarations/policies.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import { found, pinned, pools, web } from '../../support/repositories/checked-branches.ts';
import type { LeaseCheckout } from '../../support/repositories/lease-checkout.ts';

const policy = `${policyHead}${tenantsText({
  ann: `owners: [${accountOf('ann')}], ports: [80]`,
  bob: `owners: [${accountOf('bob')}]`,
})}`;

/** Ann and bob have a folder each, and the policy is on `main`; the branch `change` is checked out. */
async function begin(files: Readonly<Record<string, string>> = {}): Promise<LeaseCheckout> {
  const checkout = await remadeCheckout({
    'leases/pools.yaml': pools,
    'leases/policy.yaml': policy,
    'leases/ann/1.yaml': leaseText('ann', 1, [pinned(1)]),
    'leases/bob/2.yaml': leaseText('bob', 2, [pinned(2)]),
    ...files,
  });
  checkout.repository.git('checkout', '-q', '-b', 'change');
  return checkout;
}

describe('a pull request under a policy', () => {
  test('may make the changes that the policy allows', { tags: 'slow' }, async () => {
    const checkout = await begin();
    checkout.put('leases/ann/3.yaml', leaseText('ann', 3, [{ ...web, name: 'more' }]));
    await checkout.synth('2026-01-10');
    expect(await found(checkout)).toEqual([]);
  });

  test('is not synthesized when it declares for another tenant', async () => {
    const checkout = await begin();
    checkout.put('leases/ann/3.yaml', leaseText('bob', 3, [{ ...web, externalPort: 81 }]));
    const { status, out } = await checkout.run('synth', '--today', '2026-01-10');
    expect([status, out.split('\n')[0]]).toEqual([
      1,
      `leases/ann/3.yaml:10:7 POLICY_REFUSED tenant ann may declare leases of owner ${accountOf('ann')} only, but web 81/TCP belongs to ${accountOf('bob')}`,
    ]);
    expect(out).toContain('\n  also leases/policy.yaml:');
    expect(checkout.repository.git('status', '--porcelain')).toBe('?? leases/ann/3.yaml\n');
  });

  test('may not widen its own rights, and may use them once that is merged', {
    tags: 'slow',
  }, async () => {
    const checkout = await begin();
    checkout.edit('leases/policy.yaml', 'ports: [80]', 'ports: [80, 443]');
    checkout.commit('2026-01-10', 'Ann may open 443');
    expect(await found(checkout)).toEqual([]);
    checkout.repository.git('branch', 'wider');
    checkout.put('leases/ann/3.yaml', leaseText('ann', 3, [{ ...web, externalPort: 443 }]));
    await checkout.synth('2026-01-10');
    expect(await found(checkout)).toEqual(['POLICY_REFUSED leases/ann/3.yaml']);
    const { out } = await checkout.run('check', '--base', 'main');
    expect(out).toContain('by the policy of the base, tenant ann may open port 80 only');
    expect((await checkout.run('plan', '--base', 'main')).status).toBe(3);
    expect((await checkout.run('check', '--base', 'wider')).status).toBe(0);
  });

  test('may not rid itself of the policy, and not take over a folder', async () => {
    const checkout = await begin();
    checkout.put('leases/policy.yaml', '');
    checkout.put('leases/ann/2.yaml', leaseText('bob', 2, [pinned(2)]));
    checkout.put('leases/bob/2.yaml', '');
    await checkout.synth('2026-01-10');
    expect(await found(checkout)).toEqual(['POLICY_REFUSED leases/ann/2.yaml']);
  });

  test('is judged by its own policy too, once for one thing', { tags: 'slow' }, async () => {
    const checkout = await begin();
    checkout.edit('leases/policy.yaml', 'ports: [80]', 'ports: [443]');
    checkout.commit('2026-01-10');
    expect(await found(checkout)).toEqual(['POLICY_REFUSED leases/ann/1.yaml']);
    checkout.repository.git('reset', '-q', '--hard', 'main');
    checkout.put('leases/ann/3.yaml', leaseText('bob', 3, [{ ...web, externalPort: 81 }]));
    checkout.commit('2026-01-10');
    expect(await found(checkout)).toEqual([
      'POLICY_REFUSED leases/ann/3.yaml',
      'POLICY_REFUSED leases/ann/3.yaml',
    ]);
  });

  describe('moves the address of a tenant', () => {
    const day = '2026-01-10';
    const unasked = ['MOVE_UNASKED leases/allocations/203.0.113/203.0.113.9.yaml'];

    /** Bob's holder goes to .9 from the address that it has, which no declaration pins. */
    async function moved(): Promise<{ checkout: LeaseCheckout; from: string }> {
      const checkout = await begin({ 'leases/bob/2.yaml': leaseText('bob', 2, [web]) });
      const holder = `default/akash/${accountOf('bob')}-ip-front`;
      const options = ['--to', '203.0.113.9', '--today', day, '-o', 'json'];
      const { out, err } = await checkout.run('move', holder, ...options);
      const { from } = JSON.parse(out).moved[0];
      expect(err).toContain(
        `run \`leasehold pin 203.0.113.9\` and commit leases/bob/2.yaml, or reserve ${from} in`,
      );
      checkout.commit(day, 'Move');
      return { checkout, from };
    }

    test('only when the tenant or the operators ask for it', { tags: 'slow' }, async () => {
      const { checkout } = await moved();
      expect(await found(checkout)).toEqual(unasked);
      expect((await checkout.run('plan', '--base', 'main')).status).toBe(3);
      const { out } = await checkout.run('check', '--base', 'main');
      expect(out).toContain('but neither tenant bob nor the operators request it');
    });

    test('not even that of a promise', { tags: 'slow' }, async () => {
      const file = 'leases/bob/promise-front.yaml';
      const checkout = await begin({
        [file]: `apiVersion: leasehold.dev/v1
kind: Promise
spec: { owner: ${accountOf('bob')}, endpoint: later, until: 2026-01-20 }
`,
      });
      const holder = `default/akash/${accountOf('bob')}-ip-later`;
      const { status, out } = await checkout.run(
        'move',
        holder,
        '--to',
        '203.0.113.9',
        '--today',
        day,
      );
      expect([status, out]).toEqual([0, expect.stringContaining('203.0.113.9')]);
      checkout.commit(day, 'Move');
      expect(await found(checkout)).toEqual(unasked);
      checkout.put(file, `${checkout.read(file)}# Moved: on a block list.\n`);
      checkout.commit(day);
      expect(await found(checkout)).toEqual([]);
    });

    test.each([
      ['pins the new address', leaseText('bob', 2, [pinned(9)])],
      ['says it in a comment', `${leaseText('bob', 2, [web])}# Moved: .2 is on a block list.\n`],
    ])('when the tenant %s', { tags: 'slow' }, async (_, text) => {
      const { checkout } = await moved();
      checkout.put('leases/bob/2.yaml', text);
      await checkout.synth(day);
      expect(await found(checkout)).toEqual([]);
    });

    test('when the operators reserve the old one', { tags: 'slow' }, async () => {
      const { checkout, from } = await moved();
      checkout.put('leases/pools.yaml', `${pools}    reserved: [${from}]\n`);
      await checkout.synth(day);
      expect(await found(checkout)).toEqual([]);
    });

    test('with its IPv6 address, when the operators withhold the IPv4 address only', {
      tags: 'slow',
    }, async () => {
      const twoFamilies = pools.replace('203.0.113.0/28', "203.0.113.0/28, '2001:db8::/120'");
      const checkout = await begin({
        'leases/pools.yaml': twoFamilies,
        'leases/bob/2.yaml': leaseText('bob', 2, [{ ...web, ipFamily: 'dual' }]),
      });
      const [from] =
        checkout.repository.git('ls-files').match(/203\.0\.113\.[2-9]\d*(?=\.yaml)/) ?? [];
      checkout.put('leases/pools.yaml', `${twoFamilies}    reserved: [${from}]\n`);
      const options = ['--family', 'both', '--today', day];
      const { status, out, err } = await checkout.run('move', `${from}`, ...options);
      expect([status, err, out.match(/ -> /g)?.length]).toEqual([0, '', 2]);
      checkout.commit(day, 'Move');
      expect(await found(checkout)).toEqual([]);
    });

    test('of the operators, whose code owners a pull request of records does not ask', {
      tags: 'slow',
    }, async () => {
      const checkout = await begin({ 'leases/eve.yaml': leaseText('eve', 9, [pinned(3)]) });
      checkout.put('leases/eve.yaml', leaseText('eve', 9, [web]));
      await checkout.synth(day);
      checkout.repository.git('branch', '-q', '-f', 'main');
      const words = ['203.0.113.3', '--to', '203.0.113.9', '--today', day];
      expect(await checkout.run('move', ...words)).toMatchObject({ status: 0 });
      checkout.commit(day, 'Move');
      const files = checkout.repository.git('diff', '--name-only', 'main').trim().split('\n');
      expect(files.filter((file) => !/^(?:dist|leases\/allocations)\//.test(file))).toEqual([]);
      expect(await found(checkout)).toEqual(unasked);
    });

    test('once: who gets the old address later is not moved from it', {
      tags: 'slow',
    }, async () => {
      const { checkout, from } = await moved();
      checkout.put('leases/bob/2.yaml', leaseText('bob', 2, [pinned(9)]));
      await checkout.synth(day);
      checkout.repository.git('checkout', '-q', '-B', 'main');
      checkout.put(
        'leases/ann/3.yaml',
        leaseText('ann', 3, [{ ...web, name: 'more', address: from }]),
      );
      await checkout.synth('2026-01-30', 'Ann has the old address');
      checkout.repository.git('checkout', '-q', '-B', 'change');
      checkout.put('leases/ann/4.yaml', leaseText('ann', 4, [{ ...web, name: 'other' }]));
      await checkout.synth('2026-01-31');
      expect(await found(checkout)).toEqual([]);
    });

    test('not when another tenant asks, nor by a new declaration of the same holder', {
      tags: 'slow',
    }, async () => {
      const { checkout } = await moved();
      checkout.put('leases/ann/1.yaml', `${leaseText('ann', 1, [pinned(1)])}# Ann says so.\n`);
      checkout.put('leases/late.yaml', leaseText('bob', 3, [{ ...pinned(9), externalPort: 81 }]));
      await checkout.synth(day);
      expect(await found(checkout)).toEqual(unasked);
    });

    test.each([
      ['no policy', ''],
      [
        'a policy without tenants, as init writes it',
        `${policyHead}operators: { reviewers: ['@acme/net'] }\n`,
      ],
    ])('when the base has %s', { tags: 'slow' }, async (_, text) => {
      const { checkout } = await moved();
      checkout.repository.git('checkout', '-q', 'main');
      checkout.put('leases/policy.yaml', text);
      checkout.commit('2026-01-09', 'No policy');
      checkout.repository.git('checkout', '-q', 'change');
      expect(await found(checkout)).toEqual([]);
    });
  });

  test('is not refused for earlier declarations', { tags: 'slow' }, async () => {
    const checkout = await begin({ 'leases/policy.yaml': policyHead });
    checkout.repository.git('checkout', '-q', 'main');
    checkout.put('leases/policy.yaml', policy.replace('ports: [80]', 'ports: [443]'));
    checkout.commit('2026-01-03', 'What no check let through');
    checkout.repository.git('checkout', '-q', '-b', 'mend');
    checkout.put('leases/policy.yaml', policy);
    checkout.commit('2026-01-10');
    expect(await found(checkout)).toEqual([]);
  });

  test('declares Services in the namespaces of its tenant only, also such as want no address', {
    tags: 'slow',
  }, async () => {
    const checkout = await begin();
    const shop = `owners: [${accountOf('ann')}], namespaces: [shop]`;
    checkout.put('leases/policy.yaml', `${policyHead}${tenantsText({ ann: shop })}`);
    const service = (namespace: string, type: string) =>
      `apiVersion: v1
kind: Service
metadata: { name: front, namespace: ${namespace} }
spec: { type: ${type}, selector: { app: front }, ports: [{ port: 80 }] }
`;
    checkout.put('leases/ann/front.yaml', service('shop', 'LoadBalancer'));
    await checkout.synth('2026-01-10');
    expect(checkout.read('leases/policy.yaml')).toContain('namespaces: [shop]');
    for (const type of ['LoadBalancer', 'ClusterIP']) {
      checkout.put('leases/ann/front.yaml', service('kube-system', type));
      const { status, out } = await checkout.run('synth', '--today', '2026-01-10');
      expect([status, out]).toEqual([
        1,
        expect.stringContaining('namespace shop only, but Service'),
      ]);
    }
  });

  test('of the operators may declare anything in no tenant’s folder', async () => {
    const checkout = await begin();
    checkout.put('leases/new.yaml', leaseText('eve', 9, [{ ...web, externalPort: 25 }]));
    await checkout.synth('2026-01-10');
    expect(await found(checkout)).toEqual([]);
  });
});

describe('the plan of a pull request under a policy', () => {
  test('lists moved addresses of other tenants beside changes of the own', {
    tags: 'slow',
  }, async () => {
    const checkout = await begin({ 'leases/bob/2.yaml': leaseText('bob', 2, [web]) });
    checkout.put('leases/ann/3.yaml', leaseText('ann', 3, [{ ...web, name: 'more' }]));
    await checkout.synth('2026-01-10');
    const who = await checkout.run('who', accountOf('bob'), '-o', 'json');
    const [{ address }] = JSON.parse(who.out).items;
    const { status, out } = await checkout.run('move', address, '--today', '2026-01-10');
    expect([status, out]).toEqual([0, expect.stringContaining(address)]);
    checkout.commit('2026-01-10');
    const plan = await checkout.run('plan', '--base', 'main');
    expect(plan.out).toContain(
      'OTHER_TENANT this concerns tenant ann (leases/ann) and tenant bob (leases/bob)',
    );
  });
});
