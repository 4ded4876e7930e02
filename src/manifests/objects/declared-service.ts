import { k8s } from 'cdk8s-plus-28';
import type { Claim, ServiceClaim } from '../../model/claim.ts';
import type { Cluster } from '../../model/pools.ts';
import type { DeclaredService, Reservation, WrittenService } from '../../model/service.ts';
import type { Address } from '../../net/address.ts';
import type { Manifest, TreeMap } from '../manifest.ts';
import { managedBy, wave } from '../metadata.ts';
import { type Pinning, pinning, pinsOf } from './pinning.ts';

/** The first claim of each Service and Reservation, in the order of the claims. */
export function firstClaims(claims: readonly Claim[]): readonly ServiceClaim[] {
  const first = new Map<DeclaredService | Reservation, ServiceClaim>();
  for (const claim of claims) {
    if (claim.kind === 'Service' && !first.has(claim.declared)) first.set(claim.declared, claim);
  }
  return [...first.values()];
}

/** The Services and Reservations that claims are of, each once, in the order of the claims. */
export function declaredIn(claims: readonly Claim[]): readonly (DeclaredService | Reservation)[] {
  return firstClaims(claims).map(({ declared }) => declared);
}

/**
 * A declared Service as its author wrote it, pinned to its addresses. Nothing else is touched: ports, selector,
 * traffic policy and node ports stay the author's.
 */
export function declaredServiceManifest(
  { metallb }: Cluster,
  { holder, sharingKey }: Pick<ServiceClaim, 'holder' | 'sharingKey'>,
  declared: DeclaredService,
  addresses: readonly Address[],
): Manifest {
  const pins = pinsOf(declared.familyOrder, addresses, holder);
  const way = declared.isPinnedByAnnotation ? 'annotation' : 'field';
  return manifestOf(declared, pinning(metallb, pins, sharingKey, way));
}

/** A declared Service of another type than LoadBalancer: it has no address, and comes out all the same. */
export function unleasedServiceManifest(declared: DeclaredService): Manifest {
  return manifestOf(declared, { annotations: {}, spec: {} });
}

/** What the author wrote comes first, and what is ours over it. */
function manifestOf(
  { name, namespace, written }: DeclaredService,
  filledIn: Pick<Pinning, 'annotations'> & { readonly spec: TreeMap },
): Manifest {
  return {
    ...k8s.KubeService.GVK,
    metadata: {
      name,
      namespace,
      labels: { ...written.labels, ...managedBy },
      annotations: { ...written.annotations, ...wave('Service'), ...filledIn.annotations },
    },
    spec: { ...specOf(written), ...filledIn.spec },
  };
}

/** The codec has read it from YAML: it is a tree. */
function specOf({ spec }: WrittenService): TreeMap {
  return spec as TreeMap;
}
