import type { ProblemCode } from '../../model/codes/problem-codes.ts';
import type { Endpoint, Lease, LeaseHost, LeaseId } from '../../model/lease.ts';
import type { Cluster, Pools } from '../../model/pools.ts';
import {
  fail,
  failSorted,
  type Outcome,
  ok,
  okUnless,
  type Position,
  type Problem,
} from '../../model/problem.ts';
import { formatAddress } from '../../net/address.ts';
import { readShape } from '../../text/shape.ts';
import type { YamlDocument } from '../../text/yaml/document.ts';
import { readYaml } from '../../text/yaml/yaml-document.ts';
import { routesMissing } from '../hostname-file.ts';
import { kindProblems } from '../object-meta.ts';
import {
  advertisementProblems,
  clusterNamed,
  clusterUnknown,
  poolProblems,
} from '../references.ts';
import {
  leaseSchema,
  type WrittenEndpoint,
  type WrittenHost,
  type WrittenSpec,
} from './lease-schema.ts';

/** A lease declaration whose endpoints and hostnames are in the tenant's own SDL. */
export interface SdlLease extends Omit<Lease, 'endpoints' | 'hosts'> {
  /** Whether the hostnames of the SDL are routed: the cluster has routes. */
  readonly isRouted: boolean;
  readonly sdl: {
    /** The SDL's path, from the repository root. */
    readonly path: string;
    readonly at: Position;
  };
}

const idNumbers: ReadonlyMap<string, ProblemCode> = new Map([
  ['spec.id.dseq', 'DSEQ_INVALID'],
  ['spec.id.gseq', 'DSEQ_INVALID'],
  ['spec.id.oseq', 'DSEQ_INVALID'],
]);

/**
 * Reads a file with a `Lease` declaration. Problems: those of {@link readYaml}, KIND_UNKNOWN, and
 * those of {@link readLease}.
 */
export function readLeaseFile(
  file: string,
  bytes: Uint8Array,
  pools: Pools,
): Outcome<Lease | SdlLease>;
export function readLeaseFile(
  file: string,
  bytes: Uint8Array,
  pools: Pools | undefined,
): Outcome<Lease | SdlLease | undefined>;
export function readLeaseFile(
  file: string,
  bytes: Uint8Array,
  pools: Pools | undefined,
): Outcome<Lease | SdlLease | undefined> {
  const read = readYaml(file, bytes, 'refused');
  if (!read.ok) return read;
  const kind = kindProblems(read.value, 'Lease');
  return kind.length > 0 ? fail(kind) : readLease(read.value, pools);
}

/**
 * Reads a `Lease` declaration and normalizes it, with its endpoints or the path of its SDL. The
 * value is undefined when the pools are unknown and everything else is valid. Problems: FIELD_*,
 * OWNER_INVALID, NAME_TOO_LONG, DSEQ_INVALID, ADDRESS_INVALID, DNS_INVALID, CLUSTER_UNKNOWN,
 * PROVIDER_MISSING, ROUTES_MISSING and those of {@link checkEndpoints}.
 */
export function readLease(
  document: YamlDocument,
  pools: Pools | undefined,
): Outcome<Lease | SdlLease | undefined> {
  const written = readShape(leaseSchema, document, { numberCodes: idNumbers });
  if (!written.ok) return written;
  const { spec } = written.value;
  const endpoints = endpointsOf(spec.endpoints ?? [], document);
  const hosts = spec.hosts ? hostsOf(spec.hosts, document) : [];
  const place = pools && { pools, cluster: clusterNamed(spec.cluster, pools) };
  const problems = checkEndpoints(endpoints, place, document);
  if (pools === undefined) {
    return okUnless(problems, undefined);
  }
  const named = nameLease(spec, pools, document);
  if (!named.ok) problems.push(...named.problems);
  else if (!named.value.cluster.routes) {
    problems.push(...hosts.slice(0, 1).map(({ at }) => routesMissing(named.value.cluster, at)));
  }
  if (!named.ok || problems.length > 0) {
    return failSorted(problems);
  }
  const { id, cluster, at } = named.value;
  if (spec.sdl === undefined) return ok({ id, cluster: cluster.name, at, endpoints, hosts });
  const path = besideFile(document.file, spec.sdl);
  const isRouted = cluster.routes !== undefined;
  const sdl = { path, at: document.at(['spec', 'sdl']) };
  return ok({ id, cluster: cluster.name, at, isRouted, sdl });
}

