import { PoolIndex } from '../../declarations/pools/pool-index.ts';
import { type Allocation, isHeld } from '../../model/allocation.ts';
import { isLeaseClaim, wantsFamily } from '../../model/claim.ts';
import { type Policy, partyText, type Tenant, tenantOf } from '../../model/policy.ts';
import type { Problem } from '../../model/problem.ts';
import { type Address, compareAddresses, formatAddress } from '../../net/address.ts';
import { setHas } from '../../net/range-set.ts';
import { origins } from '../../records/came-from.ts';
import { placeOf } from '../../records/held.ts';
import { formerHolder } from '../../records/successor.ts';
import type { Declared } from '../../workspace/declared.ts';

type Side = Pick<Declared, 'pools' | 'leases' | 'claims' | 'table'>;

/** What a pull request changes, under the policy of what it goes to. */
export interface MovedUnder {
  readonly policy: Policy;
  readonly base: Side;
  readonly head: Side;
  /** The files of `leases/` that differ between base and head: asked for only when something moves. */
  readonly changedFiles: () => readonly string[];
}

/** An address that a holder left by a move, of which the base knows who held it. */
interface Left {
  readonly before: Allocation;
  readonly after: Allocation;
}

/**
 * MOVE_UNASKED for each holder that goes to another address though neither who declares it nor the operators ask for it.
 * Records lie in no tenant's folder, so that no reviewer of a tenant sees that somebody takes its address.
 * A tenant, or the operators for their own declarations, ask by a changed declaration of the holder in a folder
 * that was theirs in the base, or by one that pins the new address; the operators also by a pool that gives the old one to nobody.
 */
export function unaskedMoves({ policy, base, head, changedFiles }: MovedUnder): Problem[] {
  const all = leftIn(base, head);
  if (all.length === 0) return [];
  const pools = head.pools && new PoolIndex(head.pools);
  const changed = new Set(changedFiles());
  return all.flatMap((left): Problem[] => {
    const { before, after } = left;
    const files = filesOf(base, before.holder);
    const parties = new Set(files.map((file) => tenantOf(policy, file)));
    const own = [...new Set([...files, ...filesOf(head, after.holder)])].filter((file) =>
      parties.has(tenantOf(policy, file)),
    );
    const isAsked =
      own.length === 0 ||
      own.some((file) => changed.has(file) || pinsIn(file, head, after)) ||
      (pools && isWithheld(pools, before.address));
    if (isAsked) return [];
    return [unasked(left, wayFor(own, head, after), [...parties])];
  });
}

/** The addresses that the base still holds for who was moved from them: long after a move, somebody else may have such a one. */
function leftIn(base: Side, head: Side): Left[] {
  return [...head.table.values()].filter(isHeld).flatMap((after) =>
    origins(head.table, after).flatMap((from): Left[] => {
      const before = base.table.get(from);
      const isOwn = before !== undefined && isHeld(before) && isNameOf(head, before.holder, after);
      return isOwn ? [{ before, after }] : [];
    }),
  );
}

/** True for the name of who has an address, and for those that its Services have alone. */
function isNameOf({ claims }: Side, name: string, { holder }: Allocation): boolean {
  return (
    name === holder ||
    claims.some((claim) => claim.holder === holder && formerHolder(claim) === name)
  );
}

/** Where a holder is declared: a lease by its declaration and its SDL. */
function filesOf({ claims, leases }: Side, holder: string): string[] {
  const places = new Set(claims.filter((claim) => claim.holder === holder).map(({ at }) => at));
  const own = leases.filter(({ endpoints }) => endpoints.some(({ at }) => places.has(at)));
  return [...new Set([...own.map(({ at }) => at.file), ...[...places].map(({ file }) => file)])];
}

/** True for a file that asks for the new address by name. */
function pinsIn(file: string, { claims }: Side, { holder, address }: Allocation): boolean {
  return claims.some(
    (claim) =>
      claim.holder === holder &&
      claim.at.file === file &&
      claim.pins.some((pin) => compareAddresses(pin.address, address) === 0),
  );
}

/** True for an address that the pools of the operators give to nobody new. */
function isWithheld(pools: PoolIndex, address: Address): boolean {
  const pool = pools.of(address);
  return pool === undefined || pool.state === 'draining' || setHas(pool.reserved, address);
}

/**
 * How one of these files asks for the new address: an SDL has no field for an address, and an endpoint of a lease has one for
 * one address alone.
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
    ? `pin ${formatAddress(address)} in ${pinnable.at.file}`
    : `say in a comment in ${files[0]} why it moves`;
}

function unasked(
  { before, after }: Left,
  way: string,
  parties: readonly (Tenant | undefined)[],
): Problem {
  const [from, to] = [formatAddress(before.address), formatAddress(after.address)];
  const tenants = parties.flatMap((tenant) => tenant ?? []);
  const nobody =
    tenants.length === 0
      ? 'the operators do not ask'
      : `neither ${partyText(tenants)} nor the operators ask`;
  return {
    code: 'MOVE_UNASKED',
    message: `${after.holder} goes from ${from} to ${to}, and ${nobody} for it`,
    at: placeOf(after),
    hint: `in this pull request, ${way}, or reserve ${from} in leases/pools.yaml`,
  };
}
