import { alice, provider } from './pools-and-claims.ts';
import { poolsText } from './pools-text.ts';

/** A pool file whose cluster routes hostnames by Ingresses. */
export const routedPoolText =
  poolsText(`clusters: [{ name: default, routes: { kind: Ingress, className: nginx } }]
hostnames: { retentionDays: 7 }
pools:
  - { name: p, zone: z, addresses: [203.0.113.0/28], advertise: { l2: {} } }
`);

/** A Hostname declaration as a person writes it, by default for the Service `web` of `shop`. */
export function hostnameText(
  hostname: string,
  { namespace = 'shop', service = 'web', port = 80 } = {},
): string {
  return `apiVersion: leasehold.dev/v1
kind: Hostname
spec: { namespace: ${namespace}, service: ${service}, port: ${port}, hostname: '${hostname}' }
`;
}

/** A Lease with hostnames of its service `web`, by default of alice. */
export function leaseHostText(dseq: string, hostnames: string, owner = alice): string {
  return `apiVersion: leasehold.dev/v1
kind: Lease
spec:
  id: { owner: ${owner}, dseq: '${dseq}', gseq: 1, oseq: 1, provider: ${provider} }
  hosts: [{ service: web, accept: [${hostnames}] }]
`;
}

/** A Reservation with a DNS name, as the Service of a Gateway has one. */
export function reservationText(namespace: string, dns: string, service = 'lb'): string {
  return `apiVersion: leasehold.dev/v1
kind: Reservation
spec: { namespace: ${namespace}, service: ${service}, ports: [{ port: 80 }], dns: ['${dns}'] }
`;
}
