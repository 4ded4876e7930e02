import * as z from 'zod';
import {
  hostnameHolder,
  type LeaseHostname,
  leaseHostnameHolder,
  type ServiceHostname,
} from '../model/hostname.ts';
import type { Lease } from '../model/lease.ts';
import type { Cluster, Pools } from '../model/pools.ts';
import { failSorted, type Outcome, ok, type Problem } from '../model/problem.ts';
import { checkDnsName, dnsLabel, dnsName } from '../text/common-fields.ts';
import { type Refusal, readShape, refusing } from '../text/shape.ts';
import type { YamlDocument } from '../text/yaml/document.ts';
import { clusterField } from './address-fields.ts';
import { editorMetadata } from './object-meta.ts';
import { clusterNamed, clusterUnknown } from './references.ts';
import { serviceNameField } from './service/service-schema.ts';

/** The most characters of a hostname: the name of its record must be that of a file. */
const longestHostname = 200;

/**
 * The only port that Akash routes hostnames to: chain-sdk, go/manifest/v2beta3/serviceexpose.go
 * IsIngress.
 */
export const ingressPort = 80;

/** A `Hostname`: a name that is routed to a Service. */
export const hostnameSchema = z
  .strictObject({
    apiVersion: z.literal('leasehold.dev/v1'),
    kind: z.literal('Hostname'),
    metadata: editorMetadata,
    spec: z.strictObject({
      cluster: clusterField,
      namespace: dnsLabel.describe('The namespace of the Service, which holds the hostname.'),
      service: serviceNameField.describe('The name of the Service.'),
      port: z.int().min(1).max(65535).describe('A port of the Service.'),
      hostname: dnsName
        .max(longestHostname)
        .describe('In lower case and punycode. The first label can be the wildcard *.'),
    }),
  })
  .describe('A hostname of leasehold: a name that is routed to a Service.');

/**
 * Reads a `Hostname` declaration. The value is undefined when the pools are unknown and everything
 * else is valid. Problems: FIELD_*, DNS_INVALID, CLUSTER_UNKNOWN, and ROUTES_MISSING for a cluster
 * that has no routes.
 */
export function readHostname(
  document: YamlDocument,
  pools: Pools | undefined,
): Outcome<ServiceHostname | undefined> {
  const written = readShape(hostnameSchema, document);
  if (!written.ok) return written;
  if (!pools) return ok(undefined);
  const { cluster: named, ...spec } = written.value.spec;
  const cluster = clusterNamed(named, pools);
  const at = document.at(['spec', 'hostname']);
  if (!cluster) {
    return failSorted([clusterUnknown(named, pools, () => document.at(['spec', 'cluster']))]);
  }
  if (!cluster.routes) return failSorted([routesMissing(cluster, at)]);
  const holder = hostnameHolder(cluster.name, spec.namespace);
  return ok({ kind: 'Hostname', ...spec, cluster: cluster.name, holder, at });
}

/** The fields of a new `Hostname`. */
export interface WrittenHostname {
  readonly kind: 'Hostname';
  readonly cluster?: string | undefined;
  readonly namespace: string;
  readonly service: string;
  readonly port: number;
  readonly hostname: string;
}

/** DNS_INVALID for a name that a lease cannot have. */
export function leaseHostRefusal(name: string): Refusal | undefined {
  const refusal = checkDnsName(name);
  if (refusal) return refusal;
  const reason = name.startsWith('*')
    ? 'Akash has no wildcards'
    : `it has more than ${longestHostname} characters`;
  if (!name.startsWith('*') && name.length <= longestHostname) return undefined;
  return { code: 'DNS_INVALID', message: `'${name}' is not a hostname of a lease: ${reason}` };
}

/** A hostname of a lease. Problem: DNS_INVALID. */
export const leaseHostField = z.string().superRefine(refusing(leaseHostRefusal));

/** The hostnames of a lease, each routed to port 80 of its service. */
export function hostnamesOfLease({ id, cluster, hosts }: Lease): LeaseHostname[] {
  const holder = leaseHostnameHolder(cluster, id.owner);
  return hosts.map((host) => ({
    kind: 'Hostname',
    cluster,
    lease: id,
    port: ingressPort,
    holder,
    ...host,
  }));
}

/** ROUTES_MISSING for a hostname in a cluster without routes. */
export function routesMissing({ name, provider }: Cluster, at: Problem['at']): Problem {
  const className = provider === undefined ? 'nginx' : 'akash-ingress-class';
  return {
    code: 'ROUTES_MISSING',
    message: `the cluster '${name}' has no routes, so nothing can route a hostname in it`,
    at,
    hint: `set the routes of the cluster in leases/pools.yaml, such as { kind: Ingress, className: ${className} } or { kind: HTTPRoute, gateway: { namespace: gateways, name: public } }`,
  };
}
