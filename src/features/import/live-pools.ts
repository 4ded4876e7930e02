import type { SourceTree } from '../../core/interfaces/tree.ts';
import { type AllocationTable, isHeld } from '../../core/model/allocation.ts';
import type { Layout, Plane } from '../../core/model/planes.ts';
import type { Fence, Pools } from '../../core/model/pools.ts';
import { fail, type Outcome, ok, okUnless, type Problem } from '../../core/model/problem.ts';
import { type Address, formatAddress } from '../../core/net/address.ts';
import { rangeSetOf, setHas } from '../../core/net/range-set.ts';
import { readRecords } from '../../core/tree/declared.ts';
import { unlabelledProblems } from './cilium/cilium-losses.ts';
import { serviceSubject } from './cluster/live-service.ts';
import { problem } from './codes.ts';
import type { Imported, LiveService } from './imported.ts';
import { type PlacedPools, type PresentPool, placedPools } from './placed-pools.ts';
import { type PoolSource, poolSources } from './sources.ts';

/** The default layout of a new pool file: existing pools are updated in place. */
export const newLayout: Layout = 'pool';

/** Options for imported pools that are live. */
export interface LivePoolOptions {
  readonly source: PoolSource;
  /** The cluster of the pools; undefined for the default cluster. */
  readonly cluster: string | undefined;
  /** The layout of a new pool file. */
  readonly layout: Layout | undefined;
  /** True to accept a closed fence on a pool that serves every Service in the source. */
  readonly allowClosedFence: boolean | undefined;
}

/** Imported pools compared with the pool file, and which of them are live. */
export interface PlacedLivePools extends PlacedPools {
  /** True when live objects use the pools of the source. */
  readonly isLive: boolean;
  /** The fence of the added pools. */
  readonly fence: Fence;
  /** The result of {@link closedLivePools}. */
  readonly closed: readonly PresentPool[];
}

/**
 * Compares imported pools with the pool file. Live pools get an open fence until all their users
 * are declared, except with a pool for each address, and on Cilium, which has no such fence.
 * Problems: those of {@link placedPools}, {@link closedProblems} and {@link unlabelledProblems}.
 */
export function placeLivePools(
  tree: SourceTree,
  imported: Imported,
  declared: Pools | undefined,
  options: LivePoolOptions,
): Outcome<PlacedLivePools> {
  const placed = placedPools(imported.pools, declared, options.cluster);
  if (!placed.ok) return placed;
  const isLive = poolSources[options.source].isServing || imported.isServing === true;
  const plane = declared && planeOfTarget(options, declared);
  if (targetPlane(imported, declared, options) === 'cilium') {
    const isChecked = isLive && !options.allowClosedFence;
    const problems = isChecked ? unlabelledProblems(placed.value, imported) : [];
    return okUnless(problems, { ...placed.value, isLive, fence: 'closed', closed: [] });
  }
  const layout = declared ? plane?.layout : (options.layout ?? newLayout);
  const closed = isLive && layout !== 'lease' ? closedLivePools(placed.value) : [];
  const problems = options.allowClosedFence ? [] : unfencedProblems(tree, closed, imported, plane);
  if (problems.length > 0) return fail(problems);
  const fence = isLive && layout === 'pool' ? 'open' : 'closed';
  return ok({ ...placed.value, isLive, fence, closed });
}

/** Invalid records are reported by the synth; until then the held addresses are unknown. */
function unfencedProblems(
  tree: SourceTree,
  closed: readonly PresentPool[],
  imported: Imported,
  plane: Plane | undefined,
): readonly Problem[] {
  if (closed.length === 0) return [];
  const { table, problems } = readRecords(tree);
  if (problems.length > 0) return [];
  return closedProblems(closed, imported, { table, served: plane?.loadBalancerClass });
}

/** The kind of plane of the target cluster: that of the source when it is new. */
export function targetPlane(
  { plane = 'metallb' }: Imported,
  declared: Pools | undefined,
  options: Pick<LivePoolOptions, 'cluster'>,
): Plane['kind'] {
  return (declared && planeOfTarget(options, declared)?.kind) ?? plane;
}

/** The plane of the target cluster; undefined when it is not declared. */
function planeOfTarget(
  { cluster }: Pick<LivePoolOptions, 'cluster'>,
  declared: Pools,
): Plane | undefined {
  const name = cluster ?? declared.defaultCluster;
  return declared.clusters.find((one) => one.name === name)?.plane;
}

/** Pools declared with a closed fence that serve every Service in a live source. */
function closedLivePools({ present }: PlacedPools): readonly PresentPool[] {
  return present.filter(({ pool, declared }) => declared.fence === 'closed' && !pool.isFenced);
}

/**
 * FENCE_LIVE for each pool that would take addresses from live Services once it is applied. If the
 * source lists Services, those without leasehold's label and of class `served` count, declared or
 * not, because a declared Service gets its label after the pool gets its fence. If it lists none, a
 * pool with no held address counts as not taken over.
 */
function closedProblems(
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
      "write fence: open into the pool and import again; or, if no live Service needs the pool's addresses, add --allow-closed-fence";
    return [{ code: problem.FENCE_LIVE, message, at: declared.at, hint, also: [pool.at] }];
  });
}

/** The Services that lose addresses, for a message. */
function lossOf(cut: readonly LiveService[], isOwn: (address: Address) => boolean): string {
  const [first] = cut;
  if (!first) return 'every live Service on its addresses loses them';
  const { namespace, name, addresses } = first;
  const own = addresses.filter(isOwn).map(formatAddress).join(' and ');
  return cut.length === 1
    ? `${serviceSubject(namespace, name)} loses ${own}`
    : `${cut.length} live Services lose their addresses, the first is ${namespace}/${name} with ${own}`;
}
