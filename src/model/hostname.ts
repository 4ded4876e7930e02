import { domainsAbove } from '../net/dns-name.ts';
import type { Change, Tenure } from './allocation.ts';
import type { Position } from './problem.ts';

/** A declared `Hostname`: requests for it are routed to a port of a Service. */
export interface Hostname {
  readonly kind: 'Hostname';
  readonly cluster: string;
  /** The namespace of the Service and of the route. */
  readonly namespace: string;
  readonly service: string;
  /** A port of the Service, 1 to 65535. */
  readonly port: number;
  /** In canonical form: see `dnsNameFault`. The first label can be the wildcard `*`. */
  readonly hostname: string;
  /** See {@link hostnameHolder}. */
  readonly holder: string;
  readonly at: Position;
}

/**
 * The holder of the hostnames of a namespace: `<cluster>/namespace/<namespace>`. A hostname may go
 * from one Service of the namespace to another.
 */
export function hostnameHolder(cluster: string, namespace: string): string {
  return `${cluster}/namespace/${namespace}`;
}

/** The record of one hostname: a file under `leases/hostnames/`. */
export interface HostnameRecord extends Tenure {
  readonly hostname: string;
}

/** The records by hostname. */
export type HostnameTable = ReadonlyMap<string, HostnameRecord>;

/** A change that a run makes to the record of one hostname. */
export interface HostnameChange {
  readonly kind: Change['kind'];
  readonly hostname: string;
  readonly holder: string;
}

/** True when two records are equal, apart from their places, and when both are missing. */
export function isSameHostname(
  left: HostnameRecord | undefined,
  right: HostnameRecord | undefined,
): boolean {
  if (!left || !right) return left === right;
  return (
    left.hostname === right.hostname &&
    left.holder === right.holder &&
    left.since === right.since &&
    left.retain === right.retain &&
    left.keepUntil === right.keepUntil &&
    left.released?.on === right.released?.on &&
    left.released?.freeFrom === right.released?.freeFrom
  );
}

/** A hostname and the wildcards above it: all names that can answer for it, each once. */
export function answeringNames(hostname: string): readonly string[] {
  const wildcards = domainsAbove(hostname).map((domain) => `*.${domain}`);
  return [...new Set([hostname, ...wildcards])];
}

/** All fields of a declared hostname except its place, as a key. Equal for equal declarations. */
export function hostnameFields(declared: Hostname): string {
  const { cluster, namespace, service, port, hostname } = declared;
  return JSON.stringify(['Hostname', cluster, namespace, service, port, hostname]);
}
