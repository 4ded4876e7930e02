import { describe, expect, it } from 'vitest';
import { day, held, passes, shop } from '../../support/repositories/shop-checkout.ts';

describe('leasehold rename after an edit by hand', () => {
  it('is what the hint says when a declaration with a pin was renamed by hand', async () => {
    const checkout = await shop();
    const { 'default/service/shop/chart': own = '' } = await held(checkout);
    checkout.edit('leases/shop/chart.yaml', 'ports:', `addresses: [${own}], ports:`);
    checkout.edit('leases/shop/chart.yaml', 'service: chart', 'service: mail');
    checkout.edit('leases/shop/chart.yaml', 'name: chart', 'name: mail');
    const { err, out } = await checkout.run('synth', ...day);
    const [, command = ''] = /run `leasehold (rename \S+ \S+)`;/.exec(out + err) ?? [];

    expect((await checkout.run(...command.split(' '), ...day)).status).toBe(0);

    expect(await held(checkout)).toHaveProperty('default/service/shop/mail', own);
    await passes(checkout);
  });

  it('is what the plan says when synth has given another address on the branch', async () => {
    const checkout = await shop();
    const { 'default/service/shop/chart': own } = await held(checkout);
    checkout.edit('leases/shop/chart.yaml', 'service: chart', 'service: mail');
    checkout.edit('leases/shop/chart.yaml', 'name: chart', 'name: mail');
    await checkout.synth('2026-01-05');
    expect(await held(checkout)).not.toHaveProperty('default/service/shop/mail', own);
    const plan = await checkout.run('plan', '--base', 'main', ...day);
    expect(plan.out).toContain('NAME_CHANGED shop/mail gets');
    const [, command = ''] = /`leasehold (rename \S+ \S+)` keeps/.exec(plan.out) ?? [];

    expect((await checkout.run(...command.split(' '), ...day)).status).toBe(0);

    expect(await held(checkout)).toHaveProperty('default/service/shop/mail', own);
    await passes(checkout);
  });

  it('takes what the declarations of a namespace were renamed to by hand', async () => {
    const checkout = await shop();
    const before = await held(checkout);
    const files = checkout.repository.git('ls-files', 'leases/shop').trim().split('\n');
    for (const file of files.filter((one) => !one.includes('lease'))) {
      checkout.put(file, checkout.read(file).replace(/namespace: shop\b/g, 'namespace: store'));
    }

    const { status, err } = await checkout.run('rename', 'shop', 'store', ...day);

    expect([status, err]).toEqual([0, '']);
    const renamed = Object.entries(before).map(([holder, addresses]) => [
      holder.replace('/shop/', '/store/'),
      addresses,
    ]);
    expect(await held(checkout)).toEqual(Object.fromEntries(renamed));
    await passes(checkout);
  });

  it('takes nothing of a namespace in another cluster than the one that is named', async () => {
    const checkout = await shop();
    const files = checkout.repository.git('ls-files', 'leases/shop').trim().split('\n');
    for (const file of files.filter((one) => !one.includes('lease'))) {
      checkout.put(file, checkout.read(file).replace(/namespace: shop\b/g, 'namespace: store'));
    }

    const words = ['other/namespace/shop', 'other/namespace/store'];
    expect((await checkout.run('rename', ...words, ...day)).status).toBe(64);

    const own = words.map((word) => word.replace('other', 'default'));
    expect((await checkout.run('rename', ...own, ...day)).status).toBe(0);
    await passes(checkout);
  });

  it('takes what an endpoint and a sharing key were renamed to by hand, by their names', async () => {
    const checkout = await shop();
    // Two Services of leases cannot change their sharing key in one change.
    checkout.put('leases/alice/2.yaml', '');
    await checkout.synth('2026-01-04', 'One lease ends');
    checkout.repository.git('checkout', '-q', '-B', 'main');
    checkout.repository.git('checkout', '-q', '-B', 'change');
    const before = await held(checkout);
    const files = checkout.repository.git('ls-files', 'leases').trim().split('\n');
    for (const file of files.filter((one) => !one.includes('allocations'))) {
      const text = checkout.read(file);
      checkout.put(
        file,
        text.replace(/name: site,/, 'name: page,').replace(/shared-ip: front/, 'shared-ip: door'),
      );
    }

    for (const words of [
      ['site', 'page'],
      ['front', 'door'],
    ]) {
      const { status, out, err } = await checkout.run('rename', ...words, ...day);
      expect([status, out, err]).toEqual([0, expect.any(String), '']);
    }

    const renamed = Object.entries(before).map(([holder, addresses]) => [
      holder.replace('-ip-site', '-ip-page').replace('/front', '/door'),
      addresses,
    ]);
    expect(await held(checkout)).toEqual(Object.fromEntries(renamed));
    await passes(checkout);
  });

  it('keeps the sharing key of the Services on an endpoint that was renamed by hand', async () => {
    const checkout = await shop();
    for (const file of ['leases/alice/1.yaml', 'leases/alice/2.yaml']) {
      checkout.edit(file, 'name: site', 'name: page');
    }
    expect((await checkout.run('rename', 'site', 'page', ...day)).status).toBe(0);
    expect(checkout.read('leases/alice/2.yaml')).toMatch(/liveSharingKey: akash1.*-ip-site/);
    await passes(checkout);
  });
});
