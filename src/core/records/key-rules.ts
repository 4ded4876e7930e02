import { type Allocation, ownerOf } from '../model/allocation.ts';
import { declarerText, wantsFamily } from '../model/claim.ts';
import { addDays, type Day, laterDay } from '../model/day.ts';
import type { Holder } from '../model/holder.ts';
import { isProven, keyText, type OwnershipAction, type Statement } from '../model/ownership.ts';
import type { Position, Problem } from '../model/problem.ts';
import { type Address, formatAddress } from '../net/address.ts';

/**
 * The rules of keys. A record without a key gets that of its holder. A held record gets another
 * key, or none, with a `rotate` signature of the recorded key, while a single Service uses the
 * address. A record that is kept after release returns to its holder with the same key, and goes to
 * another holder with a `reclaim` signature of the recorded key.
 */

/**
 * True when a released address is kept for a holder: it held the address, with its current key or
 * none.
 */
export function isKeptFor(record: Allocation, holder: Holder): boolean {
  if (!isOwnRecord(record, holder)) return false;
  return record.key === undefined || record.key === holder.ownership.key?.publicKey;
}

/** True for the last holder of a record, and for the one that a `Rename` of its owner names. */
export function isOwnRecord(record: Allocation, { id, formerly }: Holder): boolean {
  if (record.holder === id) return true;
  const former = formerly.find((one) => one.id === record.holder);
  return former?.renamedAt !== undefined && ownerOf(id) === ownerOf(record.holder);
}

/**
 * True when a holder has a signature of a record's key that allows an action, for the key that the
 * holder names.
 */
export function isSignedFor(
  action: OwnershipAction,
  record: Allocation,
  { id, ownership }: Holder,
): boolean {
  const { key, signatures, repository } = ownership;
  if (record.key === undefined || repository === undefined) return false;
  const { address, generation, since } = record;
  const statement: Statement = {
    action,
    repository,
    address,
    holder: id,
    generation,
    newKey: key?.publicKey,
    since,
  };
  return isProven(signatures, record.key, statement);
}

/** True when the key of a holder differs from the key of its record. */
export function isOtherKey(holder: Holder, record: Allocation): boolean {
  return record.key !== holder.ownership.key?.publicKey;
}

/**
 * The record with the key of its holder; the same object when the key is unchanged. Valid only if
 * {@link rotationProblem} finds no problem.
 */
export function rekeyedRecord(holder: Holder, record: Allocation): Allocation {
  if (!isOtherKey(holder, record)) return record;
  const generation = record.key === undefined ? record.generation : record.generation + 1;
  return { ...record, key: holder.ownership.key?.publicKey, generation };
}

/** The Services and leases that use an address of their holder. */
function tenantsOn(holder: Holder, address: Address): ReadonlySet<string> {
  const wanting = holder.claims.filter((claim) => wantsFamily(claim, address.family));
  return new Set(wanting.map((claim) => `${claim.cluster} ${declarerText(claim)}`));
}

/**
 * True when more than one Service uses an address of a holder with a key: see `Allocation.shared`.
 */
export function isSharedWithKey(holder: Holder, address: Address): boolean {
  return holder.ownership.key !== undefined && tenantsOn(holder, address).size > 1;
}

/**
 * The problem of a held record that cannot get the key of its holder: KEY_SHARED while more than
 * one Service uses it or it is kept for one that left, NOT_PROVEN without a valid signature. A
 * frozen run has no `today` and ignores `keepUntil`.
 */
