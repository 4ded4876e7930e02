import { type Allocation, type AllocationTable, isHeld } from '../../model/allocation.ts';
import { formatAddress } from '../../net/address.ts';

/** The DNS names of the held addresses of one side of a plan. */
export class AddressesByName {
  /** By family and name. */
  readonly #addresses = new Map<string, string>();

  constructor(table: AllocationTable, namesOn: (record: Allocation) => readonly string[]) {
    for (const record of table.values()) {
      if (!isHeld(record)) continue;
      for (const name of namesOn(record)) {
        this.#addresses.set(familyKey(name, record), formatAddress(record.address));
      }
    }
  }

  /** The address of a name, in the family of a record; undefined if it has none. */
  addressOf(name: string, record: Allocation): string | undefined {
    return this.#addresses.get(familyKey(name, record));
  }
}

function familyKey(name: string, { address }: Allocation): string {
  return `${address.family} ${name}`;
}

/** The names of an address that come, go, or move from or to another address, each as a phrase. */
export function nameDetails(
  record: Allocation,
  names: { readonly before: readonly string[]; readonly after: readonly string[] },
  sides: { readonly before: AddressesByName; readonly after: AddressesByName },
): string[] {
  const phrase = (name: string, other: string | undefined, way: 'from' | 'to', alone: string) =>
    `DNS name ${name} ${other === undefined ? alone : `moved ${way} ${other}`}`;
  const added = names.after.filter((name) => !names.before.includes(name));
  const removed = names.before.filter((name) => !names.after.includes(name));
  return [
    ...added.map((name) => phrase(name, sides.before.addressOf(name, record), 'from', 'added')),
    ...removed.map((name) => phrase(name, sides.after.addressOf(name, record), 'to', 'removed')),
  ];
}
