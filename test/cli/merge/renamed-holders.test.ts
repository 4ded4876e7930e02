import { expect, it } from 'vitest';
import { poolsText } from '../../support/declarations/pools-text.ts';
import { serviceText } from '../../support/declarations/service-text.ts';
import { leaseCheckout } from '../../support/repositories/lease-checkout.ts';

const pools = poolsText(`pools:
  - { name: lan, zone: lan, addresses: [203.0.113.0/28], advertise: { l2: {} } }
`);

const day = ['--today', '2026-01-06'] as const;

it.each(['main', 'change'])(
  'an edit of a Service that %s renames is joined with the rename, and taken back by neither',
  async (renaming) => {
    const checkout = await leaseCheckout({
      '.gitignore': '.leasehold/\n',
      'leases/pools.yaml': pools,
      'leases/shop/web.yaml': serviceText('web'),
    });
    const { git } = checkout.repository;
    const [rename, edit] = [
      () => checkout.run('rename', 'shop/web', 'www', ...day),
      async () => {
        const dns = 'annotations: { leasehold.dev/dns: shop.example.com }';
        checkout.edit('leases/shop/web.yaml', 'annotations: {}', dns);
        await checkout.run('synth', ...day);
      },
    ];
    git('checkout', '-q', '-b', 'change');
    await (renaming === 'change' ? rename() : edit());
    checkout.commit('2026-01-06', 'On the branch');
    git('checkout', '-q', 'main');
    await (renaming === 'change' ? edit() : rename());
    checkout.commit('2026-01-06', 'On main');
    git('checkout', '-q', 'change');
    if (!checkout.repository.isDone('merge', '-q', '--no-edit', 'main')) {
      expect((await checkout.run('resolve', ...day)).out).not.toContain('EDIT_DROPPED');
      git('add', '-A');
      git('commit', '-q', '--no-edit');
    }

    const joined = checkout.read('leases/shop/web.yaml');
    expect(joined).toContain('name: www');
    expect(joined).toContain('shop.example.com');
    // Both edits are meant.
    checkout.put('leases/shop/web.yaml', `# Both are meant.\n${joined}`);
    checkout.commit('2026-01-06', 'Both');
    const { status, out } = await checkout.run('check', '--base', 'main');
    expect([status, out]).toEqual([0, expect.not.stringContaining('takes back')]);
    const { out: plan } = await checkout.run('plan', '--base', 'main', ...day);
    expect(plan).not.toContain('EDIT_DROPPED');
  },
);
