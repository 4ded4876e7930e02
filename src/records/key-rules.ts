import type { Allocation } from '../model/allocation.ts';
import { declarerText, wantsFamily } from '../model/claim.ts';
import { addDays, type Day, laterDay } from '../model/day.ts';
import type { Holder } from '../model/holder.ts';
import { isProven, keyText, type OwnershipAction, type Statement } from '../model/ownership.ts';
import type { Position, Problem } from '../model/problem.ts';
import { type Address, formatAddress } from '../net/address.ts';

/**
 * Who may have a recorded address by its key. A record without a key takes that of its holder. A held
 * record gets another key, or none, by a `rotate` signature of the recorded one, while one Service alone stands on
 * the address. A record that is kept after release goes to its holder if that names the same key, and to
 * anybody else by a `reclaim` signature of the recorded key.
 */

/** True when a released address is kept for a holder: it had the address, with the key it names now or none. */
export function isKeptFor(record: Allocation, { id, ownership }: Holder): boolean {
  if (record.holder !== id) return false;
  return record.key === undefined || record.key === ownership.key?.publicKey;
}

/** True when a holder has a signature by a record's key for having it, under the key that it names. */
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

/** True when what a holder names is not the key of its record, which then changes or must not. */
export function isOtherKey(holder: Holder, record: Allocation): boolean {
  return record.key !== holder.ownership.key?.publicKey;
}

/**
 * The record of an address that stays with its holder, under the key that it names; the very same object
 * when it has that already. Only right when {@link rotationProblem} finds nothing.
 */
export function rekeyedRecord(holder: Holder, record: Allocation): Allocation {
  if (!isOtherKey(holder, record)) return record;
  const generation = record.key === undefined ? record.generation : record.generation + 1;
  return { ...record, key: holder.ownership.key?.publicKey, generation };
}

/** The Services and leases that want an address of a family from their holder. */
function tenantsOn(holder: Holder, address: Address): ReadonlySet<string> {
  const wanting = holder.claims.filter((claim) => wantsFamily(claim, address.family));
  return new Set(wanting.map((claim) => `${claim.cluster} ${declarerText(claim)}`));
}

/** True when more than one Service stands on an address of a holder that names a key: see `Allocation.shared`. */
export function isSharedWithKey(holder: Holder, address: Address): boolean {
  return holder.ownership.key !== undefined && tenantsOn(holder, address).size > 1;
}

/**
 * Why a held record may not get the key that its holder names, or none: KEY_SHARED while more than one
 * Service stands on it or it is promised to one that left, NOT_PROVEN without a valid signature. A frozen run has no `today` and knows no promise that is over.
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
    const message = `${address} would get another key, and ${others + 1} Services stand on it, expected one`;
    const hint = 'use its current key in all of them; a key can change only while a single Service uses the address';
    return { code: 'KEY_SHARED', message, at, ...also, hint };
  }
  const { keepUntil } = record;
  if (keepUntil !== undefined && today !== undefined && keepUntil > today) {
    const message = `${address} would get another key, and it is promised to a claim that left until ${keepUntil}`;
    const hint = `name the key that it has until ${keepUntil}; change it then`;
    return { code: 'KEY_SHARED', message, at, ...also, hint };
  }
  if (isSignedFor('rotate', record, holder)) return undefined;
  return proofProblem('rotate', record, holder);
}

/** NOT_PROVEN: an address with a key does not get another one, or go to a holder, without a valid signature. */
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
    hint: `undo it, or ask the owner of the secret to sign: leasehold key sign NAMESPACE/NAME --action ${action} --address ${address}${place}${newKey} --secret-file FILE`,
  };
}

/** Where a holder's signature stands, or its key is named, or its first claim is. */
function provingPlace({ ownership, claims: [claim] }: Holder): Position {
  const named = claim.kind === 'Service' ? claim.declared.secret?.at : undefined;
  return ownership.signatures[0]?.at ?? named ?? claim.at;
}

/** Why the key and the generation of a held or returned record may not follow from those it had. */
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
    return `is of generation ${before.generation} in the base, and of ${after.generation} here without a signature`;
  }
  const isAlone =
    holder !== undefined &&
    tenantsOn(holder, after.address).size === 1 &&
    !hasLeft(former, holder, after.address);
  const keepUntil = laterDay(day, laterDay(before.keepUntil ?? day, after.keepUntil));
  const isPromised = keepUntil > addDays(day, 1);
  const isSigned =
    holder !== undefined && !isOtherKey(holder, after) && isSignedFor('rotate', before, holder);
  if (isAlone && !isPromised && isSigned && after.generation === before.generation + 1) {
    return undefined;
  }
  return 'has another key than in the base, and no signature of that key allows it';
}

/** True when a Service stood on an address in the base that does not in the head. */
export function hasLeft(
  former: Holder | undefined,
  holder: Holder | undefined,
  address: Address,
): boolean {
  if (!former) return false;
  const now = holder ? tenantsOn(holder, address) : new Set();
  return [...tenantsOn(former, address)].some((tenant) => !now.has(tenant));
}

/** True for a record without a key, or with the one that a holder of the head names for what it holds. */
function mayHaveKey(record: Allocation, holder: Holder | undefined): boolean {
  if (record.key === undefined) return true;
  return record.released === undefined && holder !== undefined && !isOtherKey(holder, record);
}
