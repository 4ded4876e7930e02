import { describe, expect, it } from 'vitest';
import { type LeaseCheckout, recordOf } from '../../support/repositories/lease-checkout.ts';
import { day, held, passes, serviceText, shop } from '../../support/repositories/shop-checkout.ts';

/** Merges the change of this branch, on which the next one begins. */
function land(checkout: LeaseCheckout): void {
  const { git } = checkout.repository;
  checkout.commit('2026-01-05', 'A rename');
  git('checkout', '-q', 'main');
  git('merge', '-q', 'change');
  git('checkout', '-q', '-B', 'change');
}

describe('a rename in review', () => {
  it('takes an address that is kept for the former name in the same namespace', async () => {
    const checkout = await shop();
    const { 'default/service/shop/chart': own = '' } = await held(checkout);
    checkout.put('leases/shop/chart.yaml', '');
    await checkout.synth('2026-01-04', 'The chart ends');
    checkout.repository.git('checkout', '-q', 'main');
    checkout.repository.git('merge', '-q', 'change');
    checkout.repository.git('checkout', '-q', '-B', 'change');
    checkout.put(
      'leases/shop/mail.yaml',
      `apiVersion: leasehold.dev/v1
kind: Reservation
spec: { namespace: shop, service: mail, ports: [{ port: 25 }], addresses: [${own}] }
`,
    );
    const refused = await checkout.run('synth', ...day);
    const [, command = ''] =
      /run `leasehold (rename \S+ \S+)`;/.exec(refused.out + refused.err) ?? [];

    expect((await checkout.run(...command.split(' '), ...day)).status).toBe(0);

    expect(await held(checkout)).toHaveProperty('default/service/shop/mail', own);
    await passes(checkout);
  });

  it('stays when the target gets other changes, and when the file goes later', async () => {
    const checkout = await shop();
    const before = await held(checkout);
    await checkout.run('rename', 'shop/web', 'site', ...day);
    checkout.commit('2026-01-05', 'A rename');
    checkout.repository.git('checkout', '-q', 'main');
    checkout.put('leases/shop/new.yaml', serviceText('new', 99));
    await checkout.synth('2026-01-05', 'A new Service');
    checkout.repository.git('checkout', '-q', 'change');
    checkout.repository.git('merge', '-q', '--no-edit', 'main');
    expect((await checkout.run('synth', ...day)).status).toBe(0);
    await passes(checkout);
    checkout.repository.git('checkout', '-q', 'main');
    checkout.repository.git('merge', '-q', '--no-edit', 'change');
    const [file = ''] = checkout.repository.git('ls-files', 'leases/shop/rename-*').split('\n');
    checkout.repository.git('checkout', '-q', '-B', 'change');
    checkout.put(file, '');
    await checkout.synth('2026-01-06', 'The rename is done');
    expect(await held(checkout)).toHaveProperty(
      'default/service/shop/site',
      before['default/service/shop/web'],
    );
    await passes(checkout);
  });

  it('leaves a file that prune removes once the rename is merged, and not before', async () => {
    const checkout = await shop();
    const { git } = checkout.repository;
    await checkout.run('rename', 'shop', 'store', ...day);
    checkout.commit('2026-01-05', 'A rename');
    expect((await checkout.run('prune', ...day)).out).not.toContain('removed leases');
    git('checkout', '-q', 'main');
    git('merge', '-q', 'change');
    checkout.put(
      'leases/policy.yaml',
      `apiVersion: leasehold.dev/v1
kind: Policy
tenants: [{ name: store, folders: [leases/shop], namespaces: [store] }]
`,
    );
    const refused = await checkout.run('check');
    const hint = 'if this rename is merged, remove leases/shop/rename-shop.yaml: it is done; else';
    expect(refused.out).toContain(hint);
    checkout.put('leases/policy.yaml', '');
    git('checkout', '-q', '-B', 'change');

    const { status, out } = await checkout.run('prune', ...day);

    expect(status).toBe(0);
    expect(out).toContain('removed leases/shop/rename-shop.yaml: the rename is done\n');
    expect(git('status', '--porcelain')).toBe('D  leases/shop/rename-shop.yaml\n');
    await passes(checkout);
  });

  it('never takes the address of a holder that is still declared', async () => {
    const checkout = await shop();
    const { 'default/service/shop/web': own = '' } = await held(checkout);
    const [four = ''] = own.split(',');
    checkout.put(
      'leases/shop/steal.yaml',
      `apiVersion: leasehold.dev/v1
kind: Reservation
spec: { namespace: shop, service: steal, ports: [{ port: 444 }] }
`,
    );
    await checkout.synth('2026-01-05', 'Another Service');
    const { 'default/service/shop/steal': other = '' } = await held(checkout);
    const holders = ['web', 'steal'].map((name) => `holder: default/service/shop/${name}\n`);
    const [web = '', steal = ''] = holders;
    checkout.edit(recordOf(four), web, steal);
    checkout.edit(recordOf(other), steal, web);
    checkout.edit(recordOf(other), 'retain: 5\n', `retain: 5\nmovedFrom: ${four}\n`);
    checkout.put(
      'leases/shop/rename.yaml',
      `apiVersion: leasehold.dev/v1
kind: Rename
spec: { holders: [{ from: default/service/shop/web, to: default/service/shop/steal }] }
`,
    );
    checkout.commit('2026-01-05', 'A theft');

    const { status, out } = await checkout.run('check', '--base', 'main', ...day);

    expect([status, out]).toEqual([1, expect.stringContaining('ALLOCATION_FORGED')]);
    expect(out).toContain(`${four} is held by default/service/shop/web in the base`);
  });

  it.each([
    ['', ['web', 'site']],
    [', also when the former name was a new one itself', ['web', 'front', 'site']],
  ])('is undone by a revert%s', async (_, names) => {
    const checkout = await shop();
    const { on } = checkout.repository;
    const { 'default/service/shop/web': own } = await held(checkout);
    for (const [index, to] of names.slice(1).entries()) {
      await checkout.run('rename', `shop/${names[index]}`, to, ...day);
      land(checkout);
    }
    on('2026-01-06').git('revert', '--no-edit', 'HEAD');
    await passes(checkout);
    expect((await checkout.run('synth', ...day)).out).toContain('all files up to date');

    expect(await held(checkout)).toHaveProperty(`default/service/shop/${names.at(-2)}`, own);
    expect((await checkout.run('plan', '--base', 'main', ...day)).out).toContain('renamed from');
  });

  it('is undone by a revert of an endpoint with two leases, and of a namespace', async () => {
    const checkout = await shop();
    const before = await held(checkout);
    for (const words of [
      ['site', 'blog'],
      ['shop', 'store'],
    ]) {
      const { git, on } = checkout.repository;
      expect((await checkout.run('rename', ...words, ...day)).status).toBe(0);
      land(checkout);
      on('2026-01-06').git('revert', '--no-edit', 'HEAD');
      await passes(checkout);
      expect((await checkout.run('synth', ...day)).out).toContain('all files up to date');
      expect(await held(checkout)).toEqual(before);
      git('checkout', '-q', 'main');
      git('merge', '-q', 'change');
      git('checkout', '-q', 'change');
    }
  });

  it('does not refuse its new holder that has ended and is declared again', async () => {
    const checkout = await shop();
    const { git } = checkout.repository;
    await checkout.run('rename', 'shop/chart', 'mail', ...day);
    checkout.commit('2026-01-05', 'A rename');
    git('branch', '-f', 'main', 'HEAD');
    const text = checkout.read('leases/shop/chart.yaml');
    checkout.put('leases/shop/chart.yaml', '');
    await checkout.synth('2026-01-06', 'It ends');
    git('checkout', '-q', '-B', 'main', 'HEAD');
    expect((await checkout.run('prune', '--today', '2026-01-20')).out).toContain('removed');
    checkout.commit('2026-01-20', 'Prune');
    expect(git('ls-files', 'leases/shop')).toContain('rename-chart.yaml');
    git('checkout', '-q', '-B', 'change');
    checkout.put('leases/shop/chart.yaml', text);
    expect(await checkout.run('synth', '--today', '2026-01-21')).toMatchObject({ status: 0 });
  });

  it('is undone by hand too, when its file is left', async () => {
    const checkout = await shop();
    const { 'default/service/shop/web': own } = await held(checkout);
    await checkout.run('rename', 'shop/web', 'site', ...day);
    checkout.commit('2026-01-05', 'A rename');
    checkout.repository.git('branch', '-f', 'main', 'HEAD');
    checkout.edit('leases/shop/web.yaml', 'name: site', 'name: web');
    checkout.edit('leases/shop/www.yaml', 'service: site', 'service: web');
    expect((await checkout.run('synth', ...day)).status).toBe(0);
    expect(await held(checkout)).toHaveProperty('default/service/shop/web', own);
    await passes(checkout);
  });

  it('is undone by a revert and the two commands of the hint once its file was pruned', async () => {
    const checkout = await shop();
    const { git, on } = checkout.repository;
    const { 'default/service/shop/web': own } = await held(checkout);
    await checkout.run('rename', 'shop/web', 'site', ...day);
    checkout.commit('2026-01-05', 'A rename');
    git('checkout', '-q', 'main');
    git('merge', '-q', 'change');
    git('checkout', '-q', '-B', 'change');
    expect((await checkout.run('prune', '--today', '2026-01-06')).out).toContain('rename-web');
    checkout.commit('2026-01-06', 'Done');
    git('branch', '-f', 'main', 'HEAD');
    on('2026-01-06').git('revert', '--no-edit', 'HEAD~1');
    const check = await checkout.run('check', '--base', 'main', ...day);
    expect(check.out).toContain('ALLOCATION_FORGED');
    const [, synth = '', rename = ''] =
      /hint: .*(synth --base \S+)`.*; then `leasehold (rename \S+ \S+)` keeps/.exec(check.out) ??
      [];

    expect((await checkout.run(...synth.split(' '), ...day)).status).toBe(0);
    expect((await checkout.run(...rename.split(' '), ...day)).status).toBe(0);

    expect(await held(checkout)).toHaveProperty('default/service/shop/web', own);
    await passes(checkout);
  });

  it('keeps the sharing key of an endpoint that gets its name back by hand', async () => {
    const checkout = await shop();
    await checkout.run('rename', 'site', 'blog', ...day);
    checkout.commit('2026-01-05', 'A rename');
    checkout.repository.git('branch', '-f', 'main', 'HEAD');
    for (const file of ['leases/alice/1.yaml', 'leases/alice/2.yaml']) {
      const text = checkout.read(file).replace('name: blog', 'name: site');
      checkout.put(file, text.replace(/, liveSharingKey: [^ ]+/, ''));
    }
    expect((await checkout.run('rename', 'blog', 'site', ...day)).status).toBe(0);
    expect(checkout.read('leases/alice/1.yaml')).not.toContain('liveSharingKey');
    await passes(checkout);
  });
});
