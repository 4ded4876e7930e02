import type { Protocol } from '../../../model/lease.ts';
import {
  apiVersionOf,
  type LiveKind,
  type LiveObject,
  liveKinds,
  liveObjectName,
} from '../../../model/live.ts';
import { type Outcome, ok, type Position, startOf } from '../../../model/problem.ts';
import type { LiveCluster } from '../../../ports/live-cluster.ts';
import type { ImportNote, SourceFields, SourceReader } from '../../../text/source-reader.ts';
import type { YamlDocument } from '../../../text/yaml/document.ts';
import { runningClass, runningRelease } from '../../cluster/doctor/metallb-workload.ts';
import { DenialCollector } from '../../cluster/live/denial-collector.ts';
import type { Imported, LiveLeasedIP, LiveService, TakenAddress } from '../imported.ts';
import { type OtherReader, readObjects, type SourceDocuments } from '../metallb/metallb-source.ts';
import type { SourceObject } from '../metallb/source-object.ts';
import { type ReadService, readPlainService } from './live-service.ts';

/** Reads a Service as a particular source does. */
export type ServiceReader = (reader: SourceReader, object: SourceObject) => ReadService;

/**
 * Reads an export of a cluster: MetalLB's objects, Services, and the leases of the Akash provider.
 * Problems: those of readMetalLB and readLiveService.
 */
export function readClusterObjects(
  sources: readonly SourceDocuments[],
  readService: ServiceReader = readPlainService,
): Outcome<Imported> {
  const services: LiveService[] = [];
  const leasedIPs: LiveLeasedIP[] = [];
  const taken: TakenAddress[] = [];
  const unmanaged = new FilesWithoutManagedFields();
  const others = new Map<string, OtherReader>([
    [
      'v1 Service',
      (reader, object) => {
        const read = readService(reader, object);
        if (read.live) services.push(read.live);
        taken.push(...read.taken);
        unmanaged.meet(object, read);
      },
    ],
    [
      'akash.network/v2beta2 ProviderLeasedIP',
      (reader, object) => {
        const leased = readLeasedIP(reader, object);
        if (leased) leasedIPs.push(leased);
      },
    ],
  ]);
  const read = readObjects(sources, others);
  if (!read.ok) return read;
  const notes = [...read.value.notes, ...unmanaged.notes()];
  return ok({ ...read.value, notes, live: { services, leasedIPs, taken } });
}

/** Finds files without `managedFields`, in which the writer of a Service is unknown. */
class FilesWithoutManagedFields {
  readonly #managed = new Set<string>();
  /** The first Service of each file that is taken as written by hand. */
  readonly #first = new Map<string, Position>();

  meet({ at, metadata }: SourceObject, { live }: ReadService): void {
    if (metadata.has('managedFields')) this.#managed.add(at.file);
    else if (live && !live.manager && !live.isOfLease && !this.#first.has(at.file)) {
      this.#first.set(at.file, at);
    }
  }

  notes(): readonly ImportNote[] {
    const first = [...this.#first].filter(([file]) => !this.#managed.has(file));
    return first.map(([file, at]) => ({
      effect: 'changed',
      subject: file,
      message:
        'it has no managedFields: a Service that a tool such as Terraform manages is declared as if a person wrote it, unless its labels name the tool; export again with kubectl get --show-managed-fields',
      at,
    }));
  }
}

/**
 * A live `ProviderLeasedIP`; undefined, with a note, when it lacks a field that identifies its
 * lease. The operator accepts a protocol in any case, and defaults to TCP. Akash provider:
 * pkg/apis/akash.network/v2beta2/provider_lease_ip.go, manifest/v2beta3/ip.go ParseServiceProtocol.
 */
function readLeasedIP(
  reader: SourceReader,
  { name, at, metadata, spec }: SourceObject,
): LiveLeasedIP | undefined {
  const lease = reader.mapping(spec.get('lease_id')) ?? new Map();
  const text = (fields: SourceFields, key: string): string | undefined => {
    const node = fields.get(key);
    // A dseq written without quotes has lost digits beyond 2^53.
    if (Number.isSafeInteger(node?.value)) return String(node?.value);
    return typeof node?.value === 'string' ? node.value : undefined;
  };
  const whole = (fields: SourceFields, key: string): number | undefined => {
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
    const message = `it is not imported: ${lost.join(', ')} cannot be read`;
    reader.leave(subject, message, at);
    return undefined;
  }
  return {
    ...(read as { [Key in keyof typeof read]: NonNullable<(typeof read)[Key]> }),
    isGoing: reader.text(metadata.get('deletionTimestamp')) !== undefined,
    at,
  };
}

/** The kinds that an import lists; docs/rbac/verify.yaml grants them. */
const importedKinds: readonly LiveKind[] = [
  'addressPool',
  'l2Advertisement',
  'bgpAdvertisement',
  'leasedIP',
  'service',
];

/**
 * Reads a live cluster and the version of its MetalLB as if it had been exported. The position of
 * an object is its name. Missing permissions are collected in one EnvironmentError. Problems: those
 * of `readAnswers`.
 */
export async function readLiveCluster(
  cluster: LiveCluster,
  readAnswers: (answers: readonly SourceDocuments[]) => Outcome<Imported>,
): Promise<Outcome<Imported>> {
  const asked = new DenialCollector(cluster);
  const documents: YamlDocument[] = [];
  for (const kind of importedKinds) {
    for (const object of (await asked.list(kind)) ?? []) documents.push(documentOf(kind, object));
  }
  const deployments = (await asked.list('deployment')) ?? [];
  asked.throwDenials();
  const read = readAnswers([{ documents: ok(documents), text: '' }]);
  if (!read.ok) return read;
  const { namespace } = read.value;
  if (namespace === undefined) return read;
  const version = runningRelease(deployments, namespace);
  const loadBalancerClass = runningClass(deployments, namespace);
  return ok({ ...read.value, version, loadBalancerClass });
}

function documentOf(kind: LiveKind, object: LiveObject): YamlDocument {
  const place = startOf(liveObjectName(kind, object));
  return {
    file: place.file,
    value: { apiVersion: apiVersionOf(kind), kind: liveKinds[kind].kind, ...object },
    nonCanonicalNumbers: [],
    at: () => place,
    keyAt: () => place,
  };
}
