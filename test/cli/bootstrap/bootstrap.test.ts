import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { l2PoolText, poolsText } from '../../support/declarations/pools-text.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { snapshot, tempTree } from '../../support/trees/temp-tree.ts';

const pools = l2PoolText;
const two = `${pools}clusters: [{ name: east }, { name: west, metallb: { version: 0.16.1, namespace: lb } }]
defaultCluster: east
`;
const eastInventory = `apiVersion: leasehold.dev/v1
kind: Inventory
clusters:
  - name: east
    clusterStorage: [beta3]
    nodes: [{ name: gpu-1, gpus: [{ vendor: nvidia, model: t4 }] }]
`;
const bgp = (version: string, addresses = '203.0.113.0/28') =>
  poolsText(`metallb: { version: ${version} }
pools:
  - { name: p, zone: z, addresses: [${addresses}], advertise: { bgp: {} } }
`);
const of = (text: string) => tempTree({ 'leases/pools.yaml': text });
const bootstrap = (root: string, ...words: readonly string[]) =>
  runInProcess(['bootstrap', ...words], root);

describe('bootstrap', () => {
  test.each([
    ['namespace'],
    ['metallb', '--for', 'helm'],
    ['metallb', '--for', 'argocd'],
    ['metallb', '--for', 'flux'],
    ['metallb', '--for', 'kubectl'],
    ['monitoring'],
    ['monitoring', '--installed-by', 'manifest'],
    ['rbac', '--doctor'],
    ['kubespray', '--pools'],
    ['serve', '--image', 'a/b:1', '--repo', 'https://git.example.com/a/b.git'],
  ])('%s %s %s prints the same YAML twice and writes nothing', async (...words) => {
    const root = of(pools);
    const before = snapshot(root);
    const { status, out } = await bootstrap(root, ...words);
    expect(status).toBe(0);
    const documents = parseAllDocuments(out);
    expect(documents.length).toBeGreaterThan(0);
    expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
    expect((await bootstrap(root, ...words)).out).toBe(out);
    expect(snapshot(root)).toEqual(before);
  });

  test.each([[['namespace']], [['metallb', '--for', 'helm']], [['rbac']], [['kubespray']]])(
    '%s reports the problems of the pool file',
    async (words) => {
      const { status, out, err } = await bootstrap(of(`${pools}colour: red\n`), ...words);
      expect([status, out]).toEqual([1, '']);
      expect(err).toContain('leases/pools.yaml:5:1 FIELD_UNKNOWN');
    },
  );
});

describe('bootstrap metallb', () => {
  const values = async (text: string, ...words: readonly string[]) =>
    parse((await bootstrap(of(text), 'metallb', '--for', 'helm', ...words)).out);

  test('uses the BGP mode that the pools need', async () => {
    expect(await values(pools)).toMatchObject({ frrk8s: { enabled: false } });
    expect(await values(bgp('0.15.3'))).toMatchObject({
      frrk8s: { enabled: false },
      speaker: { frr: { enabled: true } },
    });
    expect(await values(bgp('0.16.1'))).toMatchObject({
      frrk8s: { enabled: true },
      speaker: { frr: { enabled: false } },
    });
  });

  test('uses the requested BGP mode if it supports what the pools need', async () => {
    expect(await values(bgp('0.16.1'), '--bgp', 'native')).toMatchObject({
      frrk8s: { enabled: false },
      speaker: { frr: { enabled: false } },
    });
    const root = of(bgp('0.16.1', '2001:db8::/120'));
    const { status, err } = await bootstrap(root, 'metallb', '--for', 'helm', '--bgp', 'native');
    expect(status).toBe(1);
    expect(err).toMatch(
      /^leases\/pools.yaml:5:5 METALLB_UNFIT native BGP does not support what pools need: IPv6 \(pool p\)\n {2}5 \|.*\n.*\^\n {2}hint: leave --bgp out/,
    );
  });

  test('checks native BGP only against the pools of the clusters', async () => {
    const beyond = 'zone: z, addresses: [2001:db8::/120], clusters: [west], advertise: { bgp: {} }';
    const root = of(two.replace('pools:\n', `pools:\n  - { name: six, ${beyond} }\n`));
    const native = ['metallb', '--for', 'helm', '--bgp', 'native'];
    expect(await bootstrap(root, ...native, '--cluster', 'east')).toMatchObject({ status: 0 });
    const { status, err } = await bootstrap(root, ...native, '--cluster', 'west');
    expect([status, err]).toEqual([
      1,
      expect.stringContaining('METALLB_UNFIT native BGP does not'),
    ]);
  });

  test('has an Application for each cluster, and needs one cluster for other formats', async () => {
    const root = of(two);
    const servers = [
      '--server',
      'east=https://e.example.com',
      '--server',
      'west=https://w.example',
    ];
    const { out } = await bootstrap(root, 'metallb', '--for', 'argocd', ...servers);
    expect(out.match(/(targetRevision|server): .*/g)).toEqual([
      'server: https://e.example.com',
      'server: https://w.example',
      'server: https://e.example.com',
      'targetRevision: "0.14.9"',
      'server: https://w.example',
      'targetRevision: "0.16.1"',
    ]);
    const west = await bootstrap(root, 'metallb', '--for', 'flux', '--cluster', 'west');
    expect(west.out).toContain('targetNamespace: lb\n');
    const helm = await bootstrap(root, 'metallb', '--for', 'helm', '--cluster', 'west');
    expect(helm.out).toContain('bootstrap namespace --cluster west |');
  });

  test.each([
    [['metallb'], /required option '--for <what>'/],
    [['metallb', '--for', 'terraform'], /Allowed choices are helm, argocd, flux, kubectl/],
    [['metallb', '--for', 'helm', '--bgp', 'bird'], /Allowed choices are native, frr, frr-k8s/],
    [['metallb', '--for', 'flux'], /there is more than one cluster: name one with --cluster/],
    [['metallb', '--for', 'argocd'], /name the API server of .* with --server NAME=URL/],
    [['metallb', '--for', 'helm', '--cluster', 'north'], /declares no cluster north/],
    [['metallb', '--for', 'helm', '--namespace', 'x'], /--namespace is for --for argocd or flux/],
    [['metallb', '--for', 'flux', '--project', 'x'], /--project is for --for argocd/],
    [['metallb', '--for', 'flux', '--server', 'east=https://x'], /--server is for --for argocd/],
    [['metallb', '--for', 'argocd', '--name', 'x'], /--name is for --for flux/],
    [
      ['metallb', '--for', 'argocd', '--project', 'default'],
      /Argo CD's project for all other Applications/,
    ],
    [['rbac', '--account', 'leasehold'], /not NAMESPACE\/NAME of a ServiceAccount/],
    [['rbac', '--account', 'a/b/c'], /not NAMESPACE\/NAME of a ServiceAccount/],
    [['kubespray', '--generation', 'first'], /2\.22 and earlier installs MetalLB only with a pool/],
  ])('refuses %j', async (words, message) => {
    const { status, out, err } = await bootstrap(of(two), ...words);
    expect([status, out]).toEqual([64, '']);
    expect(err).toMatch(message);
  });
});

