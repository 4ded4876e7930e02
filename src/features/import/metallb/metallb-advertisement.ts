import type * as z from 'zod';
import {
  community,
  interfaceName,
  labelSelector,
} from '../../../core/declarations/pools/advertise-schema.ts';
import type { Advertise, LabelSelector, PoolAdvertisement } from '../../../core/model/pools.ts';
import type { Position } from '../../../core/model/problem.ts';
import { objectName } from '../../../core/text/common-fields.ts';
import {
  type SourceFields,
  type SourceNode,
  type SourceReader,
  sourcePlace,
} from '../../../lib/foreign/source-reader.ts';
import type { ImportedPool } from '../imported.ts';
import { type MetalLBPool, poolSubject } from './metallb-pool.ts';

/** A MetalLB advertisement, reduced to what `leases/pools.yaml` can express. */
export interface MetalLBAdvertisement {
  /** Its name in notes, such as `L2Advertisement edge`. */
  readonly subject: string;
  readonly advertise: Advertise;
  /** The name of its object; undefined when the source has none. */
  readonly name?: string | undefined;
  /** True when it names one pool and selects no others: the pool keeps the object. */
  readonly isOfOne?: boolean;
  /** True when it is for some Services only: a pool is announced so only without another. */
  readonly isLimited?: boolean;
  readonly at: Position;
  covers(pool: MetalLBPool): boolean;
}

/** The field names of a BGP advertisement: in an object, or in a ConfigMap. */
export interface BgpNames {
  readonly aggregationLength: string;
  readonly aggregationLengthV6: string;
  readonly localPref: string;
}

/** The field names in `BGPAdvertisement` and `AddressPool` objects. */
export const objectNames: BgpNames = {
  aggregationLength: 'aggregationLength',
  aggregationLengthV6: 'aggregationLengthV6',
  localPref: 'localPref',
};

/** L2 without restrictions. */
export const plainL2: Advertise = { kind: 'l2', interfaces: [], nodeSelectors: [] };

/** BGP with MetalLB's defaults. */
export const plainBgp: Extract<Advertise, { readonly kind: 'bgp' }> = {
  kind: 'bgp',
  aggregationLength: 32,
  aggregationLengthV6: 128,
  localPref: undefined,
  communities: [],
  peers: [],
  nodeSelectors: [],
};

/** Reads an `L2Advertisement`. Fields that a pool cannot express are noted. */
export function readL2(reader: SourceReader, subject: string, spec: SourceFields): Advertise {
  return {
    kind: 'l2',
    interfaces: held(reader, subject, interfaceName, reader.list(spec.get('interfaces'))),
    nodeSelectors: readNodeSelectors(reader, subject, spec),
  };
}

/**
 * Reads a BGP advertisement. Fields that a pool cannot express are noted. `aliases` maps names of
 * communities to their values.
 */
export function readBgp(
  reader: SourceReader,
  subject: string,
  spec: SourceFields,
  { names, aliases }: { readonly names: BgpNames; readonly aliases: ReadonlyMap<string, string> },
): Advertise {
  const communities = reader.list(spec.get('communities')).map((node): SourceNode => {
    const value = typeof node.value === 'string' ? aliases.get(node.value) : undefined;
    if (value === undefined) return node;
    const message = `the community '${String(node.value)}' is written ${value}: leasehold writes no Community object`;
    reader.change(subject, message, sourcePlace(node));
    return { ...node, value };
  });
  const most = 0x7fff_ffff;
  const { aggregationLength, aggregationLengthV6, localPref } = names;
  return {
    kind: 'bgp',
    aggregationLength: readNumber(reader, subject, spec.get(aggregationLength), [1, 32]) ?? 32,
    aggregationLengthV6:
      readNumber(reader, subject, spec.get(aggregationLengthV6), [1, 128]) ?? 128,
    localPref: readNumber(reader, subject, spec.get(localPref), [0, most]),
    communities: held(reader, subject, community, communities),
    peers: held(reader, subject, objectName, reader.list(spec.get('peers'))),
    nodeSelectors: readNodeSelectors(reader, subject, spec),
  };
}

/** True when a label selector matches the labels of a pool, by the rules of Kubernetes. */
export function matches(
  { matchLabels = {}, matchExpressions = [] }: LabelSelector,
  labels: ReadonlyMap<string, string>,
): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels.get(key) === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labels.get(key);
      if (operator === 'Exists') return value !== undefined;
      if (operator === 'DoesNotExist') return value === undefined;
      const isIn = value !== undefined && values.includes(value);
      return operator === 'In' ? isIn : !isIn;
    })
  );
}

/** The supported selectors of a list; the others are noted. */
export function readSelectors(
  reader: SourceReader,
  subject: string,
  list: SourceNode | undefined,
): readonly LabelSelector[] {
  return held(reader, subject, labelSelector, reader.list(list));
}

