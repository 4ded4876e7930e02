import type { Position } from './problem.ts';
import { keysFolder } from './repository-paths.ts';

/** The fields of a tenant that restrict its declarations. */
export type PolicyField =
  | 'owners'
  | 'namespaces'
  | 'hostnames'
  | 'clusters'
  | 'zones'
  | 'pools'
  | 'advertisements'
  | 'ports';

/** A namespace of Services and hostnames: in one cluster, or in any. */
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

/** People who are responsible for files, in a forge and by signature. */
interface Party {
  /** `@user`, `@org/team` or an e-mail address, as CODEOWNERS names them. */
  readonly reviewers: readonly string[];
  /** Principals in the file of allowed signers. */
  readonly signers: readonly string[];
}

/** A tenant, its folders, and what it may declare there. */
export interface Tenant extends Party {
  readonly name: string;
  /** Below `leases/`, without a slash at the end. No two tenants have the same. */
  readonly folders: readonly string[];
  /** Akash accounts that it may declare leases for. */
  readonly owners: readonly string[];
  /** Namespaces in which it may declare Services, Reservations and Hostnames. */
  readonly namespaces: readonly PolicyNamespace[];
  /** Names, and wildcards for all names below a domain. Undefined for all; likewise the next five. */
  readonly hostnames: readonly string[] | undefined;
  readonly clusters: readonly string[] | undefined;
  readonly zones: readonly string[] | undefined;
  readonly pools: readonly string[] | undefined;
  readonly advertisements: readonly string[] | undefined;
  readonly ports: readonly PortRange[] | undefined;
  readonly at: Position;
  /** The place of each field; that of the tenant for a missing field. */
  readonly places: Readonly<Record<PolicyField, Position>>;
}

/** The policy file, `leases/policy.yaml`: which folder may declare what. */
export interface Policy {
  /** The owners of all other files. They may declare anything. */
  readonly operators: Party;
  readonly tenants: readonly Tenant[];
  /** The tenants by folder. */
  readonly folders: ReadonlyMap<string, Tenant>;
}

/**
 * The tenant of a file of `leases/`: the one with the deepest folder that contains the file.
 * Undefined for a file of the operators, a key and an allocation.
 */
export function tenantOf({ folders }: Policy, file: string): Tenant | undefined {
  for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
    const tenant = folders.get(file.slice(0, end));
    if (tenant) return tenant;
  }
  return undefined;
}

/**
 * The tenants that are responsible for a file of `leases/`, each on its own; none for a file of the
 * operators. A key of a namespace belongs to all tenants that may declare in the namespace.
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

/** The owners of a file in a message. */
export function partyText(tenants: readonly Tenant[]): string {
  if (tenants.length === 0) return 'the operators';
  return tenants.map(({ name }) => `tenant ${name}`).join(' or ');
}
