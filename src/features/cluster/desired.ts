import { placementsOf } from '../../core/allocate/allocate.ts';
import type { SourceTree } from '../../core/interfaces/tree.ts';
import { liveFacts } from '../../core/manifests/live-facts.ts';
import { readManifests } from '../../core/manifests/manifest-objects.ts';
import {
  addressName,
  addressPoolName,
  addressSliceName,
  advertisementName,
  claimNamespace,
  leasedIPName,
  leasedIPNamespace,
  networkPolicyName,
  serviceName,
} from '../../core/manifests/names.ts';
import { type Claim, wantsFamily } from '../../core/model/claim.ts';
import { claimsIn, type Placement } from '../../core/model/holder.ts';
import { type LiveKind, traitsOf } from '../../core/model/kinds.ts';
import { liveObjectName, type WantedObject } from '../../core/model/live.ts';
import { compareText } from '../../core/model/order.ts';
import { hasDeclaredPools, hasHeldPools, type Plane } from '../../core/model/planes.ts';
import type { Cluster, Pools } from '../../core/model/pools.ts';
import { distFolder } from '../../core/model/repository-paths.ts';
import { formatAddress } from '../../core/net/address.ts';
import type { PlannedRun } from '../../core/run/synth/planned-run.ts';
import { textIn } from '../../core/tree/tree-reader.ts';
import { listClaim } from '../../lib/list/list.ts';
import { announcedBy } from './live/announced-by.ts';
import type { DesiredClaim } from './live/claim-state.ts';

/** The desired state of one cluster, from the committed tree. */
export interface Desired {
  readonly cluster: Cluster;
  readonly pools: Pools;
  /** The objects of `dist/<cluster>/` that are compared, by name. */
  readonly objects: ReadonlyMap<string, WantedObject>;
  /** Sorted by holder, then as by `leasehold list`. */
  readonly claims: readonly DesiredClaim[];
}

/** The desired state of a cluster, from a plan that passed `check`. */
export function desiredState(tree: SourceTree, plan: PlannedRun, cluster: Cluster): Desired {
  const { pools, holders } = plan.workspace;
  const objects = new Map<string, WantedObject>();
  const paths = tree.list(`${distFolder}/${cluster.name}`).map(({ path }) => path);
  for (const path of paths.sort(compareText)) {
    for (const object of readManifests(textIn(tree, path))) {
      if (isCompared(object, cluster)) objects.set(object.name, object);
    }
  }
  const placements = placementsOf(pools, holders, plan.table).filter(({ holder }) =>
    holder.clusters.includes(cluster.name),
  );
  const claims = placements.flatMap((placement) =>
    claimsIn(placement.holder, cluster.name).map((claim) =>
      desiredClaim(cluster, placement, claim, objects),
    ),
  );
  return { cluster, pools, objects, claims };
}

/** False for a ConfigMap of a Service: verify may read ConfigMaps only in MetalLB's namespace. */
function isCompared({ kind, object }: WantedObject, { plane }: Cluster): boolean {
  return kind !== 'configMap' || object.metadata?.namespace === plane.namespace;
}

/**
 * The names of the pools of the plane in `dist/` for a cluster, such as
 * `IPAddressPool metallb-system/public`. Reads nothing else of the tree. Files that are not
 * manifests of leasehold have no pools.
 */
export function writtenPools(
  tree: SourceTree,
  { name: cluster, plane }: Cluster,
): ReadonlySet<string> {
  const files = tree.list(`${distFolder}/${cluster}`).filter(({ kind }) => kind === 'file');
  const names = files.flatMap(({ path }) => [...liveFacts(textIn(tree, path)).pools.values()]);
  const kind = planeKinds[plane.kind].pool;
  return new Set(names.map((name) => objectName(kind, name, placeOf(kind, plane))));
}

/** The kinds of the objects that a plane has for a pool. */
const planeKinds = {
  metallb: { pool: 'addressPool', l2: 'l2Advertisement', bgp: 'bgpAdvertisement' },
  cilium: { pool: 'ciliumPool', l2: 'ciliumL2Policy', bgp: 'ciliumBGPAdvertisement' },
} as const satisfies Record<Plane['kind'], Record<'pool' | 'l2' | 'bgp', LiveKind>>;

/** The namespace of objects of a plane; undefined for a kind that is cluster-scoped. */
function placeOf(kind: LiveKind, { namespace }: Plane): string | undefined {
  return traitsOf(kind).isNamespaced === false ? undefined : namespace;
}

function desiredClaim(
  cluster: Cluster,
  placement: Placement,
  claim: Claim,
  objects: ReadonlyMap<string, WantedObject>,
): DesiredClaim {
  const { naming, plane } = cluster;
  const { holder, pool, addresses } = placement;
  const namespace = claimNamespace(naming, claim);
  const poolNames = [
    ...(hasHeldPools(plane) ? [addressPoolName(addresses[0])] : []),
    ...(hasDeclaredPools(plane) ? [pool.name] : []),
  ];
  const kinds = planeKinds[plane.kind];
  const service = objectName('service', serviceName(naming, claim), namespace);
  const names = [
    objectName('namespace', namespace),
    ...poolNames.flatMap((name) => [
      objectName(kinds.pool, name, placeOf(kinds.pool, plane)),
      ...pool.advertise.map((one) =>
        objectName(
          kinds[one.kind],
          advertisementName(one, { declared: pool.name, pool: name }),
          placeOf(kinds[one.kind], plane),
        ),
      ),
    ]),
    ...(claim.kind === 'Lease'
      ? [
          objectName('leasedIP', leasedIPName(naming, claim), leasedIPNamespace),
          objectName('networkPolicy', networkPolicyName(claim), namespace),
          objectName('service', addressName(claim), namespace),
          ...addresses.map(({ family }) =>
            objectName('endpointSlice', addressSliceName(claim, family), namespace),
          ),
        ]
      : []),
    service,
  ];
  return {
    claim: listClaim(cluster, claim),
    holder: holder.id,
    addresses: addresses.filter(({ family }) => wantsFamily(claim, family)).map(formatAddress),
    service,
    announcedBy: announcedBy(pool, holder.advertisement),
    objects: names.flatMap((name) => objects.get(name) ?? []),
    isReserved: claim.kind === 'Service' && claim.declared.kind === 'Reservation',
    gateway: gatewayOf(claim),
  };
}

/** The name of the Gateway of a Reservation, such as `Gateway web/public`; undefined for none. */
function gatewayOf(claim: Claim): string | undefined {
  if (claim.kind !== 'Service' || claim.declared.kind !== 'Reservation') return undefined;
  const { gateway } = claim.declared;
  return gateway && objectName('gateway', gateway.name, gateway.namespace);
}

function objectName(kind: LiveKind, name: string, namespace?: string): string {
  return liveObjectName(kind, {
    metadata: namespace === undefined ? { name } : { name, namespace },
  });
}
