import type { MetalLB } from '../../model/pools.ts';
import { InternalError } from '../../model/problem.ts';
import { type Address, type Family, familyName, formatAddress } from '../../net/address.ts';
import { annotationPrefix } from '../manifest.ts';

/** The annotations and fields that pin a Service to its addresses. */
export interface Pinning {
  readonly annotations: { readonly [key: string]: string };
  readonly spec: {
    readonly ipFamilyPolicy: 'SingleStack' | 'RequireDualStack';
    readonly ipFamilies: readonly ('IPv4' | 'IPv6')[];
    /** Absent when the Service is pinned by the annotation. */
    readonly loadBalancerIP?: string;
    /** Present when MetalLB serves Services of one class only. */
    readonly loadBalancerClass?: string;
  };
}

/**
 * Returns the fields that pin a Service to its addresses.
 *
 * - Two addresses are pinned by the `loadBalancerIPs` annotation, a single one by
 *   `spec.loadBalancerIP` unless `way` is `annotation`. MetalLB refuses a Service with both, and a
 *   live Service may have the annotation already.
 * - The families are in the order of `pins`; the first is the primary one.
 * - The sharing key is there even when the Service has the address alone: without it, MetalLB
 *   before 0.15 never gives the address to a second Service.
 */
export function pinning(
  metallb: MetalLB,
  pins: readonly Address[],
  sharingKey: string,
  way: 'field' | 'annotation' = 'field',
): Pinning {
  const prefix = annotationPrefix(metallb);
  const { loadBalancerClass } = metallb;
  const isSingle = pins.length === 1;
  const byField = isSingle && way === 'field';
  const text = pins.map(formatAddress).join(',');
  return {
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

/** Returns the addresses of a holder in some families, in the order of the families. */
export function pinsOf(
  families: readonly Family[],
  addresses: readonly Address[],
  holder: string,
): readonly Address[] {
  return families.map((family) => {
    const address = addresses.find((one) => one.family === family);
    if (!address) throw new InternalError(`${holder} was placed without its ${family} address`);
    return address;
  });
}
