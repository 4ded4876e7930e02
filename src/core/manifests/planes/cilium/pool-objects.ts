import type {
  CiliumBgpAdvertisementSpec,
  CiliumL2AnnouncementPolicySpec,
  CiliumLoadBalancerIpPoolSpec,
} from '../../../../../imports/cilium.io.ts';
import { type EmittedKind, liveKinds } from '../../../model/kinds.ts';
import type { Advertise, Pool } from '../../../model/pools.ts';
import { formatAddress } from '../../../net/address.ts';
import { type AddressRange, formatRange } from '../../../net/range.ts';
import { rangeSetOf, subtract } from '../../../net/range-set.ts';
import { type Manifest, managedBy, poolLabel, wave } from '../../manifest.ts';
import type { Written } from '../../written-fields.ts';
import { filled, writtenSelector } from '../plane.ts';

/**
 * Returns the `CiliumLoadBalancerIPPool` of a declared pool. It does not change with leases.
 *
 * Cilium gives an address of a pool to each Service that its selector matches, also to one that asks
 * for none: the label keeps the pool to the Services of leasehold. Reserved addresses are not in its
 * blocks.
 */
export function poolManifest(pool: Pool): Manifest {
  // Each declared range by itself: Cilium takes an edited block for one that is removed and one that is added.
  const blocks = pool.ranges.flatMap(
    (range) => subtract(rangeSetOf([range]), pool.reserved).ranges,
  );
  return objectOf('ciliumPool', { name: pool.name, pool: pool.name }, {
    blocks: blocks.map(blockOf),
    serviceSelector: servicesOf(pool.name),
  } satisfies Written<CiliumLoadBalancerIpPoolSpec>);
}

/**
 * Returns the object that announces the addresses of a pool. It selects the Services of the pool by
 * their label. An aggregation to whole addresses is left out: Cilium accepts 31 and 127 at most.
 */
export function advertisementManifest(
  advertise: Advertise & { readonly name: string },
  pool: string,
): Manifest {
  const services = servicesOf(pool);
  const names = { name: advertise.name, pool };
  if (advertise.kind === 'l2') {
    const { interfaces, nodeSelectors } = advertise;
    const [nodes] = nodeSelectors;
    return objectOf('ciliumL2Policy', names, {
      ...filled('interfaces', interfaces.map(interfacePattern)),
      loadBalancerIPs: true,
      ...(nodes && { nodeSelector: writtenSelector(nodes) }),
      serviceSelector: services,
    } satisfies Written<CiliumL2AnnouncementPolicySpec>);
  }
  const { aggregationLength, aggregationLengthV6 } = advertise;
  const attributes = attributesOf(advertise);
  return objectOf('ciliumBGPAdvertisement', names, {
    advertisements: [
      {
        advertisementType: 'Service',
        ...(Object.keys(attributes).length > 0 && { attributes }),
        selector: services,
        service: {
          addresses: ['LoadBalancerIP'],
          ...(aggregationLength < 32 && { aggregationLengthIPv4: aggregationLength }),
          ...(aggregationLengthV6 < 128 && { aggregationLengthIPv6: aggregationLengthV6 }),
        },
      },
    ],
  } satisfies Written<CiliumBgpAdvertisementSpec>);
}

function attributesOf({ communities, localPref }: Extract<Advertise, { readonly kind: 'bgp' }>) {
  const isLarge = (text: string) => text.startsWith('large:');
  const ofKind = {
    ...filled(
      'large',
      communities.filter(isLarge).map((text) => text.slice('large:'.length)),
    ),
    ...filled(
      'standard',
      communities.filter((text) => text.includes(':') && !isLarge(text)),
    ),
    ...filled(
      'wellKnown',
      communities.filter((text) => !text.includes(':')),
    ),
  };
  return {
    ...(communities.length > 0 && { communities: ofKind }),
    ...(localPref !== undefined && { localPreference: localPref }),
  };
}

/** The selector of the Services that are pinned to addresses of a pool. */
function servicesOf(pool: string) {
  return { matchLabels: { [poolLabel]: pool } };
}

function blockOf(range: AddressRange) {
  const text = formatRange(range);
  if (text.includes('/')) return { cidr: text };
  return { start: formatAddress(range.from), stop: formatAddress(range.to) };
}

/** A regular expression for one interface, which is what Cilium takes for a name. */
function interfacePattern(name: string): string {
  return `^${name.replaceAll('.', '\\.')}$`;
}

/** A cluster-scoped object. By its label, a CiliumBGPPeerConfig selects the advertisements of a pool. */
function objectOf(
  kind: EmittedKind,
  { name, pool }: { readonly name: string; readonly pool: string },
  spec: Manifest['spec'],
): Manifest {
  const { apiVersion, kind: written } = liveKinds[kind];
  const labels = { ...managedBy, [poolLabel]: pool };
  return { apiVersion, kind: written, metadata: { name, labels, annotations: wave(kind) }, spec };
}
