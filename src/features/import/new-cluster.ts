import {
  type Layout,
  type Plane,
  planeNames,
  usualCilium,
  usualMetalLB,
  usualPlanes,
} from '../../core/model/planes.ts';
import { type Cluster, isOn, type Pools } from '../../core/model/pools.ts';
import { InternalError, startOf } from '../../core/model/problem.ts';
import { poolsPath } from '../../core/model/repository-paths.ts';
import { flow } from '../../core/text/yaml/yaml-output.ts';
import { hasKey, withEntry, withItems } from '../../lib/edit/yaml-edit.ts';
import type { ImportNote } from '../../lib/foreign/source-reader.ts';
import type { Imported } from './imported.ts';
import { newLayout } from './live-pools.ts';
import { onlyRoutes, type RoutesInUse } from './live-routes.ts';
import { planeFields, providerOf } from './pool-file.ts';
import { type PoolSource, poolSources } from './sources.ts';

/** The options of an import that decide what a new cluster is. */
export interface NewClusterOptions {
  readonly name: string;
  readonly source: PoolSource;
  readonly zone: string | undefined;
  readonly planeVersion: string | undefined;
  readonly layout: Layout | undefined;
  readonly provider?: string | undefined;
}

/** A pool file with one more cluster, which has no pools yet. */
export interface WithCluster {
  readonly text: string;
  readonly declared: Pools;
  readonly notes: readonly ImportNote[];
}

/**
 * Adds the cluster of a source to a valid pool file. The default cluster, and the clusters of each
 * pool, stay what they were.
 */
export function withCluster(
  before: string,
  pools: Pools,
  imported: Imported,
  options: NewClusterOptions,
): WithCluster {
  const { name } = options;
  const { clusters, defaultCluster } = pools;
  const former = clusters.map((one) => one.name);
  const first = clusters.find((one) => one.name === defaultCluster);
  if (!first) throw new InternalError('no default cluster');
  const cluster = fieldsOf(pools, imported, options);
  const { routes } = cluster;
  const kind = imported.plane ?? 'metallb';
  const version = cluster[kind]?.version;
  // What the import reads of it. The rest is read from the text.
  const added: Cluster = {
    ...first,
    name,
    plane: { ...planeLike(kind, first), ...cluster[kind] } as Plane,
    routes: routes && { controller: undefined, service: undefined, ...routes },
  };
  const item = Object.entries(cluster).map(([key, value]) => [key, flow(value)] as const);
  const restricted = pools.pools.reduce((text, pool, index) => {
    return pool.clusters ? text : withEntry(text, ['pools', index], 'clusters', flow(former));
  }, before);
  const text = hasKey(restricted, ['clusters'])
    ? withItems(restricted, ['clusters'], [item])
    : withEntry(restricted, [], 'clusters', flow([...former.map(named), cluster]));
  const at = startOf(poolsPath);
  const kept = `the pools that were there stay in ${former.join(' and ')}`;
  const notes: ImportNote[] = [
    { effect: 'changed', subject: `cluster ${name}`, message: `it is new; ${kept}`, at },
  ];
  if (version === undefined) {
    const message = `the version of its ${planeNames[kind]} is not in the source; that of the pool file is used: if it is another one, write it into ${kind} of the cluster`;
    notes.push({ effect: 'changed', subject: `cluster ${name}`, message, at });
  }
  return {
    text: hasKey(text, ['defaultCluster'])
      ? text
      : withEntry(text, [], 'defaultCluster', flow(defaultCluster)),
    declared: {
      ...pools,
      clusters: [...clusters, added],
      pools: pools.pools.map((pool) => ({ ...pool, clusters: pool.clusters ?? former })),
    },
    notes,
  };
}

const named = (name: string) => ({ name });

/** The fields of a cluster that the pool file gets. */
interface ClusterFields {
  readonly name: string;
  readonly defaultZone?: string | undefined;
  readonly provider?: string | undefined;
  readonly metallb?: Readonly<Record<string, string>>;
  readonly cilium?: Readonly<Record<string, string>>;
  readonly routes?: RoutesInUse;
}

function fieldsOf(
  { clusters, defaultZone }: Pools,
  imported: Imported,
  { name, source, zone, planeVersion, layout, provider: given }: NewClusterOptions,
): ClusterFields {
  const { live, namespace, loadBalancerClass, plane: kind = 'metallb' } = imported;
  const isLive = poolSources[source].isServing || imported.isServing === true;
  // A cluster without fields of a plane has the plane of the others.
  const isOnOther = clusters.some((one) => !isOn(one, kind));
  const usual = isOnOther ? usualPlanes[kind].version : undefined;
  const own = planeFields({
    kind,
    version: planeVersion ?? imported.version ?? usual,
    namespace,
    layout: layout ?? (isLive ? newLayout : undefined),
    loadBalancerClass,
  });
  const provider = given ?? providerOf(imported);
  const isOther = clusters.some((one) => one.provider !== provider);
  const zones = imported.pools.map((pool) => pool.zone ?? zone ?? defaultZone);
  const routes = onlyRoutes(live);
  return {
    name,
    ...(!zones.includes(defaultZone) && { defaultZone: zone ?? imported.defaultZone ?? zones[0] }),
    ...(provider !== undefined && isOther && { provider }),
    ...(Object.keys(own).length > 0 && { [kind]: own }),
    ...(routes && { routes }),
  };
}

/** The plane of a cluster, or the usual one of a kind when the cluster is on another. */
function planeLike(kind: Plane['kind'], cluster: Cluster): Plane {
  if (isOn(cluster, kind)) return cluster.plane;
  return kind === 'metallb'
    ? { kind, ...usualMetalLB, layout: newLayout }
    : { kind, ...usualCilium, layout: 'pool' };
}
