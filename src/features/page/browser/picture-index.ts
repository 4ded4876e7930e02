import { ownerOf } from '../../../core/model/allocation.ts';
import { type NatRule, publicAddress } from '../../../core/model/pools.ts';
import { type Address, type Family, isAddress, parseAddress } from '../../../core/net/address.ts';
import { type AddressRange, isRange, parseRange, rangeHas } from '../../../core/net/range.ts';
import type {
  Picture,
  PictureCommit,
  PictureHolder,
  PictureHostname,
  PicturePeriod,
  PicturePool,
  PictureRecord,
  PictureWaitingHostname,
} from '../picture-answer.ts';

/** The states that the page distinguishes. `outside` is not an address of the pool. */
export type AddressState = 'held' | 'retained' | 'reserved' | 'free' | 'outside';

/** A record with its parsed address and holder. */
export interface IndexedRecord {
  readonly address: Address;
  /** The address beyond the NAT of its pool; undefined when it is the same. */
  readonly publicAddress: Address | undefined;
  readonly record: PictureRecord;
  /** The state on the day of the picture: a released address is retained, and later free. */
  readonly state: 'held' | 'retained' | 'free';
  readonly holder: PictureHolder | undefined;
  /** The owner of the holder; a group of clusters is its own owner. */
  readonly owner: string;
}

/** A record of a hostname. */
export interface IndexedHostname {
  readonly record: PictureHostname;
  /** As that of an address: kept for its last holder, a hostname is retained. */
  readonly state: IndexedRecord['state'];
  readonly cluster: string;
  /** The same owner as that of addresses. */
  readonly owner: string;
}

/** The addresses of one family of a pool. */
export interface Space {
  readonly pool: PicturePool;
  readonly family: Family;
  readonly ranges: readonly AddressRange[];
  readonly reserved: readonly AddressRange[];
  readonly nat: readonly NatRule[];
  /** By address. */
  readonly records: readonly IndexedRecord[];
}

/** A period of an address or a hostname, with the commit that began it. */
export interface Period extends PicturePeriod {
  readonly commit: PictureCommit | undefined;
}

/** A picture with indexes for queries. */
export class PictureIndex {
  readonly picture: Picture;
  /** By address, IPv4 first. */
  readonly records: readonly IndexedRecord[];
  readonly spaces: readonly Space[];
  /** By hostname. */
  readonly hostnames: readonly IndexedHostname[];
  /** True for a picture of an earlier day, made from the histories. */
  readonly isPast: boolean;
  readonly #nat: readonly NatRule[];
  readonly #byAddress: ReadonlyMap<string, IndexedRecord>;
  readonly #spaces: ReadonlyMap<IndexedRecord, Space>;
  readonly #byHostname: ReadonlyMap<string, IndexedHostname>;
  readonly #periods: ReadonlyMap<string, readonly PicturePeriod[]>;