export function rotationProblem(
  holder: Holder,
  record: Allocation,
  today: Day | undefined,
): Problem | undefined {
  if (record.key === undefined || !isOtherKey(holder, record)) return undefined;
  const address = formatAddress(record.address);
  const at = provingPlace(holder);
  const also = record.at ? { also: [record.at] } : {};
  const others = tenantsOn(holder, record.address).size - 1;
  if (others > 0) {
    const message = `${address} would get another key while ${others + 1} Services use it, expected one`;
    const hint =
      'use its current key in all of them; a key can change only while a single Service uses the address';
    return { code: 'KEY_SHARED', message, at, ...also, hint };
  }
  const { keepUntil } = record;
  if (keepUntil !== undefined && today !== undefined && keepUntil > today) {
    const message = `${address} would get another key while it is kept until ${keepUntil} for a claim that left`;
    const hint = `use its current key until ${keepUntil}; change it then`;
    return { code: 'KEY_SHARED', message, at, ...also, hint };
  }
  if (isSignedFor('rotate', record, holder)) return undefined;
  return proofProblem('rotate', record, holder);
}

/**
 * NOT_PROVEN for an address with a key that would get another key or holder without a valid
 * signature.
 */
export function proofProblem(action: OwnershipAction, record: Allocation, holder: Holder): Problem {
  const { key, signatures } = holder.ownership;
  const address = formatAddress(record.address);
  const [found, place] =
    action === 'rotate'
      ? [
          `has a key, and its declarations name ${key ? `another one, ${keyText(key)}` : 'none'}`,
          '',
        ]
      : [
          `is kept with a key for ${record.holder} until ${record.released?.freeFrom}`,
          ` --holder ${holder.id}`,
        ];
  const reason =
    signatures.length === 0
      ? 'no signature allows it'
      : 'the signature is not by that key, or is for another change';
  const newKey = key ? ` --new-key ${keyText(key)}` : '';
  return {
    code: 'NOT_PROVEN',
    message: `${address} ${found}, and ${reason}`,
    at: provingPlace(holder),
    ...(record.at ? { also: [record.at] } : {}),
    hint: `undo it, or ask the owner of the secret to sign: \`leasehold key sign NAMESPACE/NAME --action ${action} --address ${address}${place}${newKey} --secret-file FILE\``,
  };
}

/** The place of a holder's signature; without one, of its key, or of its first claim. */
function provingPlace({ ownership, claims: [claim], at }: Holder): Position {
  const named = claim?.kind === 'Service' ? claim.declared.secret?.at : undefined;
  return ownership.signatures[0]?.at ?? named ?? at;
}

/**
 * Why a change of the key and the generation of a held or returned record is not valid; undefined
 * when it is.
 */
export function keyForgery(
  before: Allocation,
  after: Allocation,
  by: {
    readonly holder: Holder | undefined;
    readonly former: Holder | undefined;
    readonly day: Day;
  },
): string | undefined {
  const { holder, former, day } = by;
  if (before.key === undefined || before.key === after.key) {
    if (before.key === undefined && !mayHaveKey(after, holder)) {
      return 'has a key here but none in the base: only the declaration of its holder sets one';
    }
    if (before.generation === after.generation) return undefined;
    return `has generation ${before.generation} in the base and ${after.generation} here, without a signature`;
  }
  const isAlone =
    holder !== undefined &&
    tenantsOn(holder, after.address).size === 1 &&
    !hasLeft(former, holder, after.address);
  const keepUntil = laterDay(day, laterDay(before.keepUntil ?? day, after.keepUntil));
  const isRetained = keepUntil > addDays(day, 1);
  const isSigned =
    holder !== undefined && !isOtherKey(holder, after) && isSignedFor('rotate', before, holder);
  if (isAlone && !isRetained && isSigned && after.generation === before.generation + 1) {
    return undefined;
  }
  return 'has another key than in the base, and no signature of that key allows it';
}

/** True when a Service used an address in the base and no longer does in the head. */
export function hasLeft(
  former: Holder | undefined,
  holder: Holder | undefined,
  address: Address,
): boolean {
  if (!former) return false;
  const now = holder ? tenantsOn(holder, address) : new Set();
  return [...tenantsOn(former, address)].some((tenant) => !now.has(tenant));
}

/** True for a record without a key, or held with the key of its holder in the head. */
function mayHaveKey(record: Allocation, holder: Holder | undefined): boolean {
  if (record.key === undefined) return true;
  return record.released === undefined && holder !== undefined && !isOtherKey(holder, record);
}
