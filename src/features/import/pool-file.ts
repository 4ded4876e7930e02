import { stringify } from 'yaml';
import { isAkashAddress } from '../../declarations/akash-fields.ts';
import { readPools } from '../../declarations/pools/pools-file.ts';
import { poolsPath } from '../../model/folders.ts';
import type { Advertise, AnycastMember, Fence, Layout, Pools } from '../../model/pools.ts';
import { type AddressRange, formatRange } from '../../net/range.ts';
import { type RangeSet, rangeSetOf } from '../../net/range-set.ts';
import type { SourceTree } from '../../ports/tree.ts';
import {
  hasKey,
  type NewItem,
  withEntry,
  withItems,
  withScalars,
} from '../../text/yaml/yaml-edit.ts';
import { defaults } from './import-notes.ts';
import type { Imported, ImportedPool } from './imported.ts';
import { newLayout } from './live-pools.ts';
import type { PresentPool } from './placed-pools.ts';
import { type Reserves, writtenReserve } from './reserves.ts';

/** A pool to write, and what of it is reserved. */
export interface WrittenPool {
  readonly pool: ImportedPool;
  readonly reserved: RangeSet;
}

/** Where imported pools go, and how. */
export interface PoolPlace {
  /** Of a pool whose source says none. */
  readonly zone: string;
  readonly fence: Fence;
  /** The clusters that announce them; undefined for all. */
  readonly clusters: readonly string[] | undefined;
}

/** The MetalLB of a new pool file, and the Akash provider beside it. */
export interface NewMetalLB {
  /** Its bech32 address; undefined where there is none. */
  readonly provider?: string | undefined;
  readonly version: string;
  readonly namespace: string;
  readonly layout: Layout;
  /** Undefined where it serves Services without one. */
  readonly loadBalancerClass?: string | undefined;
}

/**
 * A new pool file with these pools, of which there is at least one. Without an Akash provider no `ProviderLeasedIP` is written.
 * The zone of `place` is that of pools whose source says none, and the default one when it is one of several.
 */
export function newPoolFile(
  pools: readonly WrittenPool[],
  place: Omit<PoolPlace, 'clusters'>,
  metallb: NewMetalLB,
): string {
  const { provider, version, namespace, layout, loadBalancerClass } = metallb;
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
    `metallb: ${flow({ version, namespace, layout, ...(loadBalancerClass !== undefined && { loadBalancerClass }) })}\n`,
    ...(zones.size > 1 && zones.has(zone) ? [`defaultZone: ${flow(zone)}\n`] : []),
    ...(provider === undefined ? ['emit: { providerLeasedIP: false }\n'] : []),
    'pools:\n',
    ...items,
  ].join('');
}

/** The text of a sound pool file with these pools after its own. Every other character stays as it is. */
export function withPools(text: string, pools: readonly WrittenPool[], place: PoolPlace): string {
  const items = pools.map((pool) => entriesOf(pool, place));
  return withItems(text, ['pools'], items);
}

/** The text of a sound pool file, which names no default zone, with one. */
export function withDefaultZone(text: string, zone: string): string {
  return withEntry(text, [], 'defaultZone', flow(zone));
}

/** The text of a sound pool file with more addresses reserved in its pool number `index`, from 0. Every other character stays as it is. */
export function withReserved(text: string, index: number, added: RangeSet): string {
  const path = ['pools', index, 'reserved'];
  const values = added.ranges.map((range) => flow(writtenReserve(range)));
  return hasKey(text, path)
    ? withScalars(text, path, values)
    : withEntry(text, ['pools', index], 'reserved', `[${values.join(', ')}]`);
}

/** The text of a sound pool file with more addresses in its pool number `index`, from 0. Every other character stays as it is. */
export function withAddresses(text: string, index: number, { ranges }: RangeSet): string {
  const values = ranges.map((range) => flow(formatRange(range)));
  return withScalars(text, ['pools', index, 'addresses'], values);
}

/** The text of a sound pool file with one more group of Services that share an address. Every other character stays as it is. */
export function withGroup(text: string, name: string, members: readonly AnycastMember[]): string {
  const group = flow({ name, members });
  return hasKey(text, ['anycast'])
    ? withScalars(text, ['anycast'], [group])
    : withEntry(text, [], 'anycast', `[${group}]`);
}

/** The text of a sound pool file with more members in its group number `index`, from 0. Every other character stays as it is. */
export function withMembers(
  text: string,
  index: number,
  members: readonly AnycastMember[],
): string {
  return withScalars(text, ['anycast', index, 'members'], members.map(flow));
}

