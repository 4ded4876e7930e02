import { describe, expect, it } from 'vitest';
import { poolsText } from '../../support/declarations/pools-text.ts';
import {
  exportedList,
  exportedPool,
  exportedService,
} from '../../support/imports/exported-cluster.ts';
import {
  beside,
  expectSettled,
  importedBy,
  notesOf,
  told,
} from '../../support/imports/imported-cluster.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { content, putFile } from '../../support/trees/temp-tree.ts';

const imported = (root: string) => importedBy('cluster', root);

describe('leasehold import cluster', () => {
  it('never writes or prints a key of ipam-operator, even if Services share by it', {
    tags: 'slow',
  }, async () => {
    const key = `pre-shared-key-${'K7'.repeat(16)}`;
    const annotations = {
      'ipam.vitistack.io/allow-local-shared-ip': key,
      'ipam.vitistack.io/secret': 'app-key',
      'metallb.universe.tf/allow-shared-ip': key,
    };
    const shared = { addresses: ['192.0.2.65'], annotations };
    const root = beside([
      exportedService({ name: 'app', ...shared }),
      exportedService({ name: 'dns', ...shared, spec: { ports: [{ port: 53, protocol: 'UDP' }] } }),
      exportedService({ name: 'web', addresses: ['192.0.2.66'], annotations }),
      ...exportedPool,
    ]);
    const { status, out, err } = await runInProcess(['import', 'cluster', 'live.yaml'], root);
    expect(status).toBe(0);
    expect(content(root)['leases/web/web.yaml']).not.toContain('app-key');
    const { 'live.yaml': _, ...written } = content(root);
    expect([out, err, ...Object.values(written)].join('\n')).not.toContain(key);
    expect(out).toContain(
      'Service web/web: the annotation ipam.vitistack.io/secret is not imported',
    );
    await expectSettled(root, [
      '192.0.2.66 default/service/web/web',
      '192.0.2.65 default/shared/web/ip-192-0-2-65',
    ]);
  });

  it('declares a plain Service as it is, and one of another writer as a Reservation', {
    tags: 'slow',
  }, async () => {
    const root = beside([
      exportedService({
        name: 'app',
        addresses: ['192.0.2.65'],
        labels: { team: 'shop' },
        spec: { externalTrafficPolicy: 'Local', healthCheckNodePort: 31555 },
      }),
      exportedService({
        name: 'traefik',
        namespace: 'ingress',
        addresses: ['192.0.2.66', '2001:db8::1'],
        labels: { 'app.kubernetes.io/managed-by': 'Helm' },
      }),
      ...exportedPool,
    ]);
    const answer = await imported(root);
    expect(told(answer)).toEqual([
      'Reservation ingress/traefik added 192.0.2.66,2001:db8::1',
      'Service web/app added 192.0.2.65',
    ]);
    expect(notesOf(answer)).toEqual([
      'changed Service ingress/traefik: it is a Reservation, since Helm writes it',
    ]);
    expect(content(root)['leases/pools.yaml']).toContain('layout: pool');
    expect(content(root)['leases/pools.yaml']).toContain('fence: open');
    expect(content(root)['leases/web/app.yaml']).toBe(`apiVersion: v1
kind: Service
metadata:
  name: app
  namespace: web
  labels:
    team: shop
spec:
  type: LoadBalancer
  selector:
    app: app
  externalTrafficPolicy: Local
  loadBalancerIP: 192.0.2.65
  ports:
    - name: http
      port: 80
      targetPort: 8080
`);
    await expectSettled(root, [
      '192.0.2.66,2001:db8::1 default/service/ingress/traefik',
      '192.0.2.65 default/service/web/app',
    ]);
  });

  it('says once that an undeclared Service gets no address any more', async () => {
    const [pool = {}, ...others] = exportedPool;
    const spec = { addresses: ['192.0.2.64/26'], autoAssign: true };
    const root = beside([
      exportedService({ name: 'app', addresses: ['192.0.2.65'] }),
      { ...pool, spec },
      ...others,
    ]);
    expect(notesOf(await imported(root))).toEqual([
      'changed pool public: MetalLB gives its addresses to any Service (autoAssign); leasehold writes autoAssign: false, so a Service that is not declared gets no address',
    ]);
    const again = await imported(root);
    expect(again.notes).toEqual([]);
    expect(again.edited).toEqual([]);
  });

  it('leaves the sharing key of Services on one address alone: all of them are Reservations', {
    tags: 'slow',
  }, async () => {
    const annotations = { 'metallb.universe.tf/allow-shared-ip': 'dns' };
    const port = (protocol: string) => ({ ports: [{ port: 53, targetPort: 53, protocol }] });
    const one = { namespace: 'dns', annotations, addresses: ['192.0.2.70'] };
    const root = beside([
      exportedService({ ...one, name: 'udp', spec: port('UDP') }),
      exportedService({ ...one, name: 'tcp', spec: port('TCP') }),
      exportedService({ ...one, name: 'alone', addresses: ['192.0.2.71'] }),
      ...exportedPool,
    ]);
    const answer = await imported(root);
    expect(told(answer)).toEqual([
      'Reservation dns/tcp added 192.0.2.70',
      'Reservation dns/udp added 192.0.2.70',
      'Service dns/alone added 192.0.2.71',
    ]);
    expect(notesOf(answer)[0]).toBe(
      'changed Service dns/udp: it is a Reservation, since it shares its address with tcp by the sharing key dns: a declared Service gets another key, and would lose the address',
    );
    await expectSettled(root, [
      '192.0.2.71 default/service/dns/alone',
      '192.0.2.70 default/shared/dns/dns',
    ]);
  });

  it('writes Services that share by a key of leasehold, as they were before the repository was lost', {
    tags: 'slow',
  }, async () => {
    const annotations = { 'metallb.io/allow-shared-ip': 'leasehold-web' };
    const labels = { 'app.kubernetes.io/managed-by': 'leasehold' };
    const one = { annotations, labels, addresses: ['192.0.2.70'] };
    const root = beside([
      exportedService({ ...one, name: 'a' }),
      exportedService({ ...one, name: 'b', spec: { ports: [{ port: 443 }] } }),
      ...exportedPool,
    ]);
    expect(told(await imported(root))).toEqual([
      'Service web/a added 192.0.2.70',
      'Service web/b added 192.0.2.70',
    ]);
    await expectSettled(root, ['192.0.2.70 default/shared/web/leasehold-web']);
  });

  it('keeps pins in MetalLB’s annotation, since MetalLB refuses a second pin beside it', async () => {
    const annotations = { 'metallb.io/loadBalancerIPs': '192.0.2.71' };
    const root = beside([
      exportedService({ name: 'mail', addresses: ['192.0.2.71'], annotations }),
      ...exportedPool,
    ]);
    await imported(root);
    const [manifest = ''] = Object.values(content(root)).filter(
      (text) => /^kind: Service$/m.test(text) && text.includes('sync-wave'),
    );
    expect(manifest).toContain('metallb.io/loadBalancerIPs: 192.0.2.71\n');
    expect(manifest).not.toContain('loadBalancerIP:');
  });

  it('ignores annotations in the cluster that would configure leasehold', {
    tags: 'slow',
  }, async () => {
    const annotations = {
      'leasehold.dev/cluster': 'west',
      'leasehold.dev/pool': 'other',
      'ipam.vitistack.io/ip-family': 'dual',
      'ipam.vitistack.io/zone': 'other',
      'ipam.vitistack.io/allow-local-shared-ip': 'pre-shared-key-Ab3dEf6h',
      'prometheus.io/scrape': 'true',
    };
    const root = beside(
      [
        exportedService({ name: 'app', addresses: ['192.0.2.65'], annotations }),
        exportedService({ name: 'other', addresses: ['192.0.2.66'], annotations }),
        ...exportedPool,
      ],
      {
        'leases/pools.yaml': poolsText(`metallb: { layout: pool }
emit: { providerLeasedIP: false }
clusters: [{ name: east }, { name: west }]
defaultCluster: east
pools: [{ name: public, zone: default, fence: open, addresses: [192.0.2.64/26, 2001:db8::/120] }]
`),
      },
    );
    const answer = await imported(root);
    expect(told(answer)).toEqual([
      'Service web/app added 192.0.2.65',
      'Service web/other added 192.0.2.66',
    ]);
    const ofApp = notesOf(answer).filter((note) => note.includes(' Service web/app: '));
    expect(ofApp.map((note) => note.replace(/^.*?: /, ''))).toEqual([
      expect.stringContaining('the annotation leasehold.dev/cluster is not imported'),
      expect.stringContaining('the annotation leasehold.dev/pool is not imported'),
      expect.stringContaining('the annotation ipam.vitistack.io/ip-family is not imported'),
      expect.stringContaining('the annotation ipam.vitistack.io/zone is not imported'),
      expect.stringContaining(
        'the annotation ipam.vitistack.io/allow-local-shared-ip is not imported',
      ),
    ]);
    expect(JSON.stringify([answer, content(root)['leases/east/web/app.yaml']])).not.toMatch(
      /west|pre-shared-key/,
    );
    expect(content(root)['leases/east/web/app.yaml']).toContain('prometheus.io/scrape');
    await expectSettled(root, [
      '192.0.2.65 east/service/web/app',
      '192.0.2.66 east/service/web/other',
    ]);
  });

  it('reserves the address of a Service to which its load balancer gave something else too', {
    tags: 'slow',
  }, async () => {
    const ingress = [{ ip: '192.0.2.65' }, { hostname: 'lb.example' }];
    const mixed = exportedService({ name: 'mixed', addresses: ['192.0.2.65'] });
    const root = beside([{ ...mixed, status: { loadBalancer: { ingress } } }, ...exportedPool]);
    const answer = await imported(root);
    expect(notesOf(answer)).toEqual([
      'left Service web/mixed: its load balancer gave it 192.0.2.65 anyway; 192.0.2.65 is reserved, so that no other holder gets it',
      'left Service web/mixed: it is not imported: its load balancer gave it lb.example instead of an address',
    ]);
    expect(content(root)['leases/pools.yaml']).toContain('reserved: [192.0.2.65]');
    await expectSettled(root, []);
  });

  it.each([
    ['lease', undefined, undefined, 'the layout: layout: lease writes a pool for each address'],
    ['pool', undefined, { namespaces: ['web'] }, undefined],
    ['pool', 'open', undefined, undefined],
  ])(
    'reports the effect of a declared pool on a live one: layout %s, fence %s, serviceAllocation %j',
    async (layout, fence, serviceAllocation, said) => {
      const [pool, advertisement] = exportedPool as readonly { spec: object }[];
      const live = { ...pool, spec: { ...pool?.spec, serviceAllocation } };
      const root = beside(
        [exportedService({ name: 'app', addresses: ['192.0.2.65'] }), live, advertisement ?? {}],
        {
          'leases/pools.yaml': poolsText(`metallb: { layout: ${layout} }
emit: { providerLeasedIP: false }
pools: [{ name: public, zone: default, ${fence === undefined ? '' : `fence: ${fence}, `}addresses: [192.0.2.64/26, 2001:db8::/120] }]
`),
        },
      );
      const { notes } = await imported(root);
      const lines = notes.map(({ subject, message }) => `${subject}: ${message}`);
      const fences = lines.filter((line) => !line.includes('serviceAllocation is not imported'));
      expect(fences).toEqual(said === undefined ? [] : [expect.stringContaining(said)]);
    },
  );

  it('reports a Service that is declared with another address, and keeps the live one', {
    tags: 'slow',
  }, async () => {
    const root = beside([
      exportedService({ name: 'app', addresses: ['192.0.2.65'] }),
      ...exportedPool,
    ]);
    await imported(root);
    const moved = exportedService({ name: 'app', addresses: ['192.0.2.90'] });
    putFile(root, 'live.yaml', exportedList(moved, ...exportedPool));
    const answer = await imported(root);
    expect(told(answer)).toEqual(['Service web/app present 192.0.2.90']);
    expect(notesOf(answer)).toEqual([
      'left Service web/app: it is declared with 192.0.2.65 in leases/web/app.yaml, and has 192.0.2.90; 192.0.2.90 is reserved, so that no other holder gets it',
    ]);
    await expectSettled(root, ['192.0.2.65 default/service/web/app']);
  });

  it('names the zone of a pool that is not in the default one', { tags: 'slow' }, async () => {
    const pools = poolsText(`metallb: { layout: pool }
emit: { providerLeasedIP: false }
defaultZone: lan
pools:
  - { name: lan, zone: lan, addresses: [10.0.0.0/24] }
  - { name: public, zone: inet, addresses: [192.0.2.64/26] }
`);
    const live = [
      exportedService({ name: 'app', addresses: ['192.0.2.65'] }),
      exportedService({ name: 'in', addresses: ['10.0.0.9'] }),
    ];
    const root = beside(live, { 'leases/pools.yaml': pools });
    await imported(root);
    expect(content(root)['leases/web/app.yaml']).toContain('ipam.vitistack.io/zone: inet\n');
    expect(content(root)['leases/web/in.yaml']).not.toContain('zone');
    await expectSettled(root, [
      '192.0.2.65 default/service/web/app',
      '10.0.0.9 default/service/web/in',
    ]);
  });
});
