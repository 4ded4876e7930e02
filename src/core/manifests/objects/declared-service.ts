import type { ServiceClaim } from '../../model/claim.ts';
import { type Placement, publicAddresses } from '../../model/holder.ts';
import { requestedFamilies } from '../../model/lease.ts';
import type { Cluster } from '../../model/pools.ts';
import type { DeclaredService, WrittenService } from '../../model/service.ts';
import { type Address, familyName, formatAddress } from '../../net/address.ts';
import { type Manifest, managedBy, type TreeMap, wave } from '../manifest.ts';
import { addressConfigMapName } from '../names.ts';
import { type Pinning, type PlacedAddresses, pinsOf } from '../planes/plane.ts';
import { planeOf } from '../planes/planes.ts';

/**
 * Returns a declared Service, pinned to its addresses. Its ports, selector, traffic policy and node
 * ports are those of its author.
 */
export function declaredServiceManifest(
  cluster: Cluster,
  { holder, sharingKey }: Pick<ServiceClaim, 'holder' | 'sharingKey'>,
  declared: DeclaredService,
  placement: PlacedAddresses,
): Manifest {
  const addresses = pinsOf(declared.familyOrder, placement.addresses, holder);
  const way = declared.isPinnedByAnnotation ? 'annotation' : 'field';
  const pinned = { addresses, sharingKey, pool: placement.pool.name, way } as const;
  return manifestOf(declared, planeOf(cluster).pinning(cluster.plane, pinned));
}

/**
 * Returns the ConfigMap with the addresses of a declared Service or a Reservation, for `envFrom` of
 * its pods: they know their addresses before the Service has them. `LEASED_IP` is the public address
 * of the first family. In a pool with a NAT, `LEASED_INSIDE_IP` is the address itself.
 */
export function addressConfigMapManifest(
  { holder, declared }: ServiceClaim,
  placement: Placement,
): Manifest {
  const { name, namespace } = declared;
  const families =
    declared.kind === 'Service' ? declared.familyOrder : requestedFamilies(declared.ipFamily);
  const entries = (prefix: string, addresses: readonly Address[]) =>
    pinsOf(families, addresses, holder).flatMap((address, index) => {
      const text = formatAddress(address);
      const named = [`${prefix}_${familyName(address.family).toUpperCase()}`, text] as const;
      return index === 0 ? [[`${prefix}_IP`, text] as const, named] : [named];
    });
  const { pool, addresses } = placement;
  const data = [
    ...entries('LEASED', publicAddresses(placement)),
    ...(pool.nat.length > 0 ? entries('LEASED_INSIDE', addresses) : []),
  ];
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: addressConfigMapName(name),
      namespace,
      labels: { ...managedBy },
      annotations: wave('configMap'),
    },
    data: Object.fromEntries(data),
  };
}

/** Returns a declared Service of another type than LoadBalancer, which has no address. */
export function unleasedServiceManifest(declared: DeclaredService): Manifest {
  return manifestOf(declared, { labels: {}, annotations: {}, spec: {} });
}

/** The fields of leasehold override those of the author. */
function manifestOf(
  { name, namespace, written }: DeclaredService,
  pins: Pick<Pinning, 'labels' | 'annotations'> & { readonly spec: TreeMap },
): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name,
      namespace,
      labels: Object.assign({}, written.labels, managedBy, pins.labels),
      annotations: Object.assign({}, written.annotations, wave('service', pins.annotations)),
    },
    spec: Object.assign({}, specOf(written), pins.spec),
  };
}

/** A spec is a Tree, because it was read from YAML. */
function specOf({ spec }: WrittenService): TreeMap {
  return spec as TreeMap;
}
