import { claimText } from '../../../model/claim.ts';
import { claimsIn, type Placement } from '../../../model/holder.ts';
import { type Cilium, ciliumKeys, isSince, type Plane } from '../../../model/planes.ts';
import type { ClusterOn } from '../../../model/pools.ts';
import { InternalError, type Problem } from '../../../model/problem.ts';
import { familyName, formatAddress } from '../../../net/address.ts';
import { poolLabel } from '../../manifest.ts';
import { claimNamespace, serviceName } from '../../names.ts';
import type { Pinned, Pinning, PlaneManifests } from '../plane.ts';
import { CiliumCheck } from './cilium-check.ts';
import { advertisementManifest, poolManifest } from './pool-objects.ts';

const [keys] = ciliumKeys;

/** Cilium's LB-IPAM: a pool and its announcements for each declared pool, and pinned Services. */
export const cilium = {
  poolKind: 'CiliumLoadBalancerIPPool',
  requests: {
    labels: [poolLabel],
    pool: [],
    addresses: ciliumKeys.map(({ addresses }) => addresses),
  },
  pinning,
  declaredPool: (_, pool) => [
    poolManifest(pool),
    ...pool.advertise.map((one) => advertisementManifest(one, pool.name)),
  ],
  heldPool({ name }) {
    throw new InternalError(`cluster ${name} has no pools of holders`);
  },
  placementProblems,
  // LB-IPAM tries a waiting Service again at each event.
  sharingProblems: () => [],
  changeSteps,
  check: (cluster) => new CiliumCheck(cluster),
} satisfies PlaneManifests<'cilium'>;

/**
 * Returns what pins a Service. The annotation is there for one address too: what the deprecated
 * field asks for is added to it. With `*`, Services of a holder can share across namespaces whatever
 * others come and go. The admission policy keeps Services of others from the addresses.
 */
function pinning({ loadBalancerClass }: Cilium, { addresses, sharingKey, pool }: Pinned): Pinning {
  return {
    labels: { [poolLabel]: pool },
    annotations: {
      [keys.addresses]: addresses.map(formatAddress).join(','),
      [keys.crossNamespace]: '*',
      [keys.sharingKey]: sharingKey,
    },
    spec: {
      ipFamilyPolicy: addresses.length === 1 ? 'SingleStack' : 'RequireDualStack',
      ipFamilies: addresses.map(({ family }) => familyName(family)),
      ...(loadBalancerClass === undefined ? {} : { loadBalancerClass }),
    },
  };
}

/**
 * PLANE_UNSUPPORTED for each holder with several Services on an address that is announced by L2:
 * Cilium elects a node for each Service, so two nodes would answer for the address (#48419).
 */
function placementProblems(
  { name, naming }: ClusterOn<'cilium'>,
  placements: readonly Placement[],
): readonly Problem[] {
  return placements.flatMap(({ holder, pool }): Problem[] => {
    if (!holder.clusters.includes(name) || !pool.advertise.some(({ kind }) => kind === 'l2'))
      return [];
    const services = new Map(
      claimsIn(holder, name).map((claim) => [
        `${claimNamespace(naming, claim)}/${serviceName(naming, claim)}`,
        claim,
      ]),
    );
    const [first, second] = services.values();
    if (!first || !second) return [];
    const message = `${claimText(second)} and ${claimText(first)} would share an address of pool '${pool.name}', which cluster '${name}' announces by L2: with Cilium, two nodes would answer for it`;
    const hint =
      'give it an address of its own, use a pool that is announced by BGP, or have one Service with all ports';
    return [{ code: 'PLANE_UNSUPPORTED', message, at: second.at, also: [first.at], hint }];
  });
}

function changeSteps(was: Plane, { version }: Cilium): readonly string[] {
  if (was.kind !== 'cilium' || was.version === version) return [];
  return isSince(version, was.version)
    ? [`upgrade Cilium to ${version} first, and merge this afterwards`]
    : [`merge this first, and lower Cilium to ${version} once it is applied`];
}
