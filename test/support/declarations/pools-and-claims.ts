import {
  type Claim,
  compareClaims,
  type LeaseClaim,
  sharingKey,
} from '../../../src/core/model/claim.ts';
import { type Holder, isGroup, type Placement } from '../../../src/core/model/holder.ts';
import type { LeaseId } from '../../../src/core/model/lease.ts';
import { unowned } from '../../../src/core/model/ownership.ts';
import type { Cluster, Emit, Pool, Pools } from '../../../src/core/model/pools.ts';
import { startOf } from '../../../src/core/model/problem.ts';
import { serviceIdText } from '../../../src/core/model/service.ts';
import {
  type Address,
  compareAddresses,
  isAddress,
  parseAddress,
} from '../../../src/core/net/address.ts';
import {
  type AddressRange,
  compareRanges,
  isRange,
  parseRange,
} from '../../../src/core/net/range.ts';
import { rangeSetOf } from '../../../src/core/net/range-set.ts';

/** Accounts of the real network, from the published documents. */
export const provider = 'akash1nxq8gmsw2vlz3m68qvyvcf3kh6q269ajvqw6y0';
export const alice = 'akash1h24fljt7p0nh82cq0za0uhsct3sfwsfu9w3c9h';
export const bob = 'akash15745vczur53teyxl4k05u250tfvp0lvdcfqx27';

/** The address of a text that is one. */
export function anAddress(text: string): Address {
  const address = parseAddress(text);
  if (!isAddress(address)) throw new Error(address.reason);
  return address;
}

/** The range of a text that is one. */
export function aRange(text: string): AddressRange {
  const range = parseRange(text);
  if (!isRange(range)) throw new Error(range.reason);
  return range;
}

/** The pool `default` of 203.0.113.0/24 and 2001:db8::/64, announced by L2. */
export function aPool({
  addresses = ['203.0.113.0/24', '2001:db8::/64'],
  name = 'default',
  ...changes
}: Partial<Pool> & { readonly addresses?: readonly string[] } = {}): Pool {
  return {
    name,
    zone: 'inet',
    clusters: undefined,
    ranges: addresses.map(aRange).sort(compareRanges),
    reserved: rangeSetOf([]),
    nat: [],
    avoidBuggyIPs: false,
    fence: 'closed',
    state: 'active',
    retentionDays: 1,
    strategy: 'spread',
    advertise: [{ name, kind: 'l2', interfaces: [], nodeSelectors: [] }],
    at: startOf('leases/pools.yaml'),
    ...changes,
  };
}

/** What a pool file emits that does not say it. */
export const usualEmit: Emit = {
  namespaces: true,
  providerLeasedIP: true,
  providerHost: true,
  networkPolicies: true,
  addressConfigMaps: false,
  addressNames: false,
  dnsEndpoints: false,
};

/** Changes to the usual pool file: of its fields, of its cluster, and of what it emits. */
export type PoolsChanges = Partial<Omit<Pools, 'emit'>> & {
  readonly cluster?: Partial<Cluster>;
  readonly emit?: Partial<Emit>;
};

/** A pool file with one cluster `default`, as an Akash provider has it; `cluster` changes that one. */
export function thePools({ cluster = {}, emit = {}, ...changes }: PoolsChanges = {}): Pools {
  return {
    clusters: [
      {
        name: 'default',
        id: undefined,
        labels: {},
        defaultZone: undefined,
        provider,
        plane: { kind: 'metallb', version: '0.14.9', namespace: 'metallb-system', layout: 'lease' },
        naming: 'akash',
        shards: 1,
        routes: undefined,
        ...cluster,
      },
    ],
    clustersAt: startOf('leases/pools.yaml'),
    defaultCluster: 'default',
    defaultZone: 'inet',
    emit: { ...usualEmit, ...emit },
    pools: [aPool()],
    quotas: { default: undefined, owners: new Map() },
    dns: { ttl: 300, allowed: undefined, blocked: [] },
    hostnames: { retentionDays: 30, proof: 'optional', exempt: [] },
    advertisements: [],
    anycast: [],
    branches: [],
    ...changes,
  };
}

/** Alice's claim for `web` on port 80 of her endpoint `myip`; `lease` changes parts of its id. */
export function aClaim({
  lease = {},
  ...changes
}: Partial<Omit<LeaseClaim, 'lease'>> & { readonly lease?: Partial<LeaseId> } = {}): LeaseClaim {
  const id: LeaseId = { owner: alice, dseq: '12345', gseq: 1, oseq: 1, provider, ...lease };
  const endpoint = changes.endpoint ?? 'myip';
  const cluster = changes.cluster ?? 'default';
  const key = sharingKey(id.owner, endpoint);
  return {
    kind: 'Lease',
    holder: `${cluster}/akash/${key}`,
    cluster,
    lease: id,
    endpoint,
    sharingKey: key,
    service: 'web',
    port: 80,
    externalPort: 80,
    protocol: 'TCP',
    zone: undefined,
    pool: undefined,
    advertisement: undefined,
    ipFamily: 'ipv4',
    pins: [],
    retentionDays: 0,
    selector: undefined,
    liveSharingKey: undefined,
    dns: [],
    at: startOf(`leases/${id.dseq}.yaml`),
    ...changes,
  };
}

/** The holder of claims that have one, in their order; without any, of {@link aClaim}. */
export function aHolder(
  claims: readonly Claim[] = [aClaim()],
  changes: Partial<Holder> = {},
): Holder {
  const [first = aClaim(), ...rest] = [...claims].sort(compareClaims);
  const all = [first, ...rest] as const;
  const wants = (family: Claim['ipFamily']): boolean =>
    all.some(({ ipFamily }) => ipFamily === family || ipFamily === 'dual');
  return {
    id: first.holder,
    clusters: [...new Set(all.map(({ cluster }) => cluster))].sort(),
    claims: all,
    promise: undefined,
    families: (['ipv4', 'ipv6'] as const).filter(wants),
    pool: undefined,
    advertisement: undefined,
    zone: undefined,
    pins: [],
    retentionDays: Math.max(...all.map((claim) => claim.retentionDays)),
    ownership: unowned,
    formerly: isGroup(first.holder)
      ? all.flatMap((claim) =>
          claim.kind === 'Service'
            ? [{ id: `${claim.cluster}/${serviceIdText(claim.declared)}`, renamedAt: undefined }]
            : [],
        )
      : [],
    at: first.at,
    ...changes,
  };
}

/** A holder on addresses of a pool: without arguments, {@link aClaim} on 203.0.113.7. */
export function aPlacement({
  claims = [aClaim()],
  addresses = ['203.0.113.7'],
  pool = aPool(),
}: {
  readonly claims?: readonly Claim[];
  readonly addresses?: readonly string[];
  readonly pool?: Pool;
} = {}): Placement {
  const [first = anAddress('203.0.113.7'), ...rest] = addresses
    .map(anAddress)
    .sort(compareAddresses);
  return { holder: aHolder(claims), pool, addresses: [first, ...rest] };
}
