import { expect, it } from 'vitest';
import { declared } from '../../support/cluster/declared.ts';
import { poolsText } from '../../support/declarations/pools-text.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';

const whole = '  - { name: lan, zone: lan, addresses: [203.0.113.0/28], advertise: { l2: {} } }\n';
const halves = `  - { name: low, zone: lan, addresses: [203.0.113.0/29], advertise: { l2: {} } }
  - { name: high, zone: lan, addresses: [203.0.113.8/29], advertise: { l2: {} } }
`;

function poolFile(pools: string): string {
  return poolsText(`metallb: { version: 0.14.9, namespace: metallb-system, layout: pool }
emit: { providerLeasedIP: false }
defaultZone: lan
pools:
${pools}`);
}

it.each([
  ['split', whole, halves],
  ['merged', halves, whole],
  ['renamed', whole, whole.replace('name: lan', 'name: office')],
])(
  'a pool with holders is %s through layout lease, and no address changes',
  async (_, from, to) => {
    const checkout = await remadeCheckout({
      '.gitignore': '.leasehold/\n',
      'leases/pools.yaml': poolFile(from),
      ...Object.fromEntries(
        [1, 2, 3, 4, 5].map((port) => {
          const name = `s${port}`;
          return [`leases/web/${name}.yaml`, declared('web', name)];
        }),
      ),
    });
    const { repository } = checkout;
    let day = 3;
    const today = () => ['--today', `2026-01-0${day}`];
    /** A pull request, merged. */
    const land = async () => {
      checkout.commit(`2026-01-0${day}`);
      expect(await checkout.run('check', '--base', 'main', ...today())).toMatchObject({
        status: 0,
      });
      repository.git('checkout', '-q', 'main');
      repository.git('merge', '-q', 'change');
      repository.git('checkout', '-q', '-B', 'change');
      day += 1;
    };
    const addresses = async () => {
      const { out } = await checkout.run('list', '-o', 'json', ...today());
      const { items } = JSON.parse(out) as { items: { holder: string; addresses: string[] }[] };
      return items.map(({ holder, addresses: own }) => [holder, ...own]);
    };
    const before = await addresses();
    repository.git('checkout', '-q', '-B', 'change');

    checkout.edit('leases/pools.yaml', from, to);
    const refused = await checkout.run('synth', ...today());
    expect([refused.status, refused.out]).toEqual([1, expect.stringContaining('POOL_CHANGED')]);
    const { out: why } = await checkout.run('check', '--base', 'main');
    expect(why).toContain('POOL_CHANGED');
    expect(why).not.toContain('STALE');
    expect(refused.out).toContain('make it after `leasehold migrate-layout lease`');
    repository.git('checkout', '-q', '--', '.');

    for (const layout of ['lease', 'lease', undefined, 'pool', 'pool']) {
      if (layout === undefined) checkout.edit('leases/pools.yaml', from, to);
      const command = layout === undefined ? ['synth'] : ['migrate-layout', layout];
      expect(await checkout.run(...command, ...today())).toMatchObject({ status: 0 });
      await land();
      expect(await addresses()).toEqual(before);
    }
    expect(checkout.read('leases/pools.yaml')).toContain(to);
    expect(checkout.read('leases/pools.yaml')).toContain('layout: pool');
  },
);

it('a pool with holders is split by zone, and declarations that request the new zone keep their addresses', async () => {
  const checkout = await remadeCheckout({
    '.gitignore': '.leasehold/\n',
    'leases/pools.yaml': poolFile(whole).replace('layout: pool', 'layout: lease'),
    'leases/web/a.yaml': declared('web', 'a', {
      annotations: { 'metallb.io/loadBalancerIPs': '203.0.113.9' },
    }),
  });
  checkout.repository.git('checkout', '-q', '-B', 'change');
  const parted = halves.replace('name: high, zone: lan', 'name: high, zone: north');
  checkout.edit('leases/pools.yaml', whole, parted);
  checkout.put('leases/web/a.yaml', declared('web', 'a'));
  const { out } = await checkout.run('synth', '--today', '2026-01-05');
  expect(out).toContain('hint: to keep it, request zone north in leases/web/a.yaml; or undo');

  const annotations = { 'ipam.vitistack.io/zone': 'north' };
  checkout.put('leases/web/a.yaml', declared('web', 'a', { annotations }));
  const { status, out: done } = await checkout.run('synth', '--today', '2026-01-05');
  expect([status, done]).toEqual([0, expect.stringContaining('203.0.113.9')]);
  expect(done).not.toContain('released');
});
