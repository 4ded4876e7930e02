import { isAkashAddress } from '../../core/declarations/akash-fields.ts';
import { readPools } from '../../core/declarations/pools/pools-file.ts';
import { type Layout, type Plane, usualPlanes } from '../../core/model/planes.ts';
import {
  type Advertise,
  type AnycastMember,
  type Fence,
  isOpenIn,
  type PoolAdvertisement,
  type Pools,
} from '../../core/model/pools.ts';
import { poolsPath } from '../../core/model/repository-paths.ts';
import { type AddressRange, formatRange, formatShortRange } from '../../core/net/range.ts';
import { type RangeSet, rangeSetOf } from '../../core/net/range-set.ts';
import { flow } from '../../core/text/yaml/yaml-output.ts';
import {
  hasKey,
  type NewItem,
  withEntry,
  withItems,
  withScalars,
} from '../../lib/edit/yaml-edit.ts';
import type { Imported, ImportedPool } from './imported.ts';
import { newLayout } from './live-pools.ts';
import { onlyRoutes, type RoutesInUse } from './live-routes.ts';
import type { PresentPool } from './placed-pools.ts';
import type { Reserves } from './reserves.ts';

/** A pool to write, and the addresses reserved in it. */
export interface PoolWithReserve {
  readonly pool: ImportedPool;
  readonly reserved: RangeSet;
}

/** The zone, fence and clusters of imported pools. */
export interface PoolPlace {
  /** The zone of a pool whose source names none. */
  readonly zone: string;
  readonly fence: Fence;
  /** The clusters that announce them; undefined for all clusters. */
  readonly clusters: readonly string[] | undefined;
}

/** The cluster of a new pool file: its data plane, Akash provider, and what routes its hostnames. */
export interface NewPlane {
  readonly kind: Plane['kind'];
  /** Undefined for `default`. */
  readonly cluster?: string | undefined;
  /** Its bech32 address; undefined when there is none. */
  readonly provider?: string | undefined;
  readonly version: string;
  readonly namespace: string;
  /** Of MetalLB: Cilium has one layout only. */
  readonly layout: Layout;
  /** Undefined when it serves Services without a class. */
  readonly loadBalancerClass?: string | undefined;
  /** The routes of its cluster; undefined for none. */
  readonly routes?: RoutesInUse | undefined;
}

/**
 * A new pool file with at least one pool. Without an Akash provider it disables `ProviderLeasedIP`
 * objects. The zone of `place` applies to pools whose source names none; it becomes the default
 * zone if there are several.
 */
export function newPoolFile(
  pools: readonly PoolWithReserve[],
  place: Omit<PoolPlace, 'clusters'>,
  plane: NewPlane,
): string {
  const { cluster, provider, kind, routes } = plane;
  const isPlain = cluster === undefined && routes === undefined;
  const items = pools.map((pool) =>
    entriesOf(pool, { ...place, clusters: undefined })
      .map(([key, value], index) => `  ${index === 0 ? '- ' : '  '}${key}: ${value}\n`)
      .join(''),
  );
  const { zone } = place;
  const zones = new Set(pools.map(({ pool }) => pool.zone ?? zone));
  return [
    'apiVersion: leasehold.dev/v1\n',
    'kind: Pools\n',
    ...(provider === undefined ? [] : [`provider: ${provider}\n`]),
    `${kind}: ${flow(planeFields(plane))}\n`,
    ...(isPlain ? [] : ['clusters:\n', `  - ${flow({ name: cluster ?? 'default', routes })}\n`]),
    ...(zones.size > 1 && zones.has(zone) ? [`defaultZone: ${flow(zone)}\n`] : []),
    ...(provider === undefined ? ['emit: { providerLeasedIP: false }\n'] : []),
    'pools:\n',
    ...items,
  ].join('');
}

/** The fields of `metallb` or `cilium` in a pool file. */
export function planeFields({
  kind,
  version,
  namespace,
  layout,
  loadBalancerClass,
}: Pick<NewPlane, 'kind' | 'loadBalancerClass'> & {
  readonly [Field in 'version' | 'namespace' | 'layout']: NewPlane[Field] | undefined;
}): Readonly<Record<string, string>> {
  return {
    ...(version !== undefined && { version }),
    ...(namespace !== undefined && { namespace }),
    ...(layout !== undefined && kind === 'metallb' && { layout }),
    ...(loadBalancerClass !== undefined && { loadBalancerClass }),
  };
}