describe('bootstrap rbac', () => {
  test('uses the named cluster and account', async () => {
    const { out } = await bootstrap(of(two), 'rbac', '--cluster', 'west', '--account', 'ci/bot');
    const objects = parseAllDocuments(out).map((document) => document.toJS());
    expect(objects.map(({ metadata }) => metadata.namespace)).toEqual([
      undefined,
      undefined,
      'lb',
      'lb',
    ]);
    expect(objects[1].subjects).toEqual([{ kind: 'ServiceAccount', namespace: 'ci', name: 'bot' }]);
  });

  test('includes the inventory operator with --doctor where an inventory is declared', async () => {
    const files = { 'leases/pools.yaml': two, 'leases/inventory.yaml': eastInventory };
    const root = tempTree(files);
    const textOf = async (cluster: string) =>
      (await bootstrap(root, 'rbac', '--doctor', '--cluster', cluster)).out;
    expect(await textOf('east')).toMatch(/storageclasses.*operator-inventory:rest/s);
    expect(await textOf('west')).not.toMatch(/storageclasses|services\/proxy/);
    const broken = tempTree({ ...files, 'leases/inventory.yaml': 'kind: Inventory\n' });
    expect((await bootstrap(broken, 'rbac', '--doctor', '--cluster', 'east')).err).toContain(
      'leases/inventory.yaml:1:1 FIELD_MISSING',
    );
  });

  test('includes the provider of the pool file with --doctor', async () => {
    const provider = 'provider: akash1hwmenz63dp59uve5ytea09suwgr47y3rn9902y\n';
    const words = ['rbac', '--doctor', '--provider-namespace', 'akash'];
    expect((await bootstrap(of(pools + provider), ...words)).out).toContain('namespace: akash\n');
    expect((await bootstrap(of(pools), ...words)).out).not.toContain('namespace: akash\n');
  });
});

describe('bootstrap kubespray', () => {
  test('has no pools without --pools, and reports what it cannot express', async () => {
    const { out, err } = await bootstrap(of(pools), 'kubespray');
    expect(parse(out)).toEqual({
      kube_proxy_strict_arp: true,
      metallb_enabled: true,
      metallb_namespace: 'metallb-system',
      metallb_speaker_enabled: true,
    });
    expect(err).toMatch(/^caution: Kubespray installs MetalLB 0\.13\.9 unless .*\n$/);
    const same = of(`${pools}metallb: { version: 0.13.9 }\n`);
    expect((await bootstrap(same, 'kubespray')).err).toBe('');
  });

  test('reports the settings of a pool that Kubespray does not know', async () => {
    const pool = poolsText(`metallb: { version: 0.13.9 }
pools:
  - name: p
    zone: z
    addresses: [203.0.113.0/28]
    reserved: [203.0.113.1]
    advertise: { l2: { interfaces: [bond0], nodeSelectors: [{ matchLabels: { rack: a } }] } }
`);
    const { err } = await bootstrap(of(pool), 'kubespray', '--pools');
    expect(err).toBe(`caution: the pool 'p': Kubespray does not know that only bond0 announce it
caution: the pool 'p': Kubespray does not know which nodes announce it
caution: the pool 'p': Kubespray does not know that 203.0.113.1/32 is never assigned
`);
  });
});

