import { listAt } from '../../../../core/model/live.ts';
import { type LivePools, rangesIn } from '../../live/pool-overlap.ts';

/** MetalLB: config.go poolsFor. */
export const metallbPools: LivePools = {
  kind: 'addressPool',
  isCut: false,
  rangesOf: (pool) => rangesIn(listAt(pool, 'spec', 'addresses')),
  refusal: 'MetalLB rejects overlapping pools',
  adoption:
    'take the pool over with `leasehold import cluster`, or remove its addresses from leases/pools.yaml',
};
