import { PoolIndex } from '../../declarations/pools/pool-index.ts';
import { type Allocation, isHeld, moveOrigins } from '../../model/allocation.ts';
import { isLeaseClaim, wantsFamily } from '../../model/claim.ts';
import { type Policy, partyText, type Tenant, tenantOf } from '../../model/policy.ts';
import type { Problem } from '../../model/problem.ts';
import { type Address, compareAddresses, formatAddress } from '../../net/address.ts';
import { setHas } from '../../net/range-set.ts';
import { recordPlace } from '../../records/held.ts';
import type { Declared } from '../../tree/declared.ts';

type Side = Pick<Declared, 'pools' | 'leases' | 'promises' | 'claims' | 'table' | 'holders'>;

/** Base and head of a pull request, and the policy of its target. */
export interface MovedUnder {
  /** None is as one without tenants. */
  readonly policy: Policy | undefined;
  readonly base: Side;
  readonly head: Side;
  /** Returns the files of `leases/` that differ. Called only when something moves. */
  readonly changedFiles: () => readonly string[];
}

/** The records of a move: the vacated address in the base, and the new one. */
interface MovedRecords {
  readonly before: Allocation;
  readonly after: Allocation;
}

/**
 * MOVE_UNASKED for each holder that moves although neither its tenant nor the operators request it.
 * Records have no code owner, so no reviewer of the tenant or of the operators has to see the move.
 * A tenant, or the operators for their own declarations, request a move by changing a declaration
 * of the holder in a folder that was theirs in the base, or by pinning the new address. The
 * operators also request it by a pool that no longer gives an old address of the holder: with
 * `layout: lease` its other address cannot stay. Without tenants all who merge are one party, and
 * nothing is asked.
 */
export function unaskedMoves({ policy, base, head, changedFiles }: MovedUnder): Problem[] {
  if (!policy?.tenants.length) return [];
  const all = movesIn(base, head);
  if (all.length === 0) return [];
  const pools = head.pools && new PoolIndex(head.pools);
  const changed = new Set(changedFiles());
  const withheld = new Set(
    all.flatMap(({ before, after }) =>
      pools && isWithheld(pools, before.address) ? after.holder : [],
    ),
  );
  return all.flatMap((moved): Problem[] => {
    const { before, after } = moved;
    const files = filesOf(base, before.holder);
    const parties = new Set(files.map((file) => tenantOf(policy, file)));
    const own = [...new Set([...files, ...filesOf(head, after.holder)])].filter((file) =>
      parties.has(tenantOf(policy, file)),
    );
    const isAsked =
      own.length === 0 ||
      withheld.has(after.holder) ||
      own.some((file) => changed.has(file) || pinsIn(file, head, after));
    if (isAsked) return [];
    return [unasked(moved, wayFor(own, head, after), [...parties])];
  });
}

/** The moves from addresses that their holder still held in the base. */
function movesIn(base: Side, head: Side): MovedRecords[] {
  return [...head.table.values()].filter(isHeld).flatMap((after) =>
    moveOrigins(head.table, after).flatMap((from): MovedRecords[] => {
      const before = base.table.get(from);
      const isOwn = before !== undefined && isHeld(before) && isNameOf(head, before.holder, after);
      return isOwn ? [{ before, after }] : [];
    }),
  );
}

/** True for the id of the holder, and for its former ones. */
function isNameOf({ holders = [] }: Side, name: string, { holder }: Allocation): boolean {
  const own = holders.find(({ id }) => id === holder);
  return name === holder || (own?.formerly.some(({ id }) => id === name) ?? false);
}

/** The files that declare a holder: declarations of leases with their SDLs, or of a promise. */
function filesOf({ claims, leases, promises }: Side, holder: string): string[] {
  const places = new Set(claims.filter((claim) => claim.holder === holder).map(({ at }) => at));
  const own = leases.filter(({ endpoints }) => endpoints.some(({ at }) => places.has(at)));
  const promised = promises.filter((promise) => promise.holder === holder);
  const positions = [...own.map(({ at }) => at), ...places, ...promised.map(({ at }) => at)];
  return [...new Set(positions.map(({ file }) => file))];
}

/** True when the file pins the new address. */
function pinsIn(file: string, { claims }: Side, { holder, address }: Allocation): boolean {
  return claims.some(
    (claim) =>
      claim.holder === holder &&
      claim.at.file === file &&
      claim.pins.some((pin) => compareAddresses(pin.address, address) === 0),
  );
}

/** True for an address that the pools no longer give. */
function isWithheld(pools: PoolIndex, address: Address): boolean {
  const pool = pools.of(address);
  return pool === undefined || pool.state === 'draining' || setHas(pool.reserved, address);
}

/**
 * Returns how one of these files can request the new address. An SDL cannot pin an address, and an
 * endpoint of a lease can pin only one.
 */
function wayFor(files: readonly string[], { claims, leases }: Side, after: Allocation): string {
  const { holder, address } = after;
  const declarations = leases.map(({ at }) => at.file);
  const pinnable = claims.find(
    (claim) =>
      claim.holder === holder &&
      files.includes(claim.at.file) &&
      wantsFamily(claim, address.family) &&
      (!isLeaseClaim(claim) || (claim.pins.length === 0 && declarations.includes(claim.at.file))),
  );
  return pinnable
    ? `run \`leasehold pin ${formatAddress(address)}\` and commit ${pinnable.at.file}`
    : `explain the move in a comment in ${files[0]}`;
}

function unasked(
  { before, after }: MovedRecords,
  way: string,
  parties: readonly (Tenant | undefined)[],
): Problem {
  const [from, to] = [formatAddress(before.address), formatAddress(after.address)];
  const tenants = parties.flatMap((tenant) => tenant ?? []);
  const refusal =
    tenants.length === 0
      ? 'the operators do not request it'
      : `neither ${partyText(tenants)} nor the operators request it`;
  return {
    code: 'MOVE_UNASKED',
    message: `${after.holder} moves from ${from} to ${to}, but ${refusal}`,
    at: recordPlace(after),
    hint: `in this pull request, ${way}, or reserve ${from} in leases/pools.yaml`,
  };
}
