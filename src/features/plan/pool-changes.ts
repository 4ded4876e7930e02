import { occupancyOf, percentInUse } from '../../allocate/supply.ts';
import type { Day } from '../../model/day.ts';
import { compareText, sortedEntries, sortedKeys } from '../../model/order.ts';
import {
  type AnycastGroup,
  type Cluster,
  familiesOf,
  fillLevelOf,
  type Pool,
  type Pools,
} from '../../model/pools.ts';
import { poolsPath } from '../../model/repository-paths.ts';
import { bothFamilies, familyName, formatAddress, isBuggyIP } from '../../net/address.ts';
import { type AddressRange, formatRange } from '../../net/range.ts';
import { setHas } from '../../net/range-set.ts';
import { blockEnds, linkLocalOf } from '../../net/special-ranges.ts';
import type { Declared } from '../../workspace/declared.ts';
import { planPlace } from './address-changes.ts';
import { firstTexts } from './caution-text.ts';
import type { AddressChange, Caution, Occupancy, PoolTotals } from './plan-answer.ts';

/** The occupancy of each pool before and after, on one day. Pools of the base alone come last. */
export function poolTotals(base: Declared, head: Declared, day: Day): PoolTotals[] {
  const before = totalsOf(base, day);
  const after = totalsOf(head, day);
  const pools = new Map([...poolsOf(head), ...poolsOf(base)].map(({ name, zone }) => [name, zone]));
  return [...pools].flatMap(([pool, zone]) =>
    bothFamilies.flatMap((family) => {
      const was = before.get(`${pool} ${family}`);
      const is = after.get(`${pool} ${family}`);
      if (!was && !is) return [];
      return [{ pool, zone, family, ...(was && { before: was }), ...(is && { after: is }) }];
    }),
  );
}

function poolsOf({ pools }: Declared): readonly Pool[] {
  return pools?.pools ?? [];
}

/** By pool and family; without families that the pool has no addresses of. */
function totalsOf({ pools, table }: Declared, day: Day): ReadonlyMap<string, Occupancy> {
  if (!pools) return new Map();
  const counts = occupancyOf(pools, table, day);
  return new Map(
    pools.pools.flatMap((pool) =>
      familiesOf(pool).flatMap((family) => {
        const found = counts.get(pool.name)?.[family];
        if (!found) return [];
        const { usable, held, retained, free } = found;
        const occupancy = {
          usable: String(usable),
          held: String(held),
          retained: String(retained),
          free: String(free),
          percent: percentInUse(usable, free),
        };
        return [[`${pool.name} ${family}`, occupancy] as const];
      }),
    ),
  );
}

/** The differences between two pool files, each a short phrase. */
function poolChanges(base: Pools | undefined, head: Pools | undefined): readonly string[] {
  if (!base || !head) return [];
  return [
    ...differing(settingsOf(base), settingsOf(head), ''),
    ...named(base.clusters, head.clusters, { noun: 'cluster', fieldsOf: clusterFields }),
    ...named(base.pools, head.pools, { noun: 'pool', fieldsOf: poolFields }),
    ...reordered(base.pools, head.pools),
    ...named(base.anycast, head.anycast, { noun: 'anycast group', fieldsOf: groupFields }),
  ];
}

/** The content of a pool file as one text: equal for files of the same meaning. */
export function poolsFingerprint(pools: Pools | undefined): string {
  if (!pools) return '';
  const clusters = pools.clusters.map((cluster) => [cluster.name, clusterFields(cluster)]);
  const all = pools.pools.map((pool) => [pool.name, poolFields(pool)]);
  const groups = pools.anycast.map((group) => [group.name, groupFields(group)]);
  return JSON.stringify([settingsOf(pools), clusters, all, ...(groups.length > 0 ? [groups] : [])]);
}

/** Claims on a zone try its pools in the order of the file. */
function reordered(before: readonly Pool[], after: readonly Pool[]): string[] {
  const [was, is] = [shared(before, after), shared(after, before)];
  return was === is ? [] : [`order of the pools ${was} → ${is}`];
}

function shared(pools: readonly Pool[], others: readonly Pool[]): string {
  const names = new Set(others.map(({ name }) => name));
  return pools.flatMap(({ name }) => (names.has(name) ? [name] : [])).join(', ');
}

type Fields = Readonly<Record<string, string>>;

interface Sort<Item> {
  readonly noun: string;
  readonly fieldsOf: (item: Item) => Fields;
}