function nameLease(
  spec: WrittenSpec,
  pools: Pools,
  document: YamlDocument,
): Outcome<Pick<Lease, 'id' | 'at'> & { readonly cluster: Cluster }> {
  const cluster = clusterNamed(spec.cluster, pools);
  if (!cluster) {
    const at = () => document.at(['spec', 'cluster']);
    return fail([clusterUnknown(spec.cluster, pools, at)]);
  }
  const provider = spec.id.provider ?? cluster.provider;
  const problem = providerProblem(provider, cluster, document);
  if (problem || provider === undefined) return fail(problem ? [problem] : []);
  // A copy by spread would have a hidden class of its own in V8.
  const { owner, dseq, gseq, oseq } = spec.id;
  const id: LeaseId = { owner, dseq, gseq, oseq, provider };
  return ok({ id, cluster, at: document.at(['spec', 'id']) });
}

function providerProblem(
  provider: string | undefined,
  cluster: Cluster,
  document: YamlDocument,
): Problem | undefined {
  if (provider !== undefined && (cluster.provider ?? provider) === provider) return undefined;
  const at = document.at(['spec', 'id', 'provider']);
  if (provider === undefined) {
    return { code: 'PROVIDER_MISSING', message: 'the lease has no provider', at };
  }
  const message = `the provider differs from ${cluster.provider}, the provider of cluster '${cluster.name}'`;
  return { code: 'FIELD_VALUE', message, at };
}

/** Resolves a path relative to a file's folder; the result is from the repository root. */
function besideFile(file: string, path: string): string {
  return `${file.slice(0, file.lastIndexOf('/') + 1)}${path}`;
}

function endpointsOf(
  written: readonly WrittenEndpoint[],
  document: YamlDocument,
): readonly Endpoint[] {
  return written.map((endpoint, index) => ({
    name: endpoint.name,
    service: endpoint.service,
    port: endpoint.port,
    externalPort: endpoint.externalPort ?? endpoint.port,
    protocol: endpoint.protocol,
    zone: endpoint.zone,
    pool: endpoint.pool,
    advertisement: endpoint.advertisement,
    ipFamily: endpoint.ipFamily,
    address: endpoint.address,
    ...(endpoint.address && { addressAt: document.at(['spec', 'endpoints', index, 'address']) }),
    retentionDays: endpoint.retentionDays,
    selector: endpoint.selector,
    liveSharingKey: endpoint.liveSharingKey,
    dns: endpoint.dns.map((name, place) => {
      return { name, at: document.at(['spec', 'endpoints', index, 'dns', place]) };
    }),
    at: document.at(['spec', 'endpoints', index]),
  }));
}

function hostsOf(written: readonly WrittenHost[], document: YamlDocument): readonly LeaseHost[] {
  return written.flatMap(({ service, accept, httpOptions: http }, index) =>
    accept.map((hostname, place) => {
      const at = document.at(['spec', 'hosts', index, 'accept', place]);
      return { service, hostname, http, at };
    }),
  );
}

/**
 * Problems between the endpoints, and between them and the pools when these are known:
 * ENDPOINT_DUPLICATE, ZONE_UNKNOWN, POOL_UNKNOWN, ADVERTISEMENT_*, and FIELD_VALUE for a pool outside
 * the zone or a pin of another family.
 */
function checkEndpoints(
  endpoints: readonly Endpoint[],
  place: { readonly pools: Pools; readonly cluster: Cluster | undefined } | undefined,
  document: YamlDocument,
): Problem[] {
  const problems = endpoints.length > 1 ? duplicates(endpoints) : [];
  for (const [index, endpoint] of endpoints.entries()) {
    const { address, zone, pool, advertisement } = endpoint;
    if ([address, zone, pool, advertisement].every((value) => value === undefined)) continue;
    const at = (field: string): Position => document.at(['spec', 'endpoints', index, field]);
    problems.push(...pinProblems(endpoint, at));
    if (!place) continue;
    problems.push(
      ...poolProblems(endpoint, place.pools, at),
      ...advertisementProblems(advertisement, place, () => at('advertisement')),
    );
  }
  return problems;
}

function duplicates(endpoints: readonly Endpoint[]): Problem[] {
  const first = new Map<string, Position>();
  return endpoints.flatMap(({ name, service, externalPort, protocol, at }): Problem[] => {
    const key = `${name} ${service} ${externalPort}/${protocol}`;
    const other = first.get(key);
    if (other === undefined) {
      first.set(key, at);
      return [];
    }
    const message = `the endpoint '${name}' has ${service} ${externalPort}/${protocol} twice`;
    return [{ code: 'ENDPOINT_DUPLICATE', message, at, also: [other] }];
  });
}

function pinProblems(endpoint: Endpoint, at: (field: string) => Position): Problem[] {
  const { address, ipFamily } = endpoint;
  if (!address || ipFamily === 'dual' || ipFamily === address.family) return [];
  const message = `the pin ${formatAddress(address)} is not of the family ${ipFamily}`;
  const hint = `write ipFamily: ${address.family}, or pin an address of the other family`;
  return [{ code: 'FIELD_VALUE', message, at: at('address'), hint }];
}
