import { describe, expect, test } from 'vitest';
import { exportedAddresses } from '../../../../../src/features/export/address-export.ts';
import {
  applyNetBoxExport,
  planNetBoxExport,
} from '../../../../../src/features/export/netbox/netbox-export.ts';
import type { Day } from '../../../../../src/model/day.ts';
import {
  aTable,
  poolsWith,
  poolWith,
  type RecordWords,
} from '../../../../support/allocations/tables.ts';
import { ModelNetBox, modelPort } from '../../../../support/netbox/model-netbox.ts';

const day = '2026-03-10' as Day;
const choice = { tag: 'ours', vrf: undefined, tenant: undefined };

function wanted(
  addresses: readonly string[],
  ...records: readonly (readonly [string, RecordWords?])[]
) {
  const pools = poolsWith(poolWith({ addresses }));
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
