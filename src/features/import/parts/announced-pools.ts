import type { Advertise, LabelSelector, PoolAdvertisement } from '../../../core/model/pools.ts';
import type { Position } from '../../../core/model/problem.ts';
import type { SourceReader } from '../../../lib/foreign/source-reader.ts';
import type { ImportedPool, ImportedRange, ImportedReserve, KeptObject } from '../imported.ts';

/** Pools and advertisements, collected while reading. */
export interface SourceParts {
  readonly pools: SourcePool[];
  readonly advertisements: SourceAdvertisement[];
  /** Objects that must stay for what is not imported of them: no advertisement gets the name of one. */
  readonly kept: Map<string, KeptObject>;
}

/** The names of advertisements of one kind are apart from those of the other. */
export function advertisementKey({ kind }: Pick<Advertise, 'kind'>, name: string): string {
  return `${kind} ${name}`;
}

/** A pool before its advertisements are known. */
export interface SourcePool {
  readonly name: string;
  /** The labels of the object, for selectors of advertisements. */
  readonly labels: ReadonlyMap<string, string>;
  readonly ranges: readonly ImportedRange[];
  readonly avoidBuggyIPs: boolean;
  /** {@link ImportedPool.isFenced}. */
  readonly isFenced?: boolean;
  /** {@link ImportedPool.reserved}. */
  readonly reserved?: readonly ImportedReserve[];
  /** {@link ImportedPool.isAsked}. */
  readonly isAsked: ImportedPool['isAsked'];
  readonly at: Position;
}

/** An advertisement of a source, reduced to what `leases/pools.yaml` can express. */
export interface SourceAdvertisement {
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
  /** `some` when it announces only some of the Services on the pool: used without another. */
  covers(pool: SourcePool): boolean | 'some';
  /** What a person must do for a pool whose advertisement is written as `name`; undefined for nothing. */
  sequel?(pool: string, name: string): string | undefined;
}

/** L2 without restrictions. */
export const plainL2: Advertise = { kind: 'l2', interfaces: [], nodeSelectors: [] };

/** The name of a pool in notes. */
export function poolSubject(name: string): string {
  return `pool ${name}`;
}

/** True when a label selector matches labels, by the rules of Kubernetes. */
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

/**
 * The pools with their advertisements. A pool without one is announced by L2, which is noted.
 */
export function announcedPools(
  reader: SourceReader,
  { pools, advertisements, kept }: SourceParts,
): readonly ImportedPool[] {
  const used = new Set<SourceAdvertisement>();
  const names = new AdvertisementNames(advertisements, kept);
  const advertisementsOf = (pool: SourcePool): readonly PoolAdvertisement[] => {
    const { name, at } = pool;
    const all = advertisements.filter((one) => one.covers(pool));
    const whole = all.filter((one) => !one.isLimited && one.covers(pool) === true);
    for (const one of all) used.add(one);
    if (all.length === 0) {
      const message = 'nothing announces it; leasehold announces every pool, and this one by L2';
      reader.change(poolSubject(name), message, at);
      return [{ ...plainL2, name }];
    }
    return (whole.length > 0 ? whole : all).map((one) => {
      const written = names.nameFor(name, one);
      const sequel = one.sequel?.(name, written);
      if (sequel !== undefined) reader.change(one.subject, sequel, one.at);
      return { ...one.advertise, name: written };
    });
  };
  // A file may have one pool many times, which is POOL_DUPLICATE.
  const byName = new Map<string, readonly PoolAdvertisement[]>();
  const announced = pools.map((pool): ImportedPool => {
    const { name, ranges, reserved, avoidBuggyIPs, isFenced, isAsked, at } = pool;
    const advertise = byName.get(name) ?? advertisementsOf(pool);
    byName.set(name, advertise);
    return {
      name,
      ranges,
      avoidBuggyIPs,
      advertise,
      at,
      ...(reserved && { reserved }),
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
  readonly #taken: Set<string>;
  readonly #kept: SourceParts['kept'];
  /** The last number of a pool's advertisements of one kind. */
  readonly #numbers = new Map<string, number>();

  constructor(advertisements: readonly SourceAdvertisement[], kept: SourceParts['kept']) {
    this.#kept = kept;
    this.#taken = new Set(kept.keys());
    for (const { name, advertise } of advertisements) {
      if (name !== undefined) this.#taken.add(advertisementKey(advertise, name));
    }
  }

  /** Its own name when its object is for the pool alone; else that of the pool, if that is free. */
  nameFor(pool: string, one: SourceAdvertisement): string {
    const { advertise } = one;
    const isOwn = one.name === pool || (one.isOfOne && !one.isLimited);
    const own = one.name ?? pool;
    const isReplaced = isOwn && !this.#kept.has(advertisementKey(advertise, own));
    const name = isReplaced ? own : this.#freeName(pool, one);
    this.#taken.add(advertisementKey(advertise, name));
    return name;
  }

  #freeName(pool: string, { name, advertise }: SourceAdvertisement): string {
    const isFree = (text: string) => !this.#taken.has(advertisementKey(advertise, text));
    const first = [pool, ...(name === undefined ? [] : [`${name}-${pool}`])].find(isFree);
    if (first !== undefined) return first;
    const key = advertisementKey(advertise, pool);
    let number = (this.#numbers.get(key) ?? 1) + 1;
    while (!isFree(`${pool}-${number}`)) number += 1;
    this.#numbers.set(key, number);
    return `${pool}-${number}`;
  }
}
