import { IpAddressPool } from '../../../imports/metallb.io.ts';
import type { Pool } from '../../model/pools.ts';
import { type Address, familyBits, formatAddress } from '../../net/address.ts';
import { formatRange } from '../../net/range.ts';
import type { Manifest } from '../manifest.ts';
import { leasesLabel, managedBy, reservedLabel, wave } from '../metadata.ts';
import { addressPoolName } from '../names.ts';

/**
 * `layout: lease`: the `IPAddressPool` of one held address set, open to the namespaces of its
 * claims only. `namespaces` is sorted, without duplicates.
 */
export function heldPoolManifest(
  pool: Pool,
  addresses: readonly [Address, ...Address[]],
  fence: { readonly metallbNamespace: string; readonly namespaces: readonly string[] },
): Manifest {
  return IpAddressPool.manifest({
    metadata: metadataOf(addressPoolName(addresses[0]), fence.metallbNamespace),
    spec: {
      addresses: addresses.map(wholeAddress),
      autoAssign: false,
      avoidBuggyIPs: pool.avoidBuggyIPs,
      serviceAllocation: { namespaces: [...fence.namespaces] },
    },
  });
}

/**
 * `layout: pool`: the `IPAddressPool` of a declared pool, which never changes with leases. Open to
 * Services with our label, and to those of Reservations with theirs; when we write the namespaces, to those in
 * them only. A label of the Services is always asked for: selectors that match no namespace open a pool to all (MetalLB:
 * isPoolCompatibleWithService). With an open fence it asks for nothing: a live Service keeps its address without any label,
 * and gets one only by asking for it, since nothing is assigned by MetalLB's own choice.
 */
export function declaredPoolManifest(
  pool: Pool,
  metallbNamespace: string,
  fencedByNamespace: boolean,
): Manifest {
  return IpAddressPool.manifest({
    metadata: metadataOf(pool.name, metallbNamespace),
    spec: {
      addresses: pool.ranges.map(formatRange),
      autoAssign: false,
      avoidBuggyIPs: pool.avoidBuggyIPs,
      ...(pool.fence === 'closed' ? { serviceAllocation: closedFence(fencedByNamespace) } : {}),
    },
  });
}

/** What a declared pool asks of a Service, and of its namespace where we write it; see {@link declaredPoolManifest}. */
export function closedFence(fencedByNamespace: boolean) {
  return {
    ...(fencedByNamespace ? { namespaceSelectors: [{ matchLabels: { ...leasesLabel } }] } : {}),
    serviceSelectors: [{ matchLabels: { ...managedBy } }, { matchLabels: { ...reservedLabel } }],
  };
}

/** `203.0.113.7/32`: MetalLB refuses a bare address. */
function wholeAddress(address: Address): string {
  return `${formatAddress(address)}/${familyBits[address.family]}`;
}

function metadataOf(name: string, namespace: string) {
  return {
    name,
    namespace,
    labels: { ...managedBy },
    annotations: { ...wave('IPAddressPool') },
  };
}
