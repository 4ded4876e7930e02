import { compareText, groupBy } from '../../../core/model/order.ts';
import { type Address, compareAddresses } from '../../../core/net/address.ts';
import { compareRanges, firstReaching, formatRange } from '../../../core/net/range.ts';
import type { PicturePool } from '../picture-answer.ts';
import { type Block, blockEnd } from './map/blocks.ts';
import type { IndexedHostname, IndexedRecord, PictureIndex, Space } from './picture-index.ts';
import { amountText, announcedText } from './words.ts';

/** The change of an address between two states of the tree. */
export interface AddressComparison {
  readonly address: string;
  readonly at: Address;
  readonly kind: 'allocated' | 'released' | 'moved here' | 'moved away' | 'given on' | 'forgotten';
  readonly before: IndexedRecord | undefined;
  readonly after: IndexedRecord | undefined;
  /** The other address of a move. */
  readonly other?: string;
}

/** The change of a hostname between two states of the tree. */
export interface HostnameComparison {
  readonly hostname: string;
  readonly kind: RecordChange;
  readonly before: IndexedHostname | undefined;
  readonly after: IndexedHostname | undefined;
}

/** The change of one record. */
type RecordChange = Exclude<AddressComparison['kind'], 'moved here' | 'moved away'>;

/** The addresses whose records differ between two states, by address, IPv4 first. */
export function changesBetween(
  before: PictureIndex,
  after: PictureIndex,
): ReadonlyMap<string, AddressComparison> {
  const changes = new Map<string, AddressComparison>();
  const records = [...before.records, ...after.records];
  records.sort((one, other) => compareAddresses(one.address, other.address));
  for (const { address: at, record } of records) {
    const { address } = record;
    const [was, is] = [before.recordOf(address), after.recordOf(address)];
    const kind = kindOf(was, is);
    if (kind) changes.set(address, { address, at, kind, before: was, after: is });
  }
  return withMoves(changes);
}

/** The hostnames whose records differ between two states, by hostname. */
export function hostnameChangesBetween(
  before: PictureIndex,
  after: PictureIndex,
): ReadonlyMap<string, HostnameComparison> {
  const all = [...before.hostnames, ...after.hostnames].map(({ record }) => record.hostname);
  const changes = [...new Set(all)].sort(compareText).flatMap((hostname) => {
    const [was, is] = [before.hostnameOf(hostname), after.hostnameOf(hostname)];
    const kind = kindOf(was, is);
    return kind ? [[hostname, { hostname, kind, before: was, after: is }] as const] : [];
  });
  return new Map(changes);
}

function kindOf(
  was: IndexedRecord | IndexedHostname | undefined,
  is: IndexedRecord | IndexedHostname | undefined,
): RecordChange | undefined {
  const [wasHeld, isHeld] = [was?.record.state === 'held', is?.record.state === 'held'];
  if (wasHeld && isHeld) return was?.record.holder === is?.record.holder ? undefined : 'given on';
  if (isHeld) return 'allocated';
  if (wasHeld) return 'released';
  return was && !is ? 'forgotten' : undefined;
}

/** A holder that lost one address of a family and got another has moved. */
function withMoves(
  changes: ReadonlyMap<string, AddressComparison>,
): ReadonlyMap<string, AddressComparison> {
  const lost = new Map<string, AddressComparison>();
  const marked = new Map(changes);
  for (const change of changes.values()) {
    if (change.kind === 'released' && change.before) lost.set(holderKey(change.before), change);
  }
  for (const change of changes.values()) {
    const from = change.after && lost.get(holderKey(change.after));
    if (change.kind !== 'allocated' || !from) continue;
    marked.set(change.address, { ...change, kind: 'moved here', other: from.address });
    marked.set(from.address, { ...from, kind: 'moved away', other: change.address });
  }
  return marked;
}

function holderKey({ record, address }: IndexedRecord): string {
  return `${address.family} ${record.holder}`;
}

/** The number of changes in a block. `changes` is sorted by address. O(log n). */
export function changesIn(changes: readonly AddressComparison[], block: Block): number {
  const { family, from } = block;
  const upTo = (value: bigint) =>
    firstReaching(changes, ({ at }) => ({ from: at, to: at }), { family, value });
  return upTo(blockEnd(block) + 1n) - upTo(from);
}

/** A change in a few words: `moved here from 203.0.113.7`. */
export function changeText({ kind, other }: Pick<AddressComparison, 'kind' | 'other'>): string {
  if (other === undefined) return kind;
  return kind === 'moved here' ? `${kind} from ${other}` : `${kind} to ${other}`;
}

/** The number of changes of each kind: `2 allocated, 1 released`. */
export function kindCounts(changes: readonly Pick<AddressComparison, 'kind'>[]): string {
  const kinds = groupBy(changes, ({ kind }) => kind);
  return [...kinds].map(([kind, own]) => `${amountText(own.length)} ${kind}`).join(', ');
}

/** The symbol of a change. */
export const signs: Readonly<Record<AddressComparison['kind'], string>> = {
  allocated: '+',
  released: '−',
  'moved here': '→',
  'moved away': '←',
  'given on': '⇄',
  forgotten: '·',
};

