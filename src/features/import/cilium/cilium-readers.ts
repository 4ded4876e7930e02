import type { LiveService } from '../imported.ts';
import type { OtherReader } from '../metallb/metallb-source.ts';
import { readBGPAdvertisement, readL2Policy } from './cilium-announcement.ts';
import { readCiliumPool } from './cilium-pool.ts';

/**
 * The readers of Cilium's objects, by `<apiVersion> <kind>`. An announcement selects Services, so it
 * is compared with `services`, which may be filled later.
 */
export function ciliumReaders(
  services: readonly LiveService[],
): readonly (readonly [string, OtherReader])[] {
  const pool: OtherReader = { read: readCiliumPool };
  const l2: OtherReader = {
    read: (reader, object, parts) => readL2Policy(reader, object, parts, services),
  };
  const bgp: OtherReader = {
    read: (reader, object, parts) => readBGPAdvertisement(reader, object, parts, services),
  };
  return [
    ['cilium.io/v2 CiliumLoadBalancerIPPool', pool],
    ['cilium.io/v2alpha1 CiliumLoadBalancerIPPool', pool],
    ['cilium.io/v2alpha1 CiliumL2AnnouncementPolicy', l2],
    ['cilium.io/v2 CiliumBGPAdvertisement', bgp],
    ['cilium.io/v2alpha1 CiliumBGPAdvertisement', bgp],
  ];
}
