import { keyPath } from '../../declarations/key-file.ts';
import { type Allocation, isHeld } from '../../model/allocation.ts';
import type { Day } from '../../model/day.ts';
import { type DeclaredKey, type Keys, keyText } from '../../model/ownership.ts';
import type { Problem } from '../../model/problem.ts';
import { compareAddresses, formatAddress } from '../../net/address.ts';
import type { Declared } from '../../workspace/declared.ts';

/** A key of the base that the head has otherwise or not at all, while addresses rely on it. */
export interface KeyChange {
  readonly before: DeclaredKey;
  /** The key that has its name, or else its salt, now; undefined when its file is deleted. */
  readonly after: DeclaredKey | undefined;
  /** The addresses of the head that are still held or kept under it, in their order. */
  readonly under: readonly Allocation[];
  /** Those that went from it to `after`: only a signature of it brings them there. */
  readonly rotated: readonly Allocation[];
}

/** The changed keys by which addresses are held, or kept on that day, in the order of the keys of the base. */
export function keyChanges(base: Declared, head: Declared, day: Day): readonly KeyChange[] {
  return [...base.keys.byName.values()].flatMap((before): KeyChange[] => {
    const own = head.keys.byName.get(keyText(before));
    if (own && own.salt === before.salt && own.publicKey === before.publicKey) return [];
    const after = own ?? ofSalt(head.keys, before.salt);
    const records = [...head.table.values()].sort((l, r) => compareAddresses(l.address, r.address));
    const under = records.filter(
      ({ key, released }) => key === before.publicKey && (!released || released.freeFrom > day),
    );
    const rotated = records.filter(
      (record) =>
        isHeld(record) &&
        record.key === after?.publicKey &&
        record.key !== before.publicKey &&
        base.table.get(formatAddress(record.address))?.key === before.publicKey,
    );
    return under.length + rotated.length > 0 ? [{ before, after, under, rotated }] : [];
  });
}

function ofSalt({ byName }: Keys, salt: string): DeclaredKey | undefined {
  return [...byName.values()].find((key) => key.salt === salt);
}

/**
 * KEY_REPLACED for each key that addresses rely on and that goes otherwise than by `leasehold key rotate`, which
 * leaves the salt and signs what is held over to the new key: without the salt no secret makes the key any more, and a
 * public key that nobody signed over to is not known to be its owner's. `unreadable` are files of the head that are
 * problems of their own.
 */
export function keyProblems(
  changes: readonly KeyChange[],
  { keys }: Declared,
  unreadable: ReadonlySet<string>,
): Problem[] {
  return changes.flatMap((change): Problem[] => {
    const { before } = change;
    const file = keyPath(before);
    const [wrong] = lostUnder(change, keys);
    if (!wrong || unreadable.has(file)) return [];
    const { record, reason } = wrong;
    const state = isHeld(record) ? 'held' : `kept until ${record.released?.freeFrom}`;
    return [
      {
        code: 'KEY_REPLACED',
        message: `${formatAddress(record.address)} of ${record.holder} is ${state} under the key ${keyText(before)}, and ${reason}`,
        at: { file, line: 1, column: 1 },
        ...(record.at ? { also: [record.at] } : {}),
        hint: `take it from the base: git restore --source=BASE --staged --worktree ${file}; leasehold key rotate gives a key another secret, and leasehold key new makes another key`,
      },
    ];
  });
}

interface Wrong {
  readonly record: Allocation;
  readonly reason: string;
}

function lostUnder({ before, after, under, rotated }: KeyChange, keys: Keys): readonly Wrong[] {
  if (!ofSalt(keys, before.salt)) {
    const what = after ? 'its salt is another one' : 'its file is gone';
    return under.map((record) => ({ record, reason: `${what}: no secret proves it any more` }));
  }
  if (after?.publicKey === before.publicKey || rotated.length > 0) return [];
  // What is held and not signed over is NOT_PROVEN in the head itself.
  return under
    .filter((record) => !isHeld(record))
    .map((record) => ({
      record,
      reason: 'another one stands in its place that it never signed for',
    }));
}
