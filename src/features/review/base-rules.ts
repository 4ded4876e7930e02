import { PoolIndex } from '../../declarations/pools/pool-index.ts';
import { isHeld, recordsByHolder } from '../../model/allocation.ts';
import type { Claim, Holder } from '../../model/claim.ts';
import { isSince } from '../../model/metallb-version.ts';
import { type Policy, tenantOf } from '../../model/policy.ts';
import type { Cluster, Pools } from '../../model/pools.ts';
import { compareProblems, type Problem, placeText } from '../../model/problem.ts';
import { type DeclaredService, type Reservation, serviceIdText } from '../../model/service.ts';
import { type Declared, readPolicyFile, readPoolFile } from '../../workspace/declared.ts';
import { type PolicySubject, policyRefusals } from '../../workspace/policy-refusals.ts';
import type { Comparison } from './comparison.ts';
import { claimIdentity, serviceIdentity } from './merge-mixups.ts';

/**
 * What the base declares, with the pools, quotas and policy of the commit that the head is to be merged into: what was
 * reserved, lowered or forbidden there since a branch was cut counts for the branch too, so that nobody picks an old
 * judge by the commit that a branch starts from. A rule file that is not sound there judges nothing.
 */
export function judgingBase(
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
 * The clusters of the head, each with the older MetalLB of what the base and the head say: which of them runs when the
 * change is applied, nobody can tell.
 */
export function assumedClusters(base: Declared, head: Declared): readonly Cluster[] {
  return (head.pools?.clusters ?? []).map((cluster) => {
    const was = base.pools?.clusters.find(({ name }) => name === cluster.name)?.metallb.version;
    const { version } = cluster.metallb;
    const isOlder = was !== undefined && !isSince(was, version);
    return isOlder ? { ...cluster, metallb: { ...cluster.metallb, version: was } } : cluster;
  });
}

/**
 * POLICY_REFUSED for what the head declares anew, or in another tenant's folder, and the policy of the base does not
 * allow: a pull request cannot widen its own rights. Where claims end up is told by the head's pools, and by
 * those of the base too: a pool that changes its zone brings nobody into it. Without what is said of the head in
 * itself already.
 */
export function baseRefusals(base: Declared, head: Declared, told: readonly Problem[]): Problem[] {
  const { policy } = base;
  const { pools, holders } = head;
  if (!policy || !pools || !holders) return [];
  const fresh = freshPlaces(policy, base, head);
  const byHead = policyRefusals(policy, { ...head, pools, holders });
  const byBase = base.pools ? policyRefusals(policy, asBaseKnows(base.pools, head, holders)) : [];
  const others = byBase.filter((one) => byHead.every((problem) => !isSameRefusal(one, problem)));
  return [...byHead, ...others]
    .filter(({ at }) => fresh.has(placeText(at)))
    .filter((problem) => told.every((other) => compareProblems(problem, other) !== 0))
    .map((problem) => ({ ...problem, message: `by the policy of the base, ${problem.message}` }));
}

/** The head's holders that pools of the base can tell something of: the zone or the pool of an address, a name. */
function asBaseKnows(pools: Pools, head: Declared, holders: readonly Holder[]): PolicySubject {
  const index = new PoolIndex(pools);
  const held = recordsByHolder(head.table, isHeld);
  const known = holders.flatMap((holder): Holder[] => {
    if (holder.pool === undefined || index.named(holder.pool)) return [holder];
    // The base has no such pool. It may have the address in another one.
    const addresses = [...holder.pins, ...(held.get(holder.id) ?? [])];
    const [pool] = addresses.flatMap(({ address }) => index.of(address) ?? []);
    return pool ? [{ ...holder, pool: pool.name }] : [];
  });
  return { ...head, pools, holders: known };
}

/** True for two refusals of one thing at one place, whichever names they give what is reached. */
function isSameRefusal(left: Problem, right: Problem): boolean {
  const textOf = ({ at, also = [] }: Problem): string => [at, ...also].map(placeText).join();
  return textOf(left) === textOf(right);
}

type Declaration = Claim | DeclaredService | Reservation;

/** Where the head declares what the base does not, or does for another tenant. */
function freshPlaces(policy: Policy, base: Declared, head: Declared): ReadonlySet<string> {
  const textOf = (one: Declaration): string =>
    `${tenantOf(policy, one.at.file)?.name ?? ''} ${identityOf(one)}`;
  const known = new Set([...base.claims, ...base.services].map(textOf));
  const fresh = [...head.claims, ...head.services].filter((one) => !known.has(textOf(one)));
  // An SDL of another tenant is wrong whoever has changed which of the two files.
  return new Set([...fresh, ...head.leases].map(({ at }) => placeText(at)));
}

function identityOf(one: Declaration): string {
  if ('holder' in one) return claimIdentity(one);
  return JSON.stringify([one.cluster, serviceIdText(one), serviceIdentity(one)]);
}
