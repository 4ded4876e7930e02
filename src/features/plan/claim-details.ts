import { type Claim, claimText } from '../../model/claim.ts';
import { compareText } from '../../model/order.ts';
import { serviceIdText } from '../../model/service.ts';
import { formatAddress } from '../../net/address.ts';
import { claimKey } from './holdings.ts';

/** What differs between the claims on an address before and after, and a claim of the head where it shows. */
export interface ClaimDetails {
  readonly details: readonly string[];
  readonly first: Claim | undefined;
}

/** Claims that come, that change, and that go, in the order of the claims. */
export function claimDetails(before: readonly Claim[], after: readonly Claim[]): ClaimDetails {
  const old = new Map(before.map((claim) => [claimKey(claim), claim]));
  const kept = new Set(after.map(claimKey));
  // A holder has a port once: the same service and port in another lease is the endpoint that went there.
  const gone = new Map(
    before.filter((claim) => !kept.has(claimKey(claim))).map((claim) => [claimText(claim), claim]),
  );
  const details: string[] = [];
  let first: Claim | undefined;
  for (const claim of after) {
    const former = old.get(claimKey(claim)) ?? gone.get(claimText(claim));
    gone.delete(claimText(claim));
    const found = detailsOf(former, claim);
    if (found.length > 0) first ??= claim;
    details.push(...found);
  }
  for (const name of gone.keys()) details.push(`${name} removed`);
  return { details, first };
}

function detailsOf(before: Claim | undefined, after: Claim): string[] {
  const name = claimText(after);
  if (!before) return [`${name} added`];
  return fieldsOf(before).flatMap(([field, was], index) => {
    const [, is] = fieldsOf(after)[index] ?? [field, was];
    return was === is ? [] : [`${name}: ${field} ${was} → ${is}`];
  });
}

function fieldsOf(claim: Claim): readonly (readonly [field: string, value: string])[] {
  const pins = claim.pins.map(({ address }) => formatAddress(address));
  return [
    [claim.kind === 'Lease' ? 'lease' : 'Service', whoseText(claim)],
    ['port', claim.port === undefined ? 'by name' : String(claim.port)],
    ['ipFamily', claim.ipFamily],
    ['zone', claim.zone ?? 'the default'],
    ['pool', claim.pool ?? 'any'],
    ['address', pins.length > 0 ? pins.join(',') : 'any'],
    ['retentionPeriodDays', String(claim.retentionPeriodDays)],
    ['selector', selectorText(claim)],
  ];
}

function whoseText(claim: Claim): string {
  if (claim.kind === 'Service') return serviceIdText(claim.declared);
  const { dseq, gseq, oseq } = claim.lease;
  return `${dseq}/${gseq}/${oseq}`;
}

function selectorText(claim: Claim): string {
  if (claim.kind === 'Service') return '';
  if (claim.selector === undefined) return "the provider's";
  const labels = Object.entries(claim.selector).map(([key, value]) => `${key}=${value}`);
  return labels.sort(compareText).join(',');
}
