import { PoolIndex } from '../declarations/pools/pool-index.ts';
import {
  type Allocation,
  type AllocationTable,
  isHeld,
  ownerOf,
  recordsByHolder,
} from '../model/allocation.ts';
import { type Claim, claimText, type LeaseClaim } from '../model/claim.ts';
import {
  type ClaimOrPromise,
  claimOrPromiseText,
  type Holder,
  type Rename,
} from '../model/holder.ts';
import { answeringNames, type Hostname } from '../model/hostname.ts';
import type { AddressPromise, Lease } from '../model/lease.ts';
import {
  type Policy,
  type PolicyField,
  type PolicyNamespace,
  type PortRange,
  partyText,
  type Tenant,
  tenantOf,
} from '../model/policy.ts';
import type { Pools } from '../model/pools.ts';
import { compareProblems, fewOf, type Position, type Problem } from '../model/problem.ts';
import type { DeclaredService, Reservation } from '../model/service.ts';

/** The contents of a tree that a policy applies to. */
export interface PolicySubject {
  readonly pools: Pools;
  readonly leases: readonly Lease[];
  readonly services: readonly (DeclaredService | Reservation)[];
  readonly holders: readonly Holder[];
  readonly hostnames: readonly Hostname[];
  readonly renames: readonly Rename[];
  readonly table: AllocationTable;
}

/**
 * POLICY_REFUSED for each claim, and each of owner, namespace, cluster, zone, pool, port and DNS
 * name that its tenant may not declare; also for a Service without an address, a Hostname, both names
 * of a Rename, and for an SDL of another tenant than its declaration. Sorted by place.
 */
export function policyRefusals(policy: Policy, subject: PolicySubject): Problem[] {
  const index = new PoolIndex(subject.pools);
  const held = recordsByHolder(subject.table, isHeld);
  const named = new Set([...subject.table.values()].map(({ holder }) => holder));
  const problems = [
    ...subject.holders.flatMap((holder) => {
      const pools = reachablePools(index, holder, held.get(holder.id) ?? []);
      const zone = index.zoneOf(holder);
      const { claims, promise } = holder;
      return [...claims, ...(promise ? [promise] : [])].flatMap((item) => {
        const tenant = tenantOf(policy, item.at.file);
        return tenant ? addressViolations(tenant, item, { zone, pools }) : [];
      });
    }),
    ...subject.services.flatMap((service) => {
      const tenant = tenantOf(policy, service.at.file);
      return tenant ? serviceViolations(tenant, service) : [];
    }),
    ...subject.hostnames.flatMap((one) => {
      const tenant = tenantOf(policy, one.at.file);
      return tenant ? hostnameViolations(tenant, one) : [];
    }),
    ...subject.renames.flatMap(({ from, to, at }) => {
      const tenant = tenantOf(policy, at.file);
      const refused = tenant ? [from, to].flatMap((id) => holderViolations(tenant, id, at)) : [];
      if (named.has(from)) return refused;
      const hint = `if this rename is merged, remove ${at.file}: it is done; else ${askOperators}`;
      return refused.map((problem) => ({ ...problem, hint }));
    }),
    ...subject.leases.flatMap((lease) => otherTenantSdl(policy, lease)),
  ];
  return unique(problems.sort(compareProblems));
}

/** Refuses an SDL of another tenant: its owner could change the declaration of this one. */
function otherTenantSdl(policy: Policy, { at, endpoints, hosts }: Lease): Problem[] {
  const sdl = [...endpoints, ...hosts].find((part) => part.at.file !== at.file)?.at;
  if (!sdl) return [];
  const [own, other] = [tenantOf(policy, at.file), tenantOf(policy, sdl.file)];
  if (own === other) return [];
  const whose = (tenant: typeof own): string => partyText(tenant ? [tenant] : []);
  return [
    {
      code: 'POLICY_REFUSED',
      message: `the SDL ${sdl.file} belongs to ${whose(other)}, and its declaration to ${whose(own)}`,
      at,
      also: [other, own].flatMap((tenant) => (tenant ? [tenant.at] : [])),
      hint: 'put the SDL beside its declaration',
    },
  ];
}

/** Removes equal problems: the claims of one Service have the same place. */
function unique(problems: readonly Problem[]): Problem[] {
  return problems.filter((problem, index) => {
    const before = problems[index - 1];
    return before === undefined || compareProblems(before, problem) !== 0;
  });
}

