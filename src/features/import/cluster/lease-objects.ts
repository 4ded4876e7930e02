import type { Protocol } from '../../../core/model/lease.ts';
import { textAt } from '../../../core/model/live.ts';
import type { SourceFields, SourceNode, SourceReader } from '../../../lib/foreign/source-reader.ts';
import type { LiveLeasedIP, LiveProviderHost } from '../imported.ts';
import type { SourceObject } from '../metallb/source-object.ts';

/**
 * A live `ProviderLeasedIP`; undefined, with a note, when it lacks a field that identifies its
 * lease. The operator accepts a protocol in any case, and defaults to TCP. Akash provider:
 * pkg/apis/akash.network/v2beta2/provider_lease_ip.go, manifest/v2beta3/ip.go ParseServiceProtocol.
 */
export function readLeasedIP(
  reader: SourceReader,
  { name, at, metadata, spec }: SourceObject,
): LiveLeasedIP | undefined {
  const lease = reader.mapping(spec.get('lease_id')) ?? new Map();
  const protocol = (reader.text(spec.get('protocol')) || 'TCP').toUpperCase();
  const read = {
    name,
    ...leaseFields(lease, scalarText(lease.get('dseq'))),
    ...portFields(spec),
    port: wholeOf(spec.get('port')),
    protocol: protocol === 'TCP' || protocol === 'UDP' ? (protocol as Protocol) : undefined,
    sharingKey: scalarText(spec.get('sharing_key')),
  };
  if (!isWhole(read)) return left(reader, { subject: `ProviderLeasedIP ${name}`, read, at });
  const isGoing = reader.text(metadata.get('deletionTimestamp')) !== undefined;
  return { ...read, isGoing, at };
}

/**
 * A live `ProviderHost`; undefined, with a note, when it lacks a field that identifies its lease.
 * Its dseq is a number: one that JavaScript cannot hold is read from the label. Akash provider:
 * pkg/apis/akash.network/v2beta2/provider_host.go.
 */
export function readProviderHost(
  reader: SourceReader,
  { name, namespace = '', at, metadata, spec }: SourceObject,
): LiveProviderHost | undefined {
  const number = spec.get('dseq')?.value;
  const label = textAt(metadata.get('labels')?.value, 'akash.network/lease.id.dseq');
  const read = {
    name,
    ...leaseFields(
      spec,
      scalarText(spec.get('dseq')) ?? (Number(label) === number ? label : undefined),
    ),
    ...portFields(spec),
    hostname: scalarText(spec.get('hostname')),
  };
  if (!isWhole(read)) return left(reader, { subject: `ProviderHost ${name}`, read, at });
  return { ...read, namespace, isGoing: metadata.has('deletionTimestamp'), at };
}

/** The fields of a lease id. */
function leaseFields(fields: SourceFields, dseq: string | undefined) {
  return {
    owner: scalarText(fields.get('owner')),
    dseq,
    gseq: wholeOf(fields.get('gseq')),
    oseq: wholeOf(fields.get('oseq')),
    provider: scalarText(fields.get('provider')),
  };
}

function portFields(spec: SourceFields) {
  return {
    service: scalarText(spec.get('service_name')),
    externalPort: wholeOf(spec.get('external_port')),
  };
}

/** A text. A dseq written without quotes has lost digits beyond 2^53. */
function scalarText(node: SourceNode | undefined): string | undefined {
  if (Number.isSafeInteger(node?.value)) return String(node?.value);
  return typeof node?.value === 'string' ? node.value : undefined;
}

function wholeOf(node: SourceNode | undefined): number | undefined {
  const value = node?.value;
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

type Whole<Fields> = { readonly [Key in keyof Fields]: NonNullable<Fields[Key]> };

function isWhole<Fields extends object>(read: Fields): read is Fields & Whole<Fields> {
  return lostOf(read).length === 0;
}

function lostOf(read: object): readonly string[] {
  return Object.entries(read).flatMap(([key, value]) => (value ? [] : [key]));
}

function left(
  reader: SourceReader,
  {
    subject,
    read,
    at,
  }: { readonly subject: string; readonly read: object } & Pick<SourceObject, 'at'>,
): undefined {
  reader.leave(subject, `it is not imported: ${lostOf(read).join(', ')} cannot be read`, at);
}
