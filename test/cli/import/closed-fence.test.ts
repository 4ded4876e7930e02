import { describe, expect, it } from 'vitest';
import { poolsText } from '../../support/declarations/pools-text.ts';
import { exportedPool, exportedService } from '../../support/imports/exported-cluster.ts';
import { beside, heldIn, importedBy, notesOf } from '../../support/imports/imported-cluster.ts';
import { api, besideOperator } from '../../support/imports/vitistack-cluster.ts';
import { operatorPool } from '../../support/imports/vitistack-operator.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { content, putFile } from '../../support/trees/temp-tree.ts';

const metallb = `apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: { name: public, namespace: metallb-system }
spec: { addresses: [192.0.2.64/26, 2001:db8::/120] }
`;
const kubespray = `metallb_enabled: true
metallb_config:
  address_pools: { public: { ip_range: [192.0.2.64/26, '2001:db8::/120'] } }
  layer2: [public]
`;
const netBox = JSON.stringify([
  { id: 1, prefix: '192.0.2.64/26', status: { value: 'container' }, vrf: null, custom_fields: {} },
  {
    ...{ id: 2, prefix: '192.0.2.70/32', status: { value: 'active' }, vrf: null },
    custom_fields: { given: '65f0c1' },
  },
]);

/** A pool file as `leasehold init --pool` makes it, but for the layout. */
function declaredPool(more = '', addresses = '192.0.2.64/26, 2001:db8::/120'): string {
  return poolsText(`metallb: { layout: pool }
emit: { providerLeasedIP: false }
pools:
  - name: public
    zone: default
    addresses: [${addresses}]
${more}`);
}

const app = exportedService({ name: 'app', addresses: ['192.0.2.65'] });
const dns = exportedService({ name: 'dns', addresses: ['192.0.2.66', '2001:db8::6'] });
const closedNote = expect.stringMatching(/pool public: it is declared with a closed fence/);

function besideClosed(objects: readonly object[]) {
  return beside(objects, { 'leases/pools.yaml': declaredPool() });
}

describe('leasehold import into a repository whose pool has a closed fence', () => {
  it('is refused while live Services would lose addresses of it, and writes nothing', async () => {
    const root = besideClosed([app, dns, ...exportedPool]);
    const before = content(root);
    const run = await runInProcess(['import', 'cluster', 'live.yaml'], root);
    expect(run).toEqual({
      status: 1,
      err: '',
      out: expect.stringMatching(
        /^leases\/pools\.yaml:6:5 FENCE_LIVE pool 'public' has a closed fence, and serves everybody in the source: once it is applied, 2 live Services lose their addresses, the first is web\/app with 192\.0\.2\.65\n {2}6 \| .*\n {4}\| .*\n {2}also live\.yaml:\d+:\d+\n {2}hint: write fence: open into the pool and import again; or, if no live Service needs the pool's addresses, add --allow-closed-fence\n1 problem; see `leasehold explain FENCE_LIVE`\n$/,
      ),
    });
    expect(content(root)).toEqual(before);
  });

  it('succeeds once the fence is open, without a note', async () => {
    const root = besideClosed([app, dns, ...exportedPool]);
    putFile(root, 'leases/pools.yaml', declaredPool('    fence: open\n'));
    expect(notesOf(await importedBy('cluster', root))).toEqual([]);
    expect(await heldIn(root)).toHaveLength(2);
  });

  it('succeeds with the option, and reports the consequences', async () => {
    const root = besideClosed([app, dns, ...exportedPool]);
    const answer = await importedBy('cluster', root, '--allow-closed-fence');
    expect(notesOf(answer)).toEqual([closedNote]);
    expect(await heldIn(root)).toHaveLength(2);
  });

  it('is refused as long as declared Services lack the label of the pool', async () => {
    const root = besideClosed([app, dns, ...exportedPool]);
    await importedBy('cluster', root, '--allow-closed-fence');
    const { status, out } = await runInProcess(['import', 'cluster', 'live.yaml'], root);
    expect(status).toBe(1);
    expect(out).toContain('FENCE_LIVE');
  });

  it('succeeds when each Service has the label of a closed pool', async () => {
    const own = { 'app.kubernetes.io/managed-by': 'leasehold' };
    const reserved = { 'app.kubernetes.io/managed-by': 'Helm', 'leasehold.dev/reserved': 'true' };
    const chart = exportedService({ name: 'chart', addresses: ['192.0.2.66'], labels: reserved });
    const ours = exportedService({ name: 'ours', addresses: ['192.0.2.65'], labels: own });
    const root = besideClosed([ours, chart, ...exportedPool]);
    expect(notesOf(await importedBy('cluster', root))).toContainEqual(closedNote);
  });

  it('is refused for the one Service without such a label, and names its addresses', async () => {
    const labels = { 'app.kubernetes.io/managed-by': 'leasehold', 'leasehold.dev/reserved': 'no' };
    const ours = exportedService({ name: 'app', addresses: ['192.0.2.65'], labels });
    const root = besideClosed([ours, dns, ...exportedPool]);
    const { status, out } = await runInProcess(['import', 'cluster', 'live.yaml'], root);
    expect(status).toBe(1);
    expect(out).toContain(
      ': once it is applied, Service web/dns loses 192.0.2.66 and 2001:db8::6\n',
    );
  });

  it.each([
    ['without a class', '', { loadBalancerClass: 'cilium.io/lb' }, {}],
    [
      'of its own',
      'loadBalancerClass: metallb.io/own',
      {},
      { loadBalancerClass: 'metallb.io/own' },
    ],
  ])(
    'counts no Service of another class, where MetalLB serves those %s',
    async (_, served, other, own) => {
      const clusters = `clusters: [{ name: default, metallb: { ${served} } }]\npools:`;
      const files = { 'leases/pools.yaml': declaredPool().replace('pools:', clusters) };
      const of = (spec: object) =>
        exportedService({ name: 'app', addresses: ['192.0.2.65'], spec });
      const besideOther = beside([of(other), ...exportedPool], files);
      expect(notesOf(await importedBy('cluster', besideOther))).toContainEqual(closedNote);
      const besideOwn = beside([of(own), ...exportedPool], files);
      const { status, out } = await runInProcess(['import', 'cluster', 'live.yaml'], besideOwn);
      expect({ status, out }).toEqual({ status: 1, out: expect.stringContaining('FENCE_LIVE') });
    },
  );

  it('succeeds when the Services of the cluster have other addresses', async () => {
    const far = exportedService({ name: 'far', addresses: ['198.51.100.7'] });
    const root = besideClosed([far, ...exportedPool]);
    expect(notesOf(await importedBy('cluster', root))).toContainEqual(closedNote);
  });

  it.each([
    [{ priority: 50 }, 1],
    [{ namespaces: ['web'] }, 0],
  ])('is refused where the live pool serves everybody: serviceAllocation %j', async (asked, is) => {
    const [pool, advertisement = {}] = exportedPool as readonly { spec: object }[];
    const live = { ...pool, spec: { ...pool?.spec, serviceAllocation: asked } };
    const root = besideClosed([app, live, advertisement]);
    const { status } = await runInProcess(['import', 'cluster', 'live.yaml'], root);
    expect(status).toBe(is);
  });

  it('is refused for a pool of ipam-operator', async () => {
    const pools = declaredPool()
      .replace('public', 'hnet-private')
      .replace('192.0.2.64/26', '10.0.0.0/24');
    const files = { 'leases/pools.yaml': pools };
    const root = besideOperator([api, operatorPool('hnet-private', ['10.0.0.4'])], files);
    const { status, out } = await runInProcess(['import', 'vitistack', 'live.yaml'], root);
    expect(status).toBe(1);
    expect(out).toContain('FENCE_LIVE');
    expect(out).toContain('Service shop/api loses 10.0.0.4\n');
  });
});

