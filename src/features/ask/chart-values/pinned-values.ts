import { annotationPrefix, reservedLabel } from '../../../manifests/metadata.ts';
import { pinning } from '../../../manifests/objects/pinning.ts';
import type { ServiceClaim } from '../../../model/claim.ts';
import type { Cluster } from '../../../model/pools.ts';
import type { Reservation } from '../../../model/service.ts';
import { type Address, formatAddress } from '../../../net/address.ts';
import type { ChartValues } from './chart-values-answer.ts';

/**
 * What pins the Service of a Reservation to its addresses, IPv4 first. The annotation pins one address
 * too, since more charts know annotations than `loadBalancerIP`; MetalLB refuses both together.
 */
export function chartValues(
  cluster: Cluster,
  { holder, sharingKey }: Pick<ServiceClaim, 'holder' | 'sharingKey'>,
  reservation: Reservation,
  addresses: readonly Address[],
): ChartValues {
  const { namespace, name, ipFamily, at } = reservation;
  const pins = addresses.filter(({ family }) => ipFamily === 'dual' || family === ipFamily);
  const texts = pins.map(formatAddress);
  const { annotations, spec } = pinning(cluster.metallb, pins, sharingKey);
  return {
    holder,
    cluster: cluster.name,
    namespace,
    service: name,
    file: at.file,
    addresses: texts,
    annotations: {
      ...annotations,
      [`${annotationPrefix(cluster.metallb)}/loadBalancerIPs`]: texts.join(','),
    },
    labels: reservedLabel,
    ...spec,
  };
}
