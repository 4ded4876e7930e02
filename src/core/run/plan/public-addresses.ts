import { PoolIndex } from '../../declarations/pools/pool-index.ts';
import { type Allocation, isHeld } from '../../model/allocation.ts';
import type { Pools } from '../../model/pools.ts';
import { formatAddress } from '../../net/address.ts';

/** The public addresses of one side of a plan. */
export class PublicAddresses {
  /** Undefined without a NAT. */
  readonly #index: PoolIndex | undefined;

  constructor(pools: Pools | undefined) {
    const hasNat = pools?.pools.some(({ nat }) => nat.length > 0) ?? false;
    this.#index = pools && hasNat ? new PoolIndex(pools) : undefined;
  }

  /** The public address of a held address; undefined when that is the address itself. */
  of(record: Allocation | undefined): string | undefined {
    if (record === undefined || !isHeld(record)) return undefined;
    const [beyond] = this.#index?.publicAddresses([record.address]) ?? [];
    return beyond && formatAddress(beyond);
  }
}
