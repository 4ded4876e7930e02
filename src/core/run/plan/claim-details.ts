import { type Claim, claimText, declarerText } from '../../model/claim.ts';
import { claimFields } from '../review/merged-items.ts';
import type { Redeploys } from './redeploys.ts';

/**
 * The differences between the claims on an address before and after. `first` is the first changed
 * claim of the head.
 */
interface ClaimDetails {
  readonly details: readonly string[];
  readonly first: Claim | undefined;
}

/**
 * Added and changed claims in their order, then removed ones, then redeploys. A holder has each port
 * once: the same service and port in another lease is the same endpoint, and after a rename the same
 * port.
 */
export function claimDetails(
  [before, after]: readonly [readonly Claim[], readonly Claim[]],
  isRenamed: boolean,
  redeploys: Redeploys,
): ClaimDetails {
  const portOf = (claim: Claim): string =>
    isRenamed ? `${claim.externalPort}/${claim.protocol}` : claimText(claim);
  const old = new Map(before.map((claim) => [claimKey(claim), claim]));
  const kept = new Set(after.map(claimKey));
  const gone = new Map(
    before.filter((claim) => !kept.has(claimKey(claim))).map((claim) => [portOf(claim), claim]),
  );
  const details: string[] = [];
  const redeployed = new Set<string>();
  let first: Claim | undefined;
  for (const claim of after) {
    const former = old.get(claimKey(claim)) ?? gone.get(portOf(claim));
    gone.delete(portOf(claim));
    const redeploy = redeploys.ofClaim(former, claim);
    if (redeploy !== undefined) redeployed.add(redeploy);
    const found = detailsOf(former, claim, isRenamed || redeploy !== undefined);
    if (found.length > 0 || redeploy !== undefined) first ??= claim;
    details.push(...found);
  }
  for (const claim of gone.values()) details.push(`${claimText(claim)} removed`);
  return { details: [...details, ...redeployed], first };
}

/** The first field is the lease or the Service: a rename or a redeploy says it already. */
function detailsOf(before: Claim | undefined, after: Claim, isSaid: boolean): string[] {
  const name = claimText(after);
  if (!before) return [`${name} added`];
  return claimFields(before).flatMap(([field, was], index) => {
    if (isSaid && index === 0) return [];
    const [, is] = claimFields(after)[index] ?? [field, was];
    return was === is ? [] : [`${name}: ${field} ${was} → ${is}`];
  });
}

/** Identifies a claim across commits: its lease, service and port. */
export function claimKey(claim: Claim): string {
  return `${claim.cluster} ${declarerText(claim)} ${claimText(claim)}`;
}
