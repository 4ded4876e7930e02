import type { ProblemCode } from '../../model/codes/problem-codes.ts';
import type { Lease, LeaseId } from '../../model/lease.ts';
import type { Cluster, Pools } from '../../model/pools.ts';
import { compareProblems, type Outcome, type Position, type Problem } from '../../model/problem.ts';
import { readShape } from '../../text/shape.ts';
import { readYaml, type YamlDocument } from '../../text/yaml/yaml-document.ts';
import { kindProblems } from '../kind.ts';
import { clusterNamed, clusterUnknown } from '../named-cluster.ts';
import { checkEndpoints, endpointsOf } from './lease-endpoints.ts';
import { leaseSchema, type WrittenSpec } from './lease-schema.ts';

/** A lease declaration whose endpoints stand in the tenant's own SDL. */
export interface SdlLease extends Omit<Lease, 'endpoints'> {
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
 * A `Lease` declaration of a file of its own: see {@link readLease}. Problems besides those: of
 * {@link readYaml}, and KIND_UNKNOWN.
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
  return kind.length > 0 ? { ok: false, problems: kind } : readLease(read.value, pools);
}

/**
 * A `Lease` declaration, normalized: with its endpoints, or with the SDL that has them. Undefined
 * when the pools are not known and all that can be told without them is sound. Problems: FIELD_*,
 * OWNER_INVALID, NAME_TOO_LONG, DSEQ_INVALID, ADDRESS_INVALID, CLUSTER_UNKNOWN, PROVIDER_MISSING and
 * those of {@link checkEndpoints}.
 */
export function readLease(
  document: YamlDocument,
  pools: Pools | undefined,
): Outcome<Lease | SdlLease | undefined> {
  const written = readShape(leaseSchema, document, { numberCodes: idNumbers });
  if (!written.ok) return written;
  const { spec } = written.value;
  const endpoints = spec.endpoints && endpointsOf(spec.endpoints, document);
  const problems = endpoints ? checkEndpoints(endpoints, pools, document) : [];
  if (pools === undefined) {
    return problems.length > 0 ? { ok: false, problems } : { ok: true, value: undefined };
  }
  const named = nameLease(spec, pools, document);
  if (!named.ok) problems.push(...named.problems);
  if (!named.ok || problems.length > 0) {
    return { ok: false, problems: problems.toSorted(compareProblems) };
  }
  if (endpoints) return { ok: true, value: { ...named.value, endpoints } };
  const path = besideFile(document.file, spec.sdl ?? '');
  return { ok: true, value: { ...named.value, sdl: { path, at: document.at(['spec', 'sdl']) } } };
}

function nameLease(
  spec: WrittenSpec,
  pools: Pools,
  document: YamlDocument,
): Outcome<Omit<Lease, 'endpoints'>> {
  const cluster = clusterNamed(spec.cluster, pools);
  if (!cluster) {
    const at = () => document.at(['spec', 'cluster']);
    return { ok: false, problems: [clusterUnknown(spec.cluster, pools, at)] };
  }
  const provider = spec.id.provider ?? cluster.provider;
  const problem = providerProblem(provider, cluster, document);
  if (problem || provider === undefined) return { ok: false, problems: problem ? [problem] : [] };
  const id: LeaseId = { ...spec.id, provider };
  return { ok: true, value: { id, cluster: cluster.name, at: document.at(['spec', 'id']) } };
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
  const message = `the provider differs from ${cluster.provider}, that of cluster '${cluster.name}'`;
  return { code: 'FIELD_VALUE', message, at };
}

/** A path that a file gives relative to its own folder, from the repository root. */
function besideFile(file: string, path: string): string {
  return `${file.slice(0, file.lastIndexOf('/') + 1)}${path}`;
}