function entriesOf({ pool, reserved }: WrittenPool, { zone, clusters, fence }: PoolPlace): NewItem {
  const { name, avoidBuggyIPs, advertise } = pool;
  const reserves = reserved.ranges.map(writtenReserve);
  return [
    ['name', flow(name)],
    ['zone', flow(pool.zone ?? zone)],
    ...(clusters ? [['clusters', flow(clusters)] as const] : []),
    ['addresses', flow(writtenRanges(pool).map(formatRange))],
    ...(reserves.length > 0 ? [['reserved', flow(reserves)] as const] : []),
    ...(avoidBuggyIPs ? [['avoidBuggyIPs', 'true'] as const] : []),
    ...(fence === 'open' ? [['fence', 'open'] as const] : []),
    ['advertise', flow(writtenAdvertise(advertise))],
  ];
}

/** In the order of the source; addresses in use, of which there are many, in as few ranges as there are. */
function writtenRanges({ ranges, isInUse }: ImportedPool): readonly AddressRange[] {
  const own = ranges.map(({ range }) => range);
  return isInUse ? rangeSetOf(own).ranges : own;
}

/** As the pool file has it: what is a default is left out. */
function writtenAdvertise(advertise: Advertise): object {
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

/** YAML on one line, in quotes where it could be read as something else, also inside a flow mapping. */
export function flow(value: unknown): string {
  const [text = ''] = stringify([value], {
    collectionStyle: 'flow',
    lineWidth: 0,
    singleQuote: true,
  }).split('\n');
  return text
    .replace(/^\[ /, '')
    .replace(/ \]$/, '')
    .replace(/\[ (.*?) \]/g, '[$1]');
}

/** Pairs a pool with the addresses that the import reserves in it. */
export function writtenPool(
  pool: ImportedPool,
  reserves: ReadonlyMap<ImportedPool, Reserves>,
): WrittenPool {
  return { pool, reserved: reserves.get(pool)?.added ?? rangeSetOf([]) };
}

/** The options of an import that decide the text of the pool file. */
interface PoolFileOptions {
  /** The zone of pools whose source names none; undefined for the default zone. */
  readonly zone: string | undefined;
  readonly fence: Fence;
}

/** The text of a pool file for a repository that has none. */
export function importedPoolFile(
  pools: readonly WrittenPool[],
  { namespace, version, loadBalancerClass, live, defaultZone = defaults.zone }: Imported,
  {
    zone,
    fence,
    metallb,
    layout,
  }: PoolFileOptions & {
    readonly metallb: string | undefined;
    readonly layout: Layout | undefined;
  },
): string {
  // With two providers, each lease names its own.
  const providers = live?.leasedIPs.map((leased) => leased.provider) ?? [];
  const [provider, second] = new Set(providers.filter(isAkashAddress));
  return newPoolFile(
    pools,
    { zone: zone ?? defaultZone, fence },
    {
      provider: second === undefined ? provider : undefined,
      version: metallb ?? version ?? defaults.version,
      namespace: namespace ?? defaults.namespace,
      layout: layout ?? newLayout,
      loadBalancerClass,
    },
  );
}

/** The text of the pool file with the pools and addresses that it lacks; undefined when it lacks none. */
export function extendedPoolFile(
  tree: SourceTree,
  {
    added,
    present,
    reserves,
  }: {
    readonly added: readonly WrittenPool[];
    readonly present: readonly PresentPool[];
    readonly reserves: ReadonlyMap<ImportedPool, Reserves>;
  },
  declared: Pools,
  { zone, cluster, fence }: PoolFileOptions & { readonly cluster: string | undefined },
): string | undefined {
  const before = new TextDecoder('utf-8', { ignoreBOM: true }).decode(tree.read(poolsPath));
  const text = present.reduce((edited, { pool, declared: known, missing }) => {
    const { reserved } = writtenPool(pool, reserves);
    const index = declared.pools.indexOf(known);
    const lacks = rangeSetOf(missing.map(({ range }) => range));
    const wider = missing.length === 0 ? edited : withAddresses(edited, index, lacks);
    return reserved.ranges.length === 0 ? wider : withReserved(wider, index, reserved);
  }, before);
  if (added.length === 0) return text === before ? undefined : text;
  const isOne = declared.clusters.length === 1;
  const place = {
    zone: zone ?? declared.defaultZone,
    clusters: isOne ? undefined : [cluster ?? declared.defaultCluster],
    fence,
  };
  return keepingDefaultZone(withPools(text, added, place), declared);
}

/** Names the former default zone when a second zone would make declarations without a zone ambiguous. */
function keepingDefaultZone(text: string, { defaultZone }: Pools): string {
  const read = readPools(poolsPath, new TextEncoder().encode(text));
  const isMissing = !read.ok && read.problems.some(({ code }) => code === 'ZONE_MISSING');
  return isMissing ? withDefaultZone(text, defaultZone) : text;
}