describe('bootstrap provider', () => {
  const values = `domain: example.com # ours
ipoperator: true
attributes:
  - key: region
    value: us-west
`;
  const provider = async (text: string, ...words: readonly string[]) => {
    const root = tempTree({ 'provider.yaml': text });
    const before = snapshot(root);
    const finished = await bootstrap(root, 'provider', 'provider.yaml', ...words);
    expect(snapshot(root)).toEqual(before);
    return finished;
  };

  test('needs no pool file, turns the operator off, and reports the consequences', async () => {
    expect(await provider(values)).toEqual({
      status: 0,
      out: values.replace('ipoperator: true', 'ipoperator: false'),
      err: `provider.yaml:2:13 ipoperator: true becomes false
caution: the provider does not bid on orders for leased IPs
`,
    });
  });

  test('turns the operator on with the attributes, and prints only the diff with --diff', async () => {
    const { out, err } = await provider(
      values.replace('true', 'false'),
      '--ip-operator',
      'on',
      '--diff',
    );
    expect(out).toBe(`--- provider.yaml
+++ provider.yaml
@@ -1,5 +1,11 @@
 domain: example.com # ours
-ipoperator: false
+ipoperator: true
 attributes:
   - key: region
     value: us-west
+  - key: ip-lease
+    value: "true"
+  - key: capabilities/ip-lease
+    value: "true"
+  - key: feat-endpoint-ip
+    value: "true"
`);
    expect(err).toBe(`provider.yaml:2:13 ipoperator: false becomes true
provider.yaml the attribute ip-lease: true
provider.yaml the attribute capabilities/ip-lease: true
provider.yaml the attribute feat-endpoint-ip: true
caution: the provider then waits for the Service operator-ip before it serves: run \`leasehold serve\` there (\`leasehold bootstrap serve\`); the IP operator must not run beside leasehold
`);
  });

  test('changes nothing the second time, and reports each attribute without an operator', async () => {
    const { out } = await provider(values, '--ip-operator', 'on');
    const again = await provider(out, '--ip-operator', 'on', '--diff');
    expect([again.status, again.out]).toEqual([0, '']);
    expect(again.err).toMatch(/^provider\.yaml already has these values\n/);
    expect((await provider(out)).err).toContain(
      `caution: provider.yaml:7:12 the provider still advertises leased IPs to tenants (ip-lease)
caution: provider.yaml:9:12 the provider still advertises leased IPs to tenants (capabilities/ip-lease)
caution: provider.yaml:11:12 the provider still advertises leased IPs to tenants (feat-endpoint-ip)
`,
    );
  });

  test('with --inventory: the attributes of the inventory of a cluster', async () => {
    const root = tempTree({
      ...{ 'leases/pools.yaml': two, 'leases/inventory.yaml': eastInventory },
      'provider.yaml':
        'domain: x\nattributes:\n  - { key: capabilities/storage/1/class, value: old }\n',
    });
    const words = ['provider', 'provider.yaml', '--inventory', '--cluster'];
    const { status, out, err } = await bootstrap(root, ...words, 'east');
    expect([status, parse(out)]).toEqual([
      0,
      {
        domain: 'x',
        attributes: [
          { key: 'capabilities/storage/1/class', value: 'old' },
          { key: 'capabilities/gpu/vendor/nvidia/model/t4', value: 'true' },
          { key: 'capabilities/storage/2/class', value: 'beta3' },
          { key: 'capabilities/storage/2/persistent', value: 'true' },
        ],
      },
    ]);
    expect(err).toContain('caution: the chart takes the last persistent class');
    expect(err).toContain(
      'caution: provider.yaml:3:49 the inventory lacks capabilities/storage/1/class\n',
    );
    expect(await bootstrap(root, ...words, 'west')).toMatchObject({
      status: 1,
      out: '',
      err: expect.stringContaining('FILE_MISSING there is no inventory of the cluster west'),
    });
  });

  test('reports all problems of a file that is not values of a provider', async () => {
    const { status, out, err } = await provider('ipoperator: perhaps\nattributes: none\n');
    expect([status, out]).toEqual([1, '']);
    expect(err).toMatch(
      /^provider\.yaml:1:13 FIELD_TYPE .*\n {2}1 \| ipoperator: perhaps\n.*\^\nprovider\.yaml:2:13 FIELD_TYPE /,
    );
    const root = tempTree({});
    const missing = await bootstrap(root, 'provider', 'provider.yaml');
    expect(missing).toMatchObject({
      status: 74,
      err: 'leasehold: there is no file provider.yaml\n',
    });
    expect((await bootstrap(root, 'provider')).status).toBe(64);
    expect((await bootstrap(root, 'provider', 'x', '--ip-operator', 'true')).status).toBe(64);
  });
});
