import { describe, expect, it } from 'vitest';
import { importSchema } from '../../src/codec/import-schema.ts';
import type { LiveObject } from '../../src/model/live.ts';
import { applied } from '../support/applied.ts';
import { exportedList, exportedPool, exportedService } from '../support/exported-cluster.ts';
import { fakeApiServer } from '../support/fake-api-server.ts';
import { gitRepository } from '../support/git-repository.ts';
import {
  beside as besideExport,
  heldIn,
  importedBy,
  notesOf,
  told,
} from '../support/imported-cluster.ts';
import { operatorPool, operatorService } from '../support/ipam-operator.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { content, putFile, tempTree } from '../support/temp-tree.ts';

/** The operator writes no advertisement: somebody has, for all pools. */
const announced = {
  apiVersion: 'metallb.io/v1beta1',
  kind: 'L2Advertisement',
  metadata: { name: 'zones', namespace: 'metallb-system' },
};

function exported(...objects: readonly object[]): string {
  return exportedList(...objects, announced);
}

/** A new repository beside an export. */
const beside = (objects: readonly object[], files?: Readonly<Record<string, string>>) =>
  besideExport([...objects, announced], files);
const imported = (root: string, ...words: readonly string[]) =>
  importedBy('vitistack', root, ...words);

const web = operatorService({
  name: 'web',
  namespace: 'shop',
  addresses: ['192.0.2.7', '2001:db8::7'],
  ipam: {
    zone: 'inet',
    'deny-external-cleanup': 'true',
    'retention-period-days': '7',
    'allow-local-shared-ip': 'front',
  },
});
const api = operatorService({ name: 'api', namespace: 'shop', addresses: ['10.0.0.4'] });
const chart = operatorService({
  name: 'mail',
  namespace: 'mail',
  addresses: ['192.0.2.8'],
  labels: { 'app.kubernetes.io/managed-by': 'Helm' },
  ipam: { zone: 'inet', 'retention-period-days': '14', 'deny-external-cleanup': '1' },
});
const zones = [
  operatorPool('hnet-private', ['10.0.0.4']),
  operatorPool('inet', ['192.0.2.7', '2001:db8::7', '192.0.2.8']),
];

