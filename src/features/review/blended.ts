import { type Claim, declarerText } from '../../model/claim.ts';
import { compareText } from '../../model/order.ts';
import type { DeclaredService, Reservation } from '../../model/service.ts';
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
  const { cluster, holder, service, port, externalPort, protocol } = claim;
  const { zone, pool, ipFamily, pins, retentionPeriodDays } = claim;
  return JSON.stringify([
    [cluster, declarerText(claim), holder, service, port, externalPort, protocol],
    [zone, pool, ipFamily, pins.map(({ address }) => formatAddress(address)), retentionPeriodDays],
    claim.kind === 'Lease'
      ? [claim.endpoint, sorted(claim.selector)]
      : serviceIdentity(claim.declared),
  ]);
}

/** All that a Service or Reservation says beside its name, as plain data. */
export function serviceIdentity(declared: DeclaredService | Reservation): readonly unknown[] {
  const { ports, sharingKey, secret, signature, denyExternalCleanup } = declared;
  const written = declared.kind === 'Service' ? declared.written : undefined;
  return [written, ports, sharingKey, secret?.name, signature?.text, denyExternalCleanup];
}

function sorted(labels: Readonly<Record<string, string>> | undefined) {
  if (labels === undefined) return undefined;
  return Object.entries(labels).sort(([left], [right]) => compareText(left, right));
}
