import { k8s } from 'cdk8s-plus-28';
import type { Construct } from 'constructs';
import { type LeaseClaim, wantsFamily } from '../../model/claim.ts';
import { groupBy } from '../../model/order.ts';
import type { Naming } from '../../model/pools.ts';
import { type Address, familyName, formatAddress } from '../../net/address.ts';
import { staticObject } from '../dist-app.ts';
import { leaseLabels, sliceManager, wave } from '../manifest.ts';
import { addressName, addressSliceName, leaseNamespace, portName } from '../names.ts';

/** Adds the address name of a holder's endpoint to the namespace of each of its leases. */
export function addAddressNames(
  chart: Construct,
  naming: Naming,
  claims: readonly LeaseClaim[],
  addresses: readonly Address[],
): void {
  for (const [index, named] of namedAddresses(naming, claims, addresses).entries()) {
    new AddressNameService(chart, `address-name-${index}`, naming, named);
    for (const address of named.addresses) {
      const own = { claims: named.claims, address };
      new AddressSlice(chart, `address-slice-${index}-${address.family}`, naming, own);
    }
  }
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
 * The headless Service by which the pods of a lease look the addresses of an endpoint up. Its name
 * is the address name of the endpoint. It has no selector, so {@link AddressSlice} has its
 * addresses. It lacks the label `akash.network`, by which the Akash provider finds the objects that
 * it may delete.
 */
class AddressNameService extends staticObject(k8s.KubeService) {
  constructor(scope: Construct, id: string, naming: Naming, { claims, addresses }: NamedAddresses) {
    const [first] = claims;
    super(scope, id, {
      metadata: {
        name: addressName(first),
        namespace: leaseNamespace(naming, first.lease),
        labels: leaseLabels(first.lease),
        annotations: wave('service'),
      },
      spec: {
        type: 'ClusterIP',
        clusterIp: 'None',
        ipFamilyPolicy: addresses.length > 1 ? 'RequireDualStack' : 'SingleStack',
        ipFamilies: addresses.map(({ family }) => familyName(family)),
        ports: claims.map(portOf),
      },
    });
  }
}

/**
 * The EndpointSlice with the address of one family of an {@link AddressNameService}. No controller
 * of Kubernetes writes the slices of a Service without selector.
 */
class AddressSlice extends staticObject(k8s.KubeEndpointSlice) {
  constructor(
    scope: Construct,
    id: string,
    naming: Naming,
    { claims, address }: Pick<NamedAddresses, 'claims'> & { readonly address: Address },
  ) {
    const [first] = claims;
    const service = addressName(first);
    super(scope, id, {
      metadata: {
        name: addressSliceName(first, address.family),
        namespace: leaseNamespace(naming, first.lease),
        labels: {
          ...leaseLabels(first.lease),
          'kubernetes.io/service-name': service,
          ...sliceManager,
        },
        annotations: wave('endpointSlice'),
      },
      addressType: familyName(address.family),
      endpoints: [{ addresses: [formatAddress(address)], conditions: { ready: true } }],
      ports: claims.map(portOf),
    });
  }
}

/** The same in the Service and in its slices: it is only used for SRV records. */
function portOf(claim: LeaseClaim) {
  const { externalPort, protocol } = claim;
  return { name: portName('readable', claim), port: externalPort, protocol };
}
