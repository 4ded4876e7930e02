import type { Day } from '../../../src/core/model/day.ts';
import {
  type HostnameRecord,
  type HostnameTable,
  hostnameHolder,
  type LeaseHostname,
  leaseHostnameHolder,
  type ServiceHostname,
} from '../../../src/core/model/hostname.ts';
import { defaultHttp, type LeaseId } from '../../../src/core/model/lease.ts';
import { startOf } from '../../../src/core/model/problem.ts';
import { hostnamePath } from '../../../src/core/records/hostname-file.ts';
import { alice, provider } from '../declarations/pools-and-claims.ts';

/** A record of the namespace `shop`, held since 2026-01-02 with a retention of 30 days. */
export function aHostnameRecord(
  hostname: string,
  { namespace = 'shop', since = '2026-01-02', retain = 30, keepUntil, released }: RecordText = {},
): HostnameRecord {
  return {
    hostname,
    holder: hostnameHolder('default', namespace),
    since: since as Day,
    retain,
    keepUntil: keepUntil as Day | undefined,
    released: released && { on: released[0] as Day, freeFrom: released[1] as Day },
    at: startOf(hostnamePath(hostname)),
  };
}

interface RecordText {
  readonly namespace?: string;
  readonly since?: string;
  readonly retain?: number;
  readonly keepUntil?: string;
  /** The day of the release and the free day. */
  readonly released?: readonly [on: string, freeFrom: string];
}

/** A table of these records. */
export function hostnameTableOf(...records: readonly HostnameRecord[]): HostnameTable {
  return new Map(records.map((record) => [record.hostname, record]));
}

/** A Hostname of a namespace, by default `shop`, for its Service `web`. */
export function aHostname(hostname: string, namespace = 'shop'): ServiceHostname {
  return {
    kind: 'Hostname',
    cluster: 'default',
    namespace,
    service: 'web',
    port: 80,
    hostname,
    holder: hostnameHolder('default', namespace),
    at: startOf(`leases/${namespace}/${hostname}.yaml`),
  };
}

/** A hostname of a lease, by default of alice, for its service `web`. */
export function aLeaseHostname(
  hostname: string,
  {
    lease = {},
    cluster = 'default',
    ...changes
  }: Partial<Omit<LeaseHostname, 'lease'>> & { readonly lease?: Partial<LeaseId> } = {},
): LeaseHostname {
  const id = { owner: alice, dseq: '7', gseq: 1, oseq: 1, provider, ...lease };
  return {
    kind: 'Hostname',
    cluster,
    lease: id,
    service: 'web',
    port: 80,
    hostname,
    http: defaultHttp,
    holder: leaseHostnameHolder(cluster, id.owner),
    at: startOf(`leases/${id.dseq}.yaml`),
    ...changes,
  };
}