function named<Item extends { readonly name: string }>(
  before: readonly Item[],
  after: readonly Item[],
  { noun, fieldsOf }: Sort<Item>,
): string[] {
  const old = new Map(before.map((item) => [item.name, item]));
  const now = new Map(after.map((item) => [item.name, item]));
  return [...new Set([...old.keys(), ...now.keys()])].sort(compareText).flatMap((name) => {
    const was = old.get(name);
    const is = now.get(name);
    if (!was) return [`${noun} ${name} added`];
    if (!is) return [`${noun} ${name} removed`];
    return differing(fieldsOf(was), fieldsOf(is), `${noun} ${name}: `);
  });
}

function differing(before: Fields, after: Fields, prefix: string): string[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...fields].flatMap((field) => {
    const [was = '', is = ''] = [before[field], after[field]];
    return was === is ? [] : [`${prefix}${field} ${was || 'none'} → ${is || 'none'}`];
  });
}

function settingsOf({
  defaultCluster,
  defaultZone,
  emit,
  quotas,
  dns,
  hostnames,
  branches,
  advertisements,
}: Pools): Fields {
  return {
    defaultCluster,
    defaultZone,
    'emit.namespaces': String(emit.namespaces),
    'emit.providerLeasedIP': String(emit.providerLeasedIP),
    'emit.providerHost': String(emit.providerHost),
    'emit.networkPolicies': String(emit.networkPolicies),
    'emit.addressConfigMaps': String(emit.addressConfigMaps),
    'emit.addressNames': String(emit.addressNames),
    'emit.dnsEndpoints': String(emit.dnsEndpoints),
    ...optionalField('quotas.default', quotas.default?.toString()),
    ...Object.fromEntries(
      sortedEntries(quotas.owners).map(([owner, most]) => [`quotas.owners.${owner}`, String(most)]),
    ),
    'dns.ttl': String(dns.ttl),
    'dns.allowed': dns.allowed?.toSorted(compareText).join(', ') ?? 'any',
    'dns.blocked': dns.blocked.toSorted(compareText).join(', '),
    'hostnames.cooldownDays': String(hostnames.cooldownDays),
    'hostnames.proof': hostnames.proof,
    'hostnames.exempt': hostnames.exempt.toSorted(compareText).join(', '),
    ...optionalField('branches', branches.toSorted(compareText).join(', ') || undefined),
    ...Object.fromEntries(
      advertisements.map(({ name, at, ...fields }) => [
        `advertisements.${name}`,
        JSON.stringify(fields),
      ]),
    ),
  };
}

function clusterFields(cluster: Cluster): Fields {
  const { id, labels, defaultZone, provider, naming, metallb, routes } = cluster;
  return {
    ...optionalField('id', id),
    ...optionalField('labels', labelsText(labels)),
    ...optionalField('defaultZone', defaultZone),
    provider: provider ?? '',
    naming,
    'metallb.version': metallb.version,
    'metallb.namespace': metallb.namespace,
    'metallb.layout': metallb.layout,
    ...optionalField('metallb.annotationPrefix', metallb.annotationPrefix),
    ...optionalField('metallb.loadBalancerClass', metallb.loadBalancerClass),
    ...optionalField('routes', routes && JSON.stringify(routes)),
  };
}

function poolFields(pool: Pool): Fields {
  return {
    zone: pool.zone,
    ...optionalField('clusters', pool.clusters?.toSorted(compareText).join(', ')),
    addresses: pool.ranges.map(formatRange).join(', '),
    reserved: pool.reserved.ranges.map(formatRange).join(', '),
    ...optionalField('nat', natText(pool)),
    avoidBuggyIPs: String(pool.avoidBuggyIPs),
    state: pool.state,
    cooldownDays: String(pool.cooldownDays),
    strategy: pool.strategy,
    fence: pool.fence,
    advertise: JSON.stringify(pool.advertise),
  };
}

function natText({ nat }: Pool): string | undefined {
  const rules = nat.map(
    ({ inside, outside }) => `${formatRange(inside)} as ${formatRange(outside)}`,
  );
  return rules.length > 0 ? rules.join(', ') : undefined;
}

function groupFields({ members }: AnycastGroup): Fields {
  const names = members.map(
    ({ cluster, namespace, service }) => `${cluster}/${namespace}/${service}`,
  );
  return { members: names.sort(compareText).join(', ') };
}

/** An optional field, without an entry when it is not set. */
function optionalField(field: string, text: string | undefined): Fields {
  return text === undefined ? {} : { [field]: text };
}

function labelsText(labels: Cluster['labels']): string | undefined {
  const pairs = sortedKeys(new Map(Object.entries(labels))).map((key) => `${key}=${labels[key]}`);
  return pairs.length > 0 ? pairs.join(', ') : undefined;
}

