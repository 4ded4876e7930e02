import type { Claim } from '../../model/claim.ts';
import { type Policy, tenantOf } from '../../model/policy.ts';
import { compareProblems, type Position, type Problem } from '../../model/problem.ts';
import { type DeclaredService, type Reservation, serviceIdText } from '../../model/service.ts';
import { policyRefusals } from '../policy/refusals.ts';
import type { Declared } from '../workspace/declared.ts';
import { claimIdentity, serviceIdentity } from './blended.ts';

/**
 * POLICY_REFUSED for what the head declares anew, or in another tenant's folder, and the policy of the base does not
 * allow: a pull request cannot widen its own rights. Where claims end up is told by the head's pools. Without what is
 * said of the head in itself already.
 */
export function baseRefusals(base: Declared, head: Declared, told: readonly Problem[]): Problem[] {
  const { policy } = base;
  const { pools, holders } = head;
  if (!policy || !pools || !holders) return [];
  const fresh = freshPlaces(policy, base, head);
  return policyRefusals(policy, { ...head, pools, holders })
    .filter(({ at }) => fresh.has(placeText(at)))
    .filter((problem) => told.every((other) => compareProblems(problem, other) !== 0))
    .map((problem) => ({ ...problem, message: `by the policy of the base, ${problem.message}` }));
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

function placeText({ file, line, column }: Position): string {
  return `${file}:${line}:${column}`;
}
