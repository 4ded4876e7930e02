import { claimsIn } from '../../../model/holder.ts';
import { compareText } from '../../../model/order.ts';
import {
  annotationPrefixes,
  firstMetalLB,
  isSince,
  type MetalLB,
  type Plane,
} from '../../../model/planes.ts';
import { advertiseFor, type PoolAdvertisement } from '../../../model/pools.ts';
import { fewOf } from '../../../model/problem.ts';
import type { Manifest } from '../../manifest.ts';
import { addressPoolName, advertisementName, claimNamespace } from '../../names.ts';
import type { PlaneManifests } from '../plane.ts';
import { MetalLBCheck } from './metallb-check.ts';
import { annotationPrefix, pinning } from './pinning.ts';
import { advertisementManifest, declaredPoolManifest, heldPoolManifest } from './pool-objects.ts';
import { strandedServices, unreadAnnotations } from './sharing-changes.ts';

/** MetalLB: an IPAddressPool and its advertisements, for each declared pool or each holder. */
export const metalLB = {
  poolKind: 'IPAddressPool',
  requests: {
    labels: [],
    pool: annotationsOf('address-pool'),
    addresses: annotationsOf('loadBalancerIPs'),
  },
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
  placementProblems: () => [],
  sharingProblems: (replaced, cluster) => [
    ...strandedServices(replaced, cluster.plane),
    ...unreadAnnotations(replaced, cluster),
  ],
  changeSteps,
  check: (cluster, pools) => new MetalLBCheck(cluster, pools),
} satisfies PlaneManifests<'metallb'>;

function changeSteps(was: Plane, next: MetalLB, live: readonly string[]): readonly string[] {
  if (was.kind !== 'metallb') return [];
  const { version } = next;
  const upgrade = isSince(version, was.version)
    ? `upgrade MetalLB to ${version} first, and merge this afterwards`
    : `merge this first, and lower MetalLB to ${version} once it is applied`;
  const isUnread =
    annotationPrefix(was) !== 'metallb.io' && annotationPrefix(next) === 'metallb.io';
  const unread = `MetalLB before ${firstMetalLB.metallbIoAnnotations} ignores the new annotations of ${fewOf(live, 3) || 'Reservations'}: merge this once \`leasehold doctor\` finds that version or a later one`;
  return [...(version === was.version ? [] : [upgrade]), ...(isUnread ? [unread] : [])];
}

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
