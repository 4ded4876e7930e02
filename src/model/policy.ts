import type { Position } from './problem.ts';
import { keysFolder } from './repository-paths.ts';

/** What a policy says of a tenant beside its name and folders. */
export type PolicyField = 'owners' | 'namespaces' | 'clusters' | 'zones' | 'pools' | 'ports';

/** A namespace of Services: in one cluster, or in any. */
export interface PolicyNamespace {
  /** Undefined for every cluster. */
  readonly cluster: string | undefined;
  readonly name: string;
}

/** Ports on addresses, both ends included. */
export interface PortRange {
  readonly from: number;
  readonly to: number;
}

/** People who answer for files: in a forge, and by their signatures. */
export interface Party {
  /** `@user`, `@org/team` or an e-mail address, as CODEOWNERS names them. */
  readonly reviewers: readonly string[];
  /** Principals of the file of allowed signers. */
  readonly signers: readonly string[];
}

/** Who declares leases in folders of its own, and what it may declare there. */
export interface Tenant extends Party {
  readonly name: string;
  /** Below `leases/`, without a slash at the end. No two tenants have the same. */
  readonly folders: readonly string[];
  /** Akash accounts; none may be declared for when it is empty. */
  readonly owners: readonly string[];
  /** Of Services and Reservations; none when it is empty. */
  readonly namespaces: readonly PolicyNamespace[];
  /** Undefined for all; likewise the next three. */
  readonly clusters: readonly string[] | undefined;
  readonly zones: readonly string[] | undefined;
  readonly pools: readonly string[] | undefined;
  readonly ports: readonly PortRange[] | undefined;
  readonly at: Position;
  /** Where each field stands; the tenant where it is left out. */
  readonly places: Readonly<Record<PolicyField, Position>>;
}

/** The policy file, `leases/policy.yaml`: which folder may declare what. */
export interface Policy {
  /** Whose all files are that are no tenant's. They may declare anything. */
  readonly operators: Party;
  readonly tenants: readonly Tenant[];
  /** Each tenant's folders, and whose they are. */
  readonly folders: ReadonlyMap<string, Tenant>;
}

/**
 * The tenant that a file of `leases/` belongs to: that of the longest folder which the file lies in. Undefined
 * for a file of the operators, a key and an allocation.
 */
export function tenantOf({ folders }: Policy, file: string): Tenant | undefined {
  for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
    const tenant = folders.get(file.slice(0, end));
    if (tenant) return tenant;
  }
  return undefined;
}

/**
 * The tenants any one of which answers for a file of `leases/`; none for a file of the operators. A key of a
 * namespace belongs to all who may declare there.
 */
export function tenantsOf(policy: Policy, file: string): readonly Tenant[] {
  if (!file.startsWith(`${keysFolder}/`)) {
    const tenant = tenantOf(policy, file);
    return tenant ? [tenant] : [];
  }
  const [namespace] = file.slice(keysFolder.length + 1).split('/');
  return policy.tenants.filter(({ namespaces }) =>
    namespaces.some(({ name }) => name === namespace),
  );
}

/** How a message names who a file belongs to. */
export function partyText(tenants: readonly Tenant[]): string {
  if (tenants.length === 0) return 'the operators';
  return tenants.map(({ name }) => `tenant ${name}`).join(' or ');
}
