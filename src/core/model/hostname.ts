import { domainsAbove } from '../net/dns-name.ts';
import { type Change, changeKind, isHeld, isSameTenure, type Tenure } from './allocation.ts';
import { type Claim, type DnsRecord, wantsFamily } from './claim.ts';
import { type Placement, publicAddresses, type Rename, renamesTo } from './holder.ts';
import {
  type HttpOptions,
  httpFields,
  type LeaseId,
  leaseIdText,
  leaseNumbersText,
} from './lease.ts';
import { groupBy } from './order.ts';
import type { Pools } from './pools.ts';
import type { Position } from './problem.ts';
import { serviceIdText } from './service.ts';

/** A declared hostname: requests for it are routed to a port of a Service. */
export type Hostname = ServiceHostname | LeaseHostname;

/** A `Hostname`. */
export interface ServiceHostname extends HostnameTerms {
  /** The namespace of the Service and of the route. */
  readonly namespace: string;
  readonly lease?: undefined;
}

/** A hostname of a `Lease`. The Service and the route are in the namespace of the lease. */
export interface LeaseHostname extends HostnameTerms {
  readonly lease: LeaseId;
  readonly http: HttpOptions;
}

/** True for a hostname of a lease. */
export function isLeaseHostname(declared: Hostname): declared is LeaseHostname {
  return declared.lease !== undefined;
}

/** The fields of every declared hostname. */
interface HostnameTerms {
  readonly kind: 'Hostname';
  readonly cluster: string;
  readonly service: string;
  /** A port of the Service, 1 to 65535. */
  readonly port: number;
  /** In canonical form: see `dnsNameFault`. The first label can be the wildcard `*`. */
  readonly hostname: string;
  /** See {@link hostnameHolder} and {@link leaseHostnameHolder}. */
  readonly holder: string;
  /** The former names of the holder, by a `Rename`: it has the hostname that they hold. */
  readonly formerly?: readonly string[] | undefined;
  readonly at: Position;
}

/**
 * The holder of the hostnames of a namespace: `<cluster>/namespace/<namespace>`. A hostname may go
 * from one Service of the namespace to another.
 */
export function hostnameHolder(cluster: string, namespace: string): string {
  return `${cluster}/namespace/${namespace}`;
}

/**
 * The holder of the hostnames of an Akash owner in a cluster: `<cluster>/akash/<owner>`. A hostname
 * may go from one lease of the owner to the next.
 */
export function leaseHostnameHolder(cluster: string, owner: string): string {
  return `${cluster}/akash/${owner}`;
}

/** Where a hostname is routed to: `web:80`, or `web:80 of lease <dseq>/<gseq>/<oseq>`. */
export function routeText({ service, port, lease }: Hostname): string {
  return `${service}:${port}${lease ? ` of lease ${leaseNumbersText(lease)}` : ''}`;
}

/**
 * The Service that a `Hostname` is routed to: `<cluster>/service/<namespace>/<name>`. Undefined for
 * a hostname of a lease.
 */
export function routedService(declared: Hostname): string | undefined {
  if (declared.lease) return undefined;
  const { cluster, namespace, service: name } = declared;
  return `${cluster}/${serviceIdText({ namespace, name })}`;
}

/** The record of one hostname: a file under `leases/hostnames/`. */
export interface HostnameRecord extends Tenure {
  readonly hostname: string;
}

/** The records by hostname. */
export type HostnameTable = ReadonlyMap<string, HostnameRecord>;

/** The record by which the holder of a hostname has it; undefined when it does not. */
export function heldRecord(
  table: HostnameTable,
  { hostname, holder }: Pick<HostnameRecord, 'hostname' | 'holder'>,
): HostnameRecord | undefined {
  const record = table.get(hostname);
  return record && isHeld(record) && record.holder === holder ? record : undefined;
}

/** True for a record that the holder of a declared hostname has, or takes over by a `Rename`. */
export function isOfHolder(
  { holder, formerly = [] }: Pick<Hostname, 'holder' | 'formerly'>,
  record: HostnameRecord,
): boolean {
  return record.holder === holder || (isHeld(record) && formerly.includes(record.holder));
}

