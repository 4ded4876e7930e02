import { type AllocationTable, isHeld } from '../../model/allocation.ts';
import type { Problem } from '../../model/problem.ts';
import { type Address, formatAddress } from '../../net/address.ts';
import { rangeSetOf, setHas } from '../../net/range-set.ts';
import type { LiveService } from './adopt/live-lease.ts';
import type { Imported } from './import.ts';
import { serviceSubject } from './metallb/live-service.ts';
import type { PlacedPools, PresentPool } from './placed-pools.ts';

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