/** The zone and pools that the address of a claim or promise comes from. */
interface Reachable {
  readonly zone: string;
  /** The pools of its address, or the pools that it may come from. */
  readonly pools: readonly string[];
}

/** POLICY_REFUSED for each field of a claim or promise that its tenant may not declare. */
function addressViolations(
  tenant: Tenant,
  item: ClaimOrPromise,
  { zone, pools }: Reachable,
): Problem[] {
  const name = claimOrPromiseText(item);
  const { at } = item;
  const outside = pools.filter((pool) => !isAmong(tenant.pools, pool));
  return [
    ...(item.kind === 'Service'
      ? []
      : akashViolations(tenant, { ...item, owner: accountOf(item), what: name })),
    ...unless(isAmong(tenant.zones, zone), tenant, at, {
      field: 'zones',
      may: `may take addresses of ${onlyText('zone', tenant.zones ?? [])}`,
      declares: `${name} gets one of zone ${zone}`,
    }),
    ...unless(outside.length === 0, tenant, at, {
      field: 'pools',
      may: `may take addresses of ${onlyText('pool', tenant.pools ?? [])}`,
      declares: `${name} ${pools.length > 1 ? 'may get' : 'gets'} one of ${namesText('pool', outside)}`,
      hint: 'name a pool that the tenant may take from',
    }),
    ...(item.kind === 'Promise' ? [] : claimViolations(tenant, item)),
  ];
}

/** POLICY_REFUSED for the port of a claim, its advertisement and its DNS names. */
function claimViolations(tenant: Tenant, claim: Claim): Problem[] {
  const names = claim.dns.flatMap((declared) =>
    nameViolations(tenant, { ...declared, what: `DNS name ${declared.name}` }),
  );
  return [...portViolations(tenant, claim), ...advertisementViolations(tenant, claim), ...names];
}

function advertisementViolations(tenant: Tenant, claim: Claim): Problem[] {
  const { advertisements } = tenant;
  const { advertisement, at } = claim;
  if (advertisement === undefined) return [];
  return unless(isAmong(advertisements, advertisement), tenant, at, {
    field: 'advertisements',
    may: `may choose ${onlyText('advertisement', advertisements ?? [])}`,
    declares: `${claimText(claim)} has advertisement ${advertisement}`,
  });
}

function accountOf(item: LeaseClaim | AddressPromise): string {
  return item.kind === 'Promise' ? item.owner : item.lease.owner;
}

function portViolations(tenant: Tenant, claim: Claim): Problem[] {
  const { ports } = tenant;
  const { externalPort, at } = claim;
  return unless(ports === undefined || hasPort(ports, externalPort), tenant, at, {
    field: 'ports',
    may: `may open ${onlyText('port', (ports ?? []).map(portText))}`,
    declares: `${claimText(claim)} opens ${externalPort}`,
  });
}

type NamespacedDeclaration = Pick<
  DeclaredService | Reservation,
  'cluster' | 'namespace' | 'name' | 'at'
> & { readonly kind: 'Service' | 'Reservation' | 'Hostname' };

/** POLICY_REFUSED for the cluster and namespace of a Service, Reservation or Hostname. */
function serviceViolations(
  tenant: Tenant,
  { kind, cluster, namespace, name, at }: NamespacedDeclaration,
): Problem[] {
  const what = `${kind} ${name}`;
  const many = kind === 'Hostname' ? 'hostnames' : 'Services';
  return namespaceViolations(tenant, { cluster, namespace, what, at }, many);
}

function namespaceViolations(
  tenant: Tenant,
  { cluster, namespace, what, at }: Omit<OfOwner, 'owner'> & { readonly namespace: string },
  many: string,
): Problem[] {
  const namespaces = tenant.namespaces.map(namespaceText);
  return [
    ...clusterViolations(tenant, { cluster, what, at }),
    ...unless(tenant.namespaces.some(isNamespace(cluster, namespace)), tenant, at, {
      field: 'namespaces',
      may: `may declare ${many} of ${onlyText('namespace', namespaces)}`,
      declares: `${what} is in namespace ${cluster}/${namespace}`,
    }),
  ];
}

