import * as z from 'zod';
import { placementsOf } from '../../core/allocate/allocate.ts';
import type { Commits } from '../../core/interfaces/commits.ts';
import { type DnsRecord, dnsRecords, recordType } from '../../core/model/claim.ts';
import type { Day } from '../../core/model/day.ts';
import { type Placement, publicAddresses } from '../../core/model/holder.ts';
import { hostnameRecords } from '../../core/model/hostname.ts';
import { compareText } from '../../core/model/order.ts';
import { type Outcome, ok } from '../../core/model/problem.ts';
import { formatAddress } from '../../core/net/address.ts';
import { compareDnsNames, isInDomain } from '../../core/net/dns-name.ts';
import { type AddressRange, formatRange, rangeHas } from '../../core/net/range.ts';
import { check } from '../../core/run/synth/check.ts';
import { type Answer, answeredDay, apiVersion } from '../../core/text/answer.ts';
import { committedHistory } from '../../core/tree/workspace.ts';
import { reverseName } from './reverse-name.ts';

const zoneRecord = z.strictObject({
  name: z.string().describe('Without a dot at the end.'),
  type: z.enum(['A', 'AAAA', 'PTR']),
  value: z.string().describe('The address; of a PTR record the name, without a dot at the end.'),
});

export const zoneExportSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('ZoneExport'),
    day: answeredDay,
    commit: z.string().describe('The commit whose names were read.'),
    zone: z.string().exactOptional().describe('The DNS zone; absent without --zone.'),
    delegated: z
      .string()
      .exactOptional()
      .describe(
        'The addresses that a reverse zone of RFC 2317 is for; absent without --delegated.',
      ),
    ttl: z.int().describe('The time to live of all records, in seconds.'),
    records: z.array(zoneRecord).describe('By the labels of the name, from the last one.'),
  })
  .describe('The output of leasehold export zone -o json.');

export type ZoneExport = Answer<typeof zoneExportSchema>;

type ZoneRecord = ZoneExport['records'][number];

/** The records that are asked for. */
export interface ZoneQuestion {
  readonly ref: string;
  readonly day: Day;
  /** Only records in this DNS zone. */
  readonly zone: string | undefined;
  /** PTR records, in place of A and AAAA. */
  readonly reverse: boolean;
  /**
   * The IPv4 addresses that the zone is for, when it is a reverse zone of fewer than 256 addresses
   * (RFC 2317). They are in one block of 256.
   */
  readonly delegated: AddressRange | undefined;
}

/** Reads the DNS records of a commit that passes check. Problems: those of {@link check}. */
export async function exportZone(
  commits: Commits,
  { ref, day, zone, reverse, delegated }: ZoneQuestion,
): Promise<Outcome<ZoneExport>> {
  const { id } = await commits.resolve(ref);
  const tree = await commits.tree(id);
  const checked = await check(tree, committedHistory(tree));
  if (!checked.ok) return checked;
  const { workspace, table } = checked.value;
  const { pools, holders, hostnames } = workspace;
  const placements = placementsOf(pools, holders, table);
  const routed = [...hostnameRecords(hostnames, placements, pools).values()].flat();
  const records = reverse
    ? reverseRecords(placements, { zone, delegated })
    : forwardRecords(placements, routed);
  return ok({
    ...{ apiVersion: 'leasehold.dev/v1', kind: 'ZoneExport', day, commit: id },
    ...(zone === undefined ? {} : { zone }),
    ...(delegated === undefined ? {} : { delegated: formatRange(delegated) }),
    ttl: pools.dns.ttl,
    records: records
      .filter(({ name }) => zone === undefined || isInDomain(name, zone))
      .toSorted(compareRecords),
  });
}

/** The records of all names of placements, and of hostnames. */
function forwardRecords(
  placements: readonly Placement[],
  routed: readonly DnsRecord[],
): readonly ZoneRecord[] {
  return [...namesOf(placements), ...routed].map(({ name, address }) => ({
    name,
    type: recordType(address),
    value: formatAddress(address),
  }));
}

/**
 * The PTR records of placements. A wildcard has none, and no hostname has one: many have the
 * address of one Gateway. In a zone of RFC 2317 the last number of an address is its label.
 */
function reverseRecords(
  placements: readonly Placement[],
  { zone, delegated }: Pick<ZoneQuestion, 'zone' | 'delegated'>,
): readonly ZoneRecord[] {
  return namesOf(placements)
    .filter(({ name, address }) => {
      return !name.startsWith('*.') && (!delegated || rangeHas(delegated, address));
    })
    .map(({ name, address }) => {
      const full = reverseName(address);
      const own = delegated && zone ? `${full.slice(0, full.indexOf('.'))}.${zone}` : full;
      return { name: own, type: 'PTR', value: name };
    });
}

function namesOf(placements: readonly Placement[]): readonly DnsRecord[] {
  return placements.flatMap((placement) =>
    dnsRecords(placement.holder.claims, publicAddresses(placement)),
  );
}

function compareRecords(left: ZoneRecord, right: ZoneRecord): number {
  return (
    compareDnsNames(left.name, right.name) ||
    compareText(left.type, right.type) ||
    compareText(left.value, right.value)
  );
}

/**
 * Returns the records as a master file (RFC 1035, 5): names relative to the zone, and absolute ones
 * without a zone. Each record has its TTL: a $TTL would also hold for the rest of a file that
 * includes this one.
 */
export function zoneText({ zone, ttl, records }: Pick<ZoneExport, 'zone' | 'ttl' | 'records'>) {
  const lines = records.map(({ name, type, value }) => {
    const target = type === 'PTR' ? `${value}.` : value;
    return `${ownerName(name, zone)} ${ttl} IN ${type} ${target}`;
  });
  const origin = zone === undefined ? [] : [`$ORIGIN ${zone}.`];
  return [...origin, ...lines].map((line) => `${line}\n`).join('');
}

function ownerName(name: string, zone: string | undefined): string {
  if (zone === undefined) return `${name}.`;
  return name === zone ? '@' : name.slice(0, -zone.length - 1);
}
