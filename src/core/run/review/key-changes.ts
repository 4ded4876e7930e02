import { keyPath } from '../../declarations/key-file.ts';
import { type Allocation, isHeld } from '../../model/allocation.ts';
import type { Day } from '../../model/day.ts';
import { type DeclaredKey, type Keys, keyText } from '../../model/ownership.ts';
import { type Problem, startOf } from '../../model/problem.ts';
import { keysFolder, repositoryIdPath } from '../../model/repository-paths.ts';
import { byAddress, formatAddress } from '../../net/address.ts';
import type { Declared } from '../../tree/declared.ts';
import type { Comparison, Sides } from './comparison.ts';

/** A key that is different or missing in the head although addresses rely on it. */
export interface KeyChange {
  readonly before: DeclaredKey;
  /** The key of the same name in the head, or else of the same salt. Undefined if there is none. */
  readonly after: DeclaredKey | undefined;
  /** The addresses of the head that are held or retained under `before`, in order. */
  readonly under: readonly Allocation[];
  /** The addresses that went from `before` to `after`, which takes a signature by `before`. */
  readonly rotated: readonly Allocation[];
}

/**
 * Returns the changed keys under which addresses are held, or retained on that day, in base order.
 */
export function keyChanges(base: Declared, head: Declared, day: Day): readonly KeyChange[] {
  return [...base.keys.byName.values()].flatMap((before): KeyChange[] => {
    const own = head.keys.byName.get(keyText(before));
    if (own && own.salt === before.salt && own.publicKey === before.publicKey) return [];
    const after = own ?? ofSalt(head.keys, before.salt);
    const records = [...head.table.values()].sort(byAddress);
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
 * KEY_REPLACED for each key that addresses rely on and that changed other than by `leasehold key
 * rotate`. A rotation keeps the salt and signs held addresses over to the new key. Without the salt
 * no secret yields the key, and a public key without such a signature may not be its owner's. None
 * for a file that cannot be read, which is a problem itself.
 */
export function keyProblems(
  { base, head }: Sides,
  { base: { id }, headTree, day }: Comparison,
): Problem[] {
  const readable = new Set([...head.keys.byName.values()].map(keyPath));
  const present = new Set(headTree.list(keysFolder).map(({ path }) => path));
  return keyChanges(base, head, day).flatMap((change): Problem[] => {
    const { before } = change;
    const file = keyPath(before);
    const [wrong] = lostUnder(change, head.keys);
    if (!wrong || (present.has(file) && !readable.has(file))) return [];
    const { record, reason } = wrong;
    const state = isHeld(record) ? 'held' : `kept until ${record.released?.freeFrom}`;
    return [
      {
        code: 'KEY_REPLACED',
        message: `${formatAddress(record.address)} of ${record.holder} is ${state} under the key ${keyText(before)}, and ${reason}`,
        at: startOf(file),
        ...(record.at ? { also: [record.at] } : {}),
        hint: `restore it from the base: \`git restore --source=${id} --staged --worktree ${file}\`; to change the secret of a key, run \`leasehold key rotate\`; for another key, run \`leasehold key new\``,
      },
    ];
  });
}

/** REPOSITORY_CHANGED: otherwise signatures made for another repository could become valid here. */
export function repositoryProblems({ base, head }: Sides, { base: { id } }: Comparison): Problem[] {
  const [before, after] = [base.keys.repository, head.keys.repository];
  if (before === undefined || before === after) return [];
  return [
    {
      code: 'REPOSITORY_CHANGED',
      message: `the repository id is ${before} in the base, and ${after ?? 'missing'} here`,
      at: startOf(repositoryIdPath),
      hint: `restore it from the base: \`git restore --source=${id} --staged --worktree ${repositoryIdPath}\``,
    },
  ];
}

interface Wrong {
  readonly record: Allocation;
  readonly reason: string;
}

function lostUnder({ before, after, under, rotated }: KeyChange, keys: Keys): readonly Wrong[] {
  if (!ofSalt(keys, before.salt)) {
    const what = after ? 'its salt has changed' : 'its file is missing';
    return under.map((record) => ({ record, reason: `${what}: no secret can prove it` }));
  }
  if (after?.publicKey === before.publicKey || rotated.length > 0) return [];
  // Held addresses without a signature are NOT_PROVEN in the head itself.
  return under
    .filter((record) => !isHeld(record))
    .map((record) => ({
      record,
      reason: 'it was replaced by a key that it did not sign',
    }));
}