  constructor(picture: Picture, isPast = false) {
    const holders = new Map(picture.holders.map((holder) => [holder.holder, holder]));
    this.picture = picture;
    this.isPast = isPast;
    this.#nat = picture.pools.flatMap(natRules);
    this.records = picture.records.flatMap((record) => {
      const address = parseAddress(record.address);
      return isAddress(address) ? [this.#indexed(address, record, holders.get(record.holder))] : [];
    });
    this.spaces = picture.pools.flatMap((pool) => spacesOf(pool, this.records));
    this.#spaces = new Map(
      this.spaces.flatMap((space) => space.records.map((record) => [record, space] as const)),
    );
    this.hostnames = picture.hostnames.map((record) => indexedHostname(record, picture.day));
    this.#byAddress = new Map(this.records.map((record) => [record.record.address, record]));
    this.#byHostname = new Map(this.hostnames.map((found) => [found.record.hostname, found]));
    const { addresses = [], hostnames = [] } = picture.past ?? {};
    this.#periods = new Map([
      ...addresses.map(({ address, periods }) => [address, periods] as const),
      ...hostnames.map(({ hostname, periods }) => [hostname, periods] as const),
    ]);
  }

  /** The record of an address, by canonical text. */
  recordOf(address: string): IndexedRecord | undefined {
    return this.#byAddress.get(address);
  }

  hostnameOf(hostname: string): IndexedHostname | undefined {
    return this.#byHostname.get(hostname);
  }

  /** The declarations of a hostname that wait for its record. */
  waitingFor(hostname: string): readonly PictureWaitingHostname[] {
    return this.picture.waitingHostnames.filter((declared) => declared.hostname === hostname);
  }

  /** True for a hostname that is recorded or declared. */
  knowsHostname(hostname: string): boolean {
    return this.#byHostname.has(hostname) || this.waitingFor(hostname).length > 0;
  }

  /** The periods of an address or a hostname, the oldest first. */
  periodsOf(name: string): readonly Period[] {
    const commits = this.picture.past?.commits ?? [];
    return (this.#periods.get(name) ?? []).map((period) => ({
      ...period,
      commit: commits[period.by],
    }));
  }

  /** The pool that contains the address of a record; undefined when none does. */
  poolOf(record: IndexedRecord): PicturePool | undefined {
    return this.#spaces.get(record)?.pool;
  }

  /** The zone of that pool; empty when none contains the address. */
  zoneOf(record: IndexedRecord): string {
    return this.poolOf(record)?.zone ?? '';
  }

  /** The address by which clients beyond the NAT reach an address; undefined when it is the same. */
  publicAddressOf(address: Address): Address | undefined {
    return addressBeyond({ nat: this.#nat }, address);
  }

  /** True when an address of a pool can have another public one. */
  get hasNat(): boolean {
    return this.#nat.length > 0;
  }

  /** The pool that contains an address. */
  spaceOf(address: Address): Space | undefined {
    return this.spaces.find(({ ranges }) => ranges.some((range) => rangeHas(range, address)));
  }

  /** The same, by text; undefined for a text that is not an address. */
  spaceOfText(text: string): Space | undefined {
    const address = parseAddress(text);
    return isAddress(address) ? this.spaceOf(address) : undefined;
  }

  #indexed(
    address: Address,
    record: PictureRecord,
    holder: PictureHolder | undefined,
  ): IndexedRecord {
    const owner = ownerOf(record.holder) ?? record.holder;
    const state = stateOf(record, this.picture.day);
    return { address, publicAddress: this.publicAddressOf(address), record, state, holder, owner };
  }

  /** The number of declared holders without an address. */
  waiting(): number {
    const served = new Set(
      this.records.filter(({ state }) => state === 'held').map(({ record }) => record.holder),
    );
    return this.picture.holders.filter(
      ({ holder, claims, promisedUntil }) =>
        (claims.length > 0 || promisedUntil !== undefined) && !served.has(holder),
    ).length;
  }
}

/** The public address of an address behind a NAT; undefined for another one. */
export function addressBeyond(pool: Pick<Space, 'nat'>, address: Address): Address | undefined {
  const beyond = publicAddress(pool, address);
  return beyond === address ? undefined : beyond;
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

function natRules({ nat = [] }: PicturePool): readonly NatRule[] {
  return nat.flatMap(({ inside, outside }) => {
    const [from, to] = [parseRange(inside), parseRange(outside)];
    return isRange(from) && isRange(to) ? [{ inside: from, outside: to }] : [];
  });
}

/** The cluster of a holder that is in one. */
export function clusterOf(holder: string): string {
  return holder.slice(0, holder.indexOf('/'));
}

function indexedHostname(record: PictureHostname, day: string): IndexedHostname {
  const { holder } = record;
  const [cluster, owner] = [clusterOf(holder), ownerOf(holder) ?? holder];
  return { record, state: stateOf(record, day), cluster, owner };
}

function stateOf(
  { state, freeFrom }: Pick<PictureRecord, 'state' | 'freeFrom'>,
  day: string,
): IndexedRecord['state'] {
  if (state === 'held') return 'held';
  return freeFrom !== undefined && freeFrom > day ? 'retained' : 'free';
}

function spacesOf(pool: PicturePool, records: readonly IndexedRecord[]): readonly Space[] {
  return pool.families.map(({ family, ranges: texts }) => {
    const ranges = rangesOf(texts);
    return {
      pool,
      family,
      ranges,
      reserved: rangesOf(pool.reservedRanges).filter(({ from }) => from.family === family),
      nat: natRules(pool),
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
