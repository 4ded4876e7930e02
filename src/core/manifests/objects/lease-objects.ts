import { k8s } from 'cdk8s-plus-28';
import type { Construct } from 'constructs';
import { ProviderLeasedIp } from '../../../../imports/akash.network.ts';
import type { LeaseClaim } from '../../model/claim.ts';
import { requestedFamilies } from '../../model/lease.ts';
import { groupBy } from '../../model/order.ts';
import type { Cluster, Naming } from '../../model/pools.ts';
import type { Address } from '../../net/address.ts';
import { staticObject } from '../dist-app.ts';
import { akashManaged, leaseLabels, wave } from '../manifest.ts';
import {
  leasedIPName,
  leasedIPNamespace,
  leaseNamespace,
  networkPolicyName,
  portName,
  serviceName,
} from '../names.ts';
import { pinning, pinsOf } from './pinning.ts';

/**
 * The `ProviderLeasedIP` of a claim, with the nine labels by which the provider finds it. Akash
 * provider: cluster/kube/cluster_ip_connections.go DeclareIP.
 */
export class LeasedIPObject extends staticObject(ProviderLeasedIp) {
  constructor(scope: Construct, id: string, naming: Naming, claim: LeaseClaim) {
    super(scope, id, {
      metadata: {
        name: leasedIPName(naming, claim),
        namespace: leasedIPNamespace,
        labels: {
          ...leaseLabels(claim.lease),
          ...akashManaged,
          'service-name': claim.service,
          'external-port': String(claim.externalPort),
          proto: claim.protocol,
        },
        annotations: wave('leasedIP'),
      },
      spec: {
        leaseId: claim.lease,
        serviceName: claim.service,
        port: claim.port,
        externalPort: claim.externalPort,
        sharingKey: claim.sharingKey,
        protocol: claim.protocol,
      },
    });
  }
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
 * The Service of claims that have the same families and selector, pinned to their addresses. It has
 * no node ports, because a cluster has only 2,768 of them by default, and `Cluster` policy, because
 * Services that share an address need the same policy. Labels and shape: Akash provider,
 * metallb/client.go.
 */
export class LeaseService extends staticObject(k8s.KubeService) {
  constructor(
    scope: Construct,
    id: string,
    cluster: Cluster,
    {
      claims,
      addresses,
    }: { readonly claims: ServiceClaims; readonly addresses: readonly Address[] },
  ) {
    const [first] = claims;
    const { naming, metallb } = cluster;
    const families = requestedFamilies(first.ipFamily);
    const pins = pinning(metallb, pinsOf(families, addresses, first.holder), first.sharingKey);
    const { loadBalancerIP, loadBalancerClass, ipFamilyPolicy, ipFamilies } = pins.spec;
    super(scope, id, {
      metadata: {
        name: serviceName(naming, first),
        namespace: leaseNamespace(naming, first.lease),
        labels: {
          ...leaseLabels(first.lease),
          ...akashManaged,
          'akash.network/service-target': 'metal-lb',
        },
        annotations: { ...wave('service'), ...pins.annotations },
      },
      spec: {
        type: 'LoadBalancer',
        allocateLoadBalancerNodePorts: false,
        externalTrafficPolicy: 'Cluster',
        ...(loadBalancerIP === undefined ? {} : { loadBalancerIp: loadBalancerIP }),
        ...(loadBalancerClass === undefined ? {} : { loadBalancerClass }),
        ipFamilyPolicy,
        ipFamilies: [...ipFamilies],
        ports: claims.map((claim) => ({
          name: portName(naming, claim),
          protocol: claim.protocol,
          port: claim.externalPort,
          targetPort: k8s.IntOrString.fromNumber(claim.port),
        })),
        selector: { ...selectorOf(first) },
      },
    });
  }
}

/**
 * Returns the declared selector of a claim, or else the labels that the Akash provider gives to the
 * pods of a service.
 */
function selectorOf({ selector, service }: LeaseClaim): {
  readonly [label: string]: string;
} {
  return selector ?? { ...akashManaged, 'akash.network/manifest-service': service };
}

/**
 * The NetworkPolicy that allows IPv6 traffic from anywhere to the pods and the port behind a
 * claim's Service. The Akash provider isolates the pods of a lease, and its own policy for leased
 * IPs, `akash-<service>-ip`, allows 0.0.0.0/0 only: cluster/kube/builder/netpol.go.
 */
export class IPv6NetworkPolicy extends staticObject(k8s.KubeNetworkPolicy) {
  constructor(scope: Construct, id: string, claim: LeaseClaim) {
    super(scope, id, {
      metadata: {
        name: networkPolicyName(claim),
        namespace: leaseNamespace('akash', claim.lease),
        labels: { ...leaseLabels(claim.lease), ...akashManaged },
        annotations: wave('networkPolicy'),
      },
      spec: {
        podSelector: { matchLabels: { ...selectorOf(claim) } },
        policyTypes: ['Ingress'],
        ingress: [
          {
            from: [{ ipBlock: { cidr: '::/0' } }],
            ports: [{ port: k8s.IntOrString.fromNumber(claim.port), protocol: claim.protocol }],
          },
        ],
      },
    });
  }
}
