import { compareText, sortedKeys } from '../../model/order.ts';
import type { AnycastGroup, Cluster, Pool, Pools } from '../../model/pools.ts';
import { formatRange } from '../../net/range.ts';

/** What two pool files say differently, each a short phrase; none when they say the same. */
export function poolChanges(base: Pools | undefined, head: Pools | undefined): readonly string[] {
  if (!base || !head) return [];
  return [
    ...differing(settingsOf(base), settingsOf(head), ''),
    ...named(base.clusters, head.clusters, { noun: 'cluster', fieldsOf: clusterFields }),
    ...named(base.pools, head.pools, { noun: 'pool', fieldsOf: poolFields }),
    ...reordered(base.pools, head.pools),
    ...named(base.anycast, head.anycast, { noun: 'anycast group', fieldsOf: groupFields }),
  ];
}

/** All that a pool file says, in one text: equal for files that say the same. */
export function poolsText(pools: Pools | undefined): string {
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

function settingsOf({ defaultCluster, defaultZone, emit }: Pools): Fields {
  return {
    defaultCluster,
    defaultZone,
    'emit.namespaces': String(emit.namespaces),
    'emit.providerLeasedIP': String(emit.providerLeasedIP),
    'emit.networkPolicies': String(emit.networkPolicies),
  };
}

function clusterFields({ id, labels, defaultZone, provider, naming, metallb }: Cluster): Fields {
  return {
    ...said('id', id),
    ...said('labels', labelsText(labels)),
    ...said('defaultZone', defaultZone),
    provider: provider ?? '',
    naming,
    'metallb.version': metallb.version,
    'metallb.namespace': metallb.namespace,
    'metallb.layout': metallb.layout,
    ...said('metallb.loadBalancerClass', metallb.loadBalancerClass),
  };
}

function poolFields(pool: Pool): Fields {
  return {
    zone: pool.zone,
    ...said('clusters', pool.clusters?.toSorted(compareText).join(', ')),
    addresses: pool.ranges.map(formatRange).join(', '),
    reserved: pool.reserved.ranges.map(formatRange).join(', '),
    avoidBuggyIPs: String(pool.avoidBuggyIPs),
    state: pool.state,
    cooldownDays: String(pool.cooldownDays),
    strategy: pool.strategy,
    fence: pool.fence,
    advertise: JSON.stringify(pool.advertise),
  };
}

function groupFields({ members }: AnycastGroup): Fields {
  const names = members.map(
    ({ cluster, namespace, service }) => `${cluster}/${namespace}/${service}`,
  );
  return { members: names.sort(compareText).join(', ') };
}

/** A field of which most files say nothing. */
function said(field: string, text: string | undefined): Fields {
  return text === undefined ? {} : { [field]: text };
}

function labelsText(labels: Cluster['labels']): string | undefined {
  const pairs = sortedKeys(new Map(Object.entries(labels))).map((key) => `${key}=${labels[key]}`);
  return pairs.length > 0 ? pairs.join(', ') : undefined;
}
