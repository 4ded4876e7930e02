import { describe, expect, test } from 'vitest';
import type { Manifest, Tree } from '../../../../../src/core/manifests/manifest.ts';
import {
  ipv6PolicyManifest,
  leasedIPManifest,
  leaseServiceManifest,
} from '../../../../../src/core/manifests/objects/lease-objects.ts';
import {
  advertisementManifest,
  heldPoolManifest,
} from '../../../../../src/core/manifests/planes/metallb/pool-objects.ts';
import { ClusterCheck } from '../../../../../src/core/manifests/rules/cluster-check.ts';
import type { Advertise } from '../../../../../src/core/model/pools.ts';
import { InternalError } from '../../../../../src/core/model/problem.ts';
import type { Address } from '../../../../../src/core/net/address.ts';
import {
  aClaim,
  alice,
  anAddress,
  aPool,
  bob,
  thePools,
} from '../../../../support/declarations/pools-and-claims.ts';

const [cluster] = thePools().clusters;
const namespace = '5reb3l87s85t50v77sosktvdeeg6pfbnlboigoprqv3d4';
const claim = aClaim({ lease: { dseq: '8438017' } });
const address = anAddress('203.0.113.7');
const metallbNamespace = 'metallb-system';

function heldPool(held: Address, namespaces: readonly string[]): Manifest {
  return heldPoolManifest({ pool: aPool(), addresses: [held], metallbNamespace, namespaces });
}

function advertisementOf(advertise: Advertise): Manifest {
  return advertisementManifest(advertise, { name: 'ip-203.0.113.7', metallbNamespace });
}

const pool = heldPool(address, [namespace]);
const advertisement = advertisementOf(aPool().advertise[0]!);
const leasedIP = leasedIPManifest('akash', claim);
const service = leaseServiceManifest(cluster!, [claim], { addresses: [address], pool: aPool() });
const policy = ipv6PolicyManifest(claim);

/** A copy with the value at a path replaced; undefined removes it. */
function tampered(manifest: Manifest, path: readonly (string | number)[], value?: Tree): Manifest {
  const copy = structuredClone(manifest);
  let parent = copy as unknown as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) parent = parent[key] as typeof parent;
  const last = path.at(-1)!;
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}

function check(...manifests: readonly Manifest[]): void {
  const all = new ClusterCheck(cluster!, []);
  for (const manifest of manifests) all.add(manifest);
  all.finish();
}

function expectFault(fault: RegExp, ...manifests: readonly Manifest[]): void {
  expect(() => check(...manifests)).toThrow(InternalError);
  expect(() => check(...manifests)).toThrow(fault);
}

test('the objects of a claim pass', () => {
  expect(() => check(pool, advertisement, leasedIP, service, policy)).not.toThrow();
});

