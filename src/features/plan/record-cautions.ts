import { keyPath } from '../../declarations/key-file.ts';
import type { Allocation } from '../../model/allocation.ts';
import { addDays, type Day } from '../../model/day.ts';
import { keyText } from '../../model/ownership.ts';
import { startOf } from '../../model/problem.ts';
import { formatAddress } from '../../net/address.ts';
import type { Declared } from '../../workspace/declared.ts';
import { type KeyChange, keyChanges } from '../review/key-changes.ts';
import { placeOf } from './address-changes.ts';
import { some } from './caution-text.ts';
import type { AddressChange, Caution } from './plan-answer.ts';

/** Whole days that a pull request may be open before its dates are told as old. */
const usualAge = 7;

/** NEVER_LIVE for each address that is kept, and that nobody has on either side. */
export function unlivedCautions(addresses: readonly AddressChange[]): Caution[] {
  const unlived = addresses.filter(({ change, before }) => change === 'released' && !before);
  return some(unlived, {
    one: ({ address, after, at }): Caution => ({
      code: 'NEVER_LIVE',
      message: `${address} was never live, and is kept from everybody else until ${after?.freeFrom}`,
      at,
    }),
    many: (shown, count): Caution => ({
      code: 'NEVER_LIVE',
      message: `${count} addresses were never live, and are kept from everybody else, among them ${shown.map(({ address }) => address).join(', ')}`,
    }),
  });
}

/** PROMISE_SHORTENED and DATE_OLD, from the records of addresses that the base holds. */
export function recordCautions(base: Declared, head: Declared, day: Day): Caution[] {
  const pairs = [...base.table].flatMap(([address, before]) => {
    const after = head.table.get(address);
    return after && !before.released ? [{ before, after }] : [];
  });
  const shortened = pairs.filter(
    ({ before, after }) => !after.released && after.retain < before.retain,
  );
  const old = pairs.filter(({ before, after }) => isOld(before, after, day));
  return [
    ...some(shortened, {
      one: ({ before, after }): Caution => ({
        code: 'PROMISE_SHORTENED',
        message: `${formatAddress(after.address)} would be kept ${after.retain} days after its release instead of ${before.retain}`,
        at: placeOf('head', after.at ?? startOf('leases')),
      }),
      many: (shown, count): Caution => ({
        code: 'PROMISE_SHORTENED',
        message: `${count} addresses would be kept for a shorter time after their release, among them ${shown.map(({ after }) => formatAddress(after.address)).join(', ')}`,
      }),
    }),
    ...some(old, {
      one: ({ after }): Caution => ({
        code: 'DATE_OLD',
        message: `${whatIsOld(after)}, and the commit is of ${day}`,
        at: placeOf('head', after.at ?? startOf('leases')),
      }),
      many: (shown, count): Caution => ({
        code: 'DATE_OLD',
        message: `${count} addresses are changed as of days long before the commit of ${day}, among them ${shown.map(({ after }) => formatAddress(after.address)).join(', ')}`,
      }),
    }),
  ];
}

/** True when a run must have had a day long before the commit's to make this of a held record. */
function isOld(before: Allocation, { released, keepUntil }: Allocation, day: Day): boolean {
  if (released) {
    // A cooldown that is over already keeps the address from nobody.
    const isOver = released.freeFrom > addDays(released.on, 1) && released.freeFrom <= day;
    return isOver || addDays(released.on, usualAge) < day;
  }
  if (keepUntil === undefined || keepUntil === before.keepUntil) return false;
  // keepUntil is the day of the run and what was promised until then.
  return addDays(keepUntil, usualAge) < addDays(day, before.retain);
}

function whatIsOld({ address, released, keepUntil }: Allocation): string {
  const text = formatAddress(address);
  return released
    ? `${text} is released as of ${released.on} and free from ${released.freeFrom}`
    : `${text} is promised until ${keepUntil} only`;
}

/** KEY_CHANGED for each key that goes or becomes another one, while addresses are held or kept by it. */
export function keyCautions(base: Declared, head: Declared, day: Day): Caution[] {
  return some(keyChanges(base, head, day), {
    one: (change): Caution => ({
      code: 'KEY_CHANGED',
      message: [whatBecomes(change), ...fates(change)].join('; '),
      at: change.after
        ? placeOf('head', change.after.at)
        : placeOf('base', startOf(keyPath(change.before))),
    }),
    many: (shown, count): Caution => ({
      code: 'KEY_CHANGED',
      message: `${count} keys of addresses are others now, among them ${shown.map(({ before }) => keyText(before)).join(', ')}`,
    }),
  });
}

function whatBecomes({ before, after }: KeyChange): string {
  const name = `the key ${keyText(before)}`;
  if (!after) return `${name} is deleted`;
  if (keyText(after) !== keyText(before)) return `${name} goes to ${keyText(after)}`;
  const changed = [
    ...(after.publicKey === before.publicKey ? [] : ['public key']),
    ...(after.salt === before.salt ? [] : ['salt']),
  ];
  return `${name} gets another ${changed.join(' and ')}`;
}

function fates({ rotated, under }: KeyChange): readonly string[] {
  const named = (records: readonly Allocation[]): string => {
    const texts = records.slice(0, 3).map(({ address }) => formatAddress(address));
    const rest = records.length > 3 ? ` and ${records.length - 3} more` : '';
    return `${texts.join(', ')}${rest}`;
  };
  return [
    ...(rotated.length > 0 ? [`${named(rotated)} by a signature of the old one`] : []),
    ...(under.length > 0
      ? [`under the old one ${under.length > 1 ? 'are' : 'is'} ${named(under)}`]
      : []),
  ];
}
