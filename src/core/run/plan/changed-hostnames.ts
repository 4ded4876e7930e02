import { placementsOf } from '../../allocate/allocate.ts';
import { casesOf } from '../../allocate/hostnames.ts';
import { isHeld } from '../../model/allocation.ts';
import { holderText } from '../../model/holder.ts';
import {
  type Hostname,
  type HostnameRecord,
  hostnameChangeKind,
  hostnameRecords,
  routeText,
} from '../../model/hostname.ts';
import { httpFields } from '../../model/lease.ts';
import { startOf } from '../../model/problem.ts';
import { hostnamesFolder } from '../../model/repository-paths.ts';
import { formatAddress } from '../../net/address.ts';
import type { Declared } from '../../tree/declared.ts';
import type { Review } from '../review/review.ts';
import { planPlace } from './address-changes.ts';
import { redeploysOf } from './objects/redeploys.ts';
import type { AddressSide, ChangedHostname } from './plan-answer.ts';

/** The changed hostnames of a pull request, sorted: by record, by route, and by DNS records. */
export function changedHostnames(review: Pick<Review, 'base' | 'head'>): ChangedHostname[] {
  const { base, head } = review;
  const redeploys = redeploysOf(review);
  const was = new Map(base.hostnames.map((one) => [one.hostname, one]));
  const is = new Map(head.hostnames.map((one) => [one.hostname, one]));
  const [led, leads] = [dnsOf(base), dnsOf(head)];
  return casesOf([], base.hostnameTable, head.hostnameTable).flatMap(([hostname]) => {
    const before = {
      record: base.hostnameTable.get(hostname),
      declared: was.get(hostname),
      dns: led(hostname),
    };
    const after = {
      record: head.hostnameTable.get(hostname),
      declared: is.get(hostname),
      dns: leads(hostname),
    };
    const redeploy = redeploys.ofHostname(before.declared, after.declared);
    return changeOf(hostname, { before, after, redeploy });
  });
}

/** A hostname on one side of a pull request. */
interface HostnameSide {
  readonly record: HostnameRecord | undefined;
  readonly declared: Hostname | undefined;
  /** The addresses of its DNS records. */
  readonly dns: readonly string[];
}

/** Returns the addresses that a hostname has in DNS on one side. */
function dnsOf({
  pools,
  holders = [],
  table,
  hostnames,
}: Declared): (name: string) => readonly string[] {
  const records =
    pools && hostnames.length > 0
      ? hostnameRecords(hostnames, placementsOf(pools, holders, table), pools)
      : undefined;
  return (name) => (records?.get(name) ?? []).map(({ address }) => formatAddress(address));
}

function dnsText(addresses: readonly string[]): string {
  return addresses.length > 0 ? addresses.join(' and ') : 'none';
}

/** Both sides, and what a redeploy of its lease does to the hostname. */
interface HostnameSides {
  readonly before: HostnameSide;
  readonly after: HostnameSide;
  readonly redeploy: string | undefined;
}

function changeOf(hostname: string, sides: HostnameSides): ChangedHostname[] {
  const { before, after, redeploy } = sides;
  const change = hostnameChangeKind(before.record, after.record);
  const [was, is] = [dnsText(before.dns), dnsText(after.dns)];
  const dns = was === is ? [] : [`DNS: ${was} → ${is}`];
  const details = [...detailsOf(change, sides), ...dns];
  if (change === 'updated' && details.length === 0) return [];
  const declared = after.declared ?? before.declared;
  const at = declared?.at ?? after.record?.at ?? before.record?.at ?? startOf(hostnamesFolder);
  const isLeft = declared ? !after.declared : !after.record;
  return [
    {
      hostname,
      change,
      ...(before.record && { before: sideOf(before.record, before, redeploy) }),
      ...(after.record && { after: sideOf(after.record, after, redeploy) }),
      details,
      at: planPlace(isLeft ? 'base' : 'head', at),
    },
  ];
}

function detailsOf(
  change: ChangedHostname['change'],
  { before, after, redeploy }: HostnameSides,
): string[] {
  const freeFrom = before.record?.released?.freeFrom;
  if (change === 'released') return [`free from ${after.record?.released?.freeFrom}`];
  if (change === 'reclaimed') return [`released on ${before.record?.released?.on}`];
  if (change === 'allocated') return freeFrom === undefined ? [] : [`free since ${freeFrom}`];
  if (change === 'removed' || !before.record || !after.record) return [];
  const [was, is] = [before.declared, after.declared].map(
    (one) => one && `routed to ${routeText(one)}`,
  );
  const options = optionChanges(before.declared, after.declared);
  const { retain, holder } = before.record;
  const isKept = retain === after.record.retain;
  return [
    ...(holder === after.record.holder ? [] : [`renamed from ${holderText(holder)}`]),
    ...(was === is ? [] : [redeploy ?? `${was ?? 'not routed'} → ${is ?? 'not routed'}`]),
    ...options,
    ...(isKept ? [] : [`kept after release: ${retain} → ${after.record.retain} days`]),
  ];
}

/** The changed HTTP options of a hostname that a lease has before and after. */
function optionChanges(was: Hostname | undefined, is: Hostname | undefined): readonly string[] {
  if (!was?.lease || !is?.lease) return [];
  const before = httpFields(was.http);
  return httpFields(is.http).flatMap((field, index) =>
    field === before[index] ? [] : [`${before[index]} → ${field.slice(field.indexOf(' ') + 1)}`],
  );
}

/** The record in the form of the answer, with its route for a claim: after a redeploy the same one. */
function sideOf(
  record: HostnameRecord,
  { declared, dns }: HostnameSide,
  redeploy: string | undefined,
): AddressSide {
  const { holder, released } = record;
  if (released) return { holder, state: 'released', freeFrom: released.freeFrom, claims: [] };
  const route = (one: Hostname) =>
    redeploy === undefined ? routeText(one) : `${one.service}:${one.port}`;
  const claims = isHeld(record) && declared ? [`routed to ${route(declared)}`] : [];
  return { holder, state: 'held', ...(dns.length > 0 ? { dns } : {}), claims };
}