describe('closed schemas', () => {
  test.each([
    ['an unknown field', leasedIP, ['spec', 'leaseID'], 'x', /leaseID/],
    [
      'a dseq that is a number',
      leasedIP,
      ['spec', 'lease_id', 'dseq'],
      8438017,
      /dseq must be of type string/,
    ],
    ['no provider', leasedIP, ['spec', 'lease_id', 'provider'], undefined, /provider/],
    ['an unknown label', leasedIP, ['metadata', 'labels', 'x'], 'y', /labels\/x is not known/],
    [
      'no managed-by label',
      service,
      ['metadata', 'labels', 'app.kubernetes.io/managed-by'],
      undefined,
      /managed-by/,
    ],
    [
      'an unknown annotation',
      service,
      ['metadata', 'annotations', 'a/b'],
      'y',
      /a~1b is not known/,
    ],
    ['a status', service, ['status'], {}, /\/status is not known/],
    ['a creation time', pool, ['metadata', 'creationTimestamp'], 'now', /creationTimestamp/],
    ['port 0', service, ['spec', 'ports', 0, 'port'], 0, /port must be at least 1/],
    ['a port above 65535', leasedIP, ['spec', 'external_port'], 65536, /at most 65535/],
    [
      'a gseq above uint32',
      leasedIP,
      ['spec', 'lease_id', 'gseq'],
      4294967296,
      /at most 4294967295/,
    ],
    ['node ports', service, ['spec', 'allocateLoadBalancerNodePorts'], true, /must be false/],
    ['Local traffic', service, ['spec', 'externalTrafficPolicy'], 'Local', /must be Cluster/],
    ['a name with a capital', service, ['metadata', 'name'], 'Web', /name must match/],
    ['no namespace', service, ['metadata', 'namespace'], undefined, /namespace is missing/],
    ['another version', pool, ['apiVersion'], 'metallb.io/v1alpha1', /has no schema/],
    ['an unknown kind', pool, ['kind'], 'AddressPool', /has no schema/],
    [
      'selectors of Services',
      advertisement,
      ['spec', 'serviceSelectors'],
      [{}],
      /serviceSelectors/,
    ],
    [
      'a NetworkPolicy for all pods of a namespace',
      policy,
      ['spec', 'podSelector', 'matchLabels'],
      {},
      /at least 1 fields/,
    ],
    [
      'a NetworkPolicy for all ports',
      policy,
      ['spec', 'ingress', 0, 'ports'],
      undefined,
      /ports is missing/,
    ],
    [
      'a NetworkPolicy for another family',
      policy,
      ['spec', 'ingress', 0, 'from', 0, 'ipBlock', 'cidr'],
      '0.0.0.0/0',
      /must be ::\/0/,
    ],
    [
      'a NetworkPolicy about egress',
      policy,
      ['spec', 'policyTypes'],
      ['Egress'],
      /must be Ingress/,
    ],
    ['a default field left out', pool, ['spec', 'avoidBuggyIPs'], undefined, /avoidBuggyIPs/],
  ])('refuse %s', (...[, manifest, path, value, fault]) => {
    expectFault(fault, tampered(manifest, path, value));
  });
});

