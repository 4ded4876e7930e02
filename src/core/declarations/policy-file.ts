import type { ProblemCode } from '../model/codes/problem-codes.ts';
import type { Policy, PolicyField, PortRange, Tenant } from '../model/policy.ts';
import type { Pools } from '../model/pools.ts';
import { failSorted, type Outcome, ok, type Position, type Problem } from '../model/problem.ts';
import {
  allocationsFolder,
  hostnamesFolder,
  keysFolder,
  proofsFolder,
} from '../model/repository-paths.ts';
import { declaredNames } from '../text/message-text.ts';
import type { YamlDocument } from '../text/yaml/document.ts';
import { readKind } from './object-meta.ts';
import { policySchema, type WrittenPolicy, type WrittenTenant } from './policy-schema.ts';

/**
 * Reads the policy file, `leases/policy.yaml`. Checks that its clusters, zones and pools exist only
 * when the pools are known. Problems: those of {@link readKind}, OWNER_INVALID, DNS_INVALID,
 * NAME_TOO_LONG and those of {@link policyProblems}.
 */
export function readPolicy(
  file: string,
  bytes: Uint8Array,
  pools: Pools | undefined,
): Outcome<Policy> {
  const read = readKind(file, bytes, { kind: 'Policy', schema: policySchema });
  if (!read.ok) return read;
  const { written, document } = read.value;
  const problems = policyProblems(written, pools, document);
  if (problems.length > 0) return failSorted(problems);
  const { operators } = written;
  const tenants = written.tenants.map((tenant, index) => normalized(tenant, index, document));
  const folders = new Map(
    tenants.flatMap((tenant) => tenant.folders.map((folder) => [folder, tenant] as const)),
  );
  return ok({ operators, tenants, folders });
}

function normalized(written: WrittenTenant, index: number, document: YamlDocument): Tenant {
  const { hostnames, clusters, zones, pools, advertisements, ports } = written;
  const place = (field: PolicyField): Position =>
    written[field] === undefined || written[field].length === 0
      ? document.at(['tenants', index])
      : document.keyAt(['tenants', index, field]);
  return {
    name: written.name,
    folders: written.folders,
    owners: written.owners,
    namespaces: written.namespaces.map((text) => {
      const [name = '', cluster] = text.split('/').reverse();
      return { cluster, name };
    }),
    hostnames,
    clusters,
    zones,
    pools,
    advertisements,
    ports: ports?.map(portRangeOf),
    reviewers: written.reviewers,
    signers: written.signers,
    at: document.at(['tenants', index]),
    places: {
      owners: place('owners'),
      namespaces: place('namespaces'),
      hostnames: place('hostnames'),
      clusters: place('clusters'),
      zones: place('zones'),
      pools: place('pools'),
      advertisements: place('advertisements'),
      ports: place('ports'),
    },
  };
}

/** Parses a port or `first-last`, as the schema accepts them. */
function portRangeOf(written: number | string): PortRange {
  const [from = 0, to = from] = String(written).split('-').map(Number);
  return { from, to };
}

/**
 * Problems of a well-formed policy, and between it and the pools: POLICY_DUPLICATE for a tenant or
 * a folder that is listed twice; FIELD_VALUE for a folder without declarations, a tenant named
 * `operators`, and a port range that ends before it starts; CLUSTER_UNKNOWN, ZONE_UNKNOWN,
 * POOL_UNKNOWN, ADVERTISEMENT_UNKNOWN.
 */
function policyProblems(
  written: WrittenPolicy,
  pools: Pools | undefined,
  document: YamlDocument,
): Problem[] {
  const { tenants } = written;
  const known = pools && namesOf(pools);
  return [
    ...duplicates(tenants, document),
    ...tenants.flatMap((tenant, index) => [
      ...tenantProblems(tenant, index, document),
      ...(known
        ? unknownNames(tenant, known, (path) => document.at(['tenants', index, ...path]))
        : []),
    ]),
  ];
}

