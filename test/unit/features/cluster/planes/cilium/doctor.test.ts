import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readPools } from '../../../../../../src/core/declarations/pools/pools-file.ts';
import { type LiveKind, liveKinds } from '../../../../../../src/core/model/kinds.ts';
import { writtenPools } from '../../../../../../src/features/cluster/desired.ts';
import { diagnose } from '../../../../../../src/features/cluster/diagnose.ts';
import { doctorAccess } from '../../../../../../src/features/setup/bootstrap/access.ts';
import { poolsText } from '../../../../../support/declarations/pools-text.ts';
import { operator } from '../../../../../support/live/cilium-objects.ts';
import { HealthyCluster, type Live } from '../../../../../support/live/healthy-cluster.ts';
import { desiredOf, goldenCase } from '../../../../../support/live/verification.ts';
import { treeOf } from '../../../../../support/trees/memory-tree.ts';

const settings = {
  'enable-l2-announcements': 'true',
  'kube-proxy-replacement': 'true',
  'enable-bgp-control-plane': 'true',
};
const config = (data: object) => ({
  metadata: { name: 'cilium-config', namespace: 'kube-system' },
  data,
});

/** A cluster with Cilium 1.20.2 in place of MetalLB. */
const cilium: NonNullable<Live['objects']> = {
  deployment: [operator()],
  configMap: [config(settings)],
  ciliumPool: [],
  ciliumL2Policy: [],
  ciliumBGPAdvertisement: [],
  node: [],
};

const usual = '[{ l2: {} }, { name: by-bgp, bgp: {} }]';

/** What doctor finds where a pool is announced by L2 and BGP, as `level CODE found`. */
async function found(
  live: Live = {},
  { version = '1.20.2', more = '', advertise = usual, written = [] as readonly string[] } = {},
) {
  const cluster = new HealthyCluster({ ...live, objects: { ...cilium, ...live.objects } });
  const text = poolsText(`cilium: { version: ${version}${more} }
emit: { providerLeasedIP: false }
pools:
  - name: public
    zone: inet
    addresses: [203.0.113.0/28]
    reserved: [203.0.113.1]
    advertise: ${advertise}
`);
  const pools = readPools('leases/pools.yaml', Buffer.from(text));
  if (!pools.ok) throw new Error(JSON.stringify(pools.problems));
  const committed = { written: new Set(written), checks: [] };
  const { ok, findings } = await diagnose(
    cluster,
    pools.value,
    pools.value.clusters[0]!,
    committed,
  );
  const said = findings.map((one) => `${one.level} ${one.code} ${one.found} -> ${one.fix ?? ''}`);
  return { ok, said, asked: cluster.asked };
}

