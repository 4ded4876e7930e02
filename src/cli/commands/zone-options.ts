import { InvalidArgumentError } from '@commander-js/extra-typings';
import { dnsNameFault } from '../../net/dns-name.ts';
import { type AddressRange, formatRange, isRange, parseRange, rangeSize } from '../../net/range.ts';
import { reverseName } from '../../net/reverse-name.ts';
import { UsageError } from '../failure.ts';

/** The first label of a reverse zone for a part of 256 addresses, as in RFC 2317: `0/25`. */
const subnetLabel = /^\d{1,3}\/\d{1,3}\./;

/** A DNS zone in canonical form. The first label can be that of a subnet. */
export function zoneValue(text: string): string {
  const [subnet = ''] = subnetLabel.exec(text) ?? [];
  const fault = dnsNameFault(text.slice(subnet.length), 'domain');
  if (!fault) return text;
  const { reason, canonical } = fault;
  throw new InvalidArgumentError(
    canonical === undefined ? `${reason}.` : `Write ${subnet}${canonical}.`,
  );
}

/** The addresses of a reverse zone of RFC 2317. */
export function delegatedValue(text: string): AddressRange {
  const range = parseRange(text);
  if (!isRange(range)) throw new InvalidArgumentError(`${range.reason}.`);
  const { from, to } = range;
  if (from.family === 'ipv4' && from.value >> 8n === to.value >> 8n && rangeSize(range) < 256n) {
    return range;
  }
  throw new InvalidArgumentError(
    'RFC 2317 is for fewer than 256 IPv4 addresses with the same first three numbers.',
  );
}

/**
 * Throws a UsageError for a zone of RFC 2317 without its addresses, in which no reverse name is,
 * and for addresses whose reverse zone is another one. The zone may be anywhere outside of
 * `in-addr.arpa` (RFC 2317, 5.2).
 */
export function assertReverseZone({
  zone,
  reverse,
  delegated,
}: {
  readonly zone: string | undefined;
  readonly reverse: boolean;
  readonly delegated: AddressRange | undefined;
}): void {
  if (!delegated) {
    const isOfSubnet = reverse && /^\d+-\d+(?:\.\d+){3}\.in-addr\.arpa$/.test(zone ?? '');
    if (!isOfSubnet && !subnetLabel.test(zone ?? '')) return;
    throw new UsageError(
      `${zone} is a zone of RFC 2317: give its addresses with --reverse and --delegated, such as 203.0.113.0/25`,
    );
  }
  if (!zone || !reverse) throw new UsageError('--delegated needs --reverse and --zone');
  if (!/(?:^|\.)in-addr\.arpa$/.test(zone)) return;
  const name = reverseName(delegated.from);
  const parent = name.slice(name.indexOf('.') + 1);
  const label = zone.slice(0, -parent.length - 1);
  if (zone === `${label}.${parent}` && /\D/.test(label) && !label.includes('.')) return;
  throw new UsageError(
    `${zone} is no zone of RFC 2317 for ${formatRange(delegated)}: expected one such as 0-25.${parent}`,
  );
}