/** The changes of pools between two states, one sentence each, without a period. */
export function poolChanges(before: PictureIndex, after: PictureIndex): readonly string[] {
  const [was, is] = [before.picture.pools, after.picture.pools];
  const gone = was.filter(({ pool }) => !poolOf(is, pool));
  const come = is.filter(({ pool }) => !poolOf(was, pool));
  const names = new Map(
    gone.flatMap((old) => {
      const next = come.find((pool) => rangesText(pool) === rangesText(old));
      return next ? [[old, next] as const] : [];
    }),
  );
  const renamed = new Set(names.values());
  return [
    ...gone.map((old) => {
      const next = names.get(old);
      return next
        ? `Pool ${old.pool} is called ${next.pool} now (${rangesText(old)})`
        : `Pool ${old.pool} is removed (${rangesText(old)})`;
    }),
    ...come
      .filter((pool) => !renamed.has(pool))
      .map((pool) => `Pool ${pool.pool} is new (${rangesText(pool)})`),
    ...[...names].flatMap(([old, next]) => differences(old, next)),
    ...is.flatMap((pool) => {
      const old = poolOf(was, pool.pool);
      return old ? differences(old, pool) : [];
    }),
  ];
}

function poolOf(pools: readonly PicturePool[], name: string): PicturePool | undefined {
  return pools.find(({ pool }) => pool === name);
}

function rangesOf({ families }: PicturePool): readonly string[] {
  return families.flatMap(({ ranges }) => ranges);
}

/** `192.168.4.16/28 as 203.0.113.16/28` for each rule. */
function natTexts({ nat = [] }: PicturePool): readonly string[] {
  return nat.map(({ inside, outside }) => `${inside} as ${outside}`);
}

function rangesText(pool: PicturePool): string {
  return rangesOf(pool).join(', ');
}

/** The fields of a pool that are compared as one value. */
const compared = ['zone', 'state', 'avoidBuggyIPs', 'retentionDays', 'strategy', 'fence'] as const;

function clustersText({ clusters }: PicturePool): string {
  return clusters?.join(', ') ?? 'all';
}

/** `Pool lab: no longer 192.0.2.0/28; newly reserved 192.0.2.1`. */
function differences(was: PicturePool, is: PicturePool): readonly string[] {
  const parts = [
    ...listed('no longer', without(rangesOf(was), rangesOf(is))),
    ...listed('newly', without(rangesOf(is), rangesOf(was))),
    ...listed('newly reserved', without(is.reservedRanges, was.reservedRanges)),
    ...listed('no longer reserved', without(was.reservedRanges, is.reservedRanges)),
    ...listed('no longer behind NAT', without(natTexts(was), natTexts(is))),
    ...listed('newly behind NAT', without(natTexts(is), natTexts(was))),
    ...compared.flatMap((field) => changed(field, String(was[field]), String(is[field]))),
    ...changed('clusters', clustersText(was), clustersText(is)),
    ...changed('announced', announcedText(was.announced), announcedText(is.announced)),
  ];
  return parts.length === 0 ? [] : [`Pool ${is.pool}: ${parts.join('; ')}`];
}

function without(all: readonly string[], others: readonly string[]): readonly string[] {
  return all.filter((text) => !others.includes(text));
}

function listed(word: string, texts: readonly string[]): readonly string[] {
  return texts.length === 0 ? [] : [`${word} ${texts.join(', ')}`];
}

function changed(name: string, was: string, is: string): readonly string[] {
  return was === is ? [] : [`${name} ${was} before, ${is} now`];
}

/** A space in one picture, or in two that are compared. */
export interface BothSpaces {
  /** The newer space, with the ranges and records of both. */
  readonly space: Space;
  readonly was: Space | undefined;
  readonly is: Space | undefined;
}

/**
 * The spaces of a picture, and those only in the one before. A renamed pool counts as the same one.
 */
export function bothSpaces(
  before: PictureIndex | undefined,
  after: PictureIndex,
): readonly BothSpaces[] {
  const old = before?.spaces ?? [];
  const own = after.spaces.map((is) => {
    const was = old.find(isNamedLike(is)) ?? renamed(is, old, after.spaces);
    return { space: was ? joined(was, is) : is, was, is };
  });
  const gone = old.filter((space) => !own.some(({ was }) => was === space));
  return [...own, ...gone.map((was) => ({ space: was, was, is: undefined }))];
}

/** True for the space of the same pool and family. */
function isNamedLike({ pool, family }: Space): (other: Space) => boolean {
  return (other) => other.pool.pool === pool.pool && other.family === family;
}

/** The former space with the same ranges, if its name is no longer used. */
function renamed(is: Space, old: readonly Space[], now: readonly Space[]): Space | undefined {
  const text = spaceText(is);
  return old.find((was) => spaceText(was) === text && !now.some(isNamedLike(was)));
}

function spaceText({ ranges }: Space): string {
  return ranges.map(formatRange).join();
}

function joined(was: Space, is: Space): Space {
  return {
    ...is,
    ranges: [...was.ranges, ...is.ranges].sort(compareRanges),
    records: [...was.records, ...is.records].sort((one, other) =>
      compareAddresses(one.address, other.address),
    ),
  };
}
