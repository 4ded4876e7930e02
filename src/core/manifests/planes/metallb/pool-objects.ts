import type {
  BgpAdvertisementSpec,
  IpAddressPoolSpec,
  L2AdvertisementSpec,
} from '../../../../../imports/metallb.io.ts';
import type { EmittedKind } from '../../../model/kinds.ts';
import type { Advertise, Pool } from '../../../model/pools.ts';
import { type Address, familyBits, formatAddress } from '../../../net/address.ts';
import { formatRange } from '../../../net/range.ts';
import { leasesLabel, type Manifest, managedBy, reservedLabel, wave } from '../../manifest.ts';
import { addressPoolName } from '../../names.ts';
import type { Written } from '../../written-fields.ts';
import { filled, writtenSelector } from '../plane.ts';

const apiVersion = 'metallb.io/v1beta1';

/**
 * Returns the `IPAddressPool` of the addresses of one holder, with `layout: lease`. It is open to
 * the namespaces of the claims only. `namespaces` is sorted, without duplicates.
 */
export function heldPoolManifest({
  pool,
  addresses,
  metallbNamespace,
  namespaces,
}: {
  readonly pool: Pool;
  readonly addresses: readonly [Address, ...Address[]];
  readonly metallbNamespace: string;
  readonly namespaces: readonly string[];
}): Manifest {
  return poolManifest(addressPoolName(addresses[0]), metallbNamespace, {
    addresses: addresses.map(wholeAddress),
    autoAssign: false,
    avoidBuggyIPs: pool.avoidBuggyIPs,
    serviceAllocation: { namespaces },
  });
}

/**
 * Returns the `IPAddressPool` of a declared pool, with `layout: pool`. It does not change with
 * leases.
 *
 * With a closed fence it is open to Services with leasehold's label or the label of Reservations,
 * and when leasehold writes the Namespaces, only in those. The label of the Services is always
 * required: MetalLB opens a pool to all namespaces when its selectors match none
 * (isPoolCompatibleWithService).
 *
 * With an open fence it has no conditions, so a live Service without labels keeps its address.
 * MetalLB never picks an address by itself: a Service gets one only when it asks for it.
 */
export function declaredPoolManifest({
  pool,
  metallbNamespace,
  isFencedByNamespace,
}: {
  readonly pool: Pool;
  readonly metallbNamespace: string;
  readonly isFencedByNamespace: boolean;
}): Manifest {
  return poolManifest(pool.name, metallbNamespace, {
    addresses: pool.ranges.map(formatRange),
    autoAssign: false,
    avoidBuggyIPs: pool.avoidBuggyIPs,
    ...(pool.fence === 'closed' ? { serviceAllocation: closedFence(isFencedByNamespace) } : {}),
  });
}

function poolManifest(name: string, namespace: string, spec: Written<IpAddressPoolSpec>): Manifest {
  const metadata = metadataOf('addressPool', name, namespace);
  return { apiVersion, kind: 'IPAddressPool', metadata, spec };
}

/** The `serviceAllocation` of a declared pool with a closed fence. */
export function closedFence(fencedByNamespace: boolean) {
  return {
    ...(fencedByNamespace ? { namespaceSelectors: [{ matchLabels: { ...leasesLabel } }] } : {}),
    serviceSelectors: [{ matchLabels: { ...managedBy } }, { matchLabels: { ...reservedLabel } }],
  };
}

/** Returns such as `203.0.113.7/32`: MetalLB refuses an address without a prefix length. */
function wholeAddress(address: Address): string {
  return `${formatAddress(address)}/${familyBits[address.family]}`;
}

/**
 * Returns an advertisement of an `IPAddressPool`, which has the name of the pool by default.
 * MetalLB assigns the addresses of a pool without advertisement and never announces them; one
 * without a pool announces all pools. Empty lists are left out.
 */
export function advertisementManifest(
  advertise: Advertise,
  {
    name,
    pool = name,
    metallbNamespace,
  }: { readonly name: string; readonly pool?: string; readonly metallbNamespace: string },
): Manifest {
  const nodeSelectors = filled('nodeSelectors', advertise.nodeSelectors.map(writtenSelector));
  if (advertise.kind === 'l2') {
    return {
      apiVersion,
      kind: 'L2Advertisement',
      metadata: metadataOf('l2Advertisement', name, metallbNamespace),
      spec: {
        ipAddressPools: [pool],
        ...filled('interfaces', advertise.interfaces),
        ...nodeSelectors,
      } satisfies Written<L2AdvertisementSpec>,
    };
  }
  return {
    apiVersion,
    kind: 'BGPAdvertisement',
    metadata: metadataOf('bgpAdvertisement', name, metallbNamespace),
    spec: {
      ipAddressPools: [pool],
      aggregationLength: advertise.aggregationLength,
      aggregationLengthV6: advertise.aggregationLengthV6,
      ...(advertise.localPref === undefined ? {} : { localPref: advertise.localPref }),
      ...filled('communities', advertise.communities),
      ...filled('peers', advertise.peers),
      ...nodeSelectors,
    } satisfies Written<BgpAdvertisementSpec>,
  };
}

function metadataOf(kind: EmittedKind, name: string, namespace: string) {
  return { name, namespace, labels: { ...managedBy }, annotations: wave(kind) };
}
