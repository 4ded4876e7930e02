import type { Policy, PolicyField, PortRange, Tenant } from '../model/policy.ts';
import type { Pools } from '../model/pools.ts';
import { compareProblems, type Outcome, type Position } from '../model/problem.ts';
import { readShape } from '../text/shape.ts';
import { readYaml, type YamlDocument } from '../text/yaml/yaml-document.ts';
import { kindProblems } from './kind.ts';
import { policyProblems } from './policy-rules.ts';
import { policySchema, type WrittenTenant } from './policy-schema.ts';

/**
 * The policy file, `leases/policy.yaml`. That its clusters, zones and pools exist is only looked at where
 * the pools are known. Problems: those of {@link readYaml}, FIELD_*, KIND_UNKNOWN, OWNER_INVALID, NAME_TOO_LONG
 * and those of {@link policyProblems}.
 */
export function readPolicy(
  file: string,
  bytes: Uint8Array,
  pools: Pools | undefined,
): Outcome<Policy> {
  const document = readYaml(file, bytes, 'refused');
  if (!document.ok) return document;
  const kind = kindProblems(document.value, 'Policy');
  if (kind.length > 0) return { ok: false, problems: kind };
  const written = readShape(policySchema, document.value);
  if (!written.ok) return written;
  const problems = policyProblems(written.value, pools, document.value);
  if (problems.length > 0) return { ok: false, problems: problems.toSorted(compareProblems) };
  const { operators } = written.value;
  const tenants = written.value.tenants.map((tenant, index) =>
    normalized(tenant, index, document.value),
  );
  const folders = new Map(
    tenants.flatMap((tenant) => tenant.folders.map((folder) => [folder, tenant] as const)),
  );
  return { ok: true, value: { operators, tenants, folders } };
}

function normalized(written: WrittenTenant, index: number, document: YamlDocument): Tenant {
  const { clusters, zones, pools, ports } = written;
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
    clusters,
    zones,
    pools,
    ports: ports?.map(portRangeOf),
    reviewers: written.reviewers,
    signers: written.signers,
    at: document.at(['tenants', index]),
    places: {
      owners: place('owners'),
      namespaces: place('namespaces'),
      clusters: place('clusters'),
      zones: place('zones'),
      pools: place('pools'),
      ports: place('ports'),
    },
  };
}

/** A port, or `first-last`, as the schema has let it through. */
function portRangeOf(written: number | string): PortRange {
  const [from = 0, to = from] = String(written).split('-').map(Number);
  return { from, to };
}
