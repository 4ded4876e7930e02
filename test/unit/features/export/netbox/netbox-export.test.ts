import { describe, expect, test } from 'vitest';
import type { Day } from '../../../../../src/core/model/day.ts';
import type { Pool } from '../../../../../src/core/model/pools.ts';
import { exportedAddresses } from '../../../../../src/features/export/address-export.ts';
import {
  applyNetBoxExport,
  planNetBoxExport,
} from '../../../../../src/features/export/netbox/netbox-export.ts';
import {
  aTable,
  poolsWith,
  poolWith,
  type RecordWords,
} from '../../../../support/allocations/tables.ts';
import { aRange } from '../../../../support/declarations/pools-and-claims.ts';
import { ModelNetBox, modelPort } from '../../../../support/netbox/model-netbox.ts';

const day = '2026-03-10' as Day;
const choice = { tag: 'ours', vrf: undefined, tenant: undefined };

function wanted(
  addresses: readonly string[],
  ...records: readonly (readonly [string, RecordWords?])[]
) {
  return wantedOf(poolWith({ addresses }), ...records);
}

function wantedOf(pool: Pool, ...records: readonly (readonly [string, RecordWords?])[]) {
  const pools = poolsWith(pool);
  const items = exportedAddresses(pools, aTable(...records), { day, commitOf: () => 'c' });
  const about = {
    apiVersion: 'leasehold.dev/v1',
    kind: 'AddressExport',
    day,
    commit: 'c',
  } as const;
  return { pools, answer: { ...about, items } };
}

/** A NetBox to which these addresses were exported. */
async function filled(...state: Parameters<typeof wanted>) {
  const model = new ModelNetBox();
  const netbox = modelPort(model);
  const plan = await planNetBoxExport(netbox, wanted(...state), choice);
  expect(await applyNetBoxExport(netbox, plan, true)).toMatchObject({ problems: [] });
  return {
    model,
    plan: (...next: Parameters<typeof wanted>) => planNetBoxExport(netbox, wanted(...next), choice),
  };
}

describe('the difference to NetBox', () => {
  test('is empty for objects that other people have added to', async () => {
    const { model, plan } = await filled(['203.0.113.0/28'], ['203.0.113.7']);
    const [address] = model.lists.get('ipam/ip-addresses') ?? [];
    Object.assign(address ?? {}, { dns_name: 'web.example.com', role: 'vip', comments: 'Mine' });
    const { answer } = await plan(['203.0.113.0/28'], ['203.0.113.7']);
    expect(answer).toMatchObject({ changes: [], unchanged: 2 });
  });

  test('takes back changes of people', async () => {
    const { model, plan } = await filled(['203.0.113.0/28'], ['203.0.113.7']);
    const [address] = model.lists.get('ipam/ip-addresses') ?? [];
    Object.assign(address ?? {}, { status: 'deprecated' });
    const { answer } = await plan(['203.0.113.0/28'], ['203.0.113.7']);
    expect(answer.changes).toMatchObject([
      { action: 'change', differences: [{ field: 'status', from: 'deprecated', to: 'active' }] },
    ]);
  });

  test('deletes the newer one of two objects of an address', async () => {
    const { model, plan } = await filled(['203.0.113.0/28'], ['203.0.113.7']);
    const [first] = model.lists.get('ipam/ip-addresses') ?? [];
    const second = model.add('ipam/ip-addresses', { ...first });
    const { answer } = await plan(['203.0.113.0/28'], ['203.0.113.7']);
    expect(answer.changes).toMatchObject([
      { action: 'delete', url: expect.stringContaining(`/${second.id}/`) },
    ]);
  });

  test('deletes a range before it adds one that overlaps it', async () => {
    const { plan } = await filled(['203.0.113.1-203.0.113.5']);
    const { answer } = await plan(['203.0.113.1-203.0.113.6']);
    expect(answer.changes.map(({ action, addresses }) => `${action} ${addresses}`)).toEqual([
      'delete 203.0.113.1-203.0.113.5',
      'add 203.0.113.1-203.0.113.6',
    ]);
  });

  test('names a range without the tag that overlaps a pool', async () => {
    const model = new ModelNetBox();
    model.add('ipam/ip-ranges', { start_address: '203.0.113.4/24', end_address: '203.0.113.9/24' });
    const netbox = modelPort(model);
    const { answer } = await planNetBoxExport(netbox, wanted(['203.0.113.1-203.0.113.5']), choice);
    expect(answer.problems).toMatchObject([
      {
        addresses: '203.0.113.1-203.0.113.5',
        reason: expect.stringContaining('the ip-range 203.0.113.4-203.0.113.9, which overlaps'),
      },
    ]);
  });

  test('leaves out a range that is too large for NetBox', async () => {
    const { model } = await filled(['fd00::1-fd00::1:0:0', 'fd00:1::/64']);
    expect(model.lists.get('ipam/ip-ranges')).toEqual([]);
    expect(model.lists.get('ipam/prefixes')).toMatchObject([{ prefix: 'fd00:1::/64' }]);
  });

  test('cuts a description that is too long for NetBox', async () => {
    const { model } = await filled(['203.0.113.0/28'], ['203.0.113.7', { name: 'n'.repeat(230) }]);
    const [address] = model.lists.get('ipam/ip-addresses') ?? [];
    expect(String(address?.description)).toMatch(/^.{199}…$/);
    expect(Object(address?.custom_fields).leasehold_holder).toMatch(/n{230}/);
  });

  test('leaves out an address that is free', async () => {
    const released = ['2026-03-01', '2026-03-10'] as const;
    const { model } = await filled(['203.0.113.0/28'], ['203.0.113.7', { released }]);
    expect(model.lists.get('ipam/ip-addresses')).toEqual([]);
  });

  test('names a custom field of another type', async () => {
    const model = new ModelNetBox();
    model.add('extras/custom-fields', { name: 'leasehold_since', type: 'text', object_types: [] });
    const { answer } = await planNetBoxExport(modelPort(model), wanted(['203.0.113.0/28']), choice);
    expect(answer.problems).toEqual([
      {
        reason:
          'the custom field leasehold_since of NetBox must have the type date and the object types ipam.ipaddress',
      },
    ]);
  });
});

