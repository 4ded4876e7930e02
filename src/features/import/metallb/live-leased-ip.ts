import type { Protocol } from '../../../model/lease.ts';
import type { ForeignFields, ForeignReader } from '../../../text/foreign-reader.ts';
import type { LiveLeasedIP } from '../adopt/live-lease.ts';
import type { ForeignObject } from './metallb-objects.ts';

/**
 * A live `ProviderLeasedIP`; undefined for one that lacks what names its lease, which is told. Its own operator takes a
 * protocol in any case, and none for TCP. Akash provider: pkg/apis/akash.network/v2beta2/provider_lease_ip.go,
 * manifest/v2beta3/ip.go ParseServiceProtocol.
 */
export function readLeasedIP(
  reader: ForeignReader,
  { name, at, metadata, spec }: ForeignObject,
): LiveLeasedIP | undefined {
  const lease = reader.mapping(spec.get('lease_id')) ?? new Map();
  const text = (fields: ForeignFields, key: string): string | undefined => {
    const node = fields.get(key);
    // A dseq that somebody wrote without quotes: beyond 2^53 it has lost digits.
    if (Number.isSafeInteger(node?.value)) return String(node?.value);
    return typeof node?.value === 'string' ? node.value : undefined;
  };
  const whole = (fields: ForeignFields, key: string): number | undefined => {
    const value = fields.get(key)?.value;
    return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
      ? value
      : undefined;
  };
  const protocol = (reader.text(spec.get('protocol')) || 'TCP').toUpperCase();
  const read = {
    name,
    owner: text(lease, 'owner'),
    dseq: text(lease, 'dseq'),
    gseq: whole(lease, 'gseq'),
    oseq: whole(lease, 'oseq'),
    provider: text(lease, 'provider'),
    service: text(spec, 'service_name'),
    port: whole(spec, 'port'),
    externalPort: whole(spec, 'external_port'),
    protocol: protocol === 'TCP' || protocol === 'UDP' ? (protocol as Protocol) : undefined,
    sharingKey: text(spec, 'sharing_key'),
  };
  const lost = (Object.keys(read) as (keyof typeof read)[]).filter((key) => !read[key]);
  const subject = `ProviderLeasedIP ${name}`;
  if (lost.length > 0) {
    const message = `it is not taken: ${lost.join(', ')} cannot be read of it`;
    reader.leave(subject, message, at);
    return undefined;
  }
  return {
    ...(read as { [Key in keyof typeof read]: NonNullable<(typeof read)[Key]> }),
    isGoing: reader.text(metadata.get('deletionTimestamp')) !== undefined,
    at,
  };
}