/** The text of a valid pool file with these pools appended. All other characters stay unchanged. */
export function withPools(
  text: string,
  pools: readonly PoolWithReserve[],
  place: PoolPlace,
): string {
  const items = pools.map((pool) => entriesOf(pool, place));
  return withItems(text, ['pools'], items);
}

/** The text of a valid pool file without a default zone, with one added. */
function withDefaultZone(text: string, zone: string): string {
  return withEntry(text, [], 'defaultZone', flow(zone));
}

/**
 * The text of a valid pool file with more reserved addresses in pool `index`, counted from 0. All
 * other characters stay unchanged.
 */
export function withReserved(text: string, index: number, added: RangeSet): string {
  const path = ['pools', index, 'reserved'];
  const values = added.ranges.map((range) => flow(formatShortRange(range)));
  return hasKey(text, path)
    ? withScalars(text, path, values)
    : withEntry(text, ['pools', index], 'reserved', `[${values.join(', ')}]`);
}

/**
 * The text of a valid pool file with more addresses in pool `index`, counted from 0. All other
 * characters stay unchanged.
 */
function withAddresses(text: string, index: number, { ranges }: RangeSet): string {
  const values = ranges.map((range) => flow(formatRange(range)));
  return withScalars(text, ['pools', index, 'addresses'], values);
}

/**
 * The text of a valid pool file with one more anycast group. All other characters stay unchanged.
 */
export function withGroup(text: string, name: string, members: readonly AnycastMember[]): string {
  const group = flow({ name, members });
  return hasKey(text, ['anycast'])
    ? withScalars(text, ['anycast'], [group])
    : withEntry(text, [], 'anycast', `[${group}]`);
}

/**
 * The text of a valid pool file with more members in group `index`, counted from 0. All other
 * characters stay unchanged.
 */
export function withMembers(
  text: string,
  index: number,
  members: readonly AnycastMember[],
): string {
  return withScalars(text, ['anycast', index, 'members'], members.map(flow));
}

function entriesOf(
  { pool, reserved }: PoolWithReserve,
  { zone, clusters, fence }: PoolPlace,
): NewItem {
  const { name, avoidBuggyIPs, advertise } = pool;
  const reserves = reserved.ranges.map(formatShortRange);
  return [
    ['name', flow(name)],
    ['zone', flow(pool.zone ?? zone)],
    ...(clusters ? [['clusters', flow(clusters)] as const] : []),
    ['addresses', flow(writtenRanges(pool).map(formatRange))],
    ...(reserves.length > 0 ? [['reserved', flow(reserves)] as const] : []),
    ...(avoidBuggyIPs ? [['avoidBuggyIPs', 'true'] as const] : []),
    ...(fence === 'open' ? [['fence', 'open'] as const] : []),
    ['advertise', flow(writtenAdvertise(name, advertise))],
  ];
}

/**
 * In the order of the source. Addresses in use, which may be many, are joined into as few ranges as
 * possible.
 */
function writtenRanges({ ranges, isInUse }: ImportedPool): readonly AddressRange[] {
  const own = ranges.map(({ range }) => range);
  return isInUse ? rangeSetOf(own).ranges : own;
}

/** The advertisements of a pool as the pool file writes them: a list only when there are several. */
function writtenAdvertise(pool: string, advertise: readonly PoolAdvertisement[]): unknown {
  const written = advertise.map((one) => ({
    ...(one.name !== pool && { name: one.name }),
    ...writtenSettings(one),
  }));
  return written.length === 1 ? written[0] : written;
}

