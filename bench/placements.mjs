// @ts-check
// A pool file and leases as the program has them in memory, for benches that only render.
import { address } from './workspace.mjs';

const provider = address('me');
const at = { file: 'leases/lease.yaml', line: 1, column: 1 };

/** @type {import('../src/core/model/pools.ts').Cluster} */
export const cluster = {
  ...{ name: 'default', id: undefined, labels: {}, defaultZone: 'inet', provider },
  plane: { kind: 'metallb', version: '0.15.2', namespace: 'metallb-system', layout: 'lease' },
  ...{ naming: 'akash', shards: 1, routes: undefined },
};

/** @type {import('../src/core/model/pools.ts').Pool} */
export const pool = {
  ...{ name: 'default', zone: 'inet', clusters: undefined, ranges: [], reserved: { ranges: [] } },
  ...{ avoidBuggyIPs: false, state: 'active', retentionDays: 0, strategy: 'spread', nat: [] },
  ...{ fence: 'closed', at },
  advertise: [{ name: 'default', kind: 'l2', interfaces: [], nodeSelectors: [] }],
};

/** @type {import('../src/core/model/pools.ts').Pools} */
export const pools = {
  ...{ clusters: [cluster], clustersAt: at, defaultCluster: 'default', defaultZone: 'inet' },
  ...{ pools: [pool], anycast: [], branches: [], advertisements: [] },
  dns: { ttl: 300, allowed: undefined, blocked: [] },
  quotas: { default: undefined, owners: new Map() },
  hostnames: { retentionDays: 0, proof: 'optional', exempt: [] },
  emit: {
    ...{ namespaces: false, providerLeasedIP: true, providerHost: false, networkPolicies: true },
    ...{ addressConfigMaps: false, addressNames: false, dnsEndpoints: false },
  },
};

/**
 * A lease of one endpoint with its address.
 * @param {number} index
 * @returns {import('../src/core/model/holder.ts').Placement}
 */
export function placementOf(index) {
  const owner = address(`owner ${index}`);
  const sharingKey = `${owner}-ip-web`;
  const id = `default/akash/${sharingKey}`;
  const lease = { owner, dseq: String(1_000_000 + index), gseq: 1, oseq: 1 };
  /** @type {import('../src/core/model/claim.ts').LeaseClaim} */
  const claim = {
    ...{ kind: 'Lease', holder: id, cluster: 'default', service: 'web', externalPort: 80 },
    ...{ zone: undefined, pool: undefined, ipFamily: 'ipv4', pins: [], retentionDays: 0, at },
    ...{ dns: [], advertisement: undefined },
    lease: { ...lease, provider },
    ...{ endpoint: 'web', sharingKey, port: 8080, protocol: 'TCP', selector: undefined },
    liveSharingKey: undefined,
  };
  /** @type {import('../src/core/model/holder.ts').Holder} */
  const holder = {
    ...{ id, clusters: ['default'], claims: [claim], promise: undefined, families: ['ipv4'] },
    ...{ pool: undefined, zone: undefined, pins: [], retentionDays: 0, at },
    ...{ advertisement: undefined, formerly: [] },
    ownership: { key: undefined, signatures: [], repository: undefined },
  };
  const value = BigInt(10 * 2 ** 24 + 2 + index);
  return { holder, pool, addresses: [{ family: 'ipv4', value }] };
}

/**
 * What a run with these leases alone renders.
 * @param {readonly import('../src/core/model/holder.ts').Placement[]} placements
 * @returns {Parameters<typeof import('../src/core/manifests/render.ts').renderDist>[1]}
 */
export function partsOf(placements) {
  return { placements, services: [], hostnames: [] };
}
