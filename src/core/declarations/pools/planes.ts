import {
  ciliumClasses,
  type Plane,
  usualCilium,
  usualMetalLB,
  wellKnownCommunities,
} from '../../model/planes.ts';
import type { Position, Problem } from '../../model/problem.ts';
import type { YamlDocument } from '../../text/yaml/document.ts';
import { type WrittenAdvertisement, writtenAdvertisements } from './advertise-schema.ts';
import type { WrittenPool, WrittenPools } from './pools-schema.ts';

const overridable = ['version', 'namespace', 'layout', 'annotationPrefix', 'loadBalancerClass'];

/**
 * The plane of a cluster. A cluster that names none has the one of the whole file, which is MetalLB
 * by default. Its own fields override those of the whole file, if that names the same plane.
 */
export function planeIn(
  written: Pick<WrittenPools, 'metallb' | 'cilium' | 'clusters'>,
  cluster: WrittenPools['clusters'][number],
): Plane {
  const { metallb, cilium } = cluster;
  const isOnCilium =
    cilium !== undefined || (metallb === undefined && written.cilium !== undefined);
  const own = (isOnCilium ? cilium : metallb) ?? {};
  // A field of the whole file would change the other clusters too.
  const atCluster = written.clusters.length > 1 ? overridable : Object.keys(own);
  const at = atCluster.length === 0 ? {} : { atCluster };
  if (isOnCilium) {
    const fields = { ...usualCilium, ...given(written.cilium), ...given(cilium) };
    return { kind: 'cilium', ...fields, layout: 'pool', ...at };
  }
  const fields = { ...usualMetalLB, ...given(written.metallb), ...given(metallb) };
  return { kind: 'metallb', layout: 'lease', ...fields, ...at };
}

/** The fields that are written. */
function given<Fields extends object>(fields: Fields | undefined) {
  return (fields ?? {}) as { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };
}

/** The clusters that announce a pool, each with its plane. */
export function announcing(written: WrittenPools, pool: Pick<WrittenPool, 'clusters'>) {
  return written.clusters
    .filter(({ name }) => pool.clusters?.includes(name) ?? true)
    .map((cluster) => ({ name: cluster.name, ...planeIn(written, cluster) }));
}

/** An advertisement of a pool, and where its fields are. */
interface Announced {
  readonly written: WrittenAdvertisement;
  at(...steps: readonly PropertyKey[]): Position;
}

/**
 * PLANE_UNSUPPORTED for each field of a pool that the Cilium of a cluster cannot do safely:
 *
 * - `fence: open`: LB-IPAM gives an address of an open pool to any Service, also to one that asks for none.
 * - `peers` and `nodeSelectors` by BGP, which Cilium has in its CiliumBGPClusterConfig and CiliumBGPPeerConfig.
 * - The name of a community that Cilium does not know: it has no Community objects.
 * - Several `nodeSelectors` by L2: a CiliumL2AnnouncementPolicy has one.
 * - An announcement that the `loadBalancerClass` of the cluster turns off.
 */
export function checkPlanes(written: WrittenPools, document: YamlDocument): Problem[] {
  return written.pools.flatMap((pool, index) => {
    const onCilium = announcing(written, pool).filter(({ kind }) => kind === 'cilium');
    const [cluster] = onCilium;
    if (!cluster) return [];
    const at = (...steps: readonly PropertyKey[]) => document.at(['pools', index, ...steps]);
    const fence =
      pool.fence === 'open'
        ? [unsupported(cluster.name, "'fence: open'", at('fence'), openHint)]
        : [];
    const announced = writtenAdvertisements(pool.advertise).map(
      ({ written: one, path }): Announced => ({
        written: one,
        at: (...steps) => at(...path, ...steps),
      }),
    );
    return [
      ...fence,
      ...announced.flatMap((one) => [
        ...fieldProblems(cluster.name, one),
        ...onCilium.flatMap((own) => classProblems(own, pool, one)),
      ]),
    ];
  });
}

const openHint =
  'remove fence: Cilium gives an address of an open pool to every Service, also to one that asks for none';

function fieldProblems(cluster: string, { written: { l2, bgp }, at }: Announced): Problem[] {
  const problems: Problem[] = [];
  const add = (field: readonly PropertyKey[], text: string, hint: string) =>
    problems.push(unsupported(cluster, text, at(...field), hint));
  if (l2 && l2.nodeSelectors.length > 1) {
    const hint = 'write an advertisement for each of them, with a name of its own';
    add(['l2', 'nodeSelectors'], 'several nodeSelectors by L2', hint);
  }
  if (bgp && bgp.peers.length > 0) {
    const hint =
      'remove peers: each CiliumBGPPeerConfig selects advertisements by the label leasehold.dev/pool';
    add(['bgp', 'peers'], "'peers'", hint);
  }
  if (bgp && bgp.nodeSelectors.length > 0) {
    const hint = 'remove nodeSelectors: a CiliumBGPClusterConfig selects the nodes';
    add(['bgp', 'nodeSelectors'], "'nodeSelectors' by BGP", hint);
  }
  for (const [place, text] of bgp?.communities.entries() ?? []) {
    if (text.includes(':') || wellKnownCommunities.includes(text)) continue;
    const hint = `write numbers such as 65000:100, or one of ${wellKnownCommunities.join(', ')}`;
    add(['bgp', 'communities', place], `the community '${text}'`, hint);
  }
  return problems;
}

/** With a class of one kind of announcement, Cilium announces the Services by that one only. */
function classProblems(
  { name, loadBalancerClass: lbClass }: ReturnType<typeof announcing>[number],
  pool: WrittenPool,
  { written: { bgp }, at }: Announced,
): Problem[] {
  const wanted = ciliumClasses[bgp ? 'bgp' : 'l2'];
  if (lbClass === undefined || lbClass === wanted) return [];
  const text = `pool '${pool.name}' by ${bgp ? 'BGP' : 'L2'} with loadBalancerClass ${lbClass}`;
  return [unsupported(name, text, at(), `announce it otherwise, or set the class ${wanted}`)];
}

function unsupported(cluster: string, what: string, at: Position, hint: string): Problem {
  const message = `Cilium of cluster '${cluster}' cannot have ${what}`;
  return { code: 'PLANE_UNSUPPORTED', message, at, hint };
}
