import { type Claim, claimText, declarerText } from '../../model/claim.ts';
import { formatAddress } from '../../net/address.ts';
import { claimFields } from '../review/merged-items.ts';
import type { Redeploys } from './objects/redeploys.ts';

/**
 * The differences between the claims on an address before and after. `first` is the first changed
 * claim of the head.
 */
interface ClaimDetails {
  readonly details: readonly string[];
  readonly first: Claim | undefined;
}

/** What is known of both sides beside the claims. */
interface ClaimContext {
  readonly redeploys: Redeploys;
  /** The default zone of a cluster, before and after. */
  readonly zones: readonly [before: DefaultZone, after: DefaultZone];
}

type DefaultZone = (cluster: string) => string | undefined;

/**
 * Added and changed claims in their order, then removed ones, then redeploys. A holder has each port
 * once: the same service and port in another lease is the same endpoint, and after a rename the same
 * port.
 */
export function claimDetails(
  [before, after]: readonly [readonly Claim[], readonly Claim[]],
  isRenamed: boolean,
  { redeploys, zones }: ClaimContext,
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
    const found = former
      ? changedFields([former, claim], isRenamed || redeploy !== undefined, zones)
      : [`${claimText(claim)} added`];
    if (found.length > 0 || redeploy !== undefined) first ??= claim;
    details.push(...found);
  }
  for (const claim of gone.values()) details.push(`${claimText(claim)} removed`);
  return { details: [...details, ...redeployed], first };
}

/** The first field is the lease or the Service: a rename or a redeploy says it already. */
function changedFields(
  [before, after]: readonly [Claim, Claim],
  isSaid: boolean,
  [old, now]: ClaimContext['zones'],
): string[] {
  const fields = new Map(claimFields(after));
  return claimFields(before).flatMap(([field, was], index) => {
    const is = fields.get(field) ?? was;
    if (was === is || (isSaid && index === 0)) return [];
    const zones = field === 'zone' ? [zoneText(before, old), zoneText(after, now)] : [was, is];
    const change = field === 'address' ? pinText(before, after) : `${field} ${zones.join(' → ')}`;
    return [`${claimText(after)}: ${change}`];
  });
}

/** The zone of a claim; that of its pool or pin is not the default one. */
function zoneText({ zone, pool, pins, cluster }: Claim, defaultOf: DefaultZone): string {
  if (zone !== undefined) return zone;
  const known = pool === undefined && pins.length === 0 ? defaultOf(cluster) : undefined;
  return known === undefined ? 'unset' : `${known} (the default)`;
}

/** A pin that comes, goes or changes: the address itself stays. */
function pinText(before: Claim, after: Claim): string {
  const [was, is] = [before, after].map(({ pins }) =>
    pins.map(({ address }) => formatAddress(address)).join(' and '),
  );
  if (was === '') return `pinned to ${is}`;
  if (is !== '') return `pin ${was} → ${is}`;
  return before.pins.length > 1 ? `the pins ${was} are removed` : `the pin ${was} is removed`;
}

/** Identifies a claim across commits: its lease, service and port. */
export function claimKey(claim: Claim): string {
  return `${claim.cluster} ${declarerText(claim)} ${claimText(claim)}`;
}
