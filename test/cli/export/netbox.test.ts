import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { NetBoxExport } from '../../../src/features/export/netbox/netbox-export-answer.ts';
import { netBoxLists } from '../../../src/features/export/netbox/netbox-objects.ts';
import { poolsText } from '../../support/declarations/pools-text.ts';
import { type FakeNetBox, fakeNetBox } from '../../support/netbox/fake-netbox.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import { gitRepository } from '../../support/repositories/git-repository.ts';
import type { LeaseCheckout } from '../../support/repositories/lease-checkout.ts';
import { answerOf } from '../../support/run/json-answer.ts';
import { type Finished, runInProcess } from '../../support/run/run-in-process.ts';
import { content, putFile, tempTree } from '../../support/trees/temp-tree.ts';

const service = (name: string, address: string) => `apiVersion: v1
kind: Service
metadata: { name: ${name}, namespace: shop, annotations: { leasehold.dev/pool: public } }
spec: { type: LoadBalancer, loadBalancerIP: ${address}, selector: { app: ${name} }, ports: [{ port: 80 }] }
`;

/** Two Services with pinned addresses, in one commit. */
function shop(): Promise<LeaseCheckout> {
  return remadeCheckout({
    '.gitignore': '.leasehold/\n',
    'leases/pools.yaml': poolsText(`pools:
  - { name: public, zone: inet, addresses: [203.0.113.0/28, 203.0.113.20-203.0.113.22], retentionDays: 9, advertise: { l2: {} } }
`),
    'leases/shop/web.yaml': service('web', '203.0.113.7'),
    'leases/shop/mail.yaml': service('mail', '203.0.113.8'),
  });
}

function exportArgv(fake: FakeNetBox, ...more: readonly string[]): readonly string[] {
  return ['export', 'netbox', '--api', fake.url, '--today', '2026-01-10', ...more];
}

const token = { NETBOX_TOKEN: 'nbt_key.fake-token' };

function run(fake: FakeNetBox, root: string, ...more: readonly string[]): Promise<Finished> {
  return runInProcess(exportArgv(fake, ...more), root, token);
}

/** An export that has filled an empty NetBox. */
async function exported() {
  const fake = await fakeNetBox();
  const checkout = await shop();
  const first = await run(fake, checkout.root, '--apply', '--create-missing');
  expect(first).toMatchObject({ status: 0, err: '' });
  return { fake, root: checkout.root, checkout };
}

const addresses = ({ model }: FakeNetBox) => model.lists.get('ipam/ip-addresses') ?? [];

