import {
  firstMetalLB,
  hasDeclaredPools,
  hasHeldPools,
  isSince,
  type Layout,
} from '../../model/planes.ts';
import type { Advertise, LabelSelector, PoolAdvertisement } from '../../model/pools.ts';
import type { Position, Problem } from '../../model/problem.ts';
import type { Family } from '../../net/address.ts';
import { type AddressRange, formatRange, prefixLengths } from '../../net/range.ts';
import type { YamlDocument } from '../../text/yaml/document.ts';
import {
  selectorText,
  type WrittenAdvertisement,
  writtenAdvertisements,
} from './advertise-schema.ts';
import { announcing } from './planes.ts';
import type { WrittenPool, WrittenPools } from './pools-schema.ts';

/** An advertisement of a pool as it is written. */
interface Written extends Pick<WrittenAdvertisement, 'bgp'> {
  readonly name: string;
  readonly kind: 'l2' | 'bgp';
  /** The place of one of its fields; without steps its own. */
  at(...steps: readonly PropertyKey[]): Position;
}

/**
 * Problems of well-formed advertisements: ADVERTISEMENT_DUPLICATE, BGP_AGGREGATION, BGP_LOCAL_PREF
 * and METALLB_VERSION.
 */
export function checkAdvertisements(written: WrittenPools, document: YamlDocument): Problem[] {
  const pools = written.pools.map((pool, index) => ({
    pool,
    clusters: announcing(written, pool),
    own: writtenAdvertisements(pool.advertise).map(({ written: one, path }): Written => {
      const { name = pool.name, bgp } = one;
      const at = (...steps: readonly PropertyKey[]) =>
        document.at(['pools', index, ...path, ...steps]);
      return { name, kind: bgp ? 'bgp' : 'l2', bgp, at };
    }),
  }));
  return [
    ...duplicates(pools),
    ...pools.flatMap(({ pool, clusters, own }) => [
      ...own.flatMap((one) => [
        ...[...new Set(clusters.map(({ layout }) => layout))].flatMap((layout) =>
          aggregationProblems(pool, one, layout),
        ),
        ...communityProblems(clusters, one.bgp, (place) => one.at('bgp', 'communities', place)),
      ]),
      ...preferenceProblems(pool, own),
    ]),
    ...written.advertisements.flatMap(({ bgp }, index) =>
      communityProblems(announcing(written, {}), bgp, (place) =>
        document.at(['advertisements', index, 'bgp', 'communities', place]),
      ),
    ),
  ];
}

/** The advertisements of a pool, and the clusters that announce it. */
interface OfPool {
  readonly pool: WrittenPool;
  readonly clusters: ReturnType<typeof announcing>;
  readonly own: readonly Written[];
}

/** With `layout: lease` an advertisement has the name of its held pool before its own. */
function duplicates(pools: readonly OfPool[]): Problem[] {
  const first = new Map<string, Position>();
  const named = new Map(pools.toReversed().map((one) => [one.pool.name, one]));
  return pools.flatMap((one) => {
    const { pool, clusters, own } = one;
    // POOL_DUPLICATE is enough.
    if (named.get(pool.name) !== one) return [];
    const declared = clusters.filter(hasDeclaredPools).map(({ name }) => `cluster '${name}'`);
    return own.flatMap(({ name, kind, at }): Problem[] => {
      const places = [`pool '${pool.name}'`, ...declared];
      const keyOf = (place: string) => `${kind} ${name} ${place}`;
      const taken = places.find((place) => first.has(keyOf(place)));
      for (const place of places) first.set(keyOf(place), first.get(keyOf(place)) ?? at());
      const other = taken === undefined ? undefined : first.get(keyOf(taken));
      if (!other) return [];
      const message = `${taken} has two advertisements '${name}' by ${kind}`;
      return [{ code: 'ADVERTISEMENT_DUPLICATE', message, at: at(), also: [other] }];
    });
  });
}

/**
 * MetalLB refuses advertisements of a pool that give a route different preferences. Problems: one
 * BGP_LOCAL_PREF for each that clashes with an earlier one.
 */
function preferenceProblems({ name, addresses }: WrittenPool, own: readonly Written[]): Problem[] {
  const families = addresses.map(({ from }) => from.family);
  return clashesOf(own, ({ bgp }) => bgp, families).map(([other, one]) => {
    const [mine, theirs] = [one, other].map(({ bgp }) => bgp?.localPref ?? 0);
    const message = `'localPref' of the advertisement '${one.name}' of pool '${name}' is ${mine}, and that of '${other.name}' is ${theirs}`;
    return {
      code: 'BGP_LOCAL_PREF',
      message,
      at: one.at('bgp', 'localPref'),
      also: [other.at()],
    };
  });
}

