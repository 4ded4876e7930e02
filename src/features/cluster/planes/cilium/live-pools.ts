import { listAt, textAt } from '../../../../core/model/live.ts';
import { type LivePools, rangesIn } from '../../live/pool-overlap.ts';

/** Cilium: lbipam.go settleConflicts. */
export const ciliumPools: LivePools = {
  kind: 'ciliumPool',
  isCut: true,
  rangesOf: (pool) =>
    rangesIn(
      listAt(pool, 'spec', 'blocks').map((block) => {
        const start = textAt(block, 'start');
        return textAt(block, 'cidr') ?? `${start}-${textAt(block, 'stop') ?? start}`;
      }),
    ),
  refusal: 'Cilium uses one of two overlapping pools, and can use the other one after a restart',
  adoption: 'remove the addresses from leases/pools.yaml, or from it once no Service has one',
};
