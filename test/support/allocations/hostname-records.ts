import type { Day } from '../../../src/model/day.ts';
import {
  type Hostname,
  type HostnameRecord,
  type HostnameTable,
  hostnameHolder,
} from '../../../src/model/hostname.ts';
import { startOf } from '../../../src/model/problem.ts';
import { hostnamePath } from '../../../src/records/hostname-file.ts';

/** A record of the namespace `shop`, held since 2026-01-02 with a cooldown of 30 days. */
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
export function aHostname(hostname: string, namespace = 'shop'): Hostname {
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