type Bgp = Omit<
  Extract<Advertise, { readonly kind: 'bgp' }>,
  'kind' | 'communities' | 'localPref'
> & {
  readonly localPref?: number | undefined;
};

/** Two advertisements of a pool that MetalLB refuses together, if any: see {@link clashes}. */
export function clashIn(
  advertise: readonly PoolAdvertisement[],
  families: readonly Family[],
): readonly [PoolAdvertisement, PoolAdvertisement] | undefined {
  return clashesOf(advertise, (one) => (one.kind === 'bgp' ? one : undefined), families)[0];
}

/** Each that clashes with an earlier one, after that one. Those by L2 have no preference. */
function clashesOf<One>(
  all: readonly One[],
  bgpOf: (one: One) => Bgp | undefined,
  families: readonly Family[],
): (readonly [earlier: One, one: One])[] {
  return all.flatMap((one, index) => {
    const bgp = bgpOf(one);
    const earlier = all.slice(0, index).find((other) => {
      const own = bgpOf(other);
      return bgp && own && clashes(bgp, own, families);
    });
    return earlier === undefined ? [] : [[earlier, one] as const];
  });
}

/**
 * True when both give one route to one peer from one node, with different preferences. MetalLB:
 * config.go BGPAdvertisementsHaveCompatibleLocalPref. It compares the nodes that are selected: here
 * selectors have a node in common when they are equal, or when one selects all nodes.
 */
function clashes(one: Bgp, other: Bgp, families: readonly Family[]): boolean {
  const isSameRoute = families.some((family) => {
    const field = family === 'ipv4' ? 'aggregationLength' : 'aggregationLengthV6';
    return one[field] === other[field];
  });
  return (
    (one.localPref ?? 0) !== (other.localPref ?? 0) &&
    isSameRoute &&
    haveCommon(one.peers, other.peers) &&
    haveCommon(selected(one.nodeSelectors), selected(other.nodeSelectors))
  );
}

/** An empty list stands for everything. */
function haveCommon(left: readonly string[], right: readonly string[]): boolean {
  return left.length === 0 || right.length === 0 || left.some((text) => right.includes(text));
}

function selected(selectors: readonly LabelSelector[]): readonly string[] {
  const texts = selectors.map(selectorText);
  return texts.includes(selectorText({})) ? [] : texts;
}

/** METALLB_VERSION for each large community that the MetalLB of a cluster does not read. */
function communityProblems(
  clusters: ReturnType<typeof announcing>,
  bgp: { readonly communities?: readonly string[] | undefined } | undefined,
  at: (place: number) => Position,
): Problem[] {
  const first = firstMetalLB.largeCommunities;
  const old = clusters.find(({ kind, version }) => kind === 'metallb' && !isSince(version, first));
  if (!old) return [];
  return (bgp?.communities ?? []).flatMap((community, place): Problem[] => {
    if (!community.startsWith('large:')) return [];
    const message = `MetalLB ${old.version} of cluster '${old.name}' does not read large communities, and would refuse every pool: expected ${first} or later`;
    return [{ code: 'METALLB_VERSION', message, at: at(place) }];
  });
}

/**
 * MetalLB refuses an advertisement with an aggregation shorter than the shortest prefix of an entry
 * (config.go validateBGPAdvPerPool, lowestMask). With layout lease every prefix is one address.
 */
function aggregationProblems(
  { addresses }: WrittenPool,
  { bgp, at }: Written,
  layout: Layout,
): Problem[] {
  if (bgp === undefined) return [];
  const shorter = (range: AddressRange): readonly Problem[] => {
    const field = range.from.family === 'ipv4' ? 'aggregationLength' : 'aggregationLengthV6';
    const shortest = Math.min(...prefixLengths(range));
    if (bgp[field] >= shortest) return [];
    const message = `'${field}' is ${bgp[field]}, expected at least ${shortest} for ${formatRange(range)}`;
    return [{ code: 'BGP_AGGREGATION', message, at: at('bgp', field) }];
  };
  if (!hasHeldPools({ layout })) return addresses.flatMap(shorter);
  const whole = { aggregationLength: 32, aggregationLengthV6: 128 } as const;
  return (['aggregationLength', 'aggregationLengthV6'] as const).flatMap((field): Problem[] => {
    if (bgp[field] === whole[field]) return [];
    const message = `'${field}' is ${bgp[field]}, expected ${whole[field]} with layout: lease`;
    return [{ code: 'BGP_AGGREGATION', message, at: at('bgp', field) }];
  });
}
