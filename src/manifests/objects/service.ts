import { k8s } from 'cdk8s-plus-28';
import type { Construct } from 'constructs';
import type { LeaseClaim } from '../../model/claim.ts';
import { groupBy } from '../../model/order.ts';
import type { Cluster } from '../../model/pools.ts';
import type { Address, Family } from '../../net/address.ts';
import { staticObject } from '../dist-app.ts';
import { akashManaged, leaseLabels, wave } from '../metadata.ts';
import { leaseNamespace, portName, serviceName } from '../names.ts';
import { pinning, pinsOf } from './pinning.ts';

/** The claims that one Service serves: one each in `akash`, those of one service in `readable`. */
export type ServiceClaims = readonly [LeaseClaim, ...LeaseClaim[]];

/** The claims of a holder by the Service that serves them, in the order of the first of each. */
export function claimsByService(
  naming: Cluster['naming'],
  claims: readonly LeaseClaim[],
): readonly ServiceClaims[] {
  if (naming === 'akash') return claims.map((claim) => [claim]);
  const groups = groupBy(
    claims,
    (claim) => `${leaseNamespace(naming, claim.lease)}/${serviceName(naming, claim)}`,
  );
  return [...groups.values()];
}

/**
 * The Service of claims that agree about family and selector, pinned to their address. No node
 * ports: one per Service would end at 2,768. `Cluster` policy, because sharers of an address must
 * have one. Labels and shape: Akash provider, metallb/client.go.
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
    const families: readonly Family[] =
      first.ipFamily === 'dual' ? ['ipv4', 'ipv6'] : [first.ipFamily];
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
        annotations: { ...wave('Service'), ...pins.annotations },
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

/** The claim's own selector, or what the Akash provider labels the pods of a service with. */
export function selectorOf({ selector, service }: LeaseClaim): {
  readonly [label: string]: string;
} {
  return selector ?? { ...akashManaged, 'akash.network/manifest-service': service };
}