describe('leasehold import vitistack', () => {
  it('declares each Service with its address and what its annotations mean, and no word of a key', async () => {
    const root = beside([web, api, chart, ...zones]);
    const answer = await imported(root, '--metallb', '0.15.3');
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
  retentionPeriodDays: 14
  denyExternalCleanup: true
`);
    const own = Object.entries(files).filter(([path]) => path !== 'live.yaml');
    expect(JSON.stringify([own, answer])).not.toContain('pre-shared-key');
    expect(await heldIn(root)).toEqual([
      '192.0.2.8 default/service/mail/mail',
      '10.0.0.4 default/service/shop/api',
      '192.0.2.7,2001:db8::7 default/shared/shop/front',
    ]);
    const again = await imported(root);
    expect(again.edited).toEqual([]);
    expect(content(root)).toEqual(files);
  });

  it('goes by the zones of NetBox where those are the pools, and reserves what ipam-api keeps by another look there', async () => {
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
    const root = beside([web, api, chart, ...zones], { 'zones.json': JSON.stringify(netBox) });
    const argv = ['import', 'netbox', 'zones.json', '--zone-field', 'k8s_zone'];
    const choice = [...argv, '--status', 'container', '--zone', 'hnet-private'];
    const given = [...choice, '--given-field', 'k8s_uuid'];
    expect(await runInProcess(given, root)).toMatchObject({ status: 0 });
    expect(content(root)['leases/pools.yaml']).toContain('fence: open');
    const answer = await imported(root);
    expect(answer.pools.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'hnet-private present',
      'inet present',
    ]);
    expect(answer.edited).toHaveLength(3);
    expect(notesOf(answer)).toEqual([
      'changed Service mail/mail: it is a Reservation, since Helm writes it',
    ]);
    const kept = await runInProcess([...choice, '-o', 'json'], root);
    const { pools } = importSchema.parse(JSON.parse(kept.out));
    expect(pools.map(({ name, reserved }) => [name, reserved])).toEqual([
      ['inet', ['192.0.2.9']],
      ['hnet-private', []],
    ]);
    expect(await heldIn(root)).toHaveLength(3);
    expect((await imported(root)).edited).toEqual([]);
  });

  it('adds what is in use since to the pool of its zone', async () => {
    const root = beside([api, zones[0] ?? {}]);
    await imported(root);
    const next = operatorService({ name: 'next', namespace: 'shop', addresses: ['10.0.0.5'] });
    const grown = operatorPool('hnet-private', ['10.0.0.4', '10.0.0.5']);
    putFile(root, 'live.yaml', exported(api, next, grown));
    const answer = await imported(root);
    expect(answer.pools.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'hnet-private extended',
    ]);
    expect(notesOf(answer)).toContain(
      'changed pool hnet-private: 10.0.0.5 of it is added: it is in use there',
    );
    expect(content(root)['leases/pools.yaml']).toContain('addresses: [10.0.0.4/32, 10.0.0.5/32]');
    expect(await heldIn(root)).toContain('10.0.0.5 default/service/shop/next');
    expect((await imported(root)).edited).toEqual([]);
  });

  it('writes thousands of addresses in use as the ranges that they are', async () => {
    const addresses = Array.from({ length: 2000 }, (_, at) => `10.0.${at >> 8}.${at & 255}`);
    const root = beside([api, operatorPool('hnet-private', addresses)]);
    const answer = await imported(root);
    expect(answer.pools[0]?.addresses).toHaveLength(2000);
    expect(content(root)['leases/pools.yaml']).toContain('addresses: [10.0.0.0-10.0.7.207]\n');
    expect(answer.pools[0]?.reserved).toHaveLength(2);
    expect((await imported(root)).edited).toEqual([]);
  });

  it('declares on pools of other names, and says which live one stands in their way', async () => {
    const pools = `apiVersion: leasehold.dev/v1
kind: Pools
metallb: { layout: pool }
emit: { providerLeasedIP: false }
pools: [{ name: lan, zone: office, addresses: [10.0.0.0/24] }]
`;
    const root = beside([api, zones[0] ?? {}], { 'leases/pools.yaml': pools });
    const answer = await imported(root);
    expect(answer.pools).toEqual([]);
    expect(told(answer)).toEqual(['Service shop/api added 10.0.0.4']);
    expect(notesOf(answer)).toEqual([
      'changed Service shop/api: its annotation address-pool names hnet-private, and its address lies in the pool lan here: remove the annotation before you apply, or MetalLB takes the address',
      'changed Service shop/api: its zone is hnet-private there, and its address lies in the pool lan of the zone office here',
      'left pool hnet-private: it has addresses that lie in the pool lan here, and MetalLB refuses pools that overlap: undo this import, name that pool hnet-private in leases/pools.yaml and import again. A live pool that is deleted takes the addresses of its Services',
    ]);
    expect(await heldIn(root)).toEqual(['10.0.0.4 default/service/shop/api']);
  });

  it('takes a second cluster into the zones of the first, and leaves the address that both have', async () => {
    const pools = `apiVersion: leasehold.dev/v1
kind: Pools
metallb: { layout: pool }
emit: { providerLeasedIP: false }
clusters: [{ name: east }, { name: west }]
defaultCluster: east
pools: [{ name: hnet-private, zone: hnet-private, fence: open, addresses: [10.0.0.0/24] }]
`;
    const root = beside([api, zones[0] ?? {}], { 'leases/pools.yaml': pools });
    await imported(root);
    const far = operatorService({ name: 'far', namespace: 'shop', addresses: ['10.0.0.9'] });
    const both = operatorPool('hnet-private', ['10.0.0.4', '10.0.0.9']);
    putFile(root, 'live.yaml', exported(api, far, both));
    const answer = await imported(root, '--cluster', 'west');
    expect(told(answer)).toEqual(['Service shop/far added 10.0.0.9']);
    expect(notesOf(answer)).toEqual([
      'left Service shop/api: it is not declared: 10.0.0.4 is held by east/service/shop/api',
    ]);
    expect(await heldIn(root)).toEqual([
      '10.0.0.4 east/service/shop/api',
      '10.0.0.9 west/service/shop/far',
    ]);
  });

  it('says what a closed fence and a pool for each address do to what lives there', async () => {
    const pools = `apiVersion: leasehold.dev/v1
kind: Pools
emit: { providerLeasedIP: false }
pools: [{ name: hnet-private, zone: hnet-private, addresses: [10.0.0.0/24] }]
`;
    const root = beside([api, zones[0] ?? {}], { 'leases/pools.yaml': pools });
    const { notes } = await imported(root);
    expect(notes.map(({ subject, message }) => `${subject}: ${message}`)).toEqual([
      expect.stringContaining('the layout: layout: lease writes a pool for each address'),
    ]);
  });
});

describe('the secret of a Service', () => {
  const own = { zone: 'inet', secret: 'addresses' };
  const one = operatorService({
    name: 'one',
    namespace: 'shop',
    addresses: ['192.0.2.7'],
    ipam: own,
  });
  const inet = operatorPool('inet', ['192.0.2.7']);

  it('is left, by its name, where the repository has no key of it', async () => {
    const root = beside([one, inet]);
    const answer = await imported(root);
    expect(notesOf(answer)).toContain(
      'left Service shop/one: its secret addresses is not taken: there is no leases/keys/shop/addresses.yaml: make the key with leasehold key new shop/addresses and name it in the declaration',
    );
    expect(content(root)['leases/shop/one.yaml']).not.toContain('secret');
    expect(await heldIn(root)).toEqual(['192.0.2.7 default/service/shop/one']);
  });

  it('is named where there is one, and not where those on one address disagree', async () => {
    const pools = `apiVersion: leasehold.dev/v1
kind: Pools
metallb: { layout: pool }
emit: { providerLeasedIP: false }
pools: [{ name: inet, zone: inet, fence: open, addresses: [192.0.2.0/28] }]
`;
    const sharer = (name: string, port: number, secret: string) =>
      operatorService({
        name,
        namespace: 'shop',
        addresses: ['192.0.2.8'],
        ipam: { zone: 'inet', secret, 'allow-local-shared-ip': 'both' },
        spec: { ports: [{ port }] },
      });
    const root = beside(
      [one, sharer('two', 80, 'addresses'), sharer('three', 443, 'default'), inet],
      { 'leases/pools.yaml': pools },
    );
    const made = await runInProcess(['key', 'new', 'shop/addresses'], root);
    expect(made.status).toBe(0);
    const answer = await imported(root);
    expect(content(root)['leases/shop/one.yaml']).toContain('ipam.vitistack.io/secret: addresses');
    expect(notesOf(answer)).toContain(
      'left Service shop/two: its secret addresses is not taken: others on its address have another one',
    );
    expect(await heldIn(root)).toEqual([
      '192.0.2.7 default/service/shop/one',
      '192.0.2.8 default/shared/shop/both',
    ]);
  });
});

describe('a sharing key', () => {
  it('that two Services have on two addresses stays with the first', async () => {
    const service = (name: string, address: string) =>
      operatorService({
        name,
        namespace: 'dns',
        addresses: [address],
        ipam: { zone: 'inet', 'allow-local-shared-ip': 'names' },
      });
    const pool = operatorPool('inet', ['192.0.2.7', '192.0.2.8']);
    const root = beside([service('a', '192.0.2.7'), service('b', '192.0.2.8'), pool]);
    expect(notesOf(await imported(root))).toContain(
      'left Service dns/b: its sharing key names is not taken: another address of the namespace has it, and here a key has one address',
    );
    expect(await heldIn(root)).toEqual([
      '192.0.2.8 default/service/dns/b',
      '192.0.2.7 default/shared/dns/names',
    ]);
  });

  it('of the operator is no name: those that share by it get the one of their address', async () => {
    const service = (name: string, port: number) =>
      operatorService({
        name,
        namespace: 'dns',
        addresses: ['192.0.2.7'],
        ipam: { zone: 'inet' },
        spec: { ports: [{ port }] },
      });
    const pool = operatorPool('inet', ['192.0.2.7']);
    const root = beside([service('a', 80), service('b', 443), pool]);
    const answer = await imported(root);
    expect(told(answer)).toEqual([
      'Reservation dns/a added 192.0.2.7',
      'Reservation dns/b added 192.0.2.7',
    ]);
    expect(JSON.stringify(answer)).not.toContain('pre-shared-key');
    expect(await heldIn(root)).toEqual(['192.0.2.7 default/shared/dns/ip-192-0-2-7']);
  });
});

describe('an import from vitistack', () => {
  it('takes Services without the annotations as import cluster does', async () => {
    const plain = exportedService({ name: 'old', addresses: ['192.0.2.70'] });
    const root = beside([plain, ...exportedPool]);
    const answer = await imported(root);
    expect(told(answer)).toEqual(['Service web/old added 192.0.2.70']);
    expect(await heldIn(root)).toEqual(['192.0.2.70 default/service/web/old']);
  });

  it('writes nothing of half a list, of a name that Kubernetes refuses, or of one address in two pools', async () => {
    const half = `{"apiVersion": "v1", "kind": "List", "metadata": {"continue": "next"}, "items": []}\n`;
    const root = beside([]);
    const run = (text: string) => {
      putFile(root, 'live.yaml', text);
      return runInProcess(['import', 'vitistack', 'live.yaml'], root);
    };
    expect(await run(half)).toMatchObject({
      status: 1,
      err: expect.stringContaining('the list is only a part of what there is'),
    });
    const twice = [operatorPool('inet', ['192.0.2.7']), operatorPool('b', ['192.0.2.7'])];
    expect(await run(exported(...twice))).toMatchObject({
      status: 1,
      err: expect.stringContaining('POOL_OVERLAP'),
    });
    expect(await run(exported(operatorPool('Inet', ['192.0.2.7'])))).toMatchObject({
      status: 1,
      err: expect.stringContaining('FIELD_VALUE'),
    });
    expect(Object.keys(content(root)).filter((path) => !path.startsWith('.git'))).toEqual([
      'live.yaml',
    ]);
  });

  it('reserves the address of a Service that has a name that Kubernetes refuses', async () => {
    const odd = operatorService({ name: '0odd', addresses: ['192.0.2.7'], ipam: { zone: 'inet' } });
    const even = operatorService({ name: 'e', addresses: ['192.0.2.8'], ipam: { zone: 'inet' } });
    const root = beside([odd, even, operatorPool('inet', ['192.0.2.7', '192.0.2.8'])]);
    const answer = await imported(root);
    expect(told(answer)).toEqual(['Service web/e added 192.0.2.8']);
    expect(notesOf(answer).join('\n')).toContain(
      '192.0.2.7 is reserved, so that nobody else gets it',
    );
  });

  it('leaves a pool of which nothing can be declared, and takes the others', async () => {
    const far = operatorService({
      name: 'far',
      namespace: 'kube-system',
      addresses: ['192.0.2.7'],
    });
    const lone = operatorPool('inet', ['192.0.2.7']);
    const root = beside([far, lone, api, zones[0] ?? {}]);
    const answer = await imported(root);
    expect(answer.pools.map(({ name }) => name)).toEqual(['hnet-private']);
    expect(notesOf(answer)).toContain(
      'left pool inet: nothing that has its addresses can be declared: it stays as it is',
    );
    expect(await heldIn(root)).toEqual(['10.0.0.4 default/service/shop/api']);
    const alone = await runInProcess(['import', 'vitistack', 'live.yaml'], beside([far, lone]));
    expect(alone).toMatchObject({ status: 1, err: expect.stringContaining('POOL_EMPTY') });
  });

  it('asks the cluster where no file is named', async () => {
    const [pool = {}] = exportedPool;
    const listed = (object: object): readonly LiveObject[] => {
      const { apiVersion: _, kind: __, ...item } = object as Record<string, unknown>;
      return [item as unknown as LiveObject];
    };
    const app = operatorService({
      name: 'app',
      addresses: ['192.0.2.65'],
      ipam: { zone: 'public' },
    });
    const server = await fakeApiServer({
      service: listed(app),
      addressPool: listed(pool),
      l2Advertisement: [],
      bgpAdvertisement: [],
      leasedIP: [],
      deployment: [],
    });
    const root = tempTree();
    gitRepository(root);
    const args = ['import', 'vitistack', '--kubeconfig', server.kubeconfig, '-o', 'json'];
    const { status, out } = await runInProcess(args, root);
    await server.close();
    expect(status).toBe(0);
    const answer = importSchema.parse(JSON.parse(out));
    expect(answer.source).toBe('vitistack');
    expect(told(answer)).toEqual(['Service web/app added 192.0.2.65']);
    expect(await heldIn(root)).toEqual(['192.0.2.65 default/service/web/app']);
  });
});

describe('what was imported from vitistack, and applied', () => {
  it('differs from what the operator left in nothing but the pool that MetalLB is asked for', async () => {
    const root = beside([web, api, ...zones]);
    await imported(root, '--metallb', '0.15.3');
    const objects = applied(root);
    const left = new Map(
      [web, api].map((object) => {
        const { metadata } = object as unknown as LiveObject;
        return [metadata.name, metadata.annotations as Readonly<Record<string, string>>];
      }),
    );
    for (const { metadata } of objects.service) {
      metadata.annotations = { ...left.get(metadata.name), ...metadata.annotations };
    }
    const server = await fakeApiServer(objects);
    const verify = () => runInProcess(['verify', '--kubeconfig', server.kubeconfig], root);
    const first = await verify();
    expect(first.status).toBe(1);
    expect(first.out.match(/metadata\.\S+|spec\.\S+/g)).toEqual([
      'metadata.annotations[metallb.io/address-pool]',
      'metadata.annotations[metallb.io/address-pool]',
    ]);
    for (const { metadata } of objects.service) {
      metadata.annotations = Object.fromEntries(
        Object.entries(metadata.annotations ?? {}).filter(([key]) => !key.endsWith('address-pool')),
      );
    }
    const second = await verify();
    await server.close();
    expect(second.out).toMatch(/\n2 ok\n/);
  });
});