const lease = `apiVersion: v1
kind: Service
metadata: { name: app, namespace: web }
spec: { type: LoadBalancer, selector: { app: app }, ports: [{ port: 80 }] }
`;

describe('leasehold import of pools alone, into a repository with a closed fence', () => {
  it.each([
    ['metallb', metallb, []],
    ['kubespray', kubespray, []],
    ['netbox', netBox, ['--all', '--status', 'container', '--given-field', 'given']],
  ])('is refused until something is leased of the pool: %s', async (source, text, words) => {
    const addresses = source === 'netbox' ? '192.0.2.64/26' : undefined;
    const root = beside([], { 'leases/pools.yaml': declaredPool('', addresses) });
    const file = source === 'netbox' ? 'live.json' : 'live.yaml';
    putFile(root, file, text);
    const argv = ['import', source, file, ...words];
    const { status, out } = await runInProcess(argv, root);
    expect(status).toBe(1);
    expect(out).toMatch(
      /leases\/pools\.yaml:6:5 FENCE_LIVE .*: once it is applied, every live Service on its addresses loses them\n/,
    );
    putFile(root, 'leases/web/app.yaml', lease);
    expect(await runInProcess(['synth', '--today', '2026-12-01'], root)).toMatchObject({
      status: 0,
    });
    expect(await runInProcess(argv, root)).toMatchObject({
      status: 0,
      out: expect.stringContaining('it is declared with a closed fence'),
    });
  });

  it('succeeds with NetBox, which has no live Services', async () => {
    const root = beside([], { 'leases/pools.yaml': declaredPool('', '192.0.2.64/26') });
    putFile(root, 'live.json', netBox);
    const argv = ['import', 'netbox', 'live.json', '--all', '--status', 'container'];
    expect(await runInProcess(argv, root)).toMatchObject({ status: 0 });
  });

  it('reports the problems of unreadable allocations first', async () => {
    const files = {
      'leases/pools.yaml': declaredPool(),
      'leases/allocations/192.0.2/192.0.2.65.yaml': 'kind: Allocation\n',
    };
    const root = beside([], files);
    putFile(root, 'live.yaml', metallb);
    const { status, out } = await runInProcess(['import', 'metallb', 'live.yaml'], root);
    expect(status).toBe(1);
    expect(out).toContain('leases/allocations/192.0.2/192.0.2.65.yaml:');
    expect(out).not.toContain('FENCE_LIVE');
  });
});
