import { type Claim, claimText } from '../../model/claim.ts';
import { type ClaimOrPromise, claimOrPromiseText } from '../../model/holder.ts';
import type { Hostname } from '../../model/hostname.ts';
import { httpFields, leaseNumbersText } from '../../model/lease.ts';
import { compareText } from '../../model/order.ts';
import { serviceIdText } from '../../model/service.ts';
import { formatAddress } from '../../net/address.ts';
import type { Declared } from '../../tree/declared.ts';

/** A claim, a promise or a hostname. */
export type MergedItem = ClaimOrPromise | Hostname;

/** A claim, promise or hostname in a message. */
export function mergedText(item: MergedItem): string {
  return item.kind === 'Hostname' ? `the hostname ${item.hostname}` : claimOrPromiseText(item);
}

/** The claims, promises and hostnames of a tree. */
export function mergedItems({
  claims,
  promises,
  hostnames,
}: Pick<Declared, 'claims' | 'promises' | 'hostnames'>): readonly MergedItem[] {
  return [...claims, ...promises, ...hostnames];
}

/** A field of a claim, promise or hostname, in words. */
export type Field = readonly [field: string, value: string];

/** The fields of a claim, in words, that can change while its port stays the same. */
export function claimFields(claim: Claim): readonly Field[] {
  const pins = claim.pins.map(({ address }) => formatAddress(address));
  return [
    [claim.kind === 'Lease' ? 'lease' : 'Service', declarerIdText(claim)],
    ['port', claim.port === undefined ? 'by name' : String(claim.port)],
    ['ipFamily', claim.ipFamily],
    ['zone', claim.zone ?? 'the default'],
    ['pool', claim.pool ?? 'any'],
    ['address', pins.length > 0 ? pins.join(',') : 'any'],
    ['retentionDays', String(claim.retentionDays)],
    ['selector', selectorText(claim)],
  ];
}

function declarerIdText(claim: Claim): string {
  if (claim.kind === 'Service') return serviceIdText(claim.declared);
  return leaseNumbersText(claim.lease);
}

function selectorText(claim: Claim): string {
  if (claim.kind === 'Service') return '';
  if (claim.selector === undefined) return "the provider's";
  const labels = Object.entries(claim.selector).map(([key, value]) => `${key}=${value}`);
  return labels.sort(compareText).join(',');
}

/** A side of a merge. */
export interface MergedSide {
  /** Its name in messages. */
  readonly name: string;
  readonly items: readonly MergedItem[];
}

/**
 * Returns the fields of an item in which it differs from a side of the merge, each with the side
 * that has its value. Empty when no side has an item of that name with another value.
 */
export function joinedFields(item: MergedItem, sides: readonly MergedSide[]): readonly string[] {
  const formers = sides.flatMap(({ name, items }) => {
    const former = items.find((other) => nameOf(other) === nameOf(item));
    return former ? [{ name, fields: new Map(fieldsOf(former)) }] : [];
  });
  return fieldsOf(item).flatMap(([field, value]) => {
    const side = formers.find(({ fields }) => fields.get(field) === value);
    const other = formers.find(({ fields }) => fields.get(field) !== value);
    if (!other) return [];
    const of = side ? ` of ${side.name}` : `, but ${other.fields.get(field)} in ${other.name}`;
    return [`${field} ${value}${of}`];
  });
}

/** The part that stays the same in an edit: a hostname, the holder of a promise, or one of its ports. */
export function nameOf(item: MergedItem): string {
  if (item.kind === 'Hostname') return `Hostname ${item.hostname}`;
  return `${item.kind} ${item.holder}${item.kind === 'Promise' ? '' : ` ${claimText(item)}`}`;
}

/** The fields of an item that can change while its name stays the same. */
export function fieldsOf(item: MergedItem): readonly Field[] {
  if (item.kind === 'Hostname') {
    const { cluster, service, port, lease } = item;
    return [
      ['cluster', cluster],
      ...(lease
        ? ([
            ['lease', leaseNumbersText(lease)],
            ['service', service],
            ['http', httpFields(item.http).join(', ')],
          ] as const)
        : ([['Service', `${item.namespace}/${service}`]] as const)),
      ['port', String(port)],
    ];
  }
  if (item.kind !== 'Promise') {
    const names = item.dns.map(({ name }) => name);
    const key = item.kind === 'Lease' ? (item.liveSharingKey ?? 'none') : undefined;
    return [
      ...claimFields(item),
      ...(key === undefined ? [] : [['liveSharingKey', key] as const]),
      ['dns', names.length > 0 ? names.join(',') : 'none'],
    ];
  }
  return [
    ['zone', item.zone ?? 'the default'],
    ['pool', item.pool ?? 'any'],
    ['ipFamily', item.ipFamily],
    ['until', item.until],
  ];
}
