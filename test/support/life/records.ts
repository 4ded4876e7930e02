/** The record that the ledger expects of each address. */

import type { Address } from '../../../src/core/net/address.ts';

/** What is recorded of an address. */
export interface Entry {
  readonly holder: string;
  readonly pool: string;
  readonly since: string;
  readonly retain: number;
  readonly keepUntil: string | undefined;
  readonly released: { readonly on: string; readonly freeFrom: string } | undefined;
  /** Where a move took its holder from. */
  readonly movedFrom: Address | undefined;
  /** The public key of who owns it. */
  readonly key: string | undefined;
  readonly generation: number;
  /** True when only a promise has it. */
  readonly promised: boolean;
  /** True when several Services that name a key stand on it. */
  readonly shared: boolean;
}

/** What is recorded of all addresses, by their text. */
export type Entries = ReadonlyMap<string, Entry>;

/** True when any holder may get the address on that day. */
export function isFree({ released }: Entry, today: string): boolean {
  return released !== undefined && released.freeFrom <= today;
}

/** What differs between the record that an address should have and the one it has. */
export function unlike(text: string, expected: Entry, now: Entry): string[] {
  const isSame =
    expected.holder === now.holder &&
    expected.pool === now.pool &&
    expected.since === now.since &&
    expected.retain === now.retain &&
    expected.keepUntil === now.keepUntil &&
    expected.released?.on === now.released?.on &&
    expected.released?.freeFrom === now.released?.freeFrom &&
    expected.movedFrom?.value === now.movedFrom?.value &&
    expected.key === now.key &&
    expected.generation === now.generation &&
    expected.shared === now.shared &&
    expected.promised === now.promised;
  return isSame ? [] : [`${text} is ${entryText(now)}, and should be ${entryText(expected)}`];
}

/** An entry for a message. */
export function entryText(entry: Entry): string {
  const { holder, pool, since, retain, keepUntil, released, movedFrom, key, generation } = entry;
  const until = keepUntil === undefined ? '' : ` keepUntil ${keepUntil}`;
  const free = released ? ` released ${released.on} free from ${released.freeFrom}` : '';
  const moved = movedFrom ? ' moved' : '';
  const owned = key === undefined ? '' : ` key ${key.slice(0, 4)}`;
  const signed = generation === 0 ? '' : ` generation ${generation}`;
  const several = `${entry.shared ? ' shared' : ''}${entry.promised ? ' promised' : ''}`;
  return `${holder} in ${pool} since ${since} retain ${retain}${until}${free}${moved}${owned}${several}${signed}`;
}
