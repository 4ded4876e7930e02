import { type LiveKind, liveKinds } from '../../../core/model/kinds.ts';
import {
  type LiveObject,
  listAt,
  liveObjectName,
  numberAt,
  textAt,
} from '../../../core/model/live.ts';
import { type Outcome, ok, type Position, startOf } from '../../../core/model/problem.ts';
import type { YamlDocument } from '../../../core/text/yaml/document.ts';
import type { ImportNote, SourceReader } from '../../../lib/foreign/source-reader.ts';
import { DenialCollector } from '../../../lib/kubernetes/denial-collector.ts';
import type { LiveCluster } from '../../../lib/kubernetes/live-cluster.ts';
import { runningClass, runningRelease } from '../../../lib/kubernetes/metallb-workload.ts';
import type {
  Imported,
  LiveLeasedIP,
  LiveProviderHost,
  LiveService,
  TakenAddress,
} from '../imported.ts';
import { type OtherReader, readObjects, type SourceDocuments } from '../metallb/metallb-source.ts';
import type { SourceObject } from '../metallb/source-object.ts';
import { readLeasedIP, readProviderHost } from './lease-objects.ts';
import { readRoute } from './live-route.ts';
import { type ReadService, readPlainService } from './live-service.ts';
import { policyOptions } from './route-options.ts';

/** Reads a Service as a particular source does. */
export type ServiceReader = (reader: SourceReader, object: SourceObject) => ReadService;

/**
 * Reads an export of a cluster: MetalLB's objects, Services, the leases of the Akash provider, and
 * the routes of hostnames. Problems: those of readMetalLB and readLiveService.
 */
export function readClusterObjects(
  sources: readonly SourceDocuments[],
  readService: ServiceReader = readPlainService,
): Outcome<Imported> {
  const services: LiveService[] = [];
  const leasedIPs: LiveLeasedIP[] = [];
  const providerHosts: LiveProviderHost[] = [];
  const taken: TakenAddress[] = [];
  const routes: SourceObject[] = [];
  const policies: SourceObject[] = [];
  const ports = new NamedPorts();
  const unmanaged = new FilesWithoutManagedFields();
  const kept = (list: SourceObject[]): OtherReader => ({
    isLenient: true,
    read: (_, object) => list.push(object),
  });
  const others = new Map<string, OtherReader>([
    [
      'v1 Service',
      {
        read: (reader, object) => {
          const read = readService(reader, object);
          if (read.live) services.push(read.live);
          taken.push(...read.taken);
          unmanaged.meet(object, read);
          ports.meet(object);
        },
      },
    ],
    [
      'akash.network/v2beta2 ProviderLeasedIP',
      {
        read: (reader, object) => {
          const leased = readLeasedIP(reader, object);
          if (leased) leasedIPs.push(leased);
        },
      },
    ],
    [
      'akash.network/v2beta2 ProviderHost',
      {
        isLenient: true,
        read: (reader, object) => {
          const host = readProviderHost(reader, object);
          if (host) providerHosts.push(host);
        },
      },
    ],
    ['gateway.networking.k8s.io/v1 HTTPRoute', kept(routes)],
    ['gateway.networking.k8s.io/v1beta1 HTTPRoute', kept(routes)],
    ['networking.k8s.io/v1 Ingress', kept(routes)],
    ['gateway.nginx.org/v1alpha1 ClientSettingsPolicy', kept(policies)],
    ['gateway.nginx.org/v1alpha1 ProxySettingsPolicy', kept(policies)],
  ]);
  const read = readObjects(sources, others);
  if (!read.ok) return read;
  // A route may come before its policies, and before the Service whose port it names.
  const surroundings = { portNumber: ports.numberOf, policies: policyOptions(policies) };
  const live = {
    services,
    leasedIPs,
    providerHosts,
    routes: routes.map((object) => readRoute(object, surroundings)),
    taken,
  };
  return ok({ ...read.value, notes: [...read.value.notes, ...unmanaged.notes()], live });
}

/** The ports of Services by their names, which an Ingress may use. */
class NamedPorts {
  readonly #numbers = new Map<string, number>();

  meet({ name, namespace, spec }: SourceObject): void {
    for (const port of listAt(spec.get('ports')?.value)) {
      const number = numberAt(port, 'port');
      const key = `${namespace}/${name} ${textAt(port, 'name')}`;
      if (number !== undefined) this.#numbers.set(key, number);
    }
  }

  readonly numberOf = (namespace: string, service: string, name: string): number | undefined =>
    this.#numbers.get(`${namespace}/${service} ${name}`);
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
        'it has no managedFields: a Service that a tool such as Terraform manages is declared as if a person wrote it, unless its labels name the tool; export again with `kubectl get --show-managed-fields`',
      at,
    }));
  }
}

/** The kinds that an import lists; docs/rbac/verify.yaml grants them. */
const importedKinds: readonly LiveKind[] = [
  'addressPool',
  'l2Advertisement',
  'bgpAdvertisement',
  'leasedIP',
  'providerHost',
  'service',
  'httpRoute',
  'ingress',
  'clientSettingsPolicy',
  'proxySettingsPolicy',
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
    value: { apiVersion: liveKinds[kind].apiVersion, kind: liveKinds[kind].kind, ...object },
    nonCanonicalNumbers: [],
    at: () => place,
    keyAt: () => place,
  };
}
