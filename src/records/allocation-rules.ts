import type { Allocation } from '../model/allocation.ts';
import { addDays } from '../model/day.ts';
import { formatAddress } from '../net/address.ts';

/** What contradicts what in an allocation, and the field where it shows. */
export interface Contradiction {
  readonly path: readonly string[];
  readonly message: string;
}

/**
 * Where an allocation contradicts itself or the path of its file: the path is the address's, no
 * day is before `since`, `freeFrom` is not before `retain` days after the release, and a released
 * address keeps no promise but `freeFrom`. A holder moves within a family.
 */
export function contradictionsIn(
  allocation: Allocation,
  file: string,
  expectedFile: string,
): readonly Contradiction[] {
  const { address, since, retain, keepUntil, released, key, shared, movedFrom } = allocation;
  const found: Contradiction[] = [];
  if (file !== expectedFile) {
    const message = `the file is not the one of ${formatAddress(address)}, expected ${expectedFile}`;
    found.push({ path: ['address'], message });
  }
  if (movedFrom && (movedFrom.family !== address.family || movedFrom.value === address.value)) {
    const message = `movedFrom ${formatAddress(movedFrom)} is not another address of the family`;
    found.push({ path: ['movedFrom'], message });
  }
  if (keepUntil !== undefined && keepUntil < since) {
    const message = `keepUntil ${keepUntil} is before since ${since}`;
    found.push({ path: ['keepUntil'], message });
  }
  if (shared && (key === undefined || released !== undefined)) {
    const message =
      'an address is shared that is released or has no key, expected shared to be left out';
    found.push({ path: ['shared'], message });
  }
  if (released === undefined) return found;
  if (keepUntil !== undefined) {
    const message = 'a released address has keepUntil, expected freeFrom to say it';
    found.push({ path: ['keepUntil'], message });
  }
  if (released.on < since) {
    const message = `released on ${released.on} is before since ${since}`;
    found.push({ path: ['released', 'on'], message });
  }
  const promised = addDays(released.on, retain);
  if (released.freeFrom < promised) {
    const message = `freeFrom ${released.freeFrom} is before ${promised}, the day that retain promised`;
    found.push({ path: ['released', 'freeFrom'], message });
  }
  return found;
}