/** POOL_FILLING for each pool that this change fills further and that is not ample afterwards. */
export function fillingCautions(pools: readonly PoolTotals[], head: Declared): Caution[] {
  return pools.flatMap(({ pool, family, before, after }): Caution[] => {
    if (!after || fillLevelOf(after.percent) === 'ample') return [];
    if (before && inUse(before) >= inUse(after)) return [];
    const at = head.pools?.pools.find(({ name }) => name === pool)?.at;
    return [
      {
        code: 'POOL_FILLING',
        message: `pool ${pool} is ${after.percent} % full: ${after.free} of ${after.usable} ${familyName(family)} addresses are free`,
        ...(at && { at: planPlace('head', at) }),
      },
    ];
  });
}

function inUse({ held, retained }: Occupancy): bigint {
  return BigInt(held) + BigInt(retained);
}

/** One POOLS_CHANGED with all differences of the pool file. */
export function poolFileCautions(base: Declared, head: Declared): Caution[] {
  const changes = poolChanges(base.pools, head.pools);
  if (changes.length === 0) return [];
  const at = { side: 'head', file: poolsPath, line: 1 } as const;
  return [{ code: 'POOLS_CHANGED', message: changes.join('; '), at }];
}

/** LINK_LOCAL and BLOCK_ENDS for each range that is new in the head. */
export function rangeCautions(base: Declared, head: Declared): Caution[] {
  const known = new Set((base.pools?.pools ?? []).flatMap(({ ranges }) => ranges.map(formatRange)));
  return (head.pools?.pools ?? []).flatMap((pool) => {
    const at = planPlace('head', pool.at);
    return pool.ranges
      .filter((range) => !known.has(formatRange(range)))
      .flatMap((range): Caution[] => [
        ...linkLocalCautions(pool, range).map((caution) => ({ ...caution, at })),
        ...blockEndCautions(pool, range).map((caution) => ({ ...caution, at })),
      ]);
  });
}

function linkLocalCautions({ name }: Pool, range: AddressRange): Caution[] {
  const block = linkLocalOf(range);
  if (block === undefined) return [];
  const message = `pool ${name} assigns link-local addresses of ${formatRange(block)}, which routers do not forward`;
  return [{ code: 'LINK_LOCAL', message }];
}

/** Not for BGP: an announced block is routed, so its first and last addresses are usable. */
function blockEndCautions(pool: Pool, range: AddressRange): Caution[] {
  if (pool.advertise.kind === 'bgp') return [];
  const given = blockEnds(range).filter(
    (address) => !setHas(pool.reserved, address) && !(pool.avoidBuggyIPs && isBuggyIP(address)),
  );
  if (given.length === 0) return [];
  const addresses = given.map(formatAddress).join(' and ');
  const message = `pool ${pool.name} assigns ${addresses}, at the ${given.length === 1 ? 'end' : 'ends'} of ${formatRange(range)}`;
  return [{ code: 'BLOCK_ENDS', message }];
}

/** FENCE_CLOSED or FENCE_OPENED for each pool whose fence changes. A new pool was closed before. */
export function fenceCautions(base: Declared, head: Declared): Caution[] {
  const before = new Map((base.pools?.pools ?? []).map(({ name, fence }) => [name, fence]));
  return (head.pools?.pools ?? []).flatMap(({ name, fence, at }): Caution[] => {
    const was = before.get(name) ?? 'closed';
    if (was === fence) return [];
    const place = { at: planPlace('head', at) };
    return fence === 'open'
      ? [{ code: 'FENCE_OPENED', message: `pool ${name} is open to every Service`, ...place }]
      : [
          {
            code: 'FENCE_CLOSED',
            message: `pool ${name} is closed: live Services on it that are not declared lose their addresses`,
            ...place,
          },
        ];
  });
}

/** COOLDOWN_NONE for each pool with a released address that is free for others at once. */
export function cooldownCautions(addresses: readonly AddressChange[], head: Declared): Caution[] {
  const atOnce = addresses.filter(({ address, change, before }) => {
    const released = head.table.get(address)?.released;
    return change === 'released' && before?.state === 'held' && released?.on === released?.freeFrom;
  });
  return [...new Set(atOnce.map(({ pool }) => pool))].map((pool) => {
    const named = atOnce.filter((change) => change.pool === pool).map(({ address }) => address);
    return {
      code: 'COOLDOWN_NONE',
      message: `pool ${pool} has no cooldown: anyone can get ${firstTexts(named)} on the day of release`,
    };
  });
}
