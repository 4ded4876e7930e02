import { claimsIn } from '../../../model/holder.ts';
import { compareText } from '../../../model/order.ts';
import { advertiseFor, annotationPrefixes, type PoolAdvertisement } from '../../../model/pools.ts';
import type { Manifest } from '../../manifest.ts';
import { addressPoolName, advertisementName, claimNamespace } from '../../names.ts';
import type { PlaneManifests } from '../plane.ts';
import { MetalLBCheck } from './metallb-check.ts';
import { pinning } from './pinning.ts';
import { advertisementManifest, declaredPoolManifest, heldPoolManifest } from './pool-objects.ts';

/** MetalLB: an IPAddressPool and its advertisements, for each declared pool or each holder. */
export const metalLB: PlaneManifests = {
  requests: { pool: annotationsOf('address-pool'), addresses: annotationsOf('loadBalancerIPs') },
  pinning,
  declaredPool({ plane: { namespace } }, pool, isFencedByNamespace) {
    const names = { declared: pool.name, pool: pool.name };
    return [
      declaredPoolManifest({ pool, metallbNamespace: namespace, isFencedByNamespace }),
      ...advertisementManifests(pool.advertise, names, namespace),
    ];
  },
  heldPool({ name, naming, plane: { namespace } }, { holder, pool, addresses }) {
    const claims = claimsIn(holder, name).map((claim) => claimNamespace(naming, claim));
    const namespaces = [...new Set(claims)].sort(compareText);
    const names = { declared: pool.name, pool: addressPoolName(addresses[0]) };
    return [
      heldPoolManifest({ pool, addresses, metallbNamespace: namespace, namespaces }),
      ...advertisementManifests(advertiseFor(pool, holder.advertisement), names, namespace),
    ];
  },
  check: (cluster, pools) => new MetalLBCheck(cluster, pools),
};

function annotationsOf(suffix: string): readonly string[] {
  return annotationPrefixes.map((prefix) => `${prefix}/${suffix}`);
}

function advertisementManifests(
  advertise: readonly PoolAdvertisement[],
  names: Parameters<typeof advertisementName>[1],
  metallbNamespace: string,
): readonly Manifest[] {
  const { pool } = names;
  return advertise.map((one) =>
    advertisementManifest(one, { name: advertisementName(one, names), pool, metallbNamespace }),
  );
}