function readNodeSelectors(
  reader: SourceReader,
  subject: string,
  spec: SourceFields,
): readonly LabelSelector[] {
  return readSelectors(reader, subject, spec.get('nodeSelectors'));
}

/** The values that a schema accepts; each other one is noted. */
function held<Value>(
  reader: SourceReader,
  subject: string,
  schema: z.ZodType<Value>,
  nodes: readonly SourceNode[],
): readonly Value[] {
  return nodes.flatMap((node) => {
    const parsed = schema.safeParse(node.value);
    if (parsed.success) return [parsed.data];
    const [issue] = parsed.error.issues;
    const what = String(node.path.findLast((step) => typeof step === 'string') ?? 'value');
    const value = typeof node.value === 'string' ? ` '${node.value}'` : '';
    const reason = issue?.message ?? 'expected something else';
    reader.leave(subject, `${what}${value} is not imported: ${reason}`, sourcePlace(node));
    return [];
  });
}

function readNumber(
  reader: SourceReader,
  subject: string,
  node: SourceNode | undefined,
  [least, most]: readonly [number, number],
): number | undefined {
  if (node === undefined || node.value === null) return undefined;
  const { value } = node;
  if (typeof value === 'number' && Number.isInteger(value) && least <= value && value <= most) {
    return value;
  }
  const message = `'${String(node.path.at(-1))}' is not imported: expected a whole number from ${least} to ${most}`;
  reader.leave(subject, message, sourcePlace(node));
  return undefined;
}

/**
 * The pools with their advertisements. A pool without one is announced by L2, which is noted.
 */
export function announcedPools(
  reader: SourceReader,
  pools: readonly MetalLBPool[],
  advertisements: readonly MetalLBAdvertisement[],
): readonly ImportedPool[] {
  const used = new Set<MetalLBAdvertisement>();
  const names = new AdvertisementNames(advertisements);
  const advertisementsOf = (pool: MetalLBPool): readonly PoolAdvertisement[] => {
    const { name, at } = pool;
    const all = advertisements.filter((one) => one.covers(pool));
    const whole = all.filter(({ isLimited }) => !isLimited);
    for (const one of all) used.add(one);
    if (all.length === 0) {
      const message = 'nothing announces it; leasehold announces every pool, and this one by L2';
      reader.change(poolSubject(name), message, at);
      return [{ ...plainL2, name }];
    }
    return (whole.length > 0 ? whole : all).map((one) => {
      return { ...one.advertise, name: names.nameFor(name, one) };
    });
  };
  // A file may have one pool many times, which is POOL_DUPLICATE.
  const byName = new Map<string, readonly PoolAdvertisement[]>();
  const announced = pools.map((pool): ImportedPool => {
    const { name, ranges, avoidBuggyIPs, isFenced, isAsked, at } = pool;
    const advertise = byName.get(name) ?? advertisementsOf(pool);
    byName.set(name, advertise);
    return {
      name,
      ranges,
      avoidBuggyIPs,
      advertise,
      at,
      ...(isFenced && { isFenced }),
      isAsked,
    };
  });
  for (const { subject, at } of advertisements.filter((one) => !used.has(one))) {
    reader.leave(subject, 'it announces none of the pools that were taken', at);
  }
  return announced;
}

/** The names of advertisements as they are written: no two objects of a kind have the same. */
class AdvertisementNames {
  readonly #taken = new Set<string>();
  /** The last number of a pool's advertisements of one kind. */
  readonly #numbers = new Map<string, number>();

  constructor(advertisements: readonly MetalLBAdvertisement[]) {
    for (const { name, advertise } of advertisements) {
      if (name !== undefined) this.#taken.add(`${advertise.kind} ${name}`);
    }
  }

  /** Its own name when its object is for the pool alone; else that of the pool, if that is free. */
  nameFor(pool: string, one: MetalLBAdvertisement): string {
    const isKept = one.name === pool || (one.isOfOne && !one.isLimited);
    const name = isKept ? (one.name ?? pool) : this.#freeName(pool, one);
    this.#taken.add(`${one.advertise.kind} ${name}`);
    return name;
  }

  #freeName(pool: string, { name, advertise }: MetalLBAdvertisement): string {
    const isFree = (text: string) => !this.#taken.has(`${advertise.kind} ${text}`);
    const first = [pool, ...(name === undefined ? [] : [`${name}-${pool}`])].find(isFree);
    if (first !== undefined) return first;
    const key = `${advertise.kind} ${pool}`;
    let number = (this.#numbers.get(key) ?? 1) + 1;
    while (!isFree(`${pool}-${number}`)) number += 1;
    this.#numbers.set(key, number);
    return `${pool}-${number}`;
  }
}
