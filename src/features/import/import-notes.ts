import { poolLabel } from '../../core/manifests/manifest.ts';
import { type Plane, planeNames, usualPlanes } from '../../core/model/planes.ts';
import type { Cluster, Fence, Pools } from '../../core/model/pools.ts';
import { startOf } from '../../core/model/problem.ts';
import { poolsPath } from '../../core/model/repository-paths.ts';
import { flow } from '../../core/text/yaml/yaml-output.ts';
import type { ImportNote } from '../../lib/foreign/source-reader.ts';
import type { Imported } from './imported.ts';
import { placeText, routesInUse } from './live-routes.ts';
import type { PlacedPools, PresentPool } from './placed-pools.ts';

/** Warns that added pools affect live Services that are not declared. */
function servesNote(fence: Fence, plane: Plane['kind']): ImportNote {
  const ofCilium = `once applied, they serve only Services with the label ${poolLabel}, which the admission policy keeps to declared ones`;
  const message = {
    open: 'fence: open keeps every live Service on its address once they are applied: declare the Services that have addresses of them, apply that, and remove fence: open in a separate commit once `leasehold verify` reports that it can be removed',
    closed:
      'once applied, they serve only declared Services: first declare the Services that have addresses of them',
  }[fence];
  return {
    effect: 'changed',
    subject: 'the pools',
    message: plane === 'cilium' ? ofCilium : message,
    at: startOf(poolsPath),
  };
}

/**
 * Settings of the pool file that do not fit the added pools: a pool for each address cannot exist
 * beside the live pool that contains it, and MetalLB reads only its own namespace.
 */
export function poolFileNotes(
  { added, present }: PlacedPools,
  { namespace, plane = 'metallb' }: Imported,
  { clusters }: Pools,
  { fence, isLive }: { readonly fence: Fence; readonly isLive: boolean },
): readonly ImportNote[] {
  const overLive = isLive && present.some(({ pool }) => !pool.isFenced);
  if (added.length === 0 && !overLive) return [];
  const at = startOf(poolsPath);
  const notes: ImportNote[] = added.length === 0 ? [] : [servesNote(fence, plane)];
  const message =
    'layout: lease writes a pool for each address. MetalLB refuses it while a live pool has that address, and removing the live pool takes the addresses from its Services: set layout: pool and import again';
  if (clusters.some(({ plane }) => plane.layout === 'lease')) {
    notes.push({ effect: 'changed', subject: 'the layout', message, at });
  }
  const same = clusters.flatMap((one) => (one.plane.kind === plane ? one.plane.namespace : []));
  const own = [...new Set(same)];
  if (namespace !== undefined && own.length > 0 && !own.includes(namespace)) {
    const other = `${planeNames[plane]} runs in ${namespace} in the source, but in the pool file it is ${own.join(', ')}`;
    notes.push({ effect: 'changed', subject: 'the namespace', message: other, at });
  }
  return notes;
}

/**
 * Effects of applying pools that replace live ones: a new pool serves only declared Services, one
 * with only the addresses in use has none left, a declared pool with a closed fence stops serving
 * other Services, and a pool that had to be requested becomes open to every holder of its zone.
 */
export function useNotes(
  { added }: PlacedPools,
  /** The result of {@link closedLivePools}. */
  closed: readonly PresentPool[],
): readonly ImportNote[] {
  const few = added.filter(({ isInUse }) => isInUse);
  const general = added.filter(({ isAsked }) => isAsked === false);
  const shared = added.filter(({ zone }) => zone === undefined);
  const asked = shared.some(({ isAsked }) => !isAsked)
    ? shared.filter(({ isAsked }) => isAsked)
    : [];
  return [
    ...general.map(({ name, at }): ImportNote => {
      const message =
        'MetalLB gives its addresses to any Service (autoAssign); leasehold writes autoAssign: false, so a Service that is not declared gets no address';
      return { effect: 'changed', subject: `pool ${name}`, message, at };
    }),
    ...asked.map(({ name, at }): ImportNote => {
      const message =
        'MetalLB assigns from it only to Services that request it (autoAssign: false), but here it shares a zone with a general pool, so any new holder may get one of its addresses: in leases/pools.yaml, give it a zone of its own and set defaultZone';
      return { effect: 'changed', subject: `pool ${name}`, message, at };
    }),
    ...few.map(({ name, at }): ImportNote => {
      const message =
        'it contains only the addresses in use, because ipam-operator keeps no others in it: add those prefixes of the zone to its addresses that nothing else assigns from';
      return { effect: 'changed', subject: `pool ${name}`, message, at };
    }),
    ...closed.map(({ pool, declared: { name } }): ImportNote => {
      const message =
        'it is declared with a closed fence: once it is applied, Services that are not declared here lose their addresses; set fence: open until `leasehold verify` reports that it can be removed';
      return { effect: 'left', subject: `pool ${name}`, message, at: pool.at };
    }),
  ];
}

/** The values of a new pool file that are not in the source. */
export function newFileNotes(
  imported: Imported,
  version: string | undefined,
  fence: Fence,
): readonly ImportNote[] {
  const at = startOf(poolsPath);
  const { plane = 'metallb' } = imported;
  const changed = (message: string): ImportNote => {
    return { effect: 'changed', subject: planeNames[plane], message, at };
  };
  const usual = usualPlanes[plane];
  return [
    servesNote(fence, plane),
    ...(version === undefined && imported.version === undefined
      ? [changed(`its version is not in the source; ${usual.version} is written: correct it`)]
      : []),
    ...(imported.namespace === undefined
      ? [changed(`its namespace is not in the source; ${usual.namespace} is written`)]
      : []),
  ];
}

/**
 * What to write as `routes` when the hostnames of the source need others than the cluster has. A
 * new pool file, where `cluster` is undefined and `named` may be its name, has those of the source
 * unless they differ.
 */
export function routesNotes(
  { live }: Imported,
  named: string | undefined,
  cluster: Cluster | undefined,
): readonly ImportNote[] {
  const used = live ? routesInUse(live) : [];
  const hasNames = used.length > 0 || (live?.providerHosts ?? []).length > 0;
  const [first, second] = used;
  const isSame =
    cluster?.routes === undefined
      ? cluster === undefined && first !== undefined && second === undefined
      : used.length === 0 || used.some((one) => placeText(one) === placeText(cluster.routes));
  if (!hasNames || isSame) return [];
  const name = cluster?.name ?? named ?? 'default';
  const now = cluster?.routes
    ? `those of cluster ${name} name ${placeText(cluster.routes)}`
    : `cluster ${name} has none`;
  const shown = used.map((routes) => `clusters: ${flow([{ name, routes }])}`).join(' or ');
  const message = first
    ? `${now}, and the hostnames of the source use ${used.map(placeText).join(' and ')}: write ${shown} in leases/pools.yaml, and import again`
    : `${now}, and no HTTPRoute or Ingress of the source shows what routes its hostnames: write routes for the cluster in leases/pools.yaml, and import again`;
  return [{ effect: 'left', subject: 'the routes', message, at: startOf(poolsPath) }];
}
