import type { ProblemCode } from '../model/codes/problem-codes.ts';
import { allocationsFolder, keysFolder } from '../model/folders.ts';
import type { Pools } from '../model/pools.ts';
import type { Position, Problem } from '../model/problem.ts';
import { declaredNames } from '../text/nearest.ts';
import type { YamlDocument } from '../text/yaml/yaml-document.ts';
import type { WrittenPolicy, WrittenTenant } from './policy-schema.ts';

/**
 * What is wrong between the parts of a well-formed policy, and between it and the pools: POLICY_DUPLICATE for a
 * tenant or a folder named twice, FIELD_VALUE for a folder that nobody declares in, a tenant `operators` and ports
 * that end before they start, CLUSTER_UNKNOWN, ZONE_UNKNOWN, POOL_UNKNOWN.
 */
export function policyProblems(
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
    return [{ code: 'POLICY_DUPLICATE', message: `${name} is named twice`, at, also: [other] }];
  };
  return tenants.flatMap(({ name, folders }, index) => [
    ...twice(`tenant ${name}`, `the tenant '${name}'`, document.at(['tenants', index, 'name'])),
    ...folders.flatMap((folder, place) =>
      // A disk may take names that differ by case for one.
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
  if (tenant.name === 'operators') refuse(['name'], "no tenant is called 'operators'");
  for (const [place, folder] of tenant.folders.entries()) {
    const taken = [allocationsFolder, keysFolder].find((other) =>
      `${folder.toLowerCase()}/`.startsWith(`${other}/`),
    );
    if (taken !== undefined) {
      refuse(['folders', place], `nobody declares in ${taken}/, expected another folder`);
    }
  }
  for (const [place, written] of (tenant.ports ?? []).entries()) {
    const [from = 0, to = from] = String(written).split('-').map(Number);
    if (to < from || to > 65535) {
      refuse(
        ['ports', place],
        `'${written}' is no range of ports, expected first-last up to 65535`,
      );
    }
  }
  return problems;
}

interface Names {
  readonly clusters: readonly string[];
  readonly zones: readonly string[];
  readonly pools: readonly string[];
}

function namesOf({ clusters, pools }: Pools): Names {
  return {
    clusters: clusters.map(({ name }) => name),
    zones: [...new Set(pools.map(({ zone }) => zone))],
    pools: pools.map(({ name }) => name),
  };
}

const nouns = {
  clusters: ['CLUSTER_UNKNOWN', 'cluster'],
  zones: ['ZONE_UNKNOWN', 'zone'],
  pools: ['POOL_UNKNOWN', 'pool'],
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
    ...(['clusters', 'zones', 'pools'] as const).flatMap((field) =>
      (tenant[field] ?? []).flatMap((name, index) => problem(field, name, place([field, index]))),
    ),
    ...tenant.namespaces.flatMap((text, index) => {
      const slash = text.indexOf('/');
      const cluster = text.slice(0, Math.max(slash, 0));
      return slash < 0 ? [] : problem('clusters', cluster, place(['namespaces', index]));
    }),
  ];
}