function duplicates(tenants: readonly WrittenTenant[], document: YamlDocument): Problem[] {
  const first = new Map<string, Position>();
  const twice = (key: string, name: string, at: Position): Problem[] => {
    const other = first.get(key);
    if (other === undefined) {
      first.set(key, at);
      return [];
    }
    return [{ code: 'POLICY_DUPLICATE', message: `${name} is listed twice`, at, also: [other] }];
  };
  return tenants.flatMap(({ name, folders }, index) => [
    ...twice(`tenant ${name}`, `the tenant '${name}'`, document.at(['tenants', index, 'name'])),
    ...folders.flatMap((folder, place) =>
      // File systems may ignore case.
      twice(
        `folder ${folder.toLowerCase()}`,
        `the folder '${folder}'`,
        document.at(['tenants', index, 'folders', place]),
      ),
    ),
  ]);
}

function tenantProblems(tenant: WrittenTenant, index: number, document: YamlDocument): Problem[] {
  const problems: Problem[] = [];
  const refuse = (path: readonly PropertyKey[], message: string): void => {
    problems.push({ code: 'FIELD_VALUE', message, at: document.at(['tenants', index, ...path]) });
  };
  if (tenant.name === 'operators')
    refuse(['name'], "the name 'operators' is reserved, expected another tenant name");
  for (const [place, folder] of tenant.folders.entries()) {
    const taken = [allocationsFolder, proofsFolder, keysFolder].find((other) =>
      isFolderIn(folder, other),
    );
    if (taken !== undefined) {
      refuse(['folders', place], noDeclarations(taken));
    }
  }
  for (const [place, written] of (tenant.ports ?? []).entries()) {
    const [from = 0, to = from] = String(written).split('-').map(Number);
    if (to < from || to > 65535) {
      refuse(['ports', place], `'${written}' is not a port range, expected first-last up to 65535`);
    }
  }
  return problems;
}

/**
 * FIELD_VALUE for each tenant with a folder in that of the records of hostnames. Older versions
 * allowed it, so {@link readPolicy} reads such a policy: it still judges a change that moves the
 * folder.
 */
export function hostnamesFolderProblems({ tenants }: Policy): Problem[] {
  return tenants
    .filter(({ folders }) => folders.some((folder) => isFolderIn(folder, hostnamesFolder)))
    .map(({ at }) => ({ code: 'FIELD_VALUE', message: noDeclarations(hostnamesFolder), at }));
}

/** File systems may ignore case. */
function isFolderIn(folder: string, other: string): boolean {
  return `${folder.toLowerCase()}/`.startsWith(`${other}/`);
}

function noDeclarations(folder: string): string {
  return `${folder}/ has no declarations, expected another folder`;
}

interface Names {
  readonly clusters: readonly string[];
  readonly zones: readonly string[];
  readonly pools: readonly string[];
  readonly advertisements: readonly string[];
}

function namesOf({ clusters, pools, advertisements }: Pools): Names {
  return {
    clusters: clusters.map(({ name }) => name),
    zones: [...new Set(pools.map(({ zone }) => zone))],
    pools: pools.map(({ name }) => name),
    advertisements: advertisements.map(({ name }) => name),
  };
}

const nouns = {
  clusters: ['CLUSTER_UNKNOWN', 'cluster'],
  zones: ['ZONE_UNKNOWN', 'zone'],
  pools: ['POOL_UNKNOWN', 'pool'],
  advertisements: ['ADVERTISEMENT_UNKNOWN', 'advertisement'],
} as const satisfies Record<keyof Names, readonly [ProblemCode, string]>;

function unknownNames(
  tenant: WrittenTenant,
  known: Names,
  place: (path: readonly PropertyKey[]) => Position,
): Problem[] {
  const problem = (field: keyof Names, name: string, at: Position): Problem[] => {
    if (known[field].includes(name)) return [];
    const [code, noun] = nouns[field];
    const message = `the ${noun} '${name}' is not declared in leases/pools.yaml`;
    return [{ code, message, at, ...declaredNames(noun, name, known[field]) }];
  };
  return [
    ...(['clusters', 'zones', 'pools', 'advertisements'] as const).flatMap((field) =>
      (tenant[field] ?? []).flatMap((name, index) => problem(field, name, place([field, index]))),
    ),
    ...tenant.namespaces.flatMap((text, index) => {
      const slash = text.indexOf('/');
      const cluster = text.slice(0, Math.max(slash, 0));
      return slash < 0 ? [] : problem('clusters', cluster, place(['namespaces', index]));
    }),
  ];
}
