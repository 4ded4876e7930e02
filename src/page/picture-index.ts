import type {
  Picture,
  PictureCommit,
  PictureHolder,
  PicturePeriod,
  PicturePool,
  PictureRecord,
} from '../features/picture/picture-answer.ts';
import { type Address, type Family, isAddress, parseAddress } from '../net/address.ts';
import { type AddressRange, isRange, parseRange, rangeHas } from '../net/range.ts';

/** The states that the page distinguishes. `outside` is not an address of the pool. */
export type AddressState = 'held' | 'retained' | 'reserved' | 'free' | 'outside';

/** A record with its parsed address and holder. */
export interface IndexedRecord {
  readonly address: Address;
  readonly record: PictureRecord;
  /** The state on the day of the picture: a released address is retained, and later free. */
  readonly state: 'held' | 'retained' | 'free';
  readonly holder: PictureHolder | undefined;
  /** The text for searches, in lower case. */
  readonly text: string;
}

/** The addresses of one family of a pool. */
export interface Space {
  readonly pool: PicturePool;
  readonly family: Family;
  readonly ranges: readonly AddressRange[];
  readonly reserved: readonly AddressRange[];
  /** By address. */
  readonly records: readonly IndexedRecord[];
}

/** A period of an address, with the commit that began it. */
export interface Period extends PicturePeriod {
  readonly commit: PictureCommit | undefined;
}

/** A picture with indexes for queries. */
export class PictureIndex {
  readonly picture: Picture;
  /** By address, IPv4 first. */
  readonly records: readonly IndexedRecord[];
  readonly spaces: readonly Space[];
  readonly #byAddress: ReadonlyMap<string, IndexedRecord>;
  readonly #periods: ReadonlyMap<string, readonly PicturePeriod[]>;

  constructor(picture: Picture) {
    const holders = new Map(picture.holders.map((holder) => [holder.holder, holder]));
    this.picture = picture;
    this.records = picture.records.flatMap((record) => {
      const address = parseAddress(record.address);
      return isAddress(address)
        ? [indexed(address, record, holders.get(record.holder), picture.day)]
        : [];
    });
    this.spaces = picture.pools.flatMap((pool) => spacesOf(pool, this.records));
    this.#byAddress = new Map(this.records.map((record) => [record.record.address, record]));
    this.#periods = new Map(
      picture.past?.addresses.map(({ address, periods }) => [address, periods]),
    );
  }

  /** The record of an address, by canonical text. */
  recordOf(address: string): IndexedRecord | undefined {
    return this.#byAddress.get(address);
  }

  /** The periods of an address, the oldest first. */
  periodsOf(address: string): readonly Period[] {
    const commits = this.picture.past?.commits ?? [];
    return (this.#periods.get(address) ?? []).map((period) => ({
      ...period,
      commit: commits[period.by],
    }));
  }

  /** The pool that contains an address. */
  spaceOf(address: Address): Space | undefined {
    return this.spaces.find(({ ranges }) => ranges.some((range) => rangeHas(range, address)));
  }

  /** The number of declared holders without an address. */
  waiting(): number {
    const served = new Set(
      this.records.filter(({ state }) => state === 'held').map(({ record }) => record.holder),
    );
    return this.picture.holders.filter(
      ({ holder, claims }) => claims.length > 0 && !served.has(holder),
    ).length;
  }
}

/** The state of an address without a record, or with an expired one. */
export function bareState({ ranges, reserved, pool }: Space, address: Address): AddressState {
  if (!ranges.some((range) => rangeHas(range, address))) return 'outside';
  const isLeftOut = pool.avoidBuggyIPs && isBuggy(address);
  return isLeftOut || reserved.some((range) => rangeHas(range, address)) ? 'reserved' : 'free';
}

/** An IPv4 address that ends in .0 or .255 (MetalLB's `avoidBuggyIPs`). */
function isBuggy({ family, value }: Address): boolean {
  const last = value & 255n;
  return family === 'ipv4' && (last === 0n || last === 255n);
}

function indexed(
  address: Address,
  record: PictureRecord,
  holder: PictureHolder | undefined,
  day: string,
): IndexedRecord {
  return { address, record, state: stateOf(record, day), holder, text: textOf(record, holder) };
}

function stateOf({ state, freeFrom }: PictureRecord, day: string): IndexedRecord['state'] {
  if (state === 'held') return 'held';
  return freeFrom !== undefined && freeFrom > day ? 'retained' : 'free';
}

function textOf(record: PictureRecord, holder: PictureHolder | undefined): string {
  const claims = (holder?.claims ?? []).map(
    ({ lease = '', cluster = '', namespace, service, file, protocol, externalPort }) =>
      `${lease} ${cluster} ${namespace}/${service} ${externalPort}/${protocol} ${file}`,
  );
  const own = [record.address, record.pool, record.holder, record.state, holder?.cluster ?? ''];
  return [...own, ...claims].join(' ').toLowerCase();
}

function spacesOf(pool: PicturePool, records: readonly IndexedRecord[]): readonly Space[] {
  return pool.families.map(({ family, ranges: texts }) => {
    const ranges = rangesOf(texts);
    return {
      pool,
      family,
      ranges,
      reserved: rangesOf(pool.reservedRanges).filter(({ from }) => from.family === family),
      records: records.filter(
        ({ address }) =>
          address.family === family && ranges.some((range) => rangeHas(range, address)),
      ),
    };
  });
}

function rangesOf(texts: readonly string[]): readonly AddressRange[] {
  return texts.flatMap((text) => {
    const range = parseRange(text);
    return isRange(range) ? [range] : [];
  });
}

type Test = (record: IndexedRecord) => boolean;

/**
 * The records that match every word of a search. An address in any spelling, a CIDR block or a
 * range matches addresses. A whole number matches only itself, if any record contains it. Other
 * words match parts of the address, pool, holder, state or a claim: lease id, namespace, service,
 * port, file. An empty text matches all.
 */
export function searched(
  records: readonly IndexedRecord[],
  text: string,
): readonly IndexedRecord[] {
  let found = records;
  for (const word of text.toLowerCase().split(/\s+/)) {
    if (word !== '') found = wordFound(found, word);
  }
  return found;
}

/** The address that a search consists of; undefined for other searches. */
export function searchedAddress(text: string): Address | undefined {
  const address = parseAddress(text.trim());
  return isAddress(address) ? address : undefined;
}

function wordFound(records: readonly IndexedRecord[], word: string): readonly IndexedRecord[] {
  const isIn: Test = ({ text }) => text.includes(word);
  if (!/^\d+$/.test(word)) return records.filter(addressTest(word) ?? isIn);
  const some = records.filter(isIn);
  const whole = new RegExp(`(?<!\\d)${word}(?!\\d)`);
  const exact = some.filter(({ text }) => whole.test(text));
  return exact.length > 0 ? exact : some;
}

/** `parseRange` accepts a block, two addresses with a hyphen, or one address. */
function addressTest(word: string): Test | undefined {
  const range = parseRange(word);
  return isRange(range) ? ({ address }) => rangeHas(range, address) : undefined;
}
