import { keyPath } from '../../declarations/key-file.ts';
import type { Allocation } from '../../model/allocation.ts';
import type { Day } from '../../model/day.ts';
import { keyText } from '../../model/ownership.ts';
import { startOf } from '../../model/problem.ts';
import { formatAddress } from '../../net/address.ts';
import type { Declared } from '../../workspace/declared.ts';
import { type KeyChange, keyChanges } from '../review/key-changes.ts';
import { placeOf } from './address-changes.ts';
import { some } from './enumeration.ts';
import type { Caution } from './plan-answer.ts';

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
