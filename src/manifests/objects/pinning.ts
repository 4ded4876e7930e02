import type { MetalLB } from '../../model/pools.ts';
import { InternalError } from '../../model/problem.ts';
import { type Address, type Family, formatAddress } from '../../net/address.ts';
import { annotationPrefix } from '../metadata.ts';

/** What keeps a Service on its addresses. */
export interface Pinning {
  readonly annotations: { readonly [key: string]: string };
  readonly spec: {
    readonly ipFamilyPolicy: 'SingleStack' | 'RequireDualStack';
    readonly ipFamilies: readonly ('IPv4' | 'IPv6')[];
    /** For one address; two are pinned by the annotation. */
    readonly loadBalancerIP?: string;
    /** Where MetalLB serves Services of one class only. */
    readonly loadBalancerClass?: string;
  };
}

/**
 * The fields that pin a Service: `spec.loadBalancerIP` for one address, the `loadBalancerIPs` annotation for
 * two, and for one where its author writes it so (`way`): MetalLB refuses both together, and a live Service may have the
 * annotation from somebody else; the families in the order of `pins`, the first being the primary
 * one; the class, where MetalLB serves one only; and the sharing key, also while the Service is alone: MetalLB before 0.15
 * strands the second one otherwise.
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
      ipFamilies: pins.map(({ family }) => (family === 'ipv4' ? 'IPv4' : 'IPv6')),
      ...(byField ? { loadBalancerIP: text } : {}),
      ...(loadBalancerClass === undefined ? {} : { loadBalancerClass }),
    },
  };
}

/** The addresses of a holder in some families, in their order: a claim may want one of two. */
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