describe('diagnose, on Cilium,', () => {
  it('is ok for a healthy cluster, and asks nothing of MetalLB', async () => {
    const { ok, said, asked } = await found();
    expect(ok).toBe(true);
    expect(said.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'ok KUBERNETES_VERSION',
      'ok CILIUM_KINDS',
      'ok CILIUM_OPERATOR',
      'ok CILIUM_RELEASE',
      'ok CILIUM_SETTINGS',
      'ok CILIUM_NODES',
      'ok CILIUM_POOLS',
      'ok AKASH_PROVIDER',
      'ok AKASH_OPERATOR',
    ]);
    expect(asked.join()).not.toMatch(/addressPool|daemonSet|webhook|dry run/);
  });

  it('finds nothing wrong with a pool that dist/ takes over', async () => {
    const pool = { metadata: { name: 'public' }, spec: { blocks: [{ cidr: '203.0.113.0/28' }] } };
    const live = { objects: { ciliumPool: [pool] } };
    expect((await found(live)).ok).toBe(false);
    const path = 'dist/default/_pools/public.yaml';
    const { cluster } = await desiredOf(goldenCase('cilium'));
    const tree = treeOf({ [path]: readFileSync(`test/golden/cases/cilium/out/${path}`) });
    const written = [...writtenPools(tree, cluster)];
    expect(written).toEqual(['CiliumLoadBalancerIPPool public']);
    expect((await found(live, { written })).ok).toBe(true);
  });

  it('names a Service whose address Cilium would take away', async () => {
    const service = (ip: string, loadBalancerClass?: string) => ({
      metadata: { namespace: 'old', name: 'web' },
      spec: { type: 'LoadBalancer', loadBalancerClass },
      status: { loadBalancer: { ingress: [{ ip }] } },
    });
    const said = async (...of: Parameters<typeof service>) =>
      (await found({ objects: { service: [service(...of)] } })).said.join('\n');
    expect(await said('172.16.0.5')).toMatch(
      /^problem CILIUM_POOLS no pool has the address of Service old\/web, .* -> give its load balancer a class/m,
    );
    expect(await said('203.0.113.5')).toMatch(/^ok CILIUM_POOLS/m);
    expect(await said('172.16.0.5', 'example.com/other')).toMatch(/^ok CILIUM_POOLS/m);
  });

  it('asks of Cilium before 1.19 that a port number is shared by TCP and UDP', async () => {
    const live = {
      objects: { configMap: [config({ ...settings, 'bpf-lb-proto-diff': 'false' })] },
    };
    const lacks =
      /^problem CILIUM_SETTINGS .* -> set loadBalancer\.protocolDifferentiation\.enabled: true/m;
    expect((await found(live, { version: '1.18.5' })).said.join('\n')).toMatch(lacks);
    expect((await found(live)).ok).toBe(true);
  });

  it.each<[string, NonNullable<Live['objects']>, RegExp]>([
    [
      'a kind is not served',
      { ciliumL2Policy: undefined },
      /^problem CILIUM_KINDS the cluster does not serve CiliumL2AnnouncementPolicy -> install Cilium/,
    ],
    [
      'there is no operator',
      { deployment: [] },
      /^problem CILIUM_OPERATOR no operator .* kube-system/,
    ],
    [
      'the operator is not ready',
      { deployment: [{ ...operator(), status: {} }] },
      /^problem CILIUM_OPERATOR .* has no ready pod -> find out why/,
    ],
    [
      'the operator is too old',
      { deployment: [operator('v1.18.1')] },
      /^problem CILIUM_RELEASE Cilium 1\.18\.1 runs -> upgrade Cilium to 1\.18\.2/,
    ],
    [
      'L2 is off',
      { configMap: [config({ ...settings, 'enable-l2-announcements': 'false' })] },
      /^problem CILIUM_SETTINGS .* lacks enable-l2-announcements: "true" -> set l2announcements\.enabled: true/,
    ],
    [
      'Services without a class are not served',
      { configMap: [config({ ...settings, 'default-lb-service-ipam': 'none' })] },
      /^problem CILIUM_SETTINGS .* lacks default-lb-service-ipam: "lbipam" ->/,
    ],
    [
      'all is off',
      { configMap: [config({})] },
      /^problem CILIUM_SETTINGS .*enable-l2-announcements.*kube-proxy-replacement.*enable-bgp-control-plane/,
    ],
    [
      'a pool has the address of a node',
      {
        node: [
          { metadata: { name: 'a' }, status: { addresses: [{ address: '203.0.113.1' }] } },
          { metadata: { name: 'b' }, status: { addresses: [{ address: '203.0.113.2' }] } },
        ],
      },
      /^problem CILIUM_NODES .*: 203\.0\.113\.2 of b \(pool public\) -> reserve it/,
    ],
    [
      'a pool of others overlaps',
      {
        ciliumPool: [
          {
            metadata: { name: 'theirs' },
            spec: { blocks: [{ cidr: '203.0.113.8/29' }], serviceSelector: {} },
          },
        ],
      },
      /^problem CILIUM_POOLS CiliumLoadBalancerIPPool theirs is not managed .* -> no Service has an address/,
    ],
  ])('finds that %s', async (_, objects, line) => {
    const { ok, said } = await found({ objects });
    expect(ok).toBe(false);
    expect(said.filter((one) => one.startsWith('problem '))).toEqual([expect.stringMatching(line)]);
  });

  it('warns of another version, an open pool of others, and Services that MetalLB served', async () => {
    const service = {
      metadata: {
        name: 'app',
        namespace: 'web',
        annotations: { 'metallb.io/ip-allocated-from-pool': 'old' },
      },
      spec: { type: 'LoadBalancer' },
    };
    const theirs = { metadata: { name: 'theirs' }, spec: { blocks: [{ cidr: '10.0.0.0/24' }] } };
    const { ok, said } = await found({
      objects: { deployment: [operator('v1.19.6')], ciliumPool: [theirs], service: [service] },
    });
    expect(ok).toBe(true);
    expect(said.filter((one) => one.startsWith('caution '))).toEqual([
      expect.stringMatching(/ CILIUM_RELEASE .* -> set cilium\.version: 1\.19\.6 in/),
      expect.stringMatching(
        / CILIUM_POOLS CiliumLoadBalancerIPPool theirs has no serviceSelector ->/,
      ),
      expect.stringMatching(
        / SECOND_BALANCER Service web\/app has the mark of MetalLB -> give MetalLB/,
      ),
    ]);
  });

  it('does not need the default of Services without a class where all have one', async () => {
    const { said } = await found(
      { objects: { configMap: [config({ ...settings, 'default-lb-service-ipam': 'none' })] } },
      { more: ', loadBalancerClass: io.cilium/bgp-control-plane', advertise: '{ bgp: {} }' },
    );
    expect(said.find((one) => one.includes('CILIUM_SETTINGS'))).toMatch(/^ok /);
  });

  it('asks for exactly what bootstrap rbac --doctor grants', async () => {
    const account = { namespace: 'ci', name: 'bot' };
    const plane = { kind: 'cilium', namespace: 'kube-system' } as const;
    const roles = doctorAccess({ account, plane }, { provider: undefined, added: [] });
    const granted = JSON.parse(JSON.stringify(roles)).flatMap(
      ({ metadata, rules = [] }: { metadata: { namespace?: string }; rules?: Rule[] }) =>
        rules.flatMap(({ apiGroups, resources }) =>
          resources.map((one) => `${metadata.namespace ?? '*'} ${apiGroups.join()}/${one}`),
        ),
    );
    const { asked } = await found();
    const needed = asked.map((line) => {
      const [, kind, namespace = '*'] = /^list (\S+) (\S+)/.exec(line) ?? [];
      const { group, plural } = liveKinds[kind as LiveKind];
      return `${namespace === 'default' ? '*' : namespace} ${group}/${plural}`;
    });
    expect(granted.toSorted()).toEqual([...new Set(needed)].toSorted());
  });
});

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
}