/** Returns the hostnames, each with the former names of its holder by some renames. */
export function withFormerHolders(
  hostnames: readonly Hostname[],
  renames: readonly Rename[],
): readonly Hostname[] {
  if (renames.length === 0) return hostnames;
  const byTarget = groupBy(renames, ({ to }) => to);
  return hostnames.map((one) => {
    const own = renamesTo(one.holder, byTarget).map(({ from }) => from);
    return own.length === 0 ? one : { ...one, formerly: [...(one.formerly ?? []), ...own] };
  });
}

/** The word for the change of a record. Only a `Rename` gives a held hostname to another holder. */
export function hostnameChangeKind(
  before: HostnameRecord | undefined,
  after: HostnameRecord | undefined,
): Change['kind'] {
  const isRenamed =
    before && after && isHeld(before) && isHeld(after) && before.since === after.since;
  return isRenamed ? 'updated' : changeKind(before, after);
}

/** A change that a run makes to the record of one hostname. */
export interface HostnameChange {
  readonly kind: Change['kind'];
  readonly hostname: string;
  readonly holder: string;
}

/**
 * True when two records are equal, apart from their places and the confirmation of a release, and
 * when both are missing.
 */
export function isSameHostname(
  left: HostnameRecord | undefined,
  right: HostnameRecord | undefined,
): boolean {
  if (!left || !right) return left === right;
  return left.hostname === right.hostname && isSameTenure(left, right);
}

/** A hostname and the wildcards above it: all names that can answer for it, each once. */
export function answeringNames(hostname: string): readonly string[] {
  const wildcards = domainsAbove(hostname).map((domain) => `*.${domain}`);
  return [...new Set([hostname, ...wildcards])];
}

/** True for a claim of the Service that routes the hostnames of its cluster. */
export function isOfRoutes(claim: Claim, pools: Pick<Pools, 'clusters'> | undefined): boolean {
  if (claim.kind !== 'Service') return false;
  const routes = pools?.clusters.find(({ name }) => name === claim.cluster)?.routes;
  const { namespace, name } = claim.declared;
  return routes?.service?.namespace === namespace && routes.service.name === name;
}

/**
 * The DNS records of hostnames: the addresses of the Service that routes them, by hostname. A
 * hostname has none when no Service is named or it has no address, and when it is a DNS name of the
 * same holder, which has the records.
 */
export function hostnameRecords(
  hostnames: readonly Hostname[],
  placements: readonly Placement[],
  pools: Pick<Pools, 'clusters'>,
): ReadonlyMap<string, readonly DnsRecord[]> {
  const found = new Map<string, readonly DnsRecord[]>();
  if (!pools.clusters.some(({ routes }) => routes?.service)) return found;
  for (const placement of placements) {
    const { holder } = placement;
    const routing = holder.claims.filter((claim) => isOfRoutes(claim, pools));
    const clusters = new Set(routing.map(({ cluster }) => cluster));
    if (clusters.size === 0) continue;
    const named = new Set(holder.claims.flatMap(({ dns }) => dns.map(({ name }) => name)));
    const own = publicAddresses(placement).filter(({ family }) =>
      routing.some((one) => wantsFamily(one, family)),
    );
    for (const { cluster, hostname: name } of hostnames) {
      if (!clusters.has(cluster) || named.has(name)) continue;
      found.set(
        name,
        own.map((address) => ({ name, address })),
      );
    }
  }
  return found;
}

/** All fields of a declared hostname except its place, as a key. Equal for equal declarations. */
export function hostnameFields(declared: Hostname): string {
  const { cluster, service, port, hostname } = declared;
  const own = declared.lease
    ? [leaseIdText(declared.lease), ...httpFields(declared.http)]
    : [declared.namespace];
  return JSON.stringify(['Hostname', cluster, service, port, hostname, ...own]);
}
