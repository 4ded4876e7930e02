import { grownQuotaProblems } from '../../allocate/quotas.ts';
import { PoolIndex } from '../../declarations/pools/pool-index.ts';
import { isHeld, recordsByHolder } from '../../model/allocation.ts';
import type { Claim } from '../../model/claim.ts';
import type { Day } from '../../model/day.ts';
import type { Holder, Rename } from '../../model/holder.ts';
import { type Hostname, hostnameFields } from '../../model/hostname.ts';
import type { AddressPromise } from '../../model/lease.ts';
import { isSince } from '../../model/planes.ts';
import { type Policy, tenantOf } from '../../model/policy.ts';
import type { Cluster, Pools } from '../../model/pools.ts';
import { compareProblems, type Problem, placeText, problemKey } from '../../model/problem.ts';
import { type DeclaredService, type Reservation, serviceIdText } from '../../model/service.ts';
import { withheldByBase } from '../../transitions/base-pools.ts';
import { type Declared, readPolicyFile, readPoolFile } from '../../tree/declared.ts';
import { type PolicySubject, policyRefusals } from '../../tree/policy-refusals.ts';
import { type Comparison, mergeText, type Sides, shownRef } from './comparison.ts';
import { claimIdentity, serviceIdentity } from './merge-mixups.ts';

/**
 * Returns the base with the pools, quotas and policy of the commit that the head is to be merged
 * into. So rules that were tightened since the branch started apply to it, and a branch cannot
 * choose old rules by its start. An invalid rule file of the target is ignored.
 */
export function rulesOfTarget(
  { base, target, targetTree }: Comparison,
  declared: Declared,
): Declared {
  if (target.id === base.id) return declared;
  const pools = readPoolFile(targetTree);
  const policy = readPolicyFile(targetTree);
  return {
    ...declared,
    pools: pools.ok ? pools.value : undefined,
    policy: policy.ok ? policy.value : undefined,
  };
}

/**
 * Returns the clusters of the head, each with the older MetalLB version of base and head: either
 * one may run when the change is applied.
 */
export function assumedClusters(base: Declared, head: Declared): readonly Cluster[] {
  return (head.pools?.clusters ?? []).map((cluster) => {
    const was = base.pools?.clusters.find(({ name }) => name === cluster.name)?.plane.version;
    const { version } = cluster.plane;
    const isOlder = was !== undefined && !isSince(was, version);
    return isOlder ? { ...cluster, plane: { ...cluster.plane, version: was } } : cluster;
  });
}

/**
 * POLICY_REFUSED for declarations that are new, or in another tenant's folder, and that the policy
 * of the base does not allow: a pull request cannot extend its own rights. The zone of a claim
 * follows from the pools of the head and from those of the base, so that a pool cannot bring claims
 * into another zone. Leaves out `reported`, the problems that were reported for the head itself.
 */
export function baseRefusals(
  base: Declared,
  head: Declared,
  reported: readonly Problem[],
): Problem[] {
  const { policy } = base;
  const { pools, holders } = head;
  if (!policy || !pools || !holders) return [];
  const fresh = freshPlaces(policy, base, head);
  const byHead = policyRefusals(policy, { ...head, pools, holders });
  const refused = new Set(byHead.map(problemKey));
  const byBase = base.pools ? policyRefusals(policy, withBasePools(base.pools, head, holders)) : [];
  const others = byBase.filter((problem) => !refused.has(problemKey(problem)));
  return [...byHead, ...others]
    .filter(({ at }) => fresh.has(placeText(at)))
    .filter((problem) => reported.every((other) => compareProblems(problem, other) !== 0))
    .map((problem) => ({ ...problem, message: `by the policy of the base, ${problem.message}` }));
}

/** BASE_WITHHOLDS by the target's pools: a change cannot open a pool and lease from it. */
export function poolGrowth(rules: Declared, { base, head }: Sides, targetRef: string): Problem[] {
  if (!rules.pools || !head.pools) return [];
  const pools = { base: rules.pools, head: head.pools, start: base.pools };
  const holders = new Map((head.holders ?? []).map((holder) => [holder.id, holder]));
  const merge = mergeText(shownRef(targetRef));
  return withheldByBase(
    { pools, before: base.table, after: head.table, holders },
    (address) =>
      `on the branch, after a \`git fetch\`, ${merge}, then \`leasehold resolve --move ${address}\``,
  );
}

/** QUOTA_EXCEEDED by the base's quotas: a change cannot raise its own quota. */
export function quotaGrowth(base: Declared, head: Declared, day: Day): Problem[] {
  if (!base.pools || !head.pools) return [];
  const holders = head.holders ?? [];
  const growth = { before: base.table, after: head.table, holders, day };
  return grownQuotaProblems({ base: base.pools, head: head.pools }, growth);
}

/** The head's declarations with pools of the base, without holders whose pool the base lacks. */
function withBasePools(pools: Pools, head: Declared, holders: readonly Holder[]): PolicySubject {
  const index = new PoolIndex(pools);
  const held = recordsByHolder(head.table, isHeld);
  const known = holders.flatMap((holder): Holder[] => {
    if (holder.pool === undefined || index.named(holder.pool)) return [holder];
    // The base has no such pool, but may have the address in another one.
    const addresses = [...holder.pins, ...(held.get(holder.id) ?? [])];
    const [pool] = addresses.flatMap(({ address }) => index.of(address) ?? []);
    return pool ? [{ ...holder, pool: pool.name }] : [];
  });
  return { ...head, pools, holders: known };
}

/** All fields of a promise except its place and its last day, which no policy limits. */
function promiseIdentity({ holder, zone, pool, ipFamily }: AddressPromise): string {
  return JSON.stringify(['Promise', holder, zone, pool, ipFamily]);
}

type Declaration = Claim | DeclaredService | Reservation | AddressPromise | Hostname | Rename;

/**
 * The places of declarations that the base does not have, or has for another tenant, and of their
 * DNS names.
 */
function freshPlaces(policy: Policy, base: Declared, head: Declared): ReadonlySet<string> {
  const tenantIdentity = (one: Declaration): string =>
    `${tenantOf(policy, one.at.file)?.name ?? ''} ${identityOf(one)}`;
  const known = new Set(declarationsOf(base).map(tenantIdentity));
  const fresh = declarationsOf(head).filter((one) => !known.has(tenantIdentity(one)));
  const names = fresh.flatMap((one) => ('dns' in one ? one.dns : []));
  // An SDL of another tenant is refused whichever of the two files has changed.
  return new Set([...fresh, ...names, ...head.leases].map(({ at }) => placeText(at)));
}

function declarationsOf(declared: Declared): Declaration[] {
  const { claims, services, promises, hostnames, renames } = declared;
  return [...claims, ...services, ...promises, ...hostnames, ...renames];
}

function identityOf(one: Declaration): string {
  if ('from' in one) return JSON.stringify(['Rename', one.from, one.to]);
  if (one.kind === 'Hostname') return hostnameFields(one);
  if (one.kind === 'Promise') return promiseIdentity(one);
  if ('holder' in one) return claimIdentity(one);
  return JSON.stringify([one.cluster, serviceIdText(one), serviceIdentity(one)]);
}
