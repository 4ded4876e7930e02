import { claimsOfLease, claimsOfService } from '../../../src/core/declarations/claims.ts';
import type { Claim } from '../../../src/core/model/claim.ts';
import type { AddressPromise, Endpoint } from '../../../src/core/model/lease.ts';
import type { Keys } from '../../../src/core/model/ownership.ts';
import type { AnycastGroup, Cluster, Pool, Pools } from '../../../src/core/model/pools.ts';
import { startOf } from '../../../src/core/model/problem.ts';
import type { ServiceTerms } from '../../../src/core/model/service.ts';
import { rangeSetOf } from '../../../src/core/net/range-set.ts';
import { plainBgp } from '../../../src/features/import/metallb/metallb-advertisement.ts';
import { keysOf } from '../allocations/owned-records.ts';
import { aDay } from '../allocations/tables.ts';
import { anAddress, aPool, aRange, provider, thePools } from '../declarations/pools-and-claims.ts';
import {
  addressesOf,
  anycast,
  clusters,
  families,
  fileOf,
  type PlainDeclaration,
  type PlainLease,
  type PlainPool,
  type PlainService,
  type PlainWorkspace,
  poolName,
  promiseFileOf,
} from './plain-workspace.ts';
import { secrets, signatureOf } from './signatures.ts';

/** The product's model of a plain workspace; cached between steps. */

/** The namespaces whose Services may name keys. */
const owningNamespaces = ['shop', 'game'] as const;

let declaredKeys: Keys | undefined;

/** The keys of every workspace. */
export function keysOfWorkspace(): Keys {
  declaredKeys ??= keysOf(
    Object.fromEntries(
      owningNamespaces.flatMap((namespace) =>
        Object.entries(secrets).map(([name, secret]) => [`${namespace}/${name}`, secret]),
      ),
    ),
  );
  return declaredKeys;
}

const groups: readonly AnycastGroup[] = [
  {
    name: anycast.name,
    members: clusters.map((cluster) => ({
      cluster,
      namespace: anycast.namespace,
      service: anycast.service,
    })),
    at: startOf('leases/pools.yaml'),
  },
];

const pooled = new WeakMap<readonly PlainPool[], Pools>();

/** The pool file of a workspace. */
export function poolsOf({ pools }: PlainWorkspace): Pools {
  const known = pooled.get(pools);
  if (known) return known;
  const base = thePools();
  const [cluster] = base.clusters as readonly [Cluster];
  const made = {
    ...base,
    clusters: clusters.map((name) => ({ ...cluster, name })),
    defaultCluster: clusters[0],
    defaultZone: pools[0]?.zone ?? '',
    pools: pools.map(poolOf),
    anycast: groups,
  };
  pooled.set(pools, made);
  return made;
}

function poolOf(words: PlainPool): Pool {
  const { zone, reserved, avoidBuggyIPs, state, retentionDays, strategy } = words;
  const ranges = families.flatMap((family) => {
    const addresses = addressesOf(words, family);
    const [first, last] = [addresses[0], addresses.at(-1)];
    return first && last ? [aRange(`${first}-${last}`)] : [];
  });
  const name = poolName(words);
  return aPool({
    name,
    zone,
    clusters: words.clusters,
    ranges: rangeSetOf(ranges).ranges,
    reserved: rangeSetOf(reserved.map(aRange)),
    avoidBuggyIPs,
    state,
    retentionDays,
    strategy,
    advertise: [{ ...plainBgp, name }],
  });
}

const claimsCache = new WeakMap<PlainDeclaration, readonly Claim[]>();

/** All claims of a workspace. */
export function claimsIn(workspace: PlainWorkspace): Claim[] {
  const claims: Claim[] = [];
  for (const words of workspace.declared.values()) {
    let own = claimsCache.get(words);
    if (!own) {
      own = words.kind === 'Lease' ? leaseClaims(words) : serviceClaims(words);
      claimsCache.set(words, own);
    }
    claims.push(...own);
  }
  return claims;
}

/** The promises of a workspace. */
export function promisesIn({ promises }: PlainWorkspace): AddressPromise[] {
  return [...promises].map(([holder, words]) => {
    const { cluster, owner, endpoint, terms, until } = words;
    const { zone, pool, family } = terms;
    const at = startOf(promiseFileOf(words));
    const asked = { zone, pool, ipFamily: family, until: aDay(until) };
    return { kind: 'Promise', cluster, owner, endpoint, holder, ...asked, at };
  });
}

function leaseClaims(words: PlainLease): readonly Claim[] {
  const { cluster, owner, dseq } = words;
  const file = fileOf(words);
  const endpoints = words.endpoints.map(({ terms, target, port, ...endpoint }, index): Endpoint => {
    const at = { file, line: index + 10, column: 7 };
    const [pin] = terms.pins;
    return {
      ...endpoint,
      port: target,
      externalPort: port,
      zone: terms.zone,
      pool: terms.pool,
      advertisement: undefined,
      ipFamily: terms.family,
      address: pin === undefined ? undefined : anAddress(pin),
      dns: [],
      retentionDays: terms.retain,
      selector: undefined,
      liveSharingKey: undefined,
      at,
    };
  });
  const id = { owner, dseq: `${dseq}`, gseq: 1, oseq: 1, provider };
  return claimsOfLease({ id, cluster, endpoints });
}

function serviceClaims(words: PlainService): readonly Claim[] {
  const { kind, cluster, namespace, name } = words;
  const at = startOf(fileOf(words));
  const ports = words.ports.map((port) => ({ ...port, targetPort: port.port }));
  const own = { cluster, namespace, name, ports, localBackend: undefined, at };
  const named = { ...own, ...termsOf(words, at) };
  if (kind === 'Reservation')
    return claimsOfService({ kind, ...named, gateway: undefined }, groups);
  return claimsOfService(
    {
      kind,
      ...named,
      isLeased: true,
      familyOrder: named.ipFamily === 'dual' ? ['ipv4', 'ipv6'] : [named.ipFamily],
      isPinnedByAnnotation: false,
      nodePorts: [],
      written: { labels: {}, annotations: {}, spec: {} },
    },
    groups,
  );
}

function termsOf(words: PlainService, at: Endpoint['at']): ServiceTerms {
  const { terms, key, secret, signatures = [] } = words;
  return {
    zone: terms.zone,
    pool: terms.pool,
    advertisement: undefined,
    ipFamily: terms.family,
    pins: terms.pins.map((pin) => ({ address: anAddress(pin), at })),
    dns: [],
    retentionDays: terms.retain,
    sharingKey: key,
    liveSharingKey: undefined,
    secret: secret === undefined ? undefined : { name: secret, at },
    signature:
      signatures.length === 0 ? undefined : { text: signatures.map(signatureOf).join(','), at },
    denyExternalCleanup: false,
  };
}