/** POLICY_REFUSED for a name in a Rename: it would keep others from removing or declaring what has it. */
function holderViolations(tenant: Tenant, id: string, at: Position): Problem[] {
  const [cluster = '', kind = '', name = ''] = id.split('/');
  const known = { cluster, what: id, at };
  if (kind === 'akash') return akashViolations(tenant, { ...known, owner: ownerOf(id) ?? '' });
  if (name !== '') return namespaceViolations(tenant, { ...known, namespace: name }, 'Services');
  const may = `may declare Services of ${onlyText('namespace', tenant.namespaces.map(namespaceText))}`;
  return unless(false, tenant, at, {
    field: 'namespaces',
    may,
    declares: `${id} is a group of leases/pools.yaml`,
  });
}

/** POLICY_REFUSED for the cluster, the namespace or owner, and the name of a hostname. */
function hostnameViolations(tenant: Tenant, declared: Hostname): Problem[] {
  const { hostname: name, at } = declared;
  return [
    ...(declared.lease
      ? akashViolations(tenant, { ...declared, owner: declared.lease.owner, what: name })
      : serviceViolations(tenant, { ...declared, name })),
    ...nameViolations(tenant, { name, what: `${declared.lease ? '' : 'Hostname '}${name}`, at }),
  ];
}

/** POLICY_REFUSED for a hostname, or the DNS name of an address. */
function nameViolations(
  tenant: Tenant,
  { name, what, at }: { readonly name: string; readonly what: string; readonly at: Position },
): Problem[] {
  const { hostnames } = tenant;
  const isAllowed =
    hostnames === undefined || answeringNames(name).some((one) => hostnames.includes(one));
  return unless(isAllowed, tenant, at, {
    field: 'hostnames',
    may: `may declare ${onlyText('hostname', hostnames ?? [])}`,
    declares: `${what} is not among them`,
  });
}

/** Something that an Akash owner has in a cluster. */
interface OfOwner {
  readonly cluster: string;
  readonly owner: string;
  readonly what: string;
  readonly at: Position;
}

/** POLICY_REFUSED for the cluster and the owner of an endpoint, a promise or a hostname. */
function akashViolations(tenant: Tenant, { cluster, owner, what, at }: OfOwner): Problem[] {
  return [
    ...clusterViolations(tenant, { cluster, what, at }),
    ...unless(tenant.owners.includes(owner), tenant, at, {
      field: 'owners',
      may: `may declare leases of ${onlyText('owner', tenant.owners)}`,
      declares: `${what} belongs to ${owner}`,
    }),
  ];
}

function clusterViolations(
  tenant: Tenant,
  { cluster, what, at }: { readonly cluster: string; readonly what: string; readonly at: Position },
): Problem[] {
  return unless(isAmong(tenant.clusters, cluster), tenant, at, {
    field: 'clusters',
    may: `may declare in ${onlyText('cluster', tenant.clusters ?? [])}`,
    declares: `${what} is in cluster ${cluster}`,
  });
}

interface Violation {
  readonly field: PolicyField;
  /** The permission, as a verb phrase: `may open port 80 only`. */
  readonly may: string;
  /** The effect of the declaration, as a clause. */
  readonly declares: string;
  readonly hint?: string;
}

const askOperators = 'ask the operators to change leases/policy.yaml in their own pull request';

function unless(isAllowed: boolean, tenant: Tenant, at: Position, violation: Violation): Problem[] {
  if (isAllowed) return [];
  const { field, may, declares, hint = askOperators } = violation;
  return [
    {
      code: 'POLICY_REFUSED',
      message: `tenant ${tenant.name} ${may}, but ${declares}`,
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

/**
 * The names of the pools of a holder's addresses, sorted: the pool that it names, and those of its
 * pins and held addresses. When there are none of these, all pools that it may get an address from.
 */
function reachablePools(
  index: PoolIndex,
  holder: Holder,
  held: readonly Allocation[],
): readonly string[] {
  const addresses = [...holder.pins, ...held].map(({ address }) => address);
  const decided = addresses.flatMap((address) => index.of(address)?.name ?? []);
  if (holder.pool !== undefined) decided.push(holder.pool);
  const names = decided.length > 0 ? decided : index.allowed(holder).map(({ name }) => name);
  return [...new Set(names)].sort();
}
