import type { Pool } from '../../core/model/pools.ts';

/**
 * The BGP features that pools need and MetalLB's native mode does not support, such as
 * `IPv6 (pool public)`, in the order of the pools. MetalLB: internal/config/validation.go
 * DiscardFRROnly.
 */
export function beyondNativeBGP(pools: readonly Pool[]): readonly string[] {
  return pools.flatMap(({ name, ranges, advertise }) => {
    const bgp = advertise.filter((one) => one.kind === 'bgp');
    if (bgp.length === 0) return [];
    const families = ranges.some(({ from }) => from.family === 'ipv6') ? ['IPv6'] : [];
    const communities = new Set(bgp.flatMap((one) => one.communities));
    const large = [...communities].filter((text) => text.startsWith('large:'));
    return [...families, ...large].map((need) => `${need} (pool ${name})`);
  });
}
