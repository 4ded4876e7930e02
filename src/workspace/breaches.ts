import { type Claim, claimText } from '../model/claim.ts';
import type { PolicyField, PolicyNamespace, PortRange, Tenant } from '../model/policy.ts';
import type { Position, Problem } from '../model/problem.ts';
import { fewOf } from '../model/problem.ts';
import type { DeclaredService, Reservation } from '../model/service.ts';

/** Where a claim ends up, whatever it says itself. */
export interface Reached {
  readonly zone: string;
  /** The pools that its address comes from, or may come from. */
  readonly pools: readonly string[];
}

/** POLICY_REFUSED for each kind of what a tenant may not have a claim ask for. */
export function claimBreaches(tenant: Tenant, claim: Claim, { zone, pools }: Reached): Problem[] {
  const name = claimText(claim);
  const outside = pools.filter((pool) => !isAmong(tenant.pools, pool));
  const { externalPort } = claim;
  return [
    ...(claim.kind === 'Lease' ? leaseBreaches(tenant, claim) : []),
    ...unless(isAmong(tenant.zones, zone), tenant, claim.at, {
      field: 'zones',
      may: `may take addresses of ${onlyText('zone', tenant.zones ?? [])}`,
      asked: `${name} gets one of zone ${zone}`,
    }),
    ...unless(outside.length === 0, tenant, claim.at, {
      field: 'pools',
      may: `may take addresses of ${onlyText('pool', tenant.pools ?? [])}`,
      asked: `${name} ${pools.length > 1 ? 'may get' : 'gets'} one of ${namesText('pool', outside)}`,
      hint: 'name a pool that the tenant may take from',
    }),
    ...unless(tenant.ports === undefined || hasPort(tenant.ports, externalPort), tenant, claim.at, {
      field: 'ports',
      may: `may open ${onlyText('port', (tenant.ports ?? []).map(portText))}`,
      asked: `${name} opens ${externalPort}`,
    }),
  ];
}

/** POLICY_REFUSED for the cluster and the namespace of a Service or Reservation, also of one that wants no address. */
export function serviceBreaches(
  tenant: Tenant,
  { kind, cluster, namespace, name, at }: DeclaredService | Reservation,
): Problem[] {
  const what = `${kind} ${name}`;
  const namespaces = tenant.namespaces.map(namespaceText);
  return [
    ...clusterBreach(tenant, { cluster, what, at }),
    ...unless(tenant.namespaces.some(isNamespace(cluster, namespace)), tenant, at, {
      field: 'namespaces',
      may: `may declare Services of ${onlyText('namespace', namespaces)}`,
      asked: `${what} is of ${cluster}/${namespace}`,
    }),
  ];
}

function leaseBreaches(tenant: Tenant, claim: Claim & { readonly kind: 'Lease' }): Problem[] {
  const { cluster, lease, at } = claim;
  return [
    ...clusterBreach(tenant, { cluster, what: claimText(claim), at }),
    ...unless(tenant.owners.includes(lease.owner), tenant, at, {
      field: 'owners',
      may: `may declare leases of ${onlyText('owner', tenant.owners)}`,
      asked: `${claimText(claim)} is of ${lease.owner}`,
    }),
  ];
}

function clusterBreach(
  tenant: Tenant,
  { cluster, what, at }: { readonly cluster: string; readonly what: string; readonly at: Position },
): Problem[] {
  return unless(isAmong(tenant.clusters, cluster), tenant, at, {
    field: 'clusters',
    may: `may declare in ${onlyText('cluster', tenant.clusters ?? [])}`,
    asked: `${what} is in cluster ${cluster}`,
  });
}

interface Breach {
  readonly field: PolicyField;
  /** What the tenant may. */
  readonly may: string;
  /** What is asked for. */
  readonly asked: string;
  readonly hint?: string;
}

const askOperators = 'ask the operators to change leases/policy.yaml in a pull request of theirs';

function unless(isAllowed: boolean, tenant: Tenant, at: Position, breach: Breach): Problem[] {
  if (isAllowed) return [];
  const { field, may, asked, hint = askOperators } = breach;
  return [
    {
      code: 'POLICY_REFUSED',
      message: `tenant ${tenant.name} ${may}, and ${asked}`,
      at,
      also: [tenant.places[field]],
      hint,
    },
  ];
}

function isAmong(names: readonly string[] | undefined, name: string): boolean {
  return names?.includes(name) ?? true;
}

function isNamespace(cluster: string, namespace: string) {
  return (allowed: PolicyNamespace): boolean =>
    allowed.name === namespace && (allowed.cluster ?? cluster) === cluster;
}

function namespaceText({ cluster, name }: PolicyNamespace): string {
  return cluster === undefined ? name : `${cluster}/${name}`;
}

function hasPort(ports: readonly PortRange[], port: number): boolean {
  return ports.some(({ from, to }) => from <= port && port <= to);
}

function portText({ from, to }: PortRange): string {
  return from === to ? String(from) : `${from}-${to}`;
}

/** `zones inet, edge only`, `no zone`. */
function onlyText(noun: string, names: readonly string[]): string {
  return names.length === 0 ? `no ${noun}` : `${namesText(noun, names)} only`;
}

function namesText(noun: string, names: readonly string[]): string {
  return `${noun}${names.length === 1 ? '' : 's'} ${fewOf(names)}`;
}
