import { describe, expect, it } from 'vitest';
import { importSchema } from '../../../src/features/import/import-answer.ts';
import { poolsText } from '../../support/declarations/pools-text.ts';
import { heldIn, notesOf, told } from '../../support/imports/imported-cluster.ts';
import {
  api,
  besideOperator,
  chart,
  exported,
  importedFromOperator,
  web,
  zones,
} from '../../support/imports/vitistack-cluster.ts';
import { operatorPool, operatorService } from '../../support/imports/vitistack-operator.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { content, putFile } from '../../support/trees/temp-tree.ts';

describe('leasehold import vitistack', () => {
  it('declares each Service with its address and annotations, and without its key', {
    tags: 'slow',
  }, async () => {
    const root = besideOperator([web, api, chart, ...zones]);
    const answer = await importedFromOperator(root, '--metallb', '0.15.3');
    expect(told(answer)).toEqual([
      'Reservation mail/mail added 192.0.2.8',
      'Service shop/api added 10.0.0.4',
      'Service shop/web added 192.0.2.7,2001:db8::7',
    ]);
    const files = content(root);
    expect(files['leases/pools.yaml']).toBe(`apiVersion: leasehold.dev/v1
kind: Pools
metallb: { version: 0.15.3, namespace: metallb-system, layout: pool }
defaultZone: hnet-private
emit: { providerLeasedIP: false }
pools:
  - name: hnet-private
    zone: hnet-private
    addresses: [10.0.0.4/32]
    fence: open
    advertise: { l2: {} }
  - name: inet
    zone: inet
    addresses: [192.0.2.7-192.0.2.8, 2001:db8::7/128]
    fence: open
    advertise: { l2: {} }
`);
    expect(files['leases/shop/web.yaml']).toContain(`  annotations:
    ipam.vitistack.io/allow-local-shared-ip: front
    ipam.vitistack.io/deny-external-cleanup: 'true'
    ipam.vitistack.io/ip-family: dual
    ipam.vitistack.io/retention-period-days: '7'
    ipam.vitistack.io/zone: inet
    metallb.io/loadBalancerIPs: 192.0.2.7,2001:db8::7
`);
    expect(files['leases/shop/api.yaml']).toContain(`  annotations:
    metallb.io/loadBalancerIPs: 10.0.0.4
spec:`);
    expect(files['leases/mail/mail.yaml']).toContain(`  zone: inet
  addresses:
    - 192.0.2.8
  retentionDays: 14
  denyExternalCleanup: true
`);
    const own = Object.entries(files).filter(([path]) => path !== 'live.yaml');
    expect(JSON.stringify([own, answer])).not.toContain('pre-shared-key');
    expect(await heldIn(root)).toEqual([
      '192.0.2.8 default/service/mail/mail',
      '10.0.0.4 default/service/shop/api',
      '192.0.2.7,2001:db8::7 default/shared/shop/front',
    ]);
    const again = await importedFromOperator(root);
    expect(again.edited).toEqual([]);
    expect(content(root)).toEqual(files);
  });

  it('goes by the zones of NetBox where those are the pools, and reserves what ipam-api keeps by another look there', {
    tags: 'slow',
  }, async () => {
    const prefix = (id: number, text: string, fields: object, status = 'active') => {
      return { id, prefix: text, status: { value: status }, vrf: null, custom_fields: fields };
    };
    const netBox = [
      prefix(1, '192.0.2.0/28', { k8s_zone: 'inet' }, 'container'),
      prefix(2, '2001:db8::/120', { k8s_zone: 'inet' }, 'container'),
      prefix(3, '10.0.0.0/24', { k8s_zone: 'hnet-private' }, 'container'),
      prefix(4, '192.0.2.7/32', { k8s_zone: 'inet', k8s_uuid: 'a' }),
      prefix(5, '192.0.2.8/32', { k8s_zone: 'inet', k8s_uuid: 'b' }),
      prefix(6, '192.0.2.9/32', { k8s_zone: 'inet', k8s_uuid: 'c' }),
      prefix(7, '2001:db8::7/128', { k8s_zone: 'inet', k8s_uuid: 'd' }),
      prefix(8, '10.0.0.4/32', { k8s_zone: 'hnet-private', k8s_uuid: 'e' }),
    ];
    const root = besideOperator([web, api, chart, ...zones], {
      'zones.json': JSON.stringify(netBox),
    });
    const argv = ['import', 'netbox', 'zones.json', '--zone-field', 'k8s_zone'];
    const choice = [...argv, '--status', 'container', '--zone', 'hnet-private'];
    const given = [...choice, '--given-field', 'k8s_uuid'];
    expect(await runInProcess(given, root)).toMatchObject({ status: 0 });
    expect(content(root)['leases/pools.yaml']).toContain('fence: open');
    const answer = await importedFromOperator(root);
    expect(answer.pools.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'hnet-private present',
      'inet present',
    ]);
    expect(answer.edited).toHaveLength(3);
    expect(notesOf(answer)).toEqual([
      'changed Service shop/web: its sharing key front becomes leasehold-shop: no other live Service has its address',
      'changed Service mail/mail: it is a Reservation, since Helm writes it',
    ]);
    const kept = await runInProcess([...choice, '-o', 'json'], root);
    const { pools } = importSchema.parse(JSON.parse(kept.out));
    expect(pools.map(({ name, reserved }) => [name, reserved])).toEqual([
      ['inet', ['192.0.2.9']],
      ['hnet-private', []],
    ]);
    expect(await heldIn(root)).toHaveLength(3);
    expect((await importedFromOperator(root)).edited).toEqual([]);
  });

  it('adds newly used addresses to the pool of their zone', { tags: 'slow' }, async () => {
    const root = besideOperator([api, zones[0] ?? {}]);
    await importedFromOperator(root);
    const next = operatorService({ name: 'next', namespace: 'shop', addresses: ['10.0.0.5'] });
    const grown = operatorPool('hnet-private', ['10.0.0.4', '10.0.0.5']);
    putFile(root, 'live.yaml', exported(api, next, grown));
    const answer = await importedFromOperator(root);
    expect(answer.pools.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'hnet-private extended',
    ]);
    expect(notesOf(answer)).toContain(
      'changed pool hnet-private: 10.0.0.5 of it is added: it is in use there',
    );
    expect(content(root)['leases/pools.yaml']).toContain('addresses: [10.0.0.4/32, 10.0.0.5/32]');
    expect(await heldIn(root)).toContain('10.0.0.5 default/service/shop/next');
    expect((await importedFromOperator(root)).edited).toEqual([]);
  });

  it('writes thousands of addresses in use as the ranges that they are', {
    tags: 'slow',
  }, async () => {
    const addresses = Array.from({ length: 2000 }, (_, at) => `10.0.${at >> 8}.${at & 255}`);
    const root = besideOperator([api, operatorPool('hnet-private', addresses)]);
    const answer = await importedFromOperator(root);
    expect(answer.pools[0]?.addresses).toHaveLength(2000);
    expect(content(root)['leases/pools.yaml']).toContain('addresses: [10.0.0.0-10.0.7.207]\n');
    expect(answer.pools[0]?.reserved).toHaveLength(2);
    expect((await importedFromOperator(root)).edited).toEqual([]);
  });

  it('declares on pools of other names, and says which live one stands in their way', async () => {
    const pools = poolsText(`metallb: { layout: pool }
emit: { providerLeasedIP: false }
pools: [{ name: lan, zone: office, addresses: [10.0.0.0/24] }]
`);
    const root = besideOperator([api, zones[0] ?? {}], { 'leases/pools.yaml': pools });
    const answer = await importedFromOperator(root);
    expect(answer.pools).toEqual([]);
    expect(told(answer)).toEqual(['Service shop/api added 10.0.0.4']);
    expect(notesOf(answer)).toEqual([
      'changed Service shop/api: its annotation address-pool names hnet-private, and its address lies in the pool lan here: remove the annotation before you apply, or MetalLB takes the address',
      'changed Service shop/api: its zone is hnet-private there, and its address lies in the pool lan of the zone office here',
      'left pool hnet-private: it has addresses that lie in the pool lan here, and pools must not overlap: undo this import, name that pool hnet-private in leases/pools.yaml and import again. A live pool that is deleted takes the addresses of its Services',
    ]);
    expect(await heldIn(root)).toEqual(['10.0.0.4 default/service/shop/api']);
  });

  it('takes a second cluster into the zones of the first, and leaves the address that both have', {
    tags: 'slow',
  }, async () => {
    const pools = poolsText(`metallb: { layout: pool }
emit: { providerLeasedIP: false }
clusters: [{ name: east }, { name: west }]
defaultCluster: east
pools: [{ name: hnet-private, zone: hnet-private, fence: open, addresses: [10.0.0.0/24] }]
`);
    const root = besideOperator([api, zones[0] ?? {}], { 'leases/pools.yaml': pools });
    await importedFromOperator(root);
    const far = operatorService({ name: 'far', namespace: 'shop', addresses: ['10.0.0.9'] });
    const both = operatorPool('hnet-private', ['10.0.0.4', '10.0.0.9']);
    putFile(root, 'live.yaml', exported(api, far, both));
    const answer = await importedFromOperator(root, '--cluster', 'west');
    expect(told(answer)).toEqual(['Service shop/far added 10.0.0.9']);
    expect(notesOf(answer)).toEqual([
      'left Service shop/api: it is not declared: 10.0.0.4 is held by east/service/shop/api',
    ]);
    expect(await heldIn(root)).toEqual([
      '10.0.0.4 east/service/shop/api',
      '10.0.0.9 west/service/shop/far',
    ]);
  });

  it('reports the effect of a closed fence and of a pool for each address on live Services', async () => {
    const pools = poolsText(`emit: { providerLeasedIP: false }
pools: [{ name: hnet-private, zone: hnet-private, addresses: [10.0.0.0/24] }]
`);
    const root = besideOperator([api, zones[0] ?? {}], { 'leases/pools.yaml': pools });
    const { notes } = await importedFromOperator(root);
    expect(notes.map(({ subject, message }) => `${subject}: ${message}`)).toEqual([
      expect.stringContaining('the layout: layout: lease writes a pool for each address'),
    ]);
  });
});
