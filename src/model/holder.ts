import type { Address, Family } from '../net/address.ts';
import type { Claim } from './claim.ts';
import type { Pin } from './lease.ts';
import type { Ownership } from './ownership.ts';
import type { Pool } from './pools.ts';

/**
 * Who has an address: all claims of one holder stand on it, over leases and files. A holder has at
 * most one address per family, and all of them lie in one pool.
 */
export interface Holder {
  /**
   * `<cluster>/akash/<sharing key>`, `<cluster>/service/<namespace>/<name>`, `<cluster>/shared/<namespace>/<key>`,
   * or `anycast/<name>`.
   */
  readonly id: string;
  /** The clusters of its claims, in the order of their names: more than one for a group over clusters. */
  readonly clusters: readonly string[];
  /** At least one, in the order of {@link compareClaims}. */
  readonly claims: readonly [Claim, ...Claim[]];
  /** What the claims need together, IPv4 first. */
  readonly families: readonly Family[];
  /** The pool that a claim names, or undefined when none does. */
  readonly pool: string | undefined;
  /** The zone that a claim names, or undefined when none does. */
  readonly zone: string | undefined;
  /** The addresses the claims ask for by name: at most one per family, IPv4 first. */
  readonly pins: readonly Pin[];
  /** The longest retention of its claims, in whole days. */
  readonly retentionPeriodDays: number;
  /** The key that all its claims name, and what they prove. */
  readonly ownership: Ownership;
}

/** The claims of a holder in one cluster. */
export function claimsIn({ claims }: Holder, cluster: string): readonly Claim[] {
  return claims.filter((claim) => claim.cluster === cluster);
}

/**
 * The cluster that a holder is named after, also of one that is no longer declared; undefined for a group
 * `anycast/<name>`, which stands in the clusters of its claims.
 */
export function clusterOfHolder(holder: string): string | undefined {
  const [first = '', ...rest] = holder.split('/');
  return first === 'anycast' && rest.length === 1 ? undefined : first;
}

const akashHolder = /^([^/]+)\/akash\/(akash1[a-z0-9]+)-ip-(.+)$/;
const serviceHolder = /^([^/]+)\/(service|shared)\/([^/]+)\/([^/]+)$/;
const groupHolder = /^anycast\/([^/]+)$/;

/**
 * A holder as a sentence names it: `shop of akash17zp…nkks4`, `web of namespace shop`, `key k of namespace shop`,
 * `group dns`; with its cluster unless that is `default`. For reading only: two holders can have one such text.
 */
export function holderText(holder: string): string {
  const [, cluster, owner = '', endpoint] = akashHolder.exec(holder) ?? [];
  if (cluster !== undefined && endpoint !== undefined) {
    return `${endpoint} of ${owner.slice(0, 10)}…${owner.slice(-5)}${clusterText(cluster)}`;
  }
  const [, home, kind, namespace, name] = serviceHolder.exec(holder) ?? [];
  if (home !== undefined) {
    return `${kind === 'shared' ? 'key ' : ''}${name} of namespace ${namespace}${clusterText(home)}`;
  }
  const [, group] = groupHolder.exec(holder) ?? [];
  return group === undefined ? holder : `group ${group}`;
}

function clusterText(cluster: string): string {
  return cluster === 'default' ? '' : ` in ${cluster}`;
}

/** A holder with the addresses it has and the pool they lie in: what the manifests are made of. */
export interface Placement {
  readonly holder: Holder;
  readonly pool: Pool;
  /** One per family of the holder, IPv4 first. */
  readonly addresses: readonly [Address, ...Address[]];
}
