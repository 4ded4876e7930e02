import type { Endpoint } from '../../model/lease.ts';
import type { Pools } from '../../model/pools.ts';
import type { Position, Problem } from '../../model/problem.ts';
import { formatAddress } from '../../net/address.ts';
import type { YamlDocument } from '../../text/yaml/yaml-document.ts';
import { poolProblems } from '../named-pool.ts';
import type { WrittenEndpoint } from './lease-schema.ts';

/** The endpoints of a lease in the order of the file, with their places. */
export function endpointsOf(
  written: readonly WrittenEndpoint[],
  document: YamlDocument,
): readonly Endpoint[] {
  return written.map((endpoint, index) => ({
    name: endpoint.name,
    service: endpoint.service,
    port: endpoint.port,
    externalPort: endpoint.externalPort ?? endpoint.port,
    protocol: endpoint.protocol,
    zone: endpoint.zone,
    pool: endpoint.pool,
    ipFamily: endpoint.ipFamily,
    address: endpoint.address,
    retentionPeriodDays: endpoint.retentionPeriodDays,
    selector: endpoint.selector,
    at: document.at(['spec', 'endpoints', index]),
  }));
}

/**
 * What is wrong between the endpoints, and between them and the pools when those are known:
 * ENDPOINT_DUPLICATE, ZONE_UNKNOWN, POOL_UNKNOWN, and FIELD_VALUE for a pool outside the zone or a
 * pin of another family.
 */
export function checkEndpoints(
  endpoints: readonly Endpoint[],
  pools: Pools | undefined,
  document: YamlDocument,
): Problem[] {
  const place =
    (index: number) =>
    (field: string): Position =>
      document.at(['spec', 'endpoints', index, field]);
  return [
    ...duplicates(endpoints),
    ...endpoints.flatMap((endpoint, index) => [
      ...pinProblems(endpoint, place(index)),
      ...(pools ? poolProblems(endpoint, pools, place(index)) : []),
    ]),
  ];
}

function duplicates(endpoints: readonly Endpoint[]): Problem[] {
  const first = new Map<string, Position>();
  return endpoints.flatMap(({ name, service, externalPort, protocol, at }): Problem[] => {
    const key = `${name} ${service} ${externalPort}/${protocol}`;
    const other = first.get(key);
    if (other === undefined) {
      first.set(key, at);
      return [];
    }
    const message = `the endpoint '${name}' has ${service} ${externalPort}/${protocol} twice`;
    return [{ code: 'ENDPOINT_DUPLICATE', message, at, also: [other] }];
  });
}

function pinProblems(endpoint: Endpoint, at: (field: string) => Position): Problem[] {
  const { address, ipFamily } = endpoint;
  if (!address || ipFamily === 'dual' || ipFamily === address.family) return [];
  const message = `the pin ${formatAddress(address)} is not of the family ${ipFamily}`;
  const hint = `write ipFamily: ${address.family}, or pin an address of the other family`;
  return [{ code: 'FIELD_VALUE', message, at: at('address'), hint }];
}
