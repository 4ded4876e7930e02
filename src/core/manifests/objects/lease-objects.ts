import type { k8s } from 'cdk8s-plus-28';
import type { ProviderLeasedIpSpec } from '../../../../imports/akash.network.ts';
import { endpointKey, type LeaseClaim } from '../../model/claim.ts';
import { requestedFamilies } from '../../model/lease.ts';
import { groupBy } from '../../model/order.ts';
import type { Cluster, Naming } from '../../model/pools.ts';
import { akashManaged, leaseLabels, type Manifest, wave } from '../manifest.ts';
import {
  leasedIPName,
  leasedIPNamespace,
  leaseNamespace,
  networkPolicyName,
  portName,
  serviceName,
} from '../names.ts';
import { type PlacedAddresses, pinsOf } from '../planes/plane.ts';
import { planeOf } from '../planes/planes.ts';
import type { Written } from '../written-fields.ts';

/**
 * Returns the `ProviderLeasedIP` of a claim, with the nine labels by which the provider finds it.
 * Akash provider: cluster/kube/cluster_ip_connections.go DeclareIP.
 */
export function leasedIPManifest(naming: Naming, claim: LeaseClaim): Manifest {
  const { owner, dseq, gseq, oseq, provider } = claim.lease;
  return {
    apiVersion: 'akash.network/v2beta2',
    kind: 'ProviderLeasedIP',
    metadata: {
      name: leasedIPName(naming, claim),
      namespace: leasedIPNamespace,
      labels: {
        'service-name': claim.service,
        'external-port': String(claim.externalPort),
        proto: claim.protocol,
        ...akashManaged,
        ...leaseLabels(claim.lease),
      },
      annotations: wave('leasedIP'),
    },
    spec: {
      lease_id: { owner, dseq, gseq, oseq, provider },
      service_name: claim.service,
      port: claim.port,
      external_port: claim.externalPort,
      sharing_key: endpointKey(claim),
      protocol: claim.protocol,
    } satisfies Written<ProviderLeasedIpSpec>,
  };
}

/** The claims of one Service: a single one with `akash`, all of a service with `readable`. */
export type ServiceClaims = readonly [LeaseClaim, ...LeaseClaim[]];

/** Groups the claims of a holder by their Service, in the order of the first claims. */
export function claimsByService(
  naming: Naming,
  claims: readonly LeaseClaim[],
): readonly ServiceClaims[] {
  if (naming === 'akash') return claims.map((claim) => [claim]);
  const services = groupBy(
    claims,
    (claim) => `${leaseNamespace(naming, claim.lease)}/${serviceName(naming, claim)}`,
  );
  return [...services.values()];
}

/**
 * Returns the Service of claims that have the same families and selector, pinned to their
 * addresses. It has no node ports, because a cluster has only 2,768 of them by default, and
 * `Cluster` policy, because Services that share an address need the same policy. Labels and shape:
 * Akash provider, metallb/client.go.
 */
export function leaseServiceManifest(
  cluster: Cluster,
  claims: ServiceClaims,
  placement: PlacedAddresses,
): Manifest {
  const { naming, plane } = cluster;
  const [first] = claims;
  const families = requestedFamilies(first.ipFamily);
  const addresses = pinsOf(families, placement.addresses, first.holder);
  const { sharingKey } = first;
  const pool = placement.pool.name;
  const pins = planeOf(cluster).pinning(plane, { addresses, sharingKey, pool });
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: serviceName(naming, first),
      namespace: leaseNamespace(naming, first.lease),
      labels: {
        'akash.network/service-target': 'metal-lb',
        ...akashManaged,
        ...leaseLabels(first.lease),
        ...pins.labels,
      },
      annotations: wave('service', pins.annotations),
    },
    spec: {
      type: 'LoadBalancer',
      allocateLoadBalancerNodePorts: false,
      externalTrafficPolicy: 'Cluster',
      ...pins.spec,
      ports: claims.map((claim) => ({
        name: portName(naming, claim),
        protocol: claim.protocol,
        port: claim.externalPort,
        targetPort: claim.port,
      })),
      selector: selectorOf(first),
    } satisfies Written<k8s.ServiceSpec>,
  };
}

/**
 * Returns the declared selector of a claim, or else the labels that the Akash provider gives to the
 * pods of a service.
 */
function selectorOf({ selector, service }: LeaseClaim): {
  readonly [label: string]: string;
} {
  return selector ?? { 'akash.network/manifest-service': service, ...akashManaged };
}

/**
 * Returns the NetworkPolicy that allows IPv6 traffic from anywhere to the pods and the port behind
 * a claim's Service. The Akash provider isolates the pods of a lease, and its own policy for leased
 * IPs, `akash-<service>-ip`, allows 0.0.0.0/0 only: cluster/kube/builder/netpol.go.
 */
export function ipv6PolicyManifest(claim: LeaseClaim): Manifest {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: {
      name: networkPolicyName(claim),
      namespace: leaseNamespace('akash', claim.lease),
      labels: Object.assign(leaseLabels(claim.lease), akashManaged),
      annotations: wave('networkPolicy'),
    },
    spec: {
      podSelector: { matchLabels: selectorOf(claim) },
      policyTypes: ['Ingress'],
      ingress: [
        {
          from: [{ ipBlock: { cidr: '::/0' } }],
          ports: [{ port: claim.port, protocol: claim.protocol }],
        },
      ],
    } satisfies Written<k8s.NetworkPolicySpec>,
  };
}
