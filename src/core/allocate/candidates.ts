import { sha256Hex } from '../model/digest.ts';
import { type Address, type Family, isBuggyIP } from '../net/address.ts';
import { rangeSize } from '../net/range.ts';
import { ofFamily, type RangeSet, setSize } from '../net/range-set.ts';

/** How many slots of the order are tried before the next free slot after the first one is used. */
const probes = 16;

/**
 * The addresses of one pool and family that were never held, in the order they are tried. `spread`
 * starts at slots that depend on the holder's name only, so that two open pull requests rarely
 * choose the same address; `lowest` starts at the lowest address. Taking an address changes the
 * set.
 *
 * The usable ranges are laid end to end, and each address is a numbered slot. Taken slots point to
 * the next slot, and the pointers are shortened when they are followed. Finding the next free slot
 * is therefore near O(1) however full the pool is, and a /64 costs as much as a /28.
 */
export class Candidates {
  readonly #family: Family;
  readonly #ranges: RangeSet['ranges'];
  /** The slot of each range's first address. */
  readonly #starts: readonly bigint[];
  readonly #slots: bigint;
  readonly #avoidBuggyIPs: boolean;
  readonly #after: SlotPointers;

  /** `usable` is the pool without its reserved addresses. Other families are ignored. */
  constructor(usable: RangeSet, family: Family, avoidBuggyIPs: boolean) {
    const own = ofFamily(usable, family);
    this.#family = family;
    this.#ranges = own.ranges;
    this.#slots = setSize(own);
    this.#after = new SlotPointers(this.#slots);
    this.#avoidBuggyIPs = avoidBuggyIPs && family === 'ipv4';
    const starts: bigint[] = [];
    let start = 0n;
    for (const range of own.ranges) {
      starts.push(start);
      start += rangeSize(range);
    }
    this.#starts = starts;
  }

  /** The number of addresses, taken or not, without those that `avoidBuggyIPs` leaves out. */
  get size(): bigint {
    if (!this.#avoidBuggyIPs) return this.#slots;
    return this.#ranges.reduce(
      (size, range) => size - buggyUpTo(range.to.value) + buggyUpTo(range.from.value - 1n),
      this.#slots,
    );
  }

  /** True when the address is a candidate, taken or not. */
  has(address: Address): boolean {
    return this.#slotOf(address) !== undefined && !this.#isBuggy(address);
  }

  /** Removes an address for good. Returns false for one that is taken, or no candidate. */
  take(address: Address): boolean {
    const slot = this.#slotOf(address);
    if (slot === undefined || this.#after.has(slot) || this.#isBuggy(address)) return false;
    this.#after.set(slot, slot + 1n);
    return true;
  }

  /** Returns the lowest free address. Must not be called when none is left. */
  lowest(): Address {
    return this.#at(this.#nextFree(0n));
  }

  /**
   * Returns the first free address in the order of `seed`. Must not be called when none is left.
   */
  spread(seed: string): Address {
    const digest = sha256Hex(seed);
    const start = BigInt(`0x${digest.slice(0, 32)}`) % this.#slots;
    if (this.#isFree(start)) return this.#at(start);
    const step = BigInt(`0x${digest.slice(32)}`) % this.#slots;
    let slot = start;
    for (let probe = 1; probe < probes; probe += 1) {
      slot = (slot + step) % this.#slots;
      if (this.#isFree(slot)) return this.#at(slot);
    }
    return this.#at(this.#nextFree(start));
  }

  #isFree(slot: bigint): boolean {
    if (this.#after.has(slot)) return false;
    return !this.#avoidBuggyIPs || !this.#isBuggy(this.#at(slot));
  }

  #nextFree(from: bigint): bigint {
    const passed: bigint[] = [];
    let slot = from;
    for (;;) {
      if (slot === this.#slots) slot = 0n;
      const after = this.#after.get(slot);
      if (after === undefined && !this.#isBuggy(this.#at(slot))) break;
      passed.push(slot);
      slot = after ?? slot + 1n;
    }
    for (const seen of passed) this.#after.set(seen, slot > seen ? slot : this.#slots);
    return slot;
  }

  #at(slot: bigint): Address {
    const index = this.#rangeIndex((middle) => (this.#starts[middle] ?? 0n) <= slot);
    const range = this.#ranges[index];
    const start = this.#starts[index];
    if (!range || start === undefined) throw new RangeError(`slot ${slot} of ${this.#slots}`);
    return { family: this.#family, value: range.from.value + slot - start };
  }

  #slotOf(address: Address): bigint | undefined {
    if (address.family !== this.#family) return undefined;
    const index = this.#rangeIndex(
      (middle) => (this.#ranges[middle]?.from.value ?? 0n) <= address.value,
    );
    const range = this.#ranges[index];
    const start = this.#starts[index];
    if (!range || start === undefined || address.value > range.to.value) return undefined;
    return start + address.value - range.from.value;
  }

  /** Index of the last range for which the monotonic predicate holds, or -1. */
  #rangeIndex(holds: (middle: number) => boolean): number {
    let low = -1;
    let high = this.#ranges.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (holds(middle)) low = middle;
      else high = middle;
    }
    return low;
  }

  #isBuggy(address: Address): boolean {
    return this.#avoidBuggyIPs && isBuggyIP(address);
  }
}

/** The number of addresses from 0.0.0.0 to `value` that end in .0 or .255. `value` may be -1. */
function buggyUpTo(value: bigint): bigint {
  if (value < 0n) return 0n;
  return 2n * (value >> 8n) + 1n + ((value & 255n) === 255n ? 1n : 0n);
}

/** For slots, the slots to go on with. Numbers take less time and memory than big integers. */
class SlotPointers {
  readonly #isSmall: boolean;
  readonly #small = new Map<number, number>();
  readonly #large = new Map<bigint, bigint>();

  constructor(slots: bigint) {
    this.#isSmall = slots <= BigInt(Number.MAX_SAFE_INTEGER);
  }

  has(slot: bigint): boolean {
    return this.#isSmall ? this.#small.has(Number(slot)) : this.#large.has(slot);
  }

  get(slot: bigint): bigint | undefined {
    if (!this.#isSmall) return this.#large.get(slot);
    const after = this.#small.get(Number(slot));
    return after === undefined ? undefined : BigInt(after);
  }

  set(slot: bigint, after: bigint): void {
    if (this.#isSmall) this.#small.set(Number(slot), Number(after));
    else this.#large.set(slot, after);
  }
}
