import * as z from 'zod';
import { readKind } from '../declarations/object-meta.ts';
import { addDays } from '../model/day.ts';
import type { HostnameRecord } from '../model/hostname.ts';
import { longestPoolRetention } from '../model/pools.ts';
import { type Outcome, okUnless, type Problem, startOf } from '../model/problem.ts';
import { hostnamesFolder } from '../model/repository-paths.ts';
import { dnsNameFault } from '../net/dns-name.ts';
import { calendarDay, dnsName, labelPattern as label } from '../text/common-fields.ts';
import type { YamlDocument } from '../text/yaml/document.ts';
import { releaseConfirmed } from './allocation-schema.ts';

const day = calendarDay('ALLOCATION_INVALID');

/** The holder of hostnames: see `hostnameHolder` and `leaseHostnameHolder`. */
export const holderOfHostnames = z
  .string()
  .regex(
    new RegExp(`^${label}/(?:namespace/${label}|akash/akash1[a-z0-9]{1,57})$`),
    'expected a holder: <cluster>/namespace/<namespace> or <cluster>/akash/<owner>',
  );

/** A file under `leases/hostnames/`: the record of one hostname. */
export const hostnameRecordSchema = z
  .strictObject({
    apiVersion: z.literal('leasehold.dev/v1'),
    kind: z.literal('HostnameRecord'),
    hostname: dnsName.describe('The hostname; the file is named after it.'),
    holder: holderOfHostnames.describe('The holder; after release, the last one.'),
    since: day.describe('The day the holder got the hostname, UTC.'),
    retain: z
      .int()
      .min(0)
      .max(longestPoolRetention)
      .describe('Whole days that the hostname is kept after release.'),
    keepUntil: day
      .optional()
      .describe(
        'The hostname is not free before this day: a longer retention that applied before.',
      ),
    released: z
      .strictObject({
        on: day.describe('The day of the release, UTC.'),
        freeFrom: day.describe('The first day on which any holder can get the hostname, UTC.'),
        confirmed: releaseConfirmed,
      })
      .optional()
      .describe('Present once the hostname is released.'),
  })
  .describe('The record of a hostname of leasehold. Only leasehold writes these.');

/** The names of Windows devices, which cannot be the name of a file or folder there. */
const deviceName = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/;

/** A label as a part of a file name: the name of a Windows device ends in `_`. */
export function portableName(label: string): string {
  return deviceName.test(label) ? `${label}_` : label;
}

/**
 * The file of a hostname, from the repository root: a folder for each label of its domain, the last
 * one first, as in `leases/hostnames/com/example/shop.example.com.yaml`. The wildcard is
 * `_wildcard`, and the name of a Windows device ends in `_`. Two hostnames never have the same
 * path, even on a case-insensitive file system: no label has a `_`.
 */
export function hostnamePath(hostname: string): string {
  const labels = hostname.split('.').map((part) => {
    return part === '*' ? '_wildcard' : portableName(part);
  });
  const folders = labels.slice(1).reverse();
  return `${[hostnamesFolder, ...folders].join('/')}/${labels.join('.')}.yaml`;
}

/** The hostname whose record a path is of; undefined for any other path. */
export function hostnameOfPath(path: string): string | undefined {
  const [file = ''] = path.split('/').slice(-1);
  const labels = file.replace(/\.yaml$/, '').split('.');
  const hostname = labels
    .map((part) => (part === '_wildcard' ? '*' : part.replace(/_$/, '')))
    .join('.');
  const isOfRecord = dnsNameFault(hostname) === undefined && hostnamePath(hostname) === path;
  return isOfRecord ? hostname : undefined;
}

/** Prints the canonical text of a record: equal records give equal bytes. */
export function printHostname(record: HostnameRecord): string {
  const { hostname, holder, since, retain, keepUntil, released } = record;
  return [
    'apiVersion: leasehold.dev/v1\nkind: HostnameRecord\n',
    `hostname: '${hostname}'\nholder: ${holder}\nsince: ${since}\nretain: ${retain}\n`,
    keepUntil === undefined ? '' : `keepUntil: ${keepUntil}\n`,
    released === undefined ? '' : `released:\n  on: ${released.on}\n`,
    released === undefined ? '' : `  freeFrom: ${released.freeFrom}\n`,
    released?.confirmed ? '  confirmed: true\n' : '',
  ].join('');
}

/**
 * Reads the record of a hostname. Problems: those of {@link readKind}, DNS_INVALID, and
 * ALLOCATION_INVALID for a file that contradicts itself or its path.
 */
export function readHostnameRecord(file: string, bytes: Uint8Array): Outcome<HostnameRecord> {
  const read = readKind(file, bytes, { kind: 'HostnameRecord', schema: hostnameRecordSchema });
  if (!read.ok) return read;
  const { written, document } = read.value;
  const { hostname, holder, since, retain, keepUntil, released } = written;
  const record = { hostname, holder, since, retain, keepUntil, released, at: startOf(file) };
  return okUnless(contradictions(record, file, document), record);
}

/** ALLOCATION_INVALID for each contradiction of a record with itself or the path of its file. */
function contradictions(
  { hostname, since, retain, keepUntil, released }: HostnameRecord,
  file: string,
  document: YamlDocument,
): Problem[] {
  const found: Problem[] = [];
  const refuse = (path: readonly string[], message: string): void => {
    found.push({ code: 'ALLOCATION_INVALID', message, at: document.at(path) });
  };
  const path = hostnamePath(hostname);
  if (file !== path) {
    refuse(['hostname'], `the file does not belong to ${hostname}, expected ${path}`);
  }
  if (keepUntil !== undefined && (keepUntil < since || released !== undefined)) {
    const reason = released ? 'a released hostname has freeFrom only' : `since is ${since}`;
    refuse(['keepUntil'], `keepUntil is ${keepUntil}, and ${reason}`);
  }
  if (released === undefined) return found;
  if (released.on < since) {
    refuse(['released', 'on'], `released on ${released.on} is before since ${since}`);
  }
  const least = addDays(released.on, retain);
  if (released.freeFrom < least) {
    const message = `freeFrom ${released.freeFrom} is before ${least}, ${retain} days after the release`;
    refuse(['released', 'freeFrom'], message);
  }
  return found;
}
