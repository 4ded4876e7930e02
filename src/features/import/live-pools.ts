import { type AllocationTable, isHeld } from '../../model/allocation.ts';
import type { Fence, Layout, MetalLB, Pools } from '../../model/pools.ts';
import type { Outcome, Problem } from '../../model/problem.ts';
import { type Address, formatAddress } from '../../net/address.ts';
import { rangeSetOf, setHas } from '../../net/range-set.ts';
import type { SourceTree } from '../../ports/tree.ts';
import { readRecords } from '../../workspace/declared.ts';
import { serviceSubject } from './cluster/live-service.ts';
import type { Imported, ImportSource, LiveService } from './imported.ts';
import { type PlacedPools, type PresentPool, placedPools } from './placed-pools.ts';

/** What knows pools. */
export type PoolSource = Exclude<ImportSource, 'sdl'>;

/** Of which sources the pools serve Services already, declared or not. */
const areLive: Readonly<Record<PoolSource, boolean>> = {
  cluster: true,
  vitistack: true,
  metallb: true,
  kubespray: true,
  netbox: false,
};

/** Of a new pool file, where nobody says another: pools that live already are updated in place. */
export const newLayout: Layout = 'pool';

/** What decides how imported pools meet those that live. */
export interface OverLiveOptions {
  readonly source: PoolSource;
  /** The cluster of the pools; undefined for the default one. */
  readonly cluster: string | undefined;
  /** Of a new pool file. */
  readonly layout: Layout | undefined;
  /** True when a pool with a closed fence is meant, although it serves everybody in the source. */
  readonly allowClosedFence: boolean | undefined;
}

/** Imported pools in their places, and what of them is live. */
export interface PlacedOverLive extends PlacedPools {
  /** True where something live stands on the pools of the source. */
  readonly isLive: boolean;
  /** Of those that are added. */
  readonly fence: Fence;
  /** Those that {@link closedOverLive} finds. */
  readonly closed: readonly PresentPool[];
}

/**
 * Pools that serve are open until all that has their addresses is declared; a cluster with a pool for each address knows
 * no such time. Problems: those of {@link placedPools} and {@link closedProblems}.
 */
export function placedOverLive(
  tree: SourceTree,
  imported: Imported,
  declared: Pools | undefined,
  options: OverLiveOptions,
): Outcome<PlacedOverLive> {
  const placed = placedPools(imported.pools, declared);
  if (!placed.ok) return placed;
  const isLive = areLive[options.source] || imported.isServing === true;
  const metallb = declared && metallbOf(options, declared);
  const layout = declared ? metallb?.layout : (options.layout ?? newLayout);
  const closed = isLive && layout !== 'lease' ? closedOverLive(placed.value) : [];
  if (closed.length > 0 && !options.allowClosedFence) {
    const records = readRecords(tree);
    // A synth says what is wrong with them: until then nobody knows what is held.
    const isKnown = records.problems.length === 0;
    const problems = isKnown
      ? closedProblems(closed, imported, {
          table: records.table,
          served: metallb?.loadBalancerClass,
        })
      : [];
    if (problems.length > 0) return { ok: false, problems };
  }
  const fence = isLive && layout === 'pool' ? 'open' : 'closed';
  return { ok: true, value: { ...placed.value, isLive, fence, closed } };
}

/** Of the cluster that the import is for; undefined for one that is not declared. */
function metallbOf({ cluster }: OverLiveOptions, declared: Pools): MetalLB | undefined {
  const name = cluster ?? declared.defaultCluster;
  return declared.clusters.find((one) => one.name === name)?.metallb;
}

/** Of a live source: pools that are declared with a closed fence, and serve everybody there. */
export function closedOverLive({ present }: PlacedPools): readonly PresentPool[] {
  return present.filter(({ pool, declared }) => declared.fence === 'closed' && !pool.isFenced);
}

/**
 * FENCE_LIVE for each of these pools that would take addresses from somebody once it is applied. Where the source names Services, those
 * are the ones without our label, declared or not: one that is declared gets it later than the pool its fence. Those of another class than
 * `served` have nothing of MetalLB. Where it names none, a pool of which nothing is held was never taken over.
 */
export function closedProblems(
  closed: readonly PresentPool[],
  { live }: Imported,
  { table, served }: { readonly table: AllocationTable; readonly served: string | undefined },
): readonly Problem[] {
  const services = live?.services ?? [];
  const held = [...table.values()].flatMap((record) => (isHeld(record) ? record.address : []));
  return closed.flatMap(({ pool, declared }): Problem[] => {
    const set = rangeSetOf(declared.ranges);
    const isOwn = (address: Address) => setHas(set, address);
    const cut = services.filter(
      ({ isLabelled, addresses, written }) =>
        !isLabelled && addresses.some(isOwn) && written.spec.loadBalancerClass === served,
    );
    const isTakenOver = services.length > 0 ? cut.length === 0 : held.some(isOwn);
    if (isTakenOver) return [];
    const message = `pool '${declared.name}' has a closed fence, and serves everybody in the source: once it is applied, ${lossOf(cut, isOwn)}`;
    const hint =
      "write fence: open into the pool and import again; where nothing that lives needs the pool's addresses: --allow-closed-fence";
    return [{ code: 'FENCE_LIVE', message, at: declared.at, hint, also: [pool.at] }];
  });
}

/** Who loses addresses: those that are known, or whoever it is. */
function lossOf(cut: readonly LiveService[], isOwn: (address: Address) => boolean): string {
  const [first] = cut;
  if (!first) return 'every live Service on its addresses loses them';
  const { namespace, name, addresses } = first;
  const own = addresses.filter(isOwn).map(formatAddress).join(' and ');
  return cut.length === 1
    ? `${serviceSubject(namespace, name)} loses ${own}`
    : `${cut.length} live Services lose their addresses, the first is ${namespace}/${name} with ${own}`;
}
