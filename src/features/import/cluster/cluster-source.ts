import { type LiveKind, liveKinds } from '../../../core/model/kinds.ts';
import {
  type LiveObject,
  listAt,
  liveObjectName,
  numberAt,
  textAt,
} from '../../../core/model/live.ts';
import { ciliumClasses, type Plane } from '../../../core/model/planes.ts';
import { fail, type Outcome, ok, type Position, startOf } from '../../../core/model/problem.ts';
import type { YamlDocument } from '../../../core/text/yaml/document.ts';
import type { ImportNote, SourceReader } from '../../../lib/foreign/source-reader.ts';
import { anyOperator, releaseOf } from '../../../lib/kubernetes/cilium-operator.ts';
import { DenialCollector } from '../../../lib/kubernetes/denial-collector.ts';
import type { LiveCluster } from '../../../lib/kubernetes/live-cluster.ts';
import { runningClass, runningRelease } from '../../../lib/kubernetes/metallb-workload.ts';
import { ciliumReaders } from '../cilium/cilium-readers.ts';
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
export type ServiceReader = (
  reader: SourceReader,
  object: SourceObject,
  plane: Plane['kind'],
) => ReadService;

/**
 * Reads an export of a cluster: the objects of MetalLB or Cilium, Services, the leases of the Akash
 * provider, and the routes of hostnames. Problems: those of readMetalLB and readLiveService, and
 * FIELD_VALUE for pools of two planes.
 */
export function readClusterObjects(
  sources: readonly SourceDocuments[],
  readService: ServiceReader = readPlainService,
): Outcome<Imported> {
  const plane = planeOf(sources);
  if (!plane.ok) return plane;
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
    ...ciliumReaders(services),
    [
      'v1 Service',
      {
        read: (reader, object) => {
          const read = readService(reader, object, plane.value);
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
  return ok({
    ...read.value,
    notes: [...read.value.notes, ...unmanaged.notes()],
    live,
    ...(plane.value === 'cilium' && { plane: plane.value, loadBalancerClass: onlyClass(services) }),
  });
}

/** The class of all Services that Cilium serves; undefined for none, or when some have another or none. */
function onlyClass(services: readonly LiveService[]): string | undefined {
  const own = services.map(({ written }) => written.spec.loadBalancerClass);
  const served = own.filter(
    (one) => one === undefined || Object.values<unknown>(ciliumClasses).includes(one),
  );
  const [found, ...others] = new Set(served);
  return others.length === 0 && typeof found === 'string' ? found : undefined;
}

/** The plane whose pools a source has. FIELD_VALUE for pools of both: they serve the same Services. */
function planeOf(sources: readonly SourceDocuments[]): Outcome<Plane['kind']> {
  const documents = sources.flatMap((one) => (one.documents.ok ? one.documents.value : []));
  const withPools = (kind: LiveKind) =>
    documents.find(({ value }) => kindsIn(value).has(liveKinds[kind].kind));
  const cilium = withPools('ciliumPool');
  const metallb = withPools('addressPool');
  if (!cilium || !metallb) return ok(cilium ? 'cilium' : 'metallb');
  const message = 'there are pools of Cilium and of MetalLB, and one cluster has one of them';
  const hint = 'export the pools of the one that serves its Services';
  return fail([{ code: 'FIELD_VALUE', message, at: cilium.at([]), also: [metallb.at([])], hint }]);
}

/** The kinds of a document, and of the items of a list. */
function kindsIn(value: unknown): ReadonlySet<string | undefined> {
  const kind = textAt(value, 'kind');
  const items = listAt(value, 'items');
  const ofItem = kind?.endsWith('List') ? kind.slice(0, -'List'.length) : kind;
  return new Set(
    kind?.endsWith('List') ? items.map((item) => textAt(item, 'kind') ?? ofItem) : [kind],
  );
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

/** The kinds of pools and announcements; the permissions of `bootstrap rbac` have those of the plane. */
const kindsOfPlane: Readonly<Record<Plane['kind'], readonly LiveKind[]>> = {
  metallb: ['addressPool', 'l2Advertisement', 'bgpAdvertisement'],
  cilium: ['ciliumPool', 'ciliumL2Policy', 'ciliumBGPAdvertisement'],
};

/** The other kinds that an import lists. */
const importedKinds: readonly LiveKind[] = [
  'leasedIP',
  'providerHost',
  'service',
  'httpRoute',
  'ingress',
  'clientSettingsPolicy',
  'proxySettingsPolicy',
];

/**
 * Reads a live cluster and the version of its plane as if it had been exported: Cilium's pools when
 * MetalLB has none. The position of an object is its name. Missing permissions are collected in one
 * EnvironmentError. Problems: those of `readAnswers`.
 */
export async function readLiveCluster(
  cluster: LiveCluster,
  readAnswers: (answers: readonly SourceDocuments[]) => Outcome<Imported>,
): Promise<Outcome<Imported>> {
  const asked = new DenialCollector(cluster);
  const list = async (kinds: readonly LiveKind[]): Promise<readonly YamlDocument[]> => {
    const found: YamlDocument[] = [];
    for (const kind of kinds) {
      for (const object of (await asked.list(kind)) ?? []) found.push(documentOf(kind, object));
    }
    return found;
  };
  const ofMetalLB = await list(kindsOfPlane.metallb);
  const ofPlane = ofMetalLB.length > 0 ? ofMetalLB : await list(kindsOfPlane.cilium);
  const documents = [...ofPlane, ...(await list(importedKinds))];
  const deployments = (await asked.list('deployment')) ?? [];
  asked.throwDenials();
  const read = readAnswers([{ documents: ok(documents), text: '' }]);
  if (!read.ok) return read;
  if (read.value.plane === 'cilium') return ok({ ...read.value, ...runningCilium(deployments) });
  const { namespace } = read.value;
  if (namespace === undefined) return read;
  const version = runningRelease(deployments, namespace);
  const loadBalancerClass = runningClass(deployments, namespace);
  return ok({ ...read.value, version, loadBalancerClass });
}

/** Where Cilium's operator runs, and its version. */
function runningCilium(
  deployments: readonly LiveObject[],
): Pick<Imported, 'namespace' | 'version'> | undefined {
  const operator = anyOperator(deployments);
  if (!operator) return undefined;
  return { namespace: operator.metadata.namespace, version: releaseOf(operator) };
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