describe('behind a NAT', () => {
  const inside = '192.168.4.0/28';
  const behind = (outside: string, own = inside): Pool => ({
    ...poolWith({ addresses: [inside] }),
    nat: [{ inside: aRange(own), outside: aRange(outside) }],
  });
  const start = () => {
    const model = new ModelNetBox();
    const netbox = modelPort(model);
    const planOf = (...state: Parameters<typeof wantedOf>) =>
      planNetBoxExport(netbox, wantedOf(...state), choice);
    return {
      model,
      planOf,
      async apply(...state: Parameters<typeof wantedOf>) {
        const made = await applyNetBoxExport(netbox, await planOf(...state), true);
        expect(made).toMatchObject({ problems: [] });
        expect((await planOf(...state)).answer.changes).toEqual([]);
        const done = made.changes.filter(({ object }) => object === 'ip-address');
        return done.map(({ action, addresses }) => `${action} ${addresses}`);
      },
      /** The addresses with those that they refer to. */
      pairs() {
        const all = model.lists.get('ipam/ip-addresses') ?? [];
        const byId = new Map(all.map(({ id, address }) => [id, String(address)]));
        return all.map(({ address, nat_inside }) => [
          ...[address, byId.get(Number(nat_inside ?? 0))].filter(Boolean),
        ]);
      },
    };
  };

  test('a public address refers to its address, which is written before', async () => {
    const { model, apply, pairs } = start();
    const records = [['192.168.4.1'], ['192.168.4.2']] as const;
    const order = ['192.168.4.1', '192.168.4.2', '203.0.113.1', '203.0.113.2'];
    expect(await apply(behind('203.0.113.0/28'), ...records)).toEqual(
      order.map((address) => `add ${address}`),
    );
    expect(pairs().slice(2)).toEqual([
      ['203.0.113.1/32', '192.168.4.1/32'],
      ['203.0.113.2/32', '192.168.4.2/32'],
    ]);
    const [own, , beyond] = model.lists.get('ipam/ip-addresses') ?? [];
    expect(beyond).toEqual({
      ...own,
      ...{ id: beyond?.id, address: '203.0.113.1/32', nat_inside: own?.id },
    });
  });

  test('another address of the NAT is written, and the old one deleted first', async () => {
    const { apply, pairs } = start();
    await apply(behind('203.0.113.0/28'), ['192.168.4.1']);
    expect(await apply(behind('198.51.100.0/28'), ['192.168.4.1'])).toEqual([
      'delete 203.0.113.1',
      'add 198.51.100.1',
    ]);
    expect(await apply(behind('198.51.100.0/28'))).toEqual([
      'delete 198.51.100.1',
      'delete 192.168.4.1',
    ]);
    expect(pairs()).toEqual([]);
  });

  test('a public address is given to another address', async () => {
    const { planOf, apply, pairs } = start();
    await apply(behind('203.0.113.1', '192.168.4.1'), ['192.168.4.1'], ['192.168.4.3']);
    const next = behind('203.0.113.1', '192.168.4.3');
    const { answer } = await planOf(next, ['192.168.4.1'], ['192.168.4.3']);
    expect(answer.changes).toMatchObject([
      {
        differences: [
          {
            field: 'nat_inside',
            from: expect.stringMatching(/^192\.168\.4\.1\/32 #\d+$/),
            to: '192.168.4.3',
          },
        ],
      },
    ]);
    await apply(next, ['192.168.4.1'], ['192.168.4.3']);
    const other = behind('203.0.113.1', '192.168.4.5');
    expect(await apply(other, ['192.168.4.3'], ['192.168.4.5'])).toEqual([
      'delete 192.168.4.1',
      'add 192.168.4.5',
      'change 203.0.113.1',
    ]);
    expect(pairs()).toContainEqual(['203.0.113.1/32', '192.168.4.5/32']);
  });

  test('a former public address refers to nothing, and the reference of a user stays', async () => {
    const { model, apply, pairs } = start();
    await apply(behind('203.0.113.1', '192.168.4.1'), ['192.168.4.1']);
    const direct = poolWith({ addresses: ['203.0.113.0/28', inside] });
    await apply(direct, ['192.168.4.1'], ['203.0.113.1']);
    expect(pairs()).toEqual([['192.168.4.1/32'], ['203.0.113.1/32']]);
    const { id } = model.add('ipam/ip-addresses', { address: '10.0.0.1/32' });
    const [own] = model.lists.get('ipam/ip-addresses') ?? [];
    Object.assign(own ?? {}, { nat_inside: id });
    expect(await apply(direct, ['192.168.4.1'], ['203.0.113.1'])).toEqual([]);
  });

  test('one public address of several has no object, as NetBox knows no ports', async () => {
    const { apply } = start();
    expect(await apply(behind('198.51.100.1'), ['192.168.4.1'])).toEqual(['add 192.168.4.1']);
  });

  test('a public address without the tag is kept, and adopted with it', async () => {
    const { model, planOf, apply, pairs } = start();
    const router = model.add('ipam/ip-addresses', { address: '203.0.113.1/24', status: 'active' });
    expect(await apply(behind('203.0.113.0/28'), ['192.168.4.1'])).toEqual(['add 192.168.4.1']);
    const { answer } = await planOf(behind('203.0.113.0/28'), ['192.168.4.1']);
    expect(answer.kept).toMatchObject([{ object: 'ip-address', addresses: '203.0.113.1' }]);
    Object.assign(router, { tags: [{ slug: 'ours' }] });
    expect(await apply(behind('203.0.113.0/28'), ['192.168.4.1'])).toEqual(['change 203.0.113.1']);
    expect(pairs()).toContainEqual(['203.0.113.1/24', '192.168.4.1/32']);
  });

  test('the public address wins over a retained one that was in a pool', async () => {
    const { apply, pairs } = start();
    const released = ['2026-03-01', '2026-03-20'] as const;
    await apply(behind('203.0.113.0/28'), ['192.168.4.1'], ['203.0.113.1', { released }]);
    expect(pairs()).toEqual([['192.168.4.1/32'], ['203.0.113.1/32', '192.168.4.1/32']]);
  });
});
