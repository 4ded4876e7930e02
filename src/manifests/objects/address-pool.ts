import type { Construct } from 'constructs';
import { IpAddressPool } from '../../../imports/metallb.io.ts';
import type { Pool } from '../../model/pools.ts';
import { type Address, familyBits, formatAddress } from '../../net/address.ts';
import { formatRange } from '../../net/range.ts';
import { staticObject } from '../dist-app.ts';
import { leasesLabel, managedBy, reservedLabel, wave } from '../metadata.ts';
import { addressPoolName } from '../names.ts';

/**
 * `layout: lease`: the `IPAddressPool` of one held address set, open to the namespaces of its
 * claims only. `namespaces` is sorted, without duplicates.
 */
export class HeldPool extends staticObject(IpAddressPool) {
  constructor(
    scope: Construct,
    id: string,
    {
      pool,
      addresses,
      metallbNamespace,
      namespaces,
    }: {
      readonly pool: Pool;
      readonly addresses: readonly [Address, ...Address[]];
      readonly metallbNamespace: string;
      readonly namespaces: readonly string[];
    },
  ) {
    super(scope, id, {
      metadata: metadataOf(addressPoolName(addresses[0]), metallbNamespace),
      spec: {
        addresses: addresses.map(wholeAddress),
        autoAssign: false,
        avoidBuggyIPs: pool.avoidBuggyIPs,
        serviceAllocation: { namespaces: [...namespaces] },
      },
    });
  }
}

/**
 * `layout: pool`: the `IPAddressPool` of a declared pool, which never changes with leases. Open to
 * Services with our label, and to those of Reservations with theirs; when we write the namespaces, to those in
 * them only. A label of the Services is always asked for: selectors that match no namespace open a pool to all (MetalLB:
 * isPoolCompatibleWithService). With an open fence it asks for nothing: a live Service keeps its address without any label,
 * and gets one only by asking for it, since nothing is assigned by MetalLB's own choice.
 */
export class DeclaredPool extends staticObject(IpAddressPool) {
  constructor(
    scope: Construct,
    id: string,
    {
      pool,
      metallbNamespace,
      fencedByNamespace,
    }: {
      readonly pool: Pool;
      readonly metallbNamespace: string;
      readonly fencedByNamespace: boolean;
    },
  ) {
    super(scope, id, {
      metadata: metadataOf(pool.name, metallbNamespace),
      spec: {
        addresses: pool.ranges.map(formatRange),
        autoAssign: false,
        avoidBuggyIPs: pool.avoidBuggyIPs,
        ...(pool.fence === 'closed' ? { serviceAllocation: closedFence(fencedByNamespace) } : {}),
      },
    });
  }
}

/** What a declared pool asks of a Service, and of its namespace where we write it; see {@link DeclaredPool}. */
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