describe("MetalLB's rules", () => {
  const wide = tampered(
    tampered(heldPool(anAddress('10.0.0.1'), ['other']), ['metadata', 'name'], 'wide'),
    ['spec', 'addresses'],
    ['203.0.113.0/24'],
  );

  test('refuse two pools that overlap, in either order', () => {
    expectFault(
      /203.0.113.7\/32 in pool ip-203.0.113.7 overlaps 203.0.113.0\/24 in pool wide/,
      pool,
      wide,
    );
    expectFault(/overlaps/, wide, pool);
  });

  test('refuse an address twice in one pool', () => {
    const twice = ['203.0.113.7/32', '203.0.113.7/32'];
    expectFault(/overlaps/, tampered(pool, ['spec', 'addresses'], twice));
  });

  test.each([
    ['host bits', ['203.0.113.7/24'], /host bits/],
    ['no canonical form', ['203.0.113.0-203.0.113.255'], /canonical/],
  ])('refuse an address text with %s', (_, addresses, fault) => {
    expectFault(fault, tampered(pool, ['spec', 'addresses'], addresses));
  });

  test('refuse a pool with autoAssign', () => {
    expectFault(/autoAssign/, tampered(pool, ['spec', 'autoAssign'], true));
  });

  test('refuse a pool without namespaces and service selectors', () => {
    expectFault(/open to every Service/, tampered(pool, ['spec', 'serviceAllocation'], {}));
    const selectors = { namespaceSelectors: [{ matchLabels: { a: 'b' } }] };
    expectFault(/open to every Service/, tampered(pool, ['spec', 'serviceAllocation'], selectors));
  });

  test('accept a pool without conditions when its fence is open, and refuse one with conditions', () => {
    const open = new ClusterCheck(cluster!, [{ name: 'ip-203.0.113.7', fence: 'open' }]);
    open.add(tampered(pool, ['spec', 'serviceAllocation']));
    open.add(advertisement);
    open.add(service);
    expect(() => open.finish()).not.toThrow();
    expectFault(/open to every Service/, tampered(pool, ['spec', 'serviceAllocation']));
    const other = new ClusterCheck(cluster!, [{ name: 'ip-203.0.113.7', fence: 'open' }]);
    expect(() => other.add(pool)).toThrow(/is fenced, but is declared open/);
  });

  test("refuse MetalLB's objects outside its namespace", () => {
    expectFault(/MetalLB's namespace/, tampered(pool, ['metadata', 'namespace'], 'default'));
    expectFault(
      /MetalLB's namespace/,
      pool,
      tampered(advertisement, ['metadata', 'namespace'], 'default'),
    );
  });

  test('refuse a pool without advertisement, and an advertisement of an unknown pool', () => {
    expectFault(/has no advertisement/, pool);
    expectFault(/unknown pool/, advertisement);
    expectFault(
      /twice/,
      pool,
      tampered(advertisement, ['spec', 'ipAddressPools'], ['ip-203.0.113.7', 'ip-203.0.113.7']),
    );
  });

  test('refuse an aggregation shorter than the addresses of a pool', () => {
    const bgp = {
      kind: 'bgp',
      aggregationLength: 24,
      aggregationLengthV6: 128,
      localPref: undefined,
      communities: [],
      peers: [],
      nodeSelectors: [],
    } as const;
    expectFault(/aggregates to \/24/, pool, advertisementOf(bgp));
  });

  test.each([
    ['an address outside of all pools', ['spec', 'loadBalancerIP'], '203.0.113.8', /outside/],
    ['no pin', ['spec', 'loadBalancerIP'], undefined, /not both/],
    ['another family than its pin', ['spec', 'ipFamilies'], ['IPv6'], /do not fit/],
    ['two stacks and one pin', ['spec', 'ipFamilyPolicy'], 'RequireDualStack', /do not fit/],
    [
      'both ways to pin',
      ['metadata', 'annotations', 'metallb.io/loadBalancerIPs'],
      '203.0.113.7,::1',
      /not both/,
    ],
    [
      'an annotation that its MetalLB does not read',
      ['metadata', 'annotations', 'metallb.universe.tf/allow-shared-ip'],
      'k',
      /reads metallb.io/,
    ],
    [
      'no sharing key',
      ['metadata', 'annotations', 'metallb.io/allow-shared-ip'],
      undefined,
      /sharing key/,
    ],
    [
      'a namespace that the pool is not open to',
      ['metadata', 'namespace'],
      'elsewhere',
      /not open to/,
    ],
  ])('refuse a Service with %s', (_, path, value, fault) => {
    expectFault(fault, pool, advertisement, tampered(service, path, value));
  });

  test('refuse a Service with a port twice', () => {
    const port = { name: 'a', port: 80, protocol: 'TCP', targetPort: 1 };
    expectFault(
      /a port twice/,
      tampered(service, ['spec', 'ports'], [port, { ...port, name: 'b' }]),
    );
  });

  test('refuse an address that the pool avoids', () => {
    const buggy = tampered(
      tampered(pool, ['spec', 'avoidBuggyIPs'], true),
      ['spec', 'addresses'],
      ['203.0.113.0/32'],
    );
    const pinned = tampered(service, ['spec', 'loadBalancerIP'], '203.0.113.0');
    expectFault(/avoids/, buggy, advertisement, pinned);
  });

  const sharer = tampered(
    tampered(service, ['metadata', 'name'], 'two'),
    ['spec', 'ports', 0, 'port'],
    81,
  );

  test('accept Services with one sharing key on different ports of an address', () => {
    expect(() => check(pool, advertisement, service, sharer)).not.toThrow();
  });

  test.each([
    ['one port', ['spec', 'ports', 0, 'port'], 80, /5reb.* has the port 80\/TCP too/],
    [
      'two keys',
      ['metadata', 'annotations', 'metallb.io/allow-shared-ip'],
      'k',
      /another sharing key/,
    ],
    ['two owners', ['metadata', 'labels', 'akash.network/lease.id.owner'], bob, /another owner/],
  ])('refuse two Services on one address with %s', (_, path, value, fault) => {
    expectFault(fault, pool, advertisement, service, tampered(sharer, path, value));
  });

  test('refuse an object that is written twice', () => {
    expectFault(/written twice/, leasedIP, leasedIP);
    expect(() =>
      check(leasedIP, tampered(leasedIP, ['metadata', 'name'], `${alice}-ip-x-tcp-1`)),
    ).not.toThrow();
  });
});
