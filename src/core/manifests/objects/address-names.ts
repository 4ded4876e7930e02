import type { k8s } from 'cdk8s-plus-28';
import { type LeaseClaim, wantsFamily } from '../../model/claim.ts';
import { groupBy } from '../../model/order.ts';
import type { Naming } from '../../model/pools.ts';
import { type Address, familyName, formatAddress } from '../../net/address.ts';
import { leaseLabels, type Manifest, sliceManager, wave } from '../manifest.ts';
import { addressName, addressSliceName, leaseNamespace, portName } from '../names.ts';
import type { Written } from '../written-fields.ts';

/** Returns the address name of a holder's endpoint in the namespace of each of its leases. */
export function addressNameManifests(
  naming: Naming,
  claims: readonly LeaseClaim[],
  addresses: readonly Address[],
): readonly Manifest[] {
  return namedAddresses(naming, claims, addresses).flatMap((named) => [
    serviceManifest(naming, named),
    ...named.addresses.map((address) => sliceManifest(naming, named.claims, address)),
  ]);
}

/** The claims of one endpoint in the namespace of one lease, and the addresses that they have. */
interface NamedAddresses {
  readonly claims: readonly [LeaseClaim, ...LeaseClaim[]];
  /** One per family that the claims want, IPv4 first. */
  readonly addresses: readonly Address[];
}

/** Groups the claims of a holder by the namespace of their lease, in order of first claims. */
function namedAddresses(
  naming: Naming,
  claims: readonly LeaseClaim[],
  addresses: readonly Address[],
): readonly NamedAddresses[] {
  const namespaces = groupBy(claims, ({ lease }) => leaseNamespace(naming, lease));
  return [...namespaces.values()].map((own) => ({
    claims: own,
    addresses: addresses.filter(({ family }) => own.some((claim) => wantsFamily(claim, family))),
  }));
}

/**
 * Returns the headless Service by which the pods of a lease look the addresses of an endpoint up.
 * Its name is the address name of the endpoint. It has no selector, so {@link sliceManifest} has its
 * addresses. It lacks the label `akash.network`, by which the Akash provider finds the objects that
 * it may delete.
 */
function serviceManifest(naming: Naming, { claims, addresses }: NamedAddresses): Manifest {
  const [first] = claims;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: addressName(first),
      namespace: leaseNamespace(naming, first.lease),
      labels: leaseLabels(first.lease),
      annotations: wave('service'),
    },
    spec: {
      type: 'ClusterIP',
      clusterIP: 'None',
      ipFamilyPolicy: addresses.length > 1 ? 'RequireDualStack' : 'SingleStack',
      ipFamilies: addresses.map(({ family }) => familyName(family)),
      ports: claims.map(portOf),
    } satisfies Written<k8s.ServiceSpec>,
  };
}

/**
 * Returns the EndpointSlice with the address of one family of a {@link serviceManifest}. No
 * controller of Kubernetes writes the slices of a Service without selector.
 */
function sliceManifest(
  naming: Naming,
  claims: NamedAddresses['claims'],
  address: Address,
): Manifest {
  const [first] = claims;
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: addressSliceName(first, address.family),
      namespace: leaseNamespace(naming, first.lease),
      labels: {
        'kubernetes.io/service-name': addressName(first),
        ...sliceManager,
        ...leaseLabels(first.lease),
      },
      annotations: wave('endpointSlice'),
    },
    ...({
      addressType: familyName(address.family),
      endpoints: [{ addresses: [formatAddress(address)], conditions: { ready: true } }],
      ports: claims.map(portOf),
    } satisfies Written<k8s.KubeEndpointSliceProps>),
  };
}

/** The same in the Service and in its slices: it is only used for SRV records. */
function portOf(claim: LeaseClaim) {
  const { externalPort, protocol } = claim;
  return { name: portName('readable', claim), port: externalPort, protocol };
}
