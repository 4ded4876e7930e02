import { oncePer } from '../../../model/calls.ts';
import {
  type AnnotationPrefix,
  firstMetalLB,
  isSince,
  type MetalLB,
} from '../../../model/planes.ts';
import { familyName, formatAddress } from '../../../net/address.ts';
import type { Pinned, Pinning } from '../plane.ts';

/**
 * Returns the fields that pin a Service to its addresses.
 *
 * - Two addresses are pinned by the `loadBalancerIPs` annotation, a single one by
 *   `spec.loadBalancerIP` unless `way` is `annotation`. MetalLB refuses a Service with both, and a
 *   live Service may have the annotation already.
 * - The families are in the order of the addresses; the first is the primary one.
 * - The sharing key is there even when the Service has the address alone: without it, MetalLB
 *   before 0.15 never gives the address to a second Service.
 */
export function pinning(
  plane: MetalLB,
  { addresses: pins, sharingKey, way = 'field' }: Pinned,
): Pinning {
  const prefix = annotationPrefix(plane);
  const { loadBalancerClass } = plane;
  const isSingle = pins.length === 1;
  const byField = isSingle && way === 'field';
  const text = pins.map(formatAddress).join(',');
  return {
    labels: {},
    annotations: {
      [`${prefix}/allow-shared-ip`]: sharingKey,
      ...(byField ? {} : { [`${prefix}/loadBalancerIPs`]: text }),
    },
    spec: {
      ipFamilyPolicy: isSingle ? 'SingleStack' : 'RequireDualStack',
      ipFamilies: pins.map(({ family }) => familyName(family)),
      ...(byField ? { loadBalancerIP: text } : {}),
      ...(loadBalancerClass === undefined ? {} : { loadBalancerClass }),
    },
  };
}

/** Returns the prefix for a MetalLB. Old versions ignore `metallb.io` silently. */
export const annotationPrefix = oncePer(
  ({ version, annotationPrefix: own }: MetalLB): AnnotationPrefix =>
    isSince(version, firstMetalLB.metallbIoAnnotations)
      ? (own ?? 'metallb.io')
      : 'metallb.universe.tf',
);