/** Without defaults. */
function writtenSettings(advertise: Advertise): object {
  const { kind, nodeSelectors } = advertise;
  const selectors = nodeSelectors.length > 0 ? { nodeSelectors } : {};
  if (advertise.kind === 'l2') {
    const { interfaces } = advertise;
    return { [kind]: { ...(interfaces.length > 0 && { interfaces }), ...selectors } };
  }
  const { aggregationLength, aggregationLengthV6, localPref, communities, peers } = advertise;
  return {
    [kind]: {
      ...(aggregationLength !== 32 && { aggregationLength }),
      ...(aggregationLengthV6 !== 128 && { aggregationLengthV6 }),
      ...(localPref !== undefined && { localPref }),
      ...(communities.length > 0 && { communities }),
      ...(peers.length > 0 && { peers }),
      ...selectors,
    },
  };
}

/** Pairs a pool with the addresses that the import reserves in it. */
export function writtenPool(
  pool: ImportedPool,
  reserves: ReadonlyMap<ImportedPool, Reserves>,
): PoolWithReserve {
  return { pool, reserved: reserves.get(pool)?.added ?? rangeSetOf([]) };
}

/** The options of an import that decide the text of the pool file. */
interface PoolFileOptions {
  /** The zone of pools whose source names none; undefined for the default zone. */
  readonly zone: string | undefined;
  /** Undefined for the default cluster. */
  readonly cluster: string | undefined;
  readonly fence: Fence;
}

/** The text of a pool file for a repository that has none. */
export function importedPoolFile(
  pools: readonly PoolWithReserve[],
  imported: Imported,
  {
    zone,
    fence,
    planeVersion,
    layout,
    cluster,
    provider,
  }: PoolFileOptions & {
    readonly planeVersion: string | undefined;
    readonly layout: Layout | undefined;
    readonly provider?: string | undefined;
  },
): string {
  const { namespace, version, loadBalancerClass, live, defaultZone = 'default' } = imported;
  const { plane: kind = 'metallb' } = imported;
  const usual = usualPlanes[kind];
  return newPoolFile(
    pools,
    { zone: zone ?? defaultZone, fence },
    {
      cluster,
      provider: provider ?? providerOf(imported),
      kind,
      version: planeVersion ?? version ?? usual.version,
      namespace: namespace ?? usual.namespace,
      layout: layout ?? newLayout,
      loadBalancerClass,
      routes: onlyRoutes(live),
    },
  );
}

/** The Akash provider of the live leases. With none or two, undefined: each lease names its own. */
export function providerOf({ live }: Imported): string | undefined {
  const ofLeases = [...(live?.leasedIPs ?? []), ...(live?.providerHosts ?? [])];
  const providers = ofLeases.map((one) => one.provider);
  const [provider, second] = new Set(providers.filter(isAkashAddress));
  return second === undefined ? provider : undefined;
}

/** The text of the pool file with the pools and addresses that it lacks. */
export function extendedPoolFile(
  before: string,
  {
    added,
    present,
    reserves,
  }: {
    readonly added: readonly PoolWithReserve[];
    readonly present: readonly PresentPool[];
    readonly reserves: ReadonlyMap<ImportedPool, Reserves>;
  },
  declared: Pools,
  { zone, cluster = declared.defaultCluster, fence }: PoolFileOptions,
): string {
  const text = present.reduce((edited, { pool, declared: known, missing }) => {
    const { reserved } = writtenPool(pool, reserves);
    const index = declared.pools.indexOf(known);
    const lacks = rangeSetOf(missing.map(({ range }) => range));
    const there = isOpenIn(known, cluster)
      ? edited
      : withScalars(edited, ['pools', index, 'clusters'], [flow(cluster)]);
    const wider = missing.length === 0 ? there : withAddresses(there, index, lacks);
    return reserved.ranges.length === 0 ? wider : withReserved(wider, index, reserved);
  }, before);
  if (added.length === 0) return text;
  const isOne = declared.clusters.length === 1;
  const place = {
    zone: zone ?? declared.defaultZone,
    clusters: isOne ? undefined : [cluster],
    fence,
  };
  return keepingDefaultZone(withPools(text, added, place), declared);
}

/** Sets the former default zone if a second zone would make declarations without one ambiguous. */
function keepingDefaultZone(text: string, { defaultZone }: Pools): string {
  const read = readPools(poolsPath, new TextEncoder().encode(text));
  const isMissing = !read.ok && read.problems.some(({ code }) => code === 'ZONE_MISSING');
  return isMissing ? withDefaultZone(text, defaultZone) : text;
}
