import { describe, expect, test } from 'vitest';
import { accountOf, leaseText } from '../../support/declarations/lease-text.ts';
import { poolsText, providerPoolsText } from '../../support/declarations/pools-text.ts';
import { profilesLine } from '../../support/declarations/sdl.ts';
import { serviceText } from '../../support/declarations/service-text.ts';
import { fakeNetBox } from '../../support/netbox/fake-netbox.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';

const nat = (outside: string) => `nat: [{ inside: 192.168.4.0/28, outside: ${outside} }]`;

const pools = (rules: string) =>
  poolsText(`emit: { dnsEndpoints: true, addressConfigMaps: true }
pools:
  - { name: p, zone: z, addresses: [192.168.4.0/28], advertise: { l2: {} }, ${rules} }
`);

/** A Service with the address 192.168.4.7 and the name shop.example.com. */
const files = {
  '.gitignore': '.leasehold/\n',
  'leases/pools.yaml': pools(nat('203.0.113.32/28')),
  'leases/shop/web.yaml': serviceText('web', {
    dns: 'shop.example.com',
    spec: { loadBalancerIP: '192.168.4.7' },
  }),
};
const manifest = 'dist/default/shop/web.yaml';

describe('behind a NAT', () => {
  test('the Service has the inside address; DNS and its pods have the public one', async () => {
    const { read } = await remadeCheckout(files);
    const text = read(manifest);
    expect(text).toContain('  loadBalancerIP: 192.168.4.7\n');
    expect(text).toContain('targets:\n        - 203.0.113.39\n');
    expect(text).toContain(`data:
  LEASED_INSIDE_IP: 192.168.4.7
  LEASED_INSIDE_IPV4: 192.168.4.7
  LEASED_IP: 203.0.113.39
  LEASED_IPV4: 203.0.113.39
`);
    expect(read('leases/allocations/192.168.4/192.168.4.7.yaml')).not.toContain('203.0.113');
  });

  test('export zone has the public address, also in reverse', async () => {
    const { run } = await remadeCheckout(files);
    expect((await run('export', 'zone', '--zone', 'example.com')).out).toBe(
      '$ORIGIN example.com.\nshop 300 IN A 203.0.113.39\n',
    );
    expect((await run('export', 'zone', '--reverse')).out).toBe(
      '39.113.0.203.in-addr.arpa. 300 IN PTR shop.example.com.\n',
    );
    const zone = ['--zone', '32-28.113.0.203.in-addr.arpa', '--delegated', '203.0.113.32/28'];
    expect((await run('export', 'zone', '--reverse', ...zone)).out).toContain(
      '39 300 IN PTR shop.example.com.\n',
    );
  });

  test.each(['192.168.4.7', '203.0.113.39', '203.0.113.32/28', 'shop.example.com'])(
    'who %s shows both addresses',
    async (asked) => {
      const { run } = await remadeCheckout(files);
      const { out } = await run('who', asked);
      expect(out.split('\n').slice(0, 2).join('\n')).toMatch(
        /^ADDRESS +PUBLIC +STATE.*\n192\.168\.4\.7 +203\.0\.113\.39 +held since/,
      );
    },
  );

  test('who finds all holders behind one public address, and none behind another', async () => {
    const { run } = await remadeCheckout({
      ...files,
      'leases/pools.yaml': pools(nat('198.51.100.1')),
      'leases/shop/mail.yaml': serviceText('mail', { spec: { loadBalancerIP: '192.168.4.9' } }),
    });
    const { items } = JSON.parse((await run('who', '198.51.100.1', '-o', 'json')).out);
    expect(items).toMatchObject([
      { address: '192.168.4.7', publicAddress: '198.51.100.1', state: 'held' },
      { address: '192.168.4.9', publicAddress: '198.51.100.1', state: 'held' },
    ]);
    expect((await run('who', '198.51.100.2')).out).toContain('in no pool');
  });

  test('who finds what is free or reserved behind a public address', async () => {
    const { run, put } = await remadeCheckout(files);
    const itemsOf = async (asked: string) =>
      JSON.parse((await run('who', asked, '-o', 'json')).out).items;
    const about = { pool: 'p', zone: 'z', claims: [] };
    const free = { address: '192.168.4.8', publicAddress: '203.0.113.40', state: 'free' };
    expect(await itemsOf('203.0.113.40')).toEqual([{ ...free, ...about }]);
    expect(await itemsOf('192.168.4.8')).toEqual([{ ...free, ...about }]);
    expect((await run('who', '203.0.113.40')).out).toMatch(
      /^ADDRESS +PUBLIC +STATE.*\n192\.168\.4\.8 +203\.0\.113\.40 +free /,
    );
    const rules = ['192.168.4.8/29, outside: 198.51.100.1', '192.168.4.1, outside: 198.51.100.1'];
    const forwarded = `nat: [${rules.map((rule) => `{ inside: ${rule} }`).join(', ')}]`;
    put('leases/pools.yaml', pools(`${forwarded}, reserved: [192.168.4.1]`));
    const publicAddress = '198.51.100.1';
    expect(await itemsOf(publicAddress)).toEqual([
      { address: '192.168.4.1', publicAddress, state: 'reserved', ...about },
      { address: '192.168.4.8/29', publicAddress, state: 'free', ...about },
    ]);
    put('leases/pools.yaml', pools(`${forwarded}, reserved: [192.168.4.8/31]`));
    expect(await itemsOf(publicAddress)).toEqual([
      { address: '192.168.4.1', publicAddress, state: 'free', ...about },
      { address: '192.168.4.8/31', publicAddress, state: 'reserved', ...about },
      { address: '192.168.4.10-192.168.4.15', publicAddress, state: 'free', ...about },
    ]);
  });

  test('who, list and export addresses have the public address, also as CSV', async () => {
    const { run } = await remadeCheckout(files);
    const columns = ['publicAddress', 'publicAddresses'];
    const cells = async (...argv: readonly string[]) => {
      const lines = (await run(...argv)).out.trimEnd().split('\n');
      const place = lines[0]?.split(',').findIndex((name) => columns.includes(name)) ?? -1;
      return lines.map((line) => line.split(',')[place]);
    };
    const inside = ['who', '192.168.4.7', '-o', 'csv'];
    expect(await cells(...inside)).toEqual(['publicAddress', '203.0.113.39']);
    const list = await cells('list', '-o', 'csv');
    expect(list).toEqual(['publicAddresses', '203.0.113.39']);
    expect(await cells('export', 'addresses')).toEqual(['publicAddress', '203.0.113.39']);
    const { items } = JSON.parse((await run('list', '-o', 'json')).out);
    expect(items).toMatchObject([
      { addresses: ['192.168.4.7'], publicAddresses: ['203.0.113.39'] },
    ]);
    expect((await run('list')).out).toMatch(
      /^ADDRESS +PUBLIC +STATE.*\n192\.168\.4\.7 +203\.0\.113\.39 +held /,
    );
  });

  test('NetBox has both addresses, and the public one refers to the other', async () => {
    const { root } = await remadeCheckout(files);
    const { url, model } = await fakeNetBox();
    const argv = ['export', 'netbox', '--api', url, '--today', '2026-01-10', '--apply'];
    const token = { NETBOX_TOKEN: 'nbt_key.fake-token' };
    const { status, out } = await runInProcess([...argv, '--create-missing'], root, token);
    expect([status, out]).toEqual([
      0,
      expect.stringContaining('3 to add, 0 to change, 0 to delete done'),
    ]);
    const [own, beyond] = model.lists.get('ipam/ip-addresses') ?? [];
    expect([own?.address, beyond?.address]).toEqual(['192.168.4.7/32', '203.0.113.39/32']);
    expect(beyond).toMatchObject({ nat_inside: own?.id, description: own?.description });
    const again = await runInProcess(argv, root, token);
    expect(again.out).toContain(', 3 unchanged');
  });

  test('a change of the NAT changes DNS in the same run, and the plan shows it', async () => {
    const { run, read, put, commit, repository } = await remadeCheckout(files);
    repository.git('checkout', '-q', '-b', 'change');
    put('leases/pools.yaml', pools(nat('203.0.113.64/28')));
    expect((await run('check')).status).toBe(1);
    expect((await run('synth', '--today', '2026-01-05')).status).toBe(0);
    expect(read(manifest)).toContain('targets:\n        - 203.0.113.71\n');
    commit('2026-01-05');
    const plan = ['plan', '--base', 'main', '--today', '2026-01-05'];
    const { status, out } = await run(...plan);
    expect([status, out]).toEqual([
      0,
      expect.stringContaining(
        'pool p: nat 192.168.4.0/28 as 203.0.113.32/28 → 192.168.4.0/28 as 203.0.113.64/28',
      ),
    ]);
    const moved = '203.0.113.39 → 203.0.113.71';
    const details = [`public address ${moved}`, `DNS name shop.example.com ${moved}`];
    expect(out).toContain(`shop/web keeps 192.168.4.7: ${details.join(', ')}.`);
    const { addresses } = JSON.parse((await run(...plan, '-o', 'json')).out);
    expect(addresses).toMatchObject([
      {
        ...{ address: '192.168.4.7', change: 'updated', details },
        before: { publicAddress: '203.0.113.39' },
        after: { publicAddress: '203.0.113.71' },
      },
    ]);
    const markdown = (await run(...plan, '-o', 'markdown')).out;
    expect(markdown).toContain('Lost, moved or cut');
  });

  test('a lease is told its public address by its address name and in its SDL', async () => {
    const endpoint = { name: 'site', service: 'web', port: 80, address: '192.168.4.3' };
    const { run, read, put } = await remadeCheckout({
      '.gitignore': '.leasehold/\n',
      'leases/pools.yaml': providerPoolsText(`emit: { addressNames: true }
pools:
  - { name: p, zone: z, addresses: [192.168.4.0/28], ${nat('203.0.113.32/28')} }
`),
      'leases/web.yaml': leaseText('ann', 7, [endpoint]),
    });
    expect(read(`dist/default/${accountOf('ann')}/site.yaml`)).toMatch(
      /^kind: EndpointSlice\n(?:.+\n)*? +- 203\.0\.113\.35\n/m,
    );
    put(
      'web.sdl.yaml',
      `version: '2.0'
endpoints: { site: { kind: ip } }
services:
  web:
    image: example/web
    env: [IP=$(leased.site), 'BIND=$(leased.site.inside) $(leased.site.inside.ipv4)']
    expose: [{ port: 80, to: [{ global: true, ip: site }] }]
${profilesLine(['rack'])}deployment: { web: { rack: { profile: web, count: 1 } } }
`,
    );
    const { out } = await run('sdl', 'fill', 'web.sdl.yaml', '--owner', accountOf('ann'));
    expect(out).toContain("env: [IP=203.0.113.35, 'BIND=192.168.4.3 192.168.4.3']\n");
  });
});
