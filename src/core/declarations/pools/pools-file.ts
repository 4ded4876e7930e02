import type {
  Advertisement,
  Cluster,
  Pool,
  PoolAdvertisement,
  Pools,
  Routes,
} from '../../model/pools.ts';
import { failSorted, type Outcome, ok, type Position } from '../../model/problem.ts';
import { compareRanges } from '../../net/range.ts';
import { rangeSetOf } from '../../net/range-set.ts';
import type { YamlDocument } from '../../text/yaml/document.ts';
import { readKind } from '../object-meta.ts';
import { checkAdvertisements } from './advertise-rules.ts';
import { type WrittenAdvertisement, writtenAdvertisements } from './advertise-schema.ts';
import { checkPlanes, planeIn } from './planes.ts';
import { checkPools } from './pools-rules.ts';
import { poolsSchema, type WrittenPool, type WrittenPools } from './pools-schema.ts';
import { checkAnycast, checkClusters, checkZones } from './topology-rules.ts';

/**
 * Reads and normalizes the pool file, `leases/pools.yaml`. Problems: those of {@link readKind},
 * OWNER_INVALID, METALLB_VERSION, ADDRESS_INVALID, DNS_INVALID, ADDRESS_NOBODYS, POOL_*,
 * RESERVED_OUTSIDE, NAT_INVALID, FENCE_LAYOUT, CLUSTER_*, ZONE_UNKNOWN, ZONE_MISSING,
 * ANYCAST_DUPLICATE, ADVERTISEMENT_DUPLICATE, BGP_AGGREGATION, BGP_LOCAL_PREF, CILIUM_VERSION and
 * PLANE_UNSUPPORTED.
 */
export function readPools(file: string, bytes: Uint8Array): Outcome<Pools> {
  const read = readKind(file, bytes, { kind: 'Pools', schema: poolsSchema });
  if (!read.ok) return read;
  const { written, document } = read.value;
  const problems = [
    ...checkClusters(written, document),
    ...checkZones(written, document),
    ...checkAnycast(written, document),
    ...checkPools(written, document),
    ...checkAdvertisements(written, document),
    ...checkPlanes(written, document),
  ];
  if (problems.length > 0) return failSorted(problems);
  return ok(normalized(written, document));
}

function normalized(written: WrittenPools, document: YamlDocument): Pools {
  const clusters = written.clusters.map(
    (cluster): Cluster => ({
      name: cluster.name,
      id: cluster.id,
      labels: cluster.labels,
      defaultZone: cluster.defaultZone,
      provider: cluster.provider ?? written.provider,
      plane: planeIn(written, cluster),
      naming: cluster.naming ?? written.naming,
      shards: cluster.shards,
      routes: normalizedRoutes(cluster.routes),
    }),
  );
  return {
    clusters,
    clustersAt: document.keyAt(['clusters']),
    defaultCluster: written.defaultCluster ?? clusters[0]?.name ?? '',
    defaultZone: written.defaultZone ?? written.pools[0]?.zone ?? '',
    emit: written.emit,
    branches: written.branches,
    dns: { ...written.dns, allowed: written.dns.allowed },
    hostnames: written.hostnames,
    quotas: {
      default: written.quotas.default,
      owners: new Map(Object.entries(written.quotas.owners)),
    },
    advertisements: written.advertisements.map((one, index) =>
      normalizedAdvertisement(one, document.at(['advertisements', index])),
    ),
    anycast: written.anycast.map(({ name, members }, index) => ({
      name,
      members,
      at: document.at(['anycast', index]),
    })),
    pools: written.pools.map((pool, index) => normalizedPool(pool, index, document)),
  };
}

/** The schema has checked that each kind has its field. */
function normalizedRoutes(written: WrittenPools['clusters'][number]['routes']): Routes | undefined {
  const { gateway, className, controller, service } = written ?? {};
  if (gateway) return { kind: 'HTTPRoute', gateway, controller, service };
  return className === undefined ? undefined : { kind: 'Ingress', className, controller, service };
}

function normalizedPool(written: WrittenPool, index: number, document: YamlDocument): Pool {
  const { addresses, reserved, nat, advertise, clusters, ...rest } = written;
  return {
    ...rest,
    clusters,
    ranges: addresses.toSorted(compareRanges),
    reserved: rangeSetOf(reserved),
    nat: nat.toSorted((left, right) => compareRanges(left.inside, right.inside)),
    advertise: writtenAdvertisements(advertise).map((one) =>
      normalizedAdvertise(one.written, written.name),
    ),
    at: document.at(['pools', index]),
  };
}

/** An advertisement of a pool, by default with the name of the pool. */
function normalizedAdvertise(
  { name, l2, bgp }: WrittenAdvertisement,
  pool: string,
): PoolAdvertisement {
  if (bgp) return { name: name ?? pool, kind: 'bgp', ...bgp, localPref: bgp.localPref };
  const { interfaces = [], nodeSelectors = [] } = l2 ?? {};
  return { name: name ?? pool, kind: 'l2', interfaces, nodeSelectors };
}

/** The schema has checked that it has one of the two. */
function normalizedAdvertisement(
  { name, l2, bgp }: WrittenPools['advertisements'][number],
  at: Position,
): Advertisement {
  if (bgp === undefined) {
    const { interfaces, nodeSelectors } = l2 ?? {};
    return { name, at, kind: 'l2', interfaces, nodeSelectors };
  }
  const { localPref, communities, peers, nodeSelectors } = bgp;
  return { name, at, kind: 'bgp', localPref, communities, peers, nodeSelectors };
}