describe('leasehold export netbox', () => {
  test('a dry run prints the changes, and writes nothing', async () => {
    const fake = await fakeNetBox();
    const { root } = await shop();
    const { status, out, err } = await run(fake, root, '--dry-run');
    expect([status, err]).toEqual([0, '']);
    expect(
      out,
    ).toBe(`ACTION  OBJECT      ADDRESSES                  HOLDER                     DIFFERENCES
add     prefix      203.0.113.0/28             -                          -
add     ip-range    203.0.113.20-203.0.113.22  -                          -
add     ip-address  203.0.113.7                default/service/shop/web   -
add     ip-address  203.0.113.8                default/service/shop/mail  -
missing in NetBox: the tag leasehold-export
missing in NetBox: the custom field leasehold_holder
missing in NetBox: the custom field leasehold_owner
missing in NetBox: the custom field leasehold_zone
missing in NetBox: the custom field leasehold_pool
missing in NetBox: the custom field leasehold_since
missing in NetBox: the custom field leasehold_commit
--apply --create-missing creates what is missing
4 to add, 0 to change, 0 to delete, 0 unchanged
`);
    expect(fake.writes()).toEqual([]);
  });

  test('creates the tag and the custom fields only when told to', async () => {
    const fake = await fakeNetBox();
    const { root } = await shop();
    const refused = await run(fake, root, '--apply');
    expect(refused.status).toBe(1);
    expect(refused.out).toContain('export with --create-missing');
    expect(fake.writes()).toEqual([]);
  });

  test('makes the objects, and the second time changes nothing', { tags: 'slow' }, async () => {
    const { fake, root, checkout } = await exported();
    const head = checkout.idOf('HEAD');
    expect(addresses(fake)[0]).toMatchObject({
      address: '203.0.113.7/32',
      status: 'active',
      description: 'default/service/shop/web',
      tags: [{ slug: 'leasehold-export' }],
      custom_fields: {
        leasehold_holder: 'default/service/shop/web',
        leasehold_owner: 'default/shop',
        leasehold_zone: 'inet',
        leasehold_pool: 'public',
        leasehold_since: '2026-01-02',
        leasehold_commit: head,
      },
    });
    expect(fake.model.lists.get('ipam/prefixes')).toMatchObject([
      { prefix: '203.0.113.0/28', is_pool: true, description: 'pool public of zone inet' },
    ]);
    expect(fake.model.lists.get('ipam/ip-ranges')).toMatchObject([
      { start_address: '203.0.113.20/32', end_address: '203.0.113.22/32' },
    ]);
    const before = fake.writes().length;
    const second = await run(fake, root, '--apply');
    expect(second.out).toBe(
      '0 to add, 0 to change, 0 to delete, 4 unchanged; nothing was written\n',
    );
    expect(fake.writes()).toHaveLength(before);
  });

  test('follows a release: reserved while it is retained, then deleted', {
    tags: 'slow',
  }, async () => {
    const { fake, root, checkout } = await exported();
    checkout.put('leases/shop/mail.yaml', '');
    const uncommitted = await run(fake, root, '--apply');
    expect(uncommitted).toMatchObject({ status: 1, err: '' });
    expect(uncommitted.out).toContain('has uncommitted changes');
    await checkout.synth('2026-01-12');
    const argv = exportArgv(fake, '--apply', '--today', '2026-01-12');
    const answer = (await answerOf(argv, root, {
      schema: 'netbox-export',
      env: token,
    })) as NetBoxExport;
    expect(answer.changes).toMatchObject([
      {
        action: 'change',
        addresses: '203.0.113.8',
        url: 'https://netbox.example.com/ipam/ip-addresses/11/',
        differences: [
          { field: 'status', from: 'active', to: 'reserved' },
          { field: 'description', to: 'retained until 2026-01-21 for default/service/shop/mail' },
          { field: 'leasehold_commit' },
        ],
        done: true,
      },
    ]);
    const later = await run(fake, root, '--apply', '--today', '2026-01-21');
    expect(later.out).toContain('0 to add, 0 to change, 1 to delete done, 3 unchanged\n');
    expect(addresses(fake)).toHaveLength(1);
  });

  test('leaves an address without the tag alone; with the tag it is adopted, and its description stays', async () => {
    const fake = await fakeNetBox();
    const { root } = await shop();
    const own = fake.model.add('ipam/ip-addresses', {
      ...{ address: '203.0.113.7/24', status: 'active', dns_name: 'web.example.com' },
      ...{ description: 'ticket 4711, asked by Ann', tags: [] },
    });
    const prefix = fake.model.add('ipam/prefixes', { prefix: '203.0.113.0/28', tags: [] });
    const refused = await run(fake, root, '--apply', '--create-missing');
    expect(refused.status).toBe(1);
    expect(refused.out).toContain(
      'kept: the prefix 203.0.113.0/28 without the tag, https://netbox.example.com/ipam/prefixes/2/\n',
    );
    expect(refused.out).toContain(
      'problem: 203.0.113.7: NetBox has this ip-address without the tag leasehold-export: delete it there, or add the tag to let leasehold have it, https://netbox.example.com/ipam/ip-addresses/1/\n',
    );
    expect(fake.writes()).toEqual([]);
    fake.model.add('extras/tags', { name: 'leasehold-export', slug: 'leasehold-export' });
    own.tags = [{ slug: 'leasehold-export' }, { slug: 'theirs' }];
    fake.model.add('extras/tags', { name: 'theirs', slug: 'theirs' });
    const adopted = await run(fake, root, '--apply', '--create-missing');
    expect(adopted.status).toBe(0);
    expect(addresses(fake)[0]).toMatchObject({
      address: '203.0.113.7/24',
      dns_name: 'web.example.com',
      description: 'ticket 4711, asked by Ann',
      custom_fields: { leasehold_holder: 'default/service/shop/web' },
      tags: [{ slug: 'leasehold-export' }, { slug: 'theirs' }],
    });
    const again = await run(fake, root, '--apply');
    expect(again.out).toContain('0 to add, 0 to change, 0 to delete');
    Object.assign(addresses(fake)[0] ?? {}, { description: '' });
    expect((await run(fake, root, '--apply')).status).toBe(0);
    expect(addresses(fake)[0]).toMatchObject({ description: 'default/service/shop/web' });
    expect(fake.model.lists.get('ipam/prefixes')).toEqual([prefix]);
  });

  test('deletes most objects only when told how many', async () => {
    const { fake } = await exported();
    const before = structuredClone([...fake.model.lists]);
    // Another repository with the same tag.
    const { root } = await remadeCheckout({
      '.gitignore': '.leasehold/\n',
      'leases/pools.yaml': poolsText(`pools:
  - { name: public, zone: inet, addresses: [198.51.100.0/28], advertise: { l2: {} } }
`),
    });
    const refused = await run(fake, root, '--apply');
    expect(refused.status).toBe(1);
    expect(refused.out).toContain(
      'problem: 4 of 4 exported objects would be deleted: when another repository exports with this tag, choose another --tag; when it is intended, export with --allow-delete 4\n1 to add, 0 to change, 4 to delete, 0 unchanged; nothing was written\n',
    );
    expect((await run(fake, root, '--dry-run')).status).toBe(1);
    expect((await run(fake, root, '--apply', '--allow-delete', '3')).status).toBe(1);
    expect([...fake.model.lists]).toEqual(before);
    const allowed = await run(fake, root, '--apply', '--allow-delete', '4');
    expect(allowed.out).toContain('1 to add, 0 to change, 4 to delete done, 0 unchanged\n');
    expect(allowed.status).toBe(0);
  });

  test('does not delete an object that it did not write, though it has the tag', async () => {
    const { fake, root } = await exported();
    fake.model.add('ipam/prefixes', {
      ...{ prefix: '10.0.0.0/8', tags: [{ slug: 'leasehold-export' }] },
    });
    const { status, out } = await run(fake, root, '--apply');
    expect(status).toBe(1);
    expect(out).toContain('problem: 10.0.0.0/8: this prefix has the tag leasehold-export');
    expect(fake.model.lists.get('ipam/prefixes')).toHaveLength(2);
  });

  test('puts the objects into a VRF and a tenant that NetBox has', async () => {
    const fake = await fakeNetBox();
    const { root } = await shop();
    const unknown = await run(fake, root, '--dry-run', '--vrf', 'edge', '--tenant', 'shop');
    expect(unknown.status).toBe(1);
    expect(unknown.out).toContain(
      'problem: NetBox has nothing with the name edge in ipam/vrfs, and one is needed\nproblem: NetBox has nothing with the slug shop in tenancy/tenants, and one is needed\n',
    );
    const vrf = fake.model.add('ipam/vrfs', { name: 'edge' });
    const tenant = fake.model.add('tenancy/tenants', { name: 'Shop', slug: 'shop' });
    fake.model.add('ipam/ip-addresses', { address: '203.0.113.7/32', status: 'active' });
    const more = ['--apply', '--create-missing', '--vrf', 'edge', '--tenant', 'shop'];
    expect(await run(fake, root, ...more)).toMatchObject({ status: 0 });
    expect(addresses(fake)[1]).toMatchObject({ vrf: vrf.id, tenant: tenant.id });
    expect((await run(fake, root, ...more)).out).toContain('nothing was written');
  });

  test('writes nothing when NetBox lists fewer objects than it counts', async () => {
    const fake = await fakeNetBox();
    const { root } = await shop();
    fake.interfere = ({ list }) =>
      list === 'extras/custom-fields'
        ? { status: 200, value: { count: 6, results: [] } }
        : undefined;
    const { status, err } = await run(fake, root, '--apply', '--create-missing');
    expect([status, fake.writes()]).toEqual([74, []]);
    expect(err).toContain('6 objects in extras/custom-fields, and lists only 0 of them');
  });

  test('what it writes for a pool is no reservation of an import that comes after it', {
    tags: 'slow',
  }, async () => {
    const fake = await fakeNetBox();
    const { model } = fake;
    const zoned = (prefix: string, zone: string) =>
      model.add('ipam/prefixes', { prefix, is_pool: true, custom_fields: { zone } });
    model.add('extras/custom-fields', {
      name: 'zone',
      type: 'text',
      object_types: ['ipam.prefix'],
    });
    for (const prefix of ['203.0.113.0/26', '10.9.0.0/24']) zoned(prefix, 'inet');
    zoned('203.0.113.48/29', 'hnet');
    const { root, git } = gitRepository(tempTree({ '.gitignore': '.leasehold/\n*.json\n' }));
    const imported = async (...more: readonly string[]) => {
      const names = Object.values(netBoxLists).map((list) => {
        const name = `${list.replace('/', '-')}.json`;
        const { value } = model.get(list, new URLSearchParams({ limit: '1000' }));
        putFile(root, name, JSON.stringify(value));
        return name;
      });
      const argv = ['import', 'netbox', ...names, '--zone-field', 'zone', ...more];
      const { status } = await runInProcess([...argv, '--today', '2026-01-10'], root);
      return [status, (content(root)['leases/pools.yaml'] ?? '').match(/reserved: .*/g)];
    };
    expect(await imported('--zone', 'inet', '--metallb', '0.14.9')).toEqual([0, null]);
    git('add', '-A');
    git('commit', '-qm', 'Import');
    const { out } = await run(fake, root, '--apply', '--create-missing');
    expect(out).toContain('add     ip-range  203.0.113.0-203.0.113.47');
    model.add('ipam/ip-addresses', { address: '203.0.113.9/26' });
    expect(await imported()).toEqual([0, ['reserved: [203.0.113.9]']]);
  });

  test('reads all pages of a server with small ones', async () => {
    const { fake, root } = await exported();
    fake.pageSize = 1;
    const { out } = await run(fake, root, '--dry-run');
    expect(out).toBe('0 to add, 0 to change, 0 to delete, 4 unchanged\n');
  });

  test('tells every object that NetBox refuses, and a new export makes the rest', {
    tags: 'slow',
  }, async () => {
    const fake = await fakeNetBox();
    const { root } = await shop();
    fake.interfere = ({ method, list }) =>
      method === 'POST' && list === 'ipam/ip-addresses'
        ? { status: 400, value: [{}, { __all__: ['Not on a Friday.'] }] }
        : undefined;
    const argv = exportArgv(fake, '--apply', '--create-missing');
    const answer = (await answerOf(argv, root, {
      ...{ schema: 'netbox-export', status: 1, env: token },
    })) as NetBoxExport;
    expect(answer.problems).toEqual([
      { addresses: '203.0.113.7', reason: 'NetBox refuses it: Not on a Friday.' },
      { addresses: '203.0.113.8', reason: 'NetBox refuses it: Not on a Friday.' },
    ]);
    expect(answer.changes.map(({ done }) => done)).toEqual([true, true, false, false]);
    fake.interfere = () => undefined;
    expect((await run(fake, root, '--apply')).out).toContain(
      '2 to add, 0 to change, 0 to delete done, 2 unchanged\n',
    );
  });

  test('marks the changes that are done when NetBox breaks off, and a new export makes the rest', async () => {
    const fake = await fakeNetBox();
    const { root } = await shop();
    fake.interfere = ({ method, list }) =>
      method === 'POST' && list === 'ipam/ip-addresses' ? 'drop after doing it' : undefined;
    const { status, out } = await run(fake, root, '--apply', '--create-missing');
    expect(status).toBe(74);
    expect(out).toContain(
      '2 to add, 0 to change, 0 to delete done, 0 unchanged; 2 changes left\nfailed: NetBox at ',
    );
    fake.interfere = () => undefined;
    expect((await run(fake, root, '--apply')).out).toBe(
      '0 to add, 0 to change, 0 to delete, 4 unchanged; nothing was written\n',
    );
  });

  test('waits when NetBox limits its rate', async () => {
    const { fake, root } = await exported();
    let limited = 0;
    fake.interfere = ({ list }) => {
      limited += list === 'extras/tags' ? 1 : 0;
      return limited === 1 && list === 'extras/tags'
        ? { status: 429, value: {}, headers: { 'Retry-After': '0' } }
        : undefined;
    };
    expect((await run(fake, root, '--dry-run')).status).toBe(0);
    expect(limited).toBe(2);
  });

  test('shows no token, from a variable or from a file', async () => {
    const fake = await fakeNetBox();
    const { root } = await shop();
    const wrong = { NETBOX_TOKEN: 'nbt_key.wrong-token' };
    const refused = await runInProcess(exportArgv(fake, '--dry-run'), root, wrong);
    expect(refused.status).toBe(74);
    expect(refused.err).toMatch(
      /^leasehold: NetBox at 127\.0\.0\.1:\d+ answers GET \/extras\/tags\/ with 403 \(Invalid v2 token\): the token in NETBOX_TOKEN is wrong or expired/,
    );
    expect(JSON.stringify(refused)).not.toContain('wrong-token');
    fake.authorization = 'Token 0123456789abcdef';
    putFile(join(root, '..'), 'token-of-netbox', '0123456789abcdef\n');
    const file = ['--dry-run', '--token-file', '../token-of-netbox'];
    expect((await runInProcess(exportArgv(fake, ...file), root)).status).toBe(0);
  });

  test.each([
    [[], 64, 'choose --dry-run or --apply'],
    [['--dry-run', '--apply'], 64, "option '--dry-run' cannot be used with option '--apply'"],
    [['--dry-run', '--api', 'http://netbox.example.com'], 74, 'http is for the loopback only'],
  ] as const)('refuses %j', async (more, status, reason) => {
    const fake = await fakeNetBox();
    const { root } = await shop();
    const finished = await run(fake, root, ...more);
    expect([finished.status, finished.err]).toEqual([status, expect.stringContaining(reason)]);
    expect(fake.requests).toEqual([]);
  });

  test('needs an address and a token', async () => {
    const { root } = await shop();
    const without = await runInProcess(['export', 'netbox', '--dry-run'], root);
    expect([without.status, without.err]).toEqual([
      64,
      'leasehold: name the address of NetBox with --api or in NETBOX_API\n',
    ]);
    const api = { NETBOX_API: 'https://netbox.example.com' };
    const { status, err } = await runInProcess(['export', 'netbox', '--dry-run'], root, api);
    expect([status, err]).toEqual([
      74,
      'leasehold: a token of NetBox is needed: set NETBOX_TOKEN in the environment, or name a file with --token-file\n',
    ]);
  });

  test('refuses a commit that does not pass check', async () => {
    const fake = await fakeNetBox();
    const { root, put, commit } = await shop();
    put('leases/shop/next.yaml', service('next', '203.0.113.9'));
    commit('2026-01-10');
    const { status, out } = await run(fake, root, '--apply');
    expect(status).toBe(1);
    expect(out).toContain('STALE');
    expect(fake.requests).toEqual([]);
  });
});
