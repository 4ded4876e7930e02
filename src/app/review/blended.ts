import type { Claim } from '../../model/claim.ts';
import { leaseIdText } from '../../model/lease.ts';
import { compareText } from '../../model/order.ts';
import { formatAddress } from '../../net/address.ts';

/**
 * The claims of a merge's result that none of its sides declares. Git's look for renames can put an edit
 * of one tenant's lease into another tenant's similar new file, without a conflict.
 */
export function blendedClaims(
  result: readonly Claim[],
  sides: readonly (readonly Claim[])[],
): readonly Claim[] {
  const declared = new Set(sides.flatMap((claims) => claims.map(claimIdentity)));
  return result.filter((claim) => !declared.has(claimIdentity(claim)));
}

/** All that a claim says, whatever file says it: equal for equal claims. */
export function claimIdentity(claim: Claim): string {
  const { cluster, lease, endpoint, service, port, externalPort, protocol } = claim;
  const { zone, pool, ipFamily, pin, retentionPeriodDays, selector } = claim;
  const labels = Object.entries(selector ?? {}).sort(([left], [right]) => compareText(left, right));
  return JSON.stringify([
    [cluster, leaseIdText(lease), endpoint, service, port, externalPort, protocol],
    [zone, pool, ipFamily, pin && formatAddress(pin), retentionPeriodDays],
    selector === undefined ? undefined : labels,
  ]);
}
