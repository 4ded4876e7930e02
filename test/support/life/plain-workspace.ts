/**
 * A repository as plain data: its pool file and its declarations, with every address as text. The histories
 * edit these; the model and the YAML are made elsewhere, and so the rules that judge (holder-requests.ts, ledger.ts)
 * share nothing with the code under test.
 */

import type { PlainSignature } from './signatures.ts';

/** The constraints on an address; at most one of zone and pool. */
export interface Terms {
  readonly zone?: string;
  readonly pool?: string;
  readonly family: 'ipv4' | 'ipv6' | 'dual';
  /** At most one of a family. */
  readonly pins: readonly string[];
  readonly retain: number;
}

/** A port on an address. */
export interface PlainPort {
  readonly port: number;
  readonly protocol: 'TCP' | 'UDP';
}

/** One endpoint of a lease. */
export interface PlainEndpoint extends PlainPort {
  readonly name: string;
  readonly service: string;
  readonly target: number;
  readonly terms: Terms;
}

/** A lease declaration. */
export interface PlainLease {
  readonly kind: 'Lease';
  readonly cluster: string;
  readonly owner: string;
  readonly dseq: number;
  readonly endpoints: readonly PlainEndpoint[];
}

/** A Service, or an address reserved for one. */
export interface PlainService {
  readonly kind: 'Service' | 'Reservation';
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
  readonly ports: readonly PlainPort[];
  readonly terms: Terms;
  /** The sharing key. */
  readonly key?: string;
  /** The name of a key of its namespace. */
  readonly secret?: string;
  /** Its signatures, spent ones too. */
  readonly signatures?: readonly PlainSignature[];
}

/** A promise of an address for an endpoint of an owner: no pins, and no retention of its own. */
export interface PlainPromise {
  readonly cluster: string;
  readonly owner: string;
  readonly endpoint: string;
  readonly terms: Terms;
  /** Its last day. */
  readonly until: string;
}

/** A declaration. */
export type PlainDeclaration = PlainLease | PlainService;

/** A pool of consecutive addresses; those ending in .0 and .255 are among them. */
export interface PlainPool {
  /** Keeps its addresses apart from other pools'. */
  readonly index: number;
  readonly zone: string;
  /** The clusters that announce it; undefined for all. */
  readonly clusters?: readonly string[];
  /** How many addresses it has, from its first one. */
  readonly ipv4: number;
  readonly ipv6: number;
  readonly reserved: readonly string[];
  readonly avoidBuggyIPs: boolean;
  readonly state: 'active' | 'draining';
  readonly retentionDays: number;
  readonly strategy: 'spread' | 'lowest';
}

/** All that is declared. */
export interface PlainWorkspace {
  readonly pools: readonly PlainPool[];
  /** By {@link fileOf}. */
  readonly declared: ReadonlyMap<string, PlainDeclaration>;
  /** By {@link endpointHolder}. */
  readonly promises: ReadonlyMap<string, PlainPromise>;
}

/** The families that an address can be of, IPv4 first. */
export const families = ['ipv4', 'ipv6'] as const;

/** The cluster of what names none, and another one. */
export const clusters = ['east', 'west'] as const;

/** A Service `dns/resolver` stands on one address in both clusters. */
export const anycast = { name: 'dns', namespace: 'dns', service: 'resolver' } as const;

/** The most addresses of a family that a pool ever has. */
export const largestPool = 16;

/** The name of a pool. */
export function poolName({ index }: PlainPool): string {
  return `pool-${index}`;
}

/** The addresses of a pool, reserved or not, lowest first. */
export function addressesOf({ index, ...pool }: PlainPool, family: 'ipv4' | 'ipv6'): string[] {
  return Array.from({ length: pool[family] }, (_, at) =>
    family === 'ipv4'
      ? `10.${index}.${at < 6 ? 0 : 1}.${(250 + at) % 256}`
      : `fd00:${index + 1}::${(at + 1).toString(16)}`,
  );
}

/** The family of an address. */
export function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}

/** The holder of an endpoint of an owner: of its leases and its promise. */
export function endpointHolder(cluster: string, owner: string, endpoint: string): string {
  return `${cluster}/akash/${owner}-ip-${endpoint}`;
}

/** The file of a promise. */
export function promiseFileOf({ cluster, owner, endpoint }: PlainPromise): string {
  return `leases/${cluster}/promise-${owner}-${endpoint}.yaml`;
}

/** The file of a declaration: of one file there is one. */
export function fileOf(words: PlainDeclaration): string {
  return words.kind === 'Lease'
    ? `leases/${words.cluster}/lease-${words.dseq}.yaml`
    : `leases/${words.cluster}/${words.namespace}/${words.name}.yaml`;
}
