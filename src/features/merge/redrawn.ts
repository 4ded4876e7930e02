import { type AllocationTable, isHeld, recordsByHolder } from '../../model/allocation.ts';
import { type Address, compareAddresses } from '../../net/address.ts';

/** A holder that had got one address on its side of a merge, and has another after it. */
export interface Redrawn {
  readonly holder: string;
  readonly from: Address;
  readonly to: Address;
}

/** Who has another address than on its own side, by the address it had there. */
export function redrawnIn(side: AllocationTable, merged: AllocationTable): readonly Redrawn[] {
  const heldBy = recordsByHolder(merged, isHeld);
  return [...side.values()]
    .filter(isHeld)
    .flatMap(({ holder, address }) => {
      const records = (heldBy.get(holder) ?? []).filter(
        (record) => record.address.family === address.family,
      );
      const [now] = records;
      const isKept = records.some((record) => compareAddresses(record.address, address) === 0);
      return isKept || now === undefined ? [] : [{ holder, from: address, to: now.address }];
    })
    .sort((left, right) => compareAddresses(left.from, right.from));
}
