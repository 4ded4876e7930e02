import { describe, expect, it } from 'vitest';
import type { NetBoxChoice } from '../../../../../src/features/import/netbox/netbox-choice.ts';
import { json, page, reading } from '../../../../support/imports/netbox-export.ts';

const l2 =
  'changed the pools: NetBox does not record how they are announced: leasehold announces them by L2';

describe('prefixes of NetBox', () => {
  it('are pools where they are chosen, and what NetBox has in them is reserved', () => {
    const files = {
      'p.json': page(
        { prefix: '192.0.2.0/24', is_pool: true, description: 'Load balancers, rack 3' },
        { prefix: '10.0.0.0/30', tags: [{ name: 'MetalLB', slug: 'metallb' }] },
        { prefix: '2001:db8::/64', tags: [{ name: 'MetalLB', slug: 'metallb' }] },
      ),
    };
    expect(reading({ tags: ['MetalLB'] }, files)).toEqual({
      pools: [
        ['10-0-0-0-30', '10.0.0.0/30', 'l2'],
        ['2001-db8---64', '2001:db8::/64', 'l2'],
      ],
      zones: [undefined, undefined],
      reserved: [
        '10.0.0.0/32 the network address of 10.0.0.0/30, which is not a pool in NetBox',
        '10.0.0.3/32 the broadcast address of 10.0.0.0/30, which is not a pool in NetBox',
        '2001:db8::/128 the subnet-router anycast address of 2001:db8::/64, which is not a pool in NetBox',
      ],
      notes: [
        'p.json:2:154 left prefixes: 1 not chosen and in no pool, the first is 192.0.2.0/24',
        expect.stringContaining(l2),
      ],
      problems: [],
    });
    expect(reading({}, files).pools[0]).toEqual(['load-balancers-rack-3', '192.0.2.0/24', 'l2']);
    expect(reading({ tags: ['metallb'] }, files).pools).toHaveLength(2);
    expect(reading({ tags: ['prod', 'metallb'] }, files).pools).toHaveLength(2);
    expect(reading({ tags: ['prod'] }, files).pools).toEqual([]);
  });

  it.each<[string, Partial<NetBoxChoice>, readonly string[]]>([
    ['a status', { statuses: ['container'] }, ['10.0.0.0/8']],
    ['several', { statuses: ['container', 'active'] }, ['10.0.0.0-10.0.0.255', '10.0.0.0/24']],
    ['a role by its name', { roles: ['Load Balancers'] }, ['10.0.0.0/24']],
    ['a role by its slug', { roles: ['load-balancers'] }, ['10.0.0.0/24']],
    ['a VRF', { vrf: 'blue', statuses: ['active'] }, ['10.9.0.0/24']],
    ['a VRF by its route distinguisher', { vrf: '65000:1' }, ['10.9.0.0/24']],
    ['none but the global VRF', { vrf: 'GLOBAL' }, ['10.0.0.0/24']],
  ])('are chosen by %s, from JSON and from CSV', (_, choice, expected) => {
    const text = page(
      { prefix: '10.0.0.0/8', status: { value: 'container', label: 'Container' } },
      { prefix: '10.0.0.0/24', role: { name: 'Load balancers', slug: 'load-balancers' } },
      {
        prefix: '10.9.0.0/24',
        vrf: { name: 'blue', rd: '65000:1', display: 'blue (65000:1)' },
      },
    );
    const csv = `\ufeffID;Prefix;Status;VRF;Role;Description\r
1;10.0.0.0/8;Container;Global;;\r
2;• 10.0.0.0/24;Active;Global;Load balancers;"two\r
lines"\r
3;10.9.0.0/24;Active;blue (65000:1);—;\r
`;
    const chosen = [text, csv].map((one, index) =>
      reading(choice, { [`n${index}`]: one }).pools.map(([, addresses]) => addresses),
    );
    if (choice.statuses?.length === 2) {
      // The VRF of a part within another one is asked for.
      expect(chosen).toEqual([[], []]);
      expect(reading(choice, { n: text }).problems).toEqual([
        'n:4:185 POOL_OVERLAP 10.0.0.0/8 and 10.9.0.0/24 have addresses in common, of the global table and VRF blue',
      ]);
    } else {
      expect(chosen).toEqual([expected, expected]);
    }
  });

  it('are of the smallest that has them, where they lie in each other', () => {
    const files = {
      'p.json': page(
        { prefix: '10.0.0.0/24', is_pool: true, custom_fields: { k8s_zone: 'inet' } },
        { prefix: '10.0.0.64/26', is_pool: true, custom_fields: { k8s_zone: 'hnet' } },
        { prefix: '10.0.0.96/27', is_pool: true, custom_fields: { k8s_zone: 'inet' } },
        { prefix: '10.0.0.0/28', is_pool: true, custom_fields: { k8s_zone: 'inet' } },
        { prefix: '2001:db8::/64', is_pool: true, custom_fields: { k8s_zone: { value: 'inet' } } },
        { prefix: '10.1.0.0/24', is_pool: true, custom_fields: { k8s_zone: null } },
      ),
    };
    const told = reading({ zoneField: 'k8s_zone', per: 'zone' }, files);
    expect(told.pools).toEqual([
      ['inet', '10.0.0.0/26 10.0.0.128/25 10.0.0.96/27 2001:db8::/64', 'l2'],
      ['hnet', '10.0.0.64/27', 'l2'],
    ]);
    expect(told.zones).toEqual(['inet', 'hnet']);
    expect(told.reserved).toEqual([]);
    expect(told.notes.map((note) => note.replace(/^\S+ /, ''))).toEqual([
      'left prefixes: 1 not chosen and in no pool, the first is 10.1.0.0/24',
      'changed 10.0.0.0/24: 10.0.0.64/26 of it is left out: it is a pool of its own in p.json:3',
      'left 10.0.0.0/28: it lies in 10.0.0.0/24 (p.json:2), whose addresses are all in the pool',
      'changed 10.0.0.64/26: 10.0.0.96/27 of it is left out: it is a pool of its own in p.json:4',
      l2,
    ]);
  });

  it('reserve what is not chosen within them, and not what is around them', () => {
    const files = {
      'p.csv': `ID,Prefix,Status,Role,Pool,Marked Utilized,Description
1,10.0.0.0/8,Container,,False,True,all
2,10.0.0.0/24,Active,LB,True,False,
3,10.0.0.16/28,Deprecated,,False,False,printers
4,10.0.0.128/25,Active,LB,True,True,
`,
      'r.csv': `ID,Start address,End address,Status,Role,Description
1,10.0.0.250/24,10.0.1.9/24,Active,,DHCP
2,10.0.0.40/24,10.0.0.59/24,Active,LB,
`,
      'a.csv': `ID,IP Address,VRF,Status,Role,Tenant,Assigned,DNS Name,Description,Interface,Device/VM
1,10.0.0.1/24,Global,Active,VRRP,,True,gw.example.com,"the
gateway",irb.5,router1
2,10.0.0.41/24,red,Deprecated,,,False,,,,
3,10.0.0.130/24,Global,DHCP,,,False,,,,
4,172.16.0.1/12,Global,Active,,,False,,,,
`,
    };
    const told = reading({ roles: ['lb'] }, files);
    expect(told.problems).toEqual([]);
    expect(told.pools).toEqual([
      ['10-0-0-0-24', '10.0.0.0-10.0.0.39 10.0.0.60-10.0.0.255', 'l2'],
      ['10-0-0-40-10-0-0-59', '10.0.0.40-10.0.0.59', 'l2'],
    ]);
    expect(told.reserved).toEqual([
      '10.0.0.16/28 a deprecated prefix 10.0.0.16/28 (printers)',
      '10.0.0.250-10.0.0.255 an active IP range 10.0.0.250-10.0.1.9 (DHCP)',
      '10.0.0.1/32 an active VRRP IP address of router1 irb.5, gw.example.com (the gateway)',
      '10.0.0.130/32 a dhcp IP address',
      '10.0.0.128/25 an active LB prefix 10.0.0.128/25',
      '10.0.0.41/32 a deprecated IP address, in VRF red',
    ]);
    expect(told.notes.map((note) => note.replace(/^\S+ /, ''))).toEqual([
      'left 10.0.0.128/25: it is marked as fully used in NetBox, so nothing of it is given out',
      'left prefixes: 1 not chosen and in no pool, the first is 10.0.0.0/8',
      'left IP addresses: 1 in no pool, the first is 172.16.0.1',
      'changed 10.0.0.0/24: 10.0.0.40-10.0.0.59 of it is left out: it is a pool of its own in r.csv:3',
      l2,
    ]);
  });

  it('reserve nothing of what the cluster itself was given, where a field says so', () => {
    const files = {
      'p.json': page(
        {
          prefix: '10.0.0.0/24',
          status: { value: 'container' },
          custom_fields: { k8s_zone: 'inet', k8s_uuid: '' },
        },
        { prefix: '10.0.0.7/32', custom_fields: { k8s_zone: 'inet', k8s_uuid: '65f' } },
        { prefix: '10.0.0.8/32', custom_fields: { k8s_zone: 'inet', k8s_uuid: null } },
      ),
    };
    const choice = { zoneField: 'k8s_zone', statuses: ['container'], per: 'zone' } as const;
    expect(reading(choice, files).reserved).toHaveLength(2);
    const told = reading({ ...choice, givenField: 'k8s_uuid' }, files);
    expect(told.reserved).toEqual(['10.0.0.8/32 an active prefix 10.0.0.8/32']);
    expect(told.notes[0]).toMatch(
      /left what is given out: 1 with the field 'k8s_uuid' not reserved, the first is 10\.0\.0\.7\/32/,
    );
  });

  it('with nothing left to give are left', () => {
    const files = {
      'p.json': page(
        { prefix: '10.0.0.4/31' },
        { address: '10.0.0.4/31' },
        { address: '10.0.0.5/31' },
      ),
    };
    const told = reading({}, files);
    expect(told.pools).toEqual([]);
    expect(told.notes[0]).toMatch(/every address of it is in use in NetBox/);
  });

  it('that are all addresses are left, or hold the others', () => {
    const files = {
      'p.json': page({ prefix: '::/0' }, { prefix: '2001:db8::/64', is_pool: true }),
    };
    const told = reading({}, files);
    expect(told.pools).toEqual([['2001-db8---64', '2001:db8::/64', 'l2']]);
    expect(told.notes[0]).toMatch(/left ::\/0: it is the whole address space/);
  });

  it('that cannot be assigned are skipped', () => {
    const told = reading({}, { 'p.json': page({ prefix: '239.1.0.0/16', is_pool: true }) });
    expect(told.pools).toEqual([]);
    expect(told.notes[0]).toMatch(/left 239.1.0.0\/16: .* of 224.0.0.0\/4, multicast/);
  });

  it('are read once, whatever pages and files they are in', () => {
    const object = json({ id: 1, prefix: '10.0.0.0/24', is_pool: true });
    const other = json({ id: 2, prefix: '10.0.1.0/24', is_pool: true });
    const files = {
      'one.json': JSON.stringify({ count: 2, next: 'http://n/?offset=1', results: [object] }),
      'two.json': JSON.stringify({ count: 2, next: null, results: [other] }),
      'list.json': JSON.stringify([object]),
      'single.json': JSON.stringify(other),
    };
    const told = reading({}, files);
    expect(told.problems).toEqual([]);
    expect(told.pools).toHaveLength(2);
  });

  it('skip rows that are not addresses, and rows of free space', () => {
    const files = {
      'x.json': JSON.stringify([
        { id: 1, vid: 5, display: 'VLAN 5' },
        { prefix: '10.0.0.0/8', rir: {} },
      ]),
      'x.csv': 'ID,Prefix,Status\n,10.0.0.0/9,Available\n3,10.128.0.0/9,Reserved\n',
    };
    expect(reading({}, files).notes.map((note) => note.replace(/^\S+ /, ''))).toEqual([
      'left VLAN 5: it is not a prefix, IP range or IP address of NetBox',
      'left an object: it is not a prefix, IP range or IP address of NetBox',
      'left free space: NetBox shows it as a row of its own: it is not an object',
      'left prefixes: 1 not chosen and in no pool, the first is 10.128.0.0/9',
    ]);
  });

  it('have the first of two columns with one name, as of a custom field Pool', () => {
    const text = 'ID,Prefix,Status,Pool,Zone,Pool\n1,10.0.0.0/24,Active,True,inet,\n';
    expect(reading({}, { 'p.csv': text }).reserved).toEqual([]);
  });
});
