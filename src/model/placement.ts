import type { Address } from '../net/address.ts';
import type { Holder } from './claim.ts';
import type { Pool } from './pools.ts';

/** A holder with the addresses it has and the pool they lie in: what the manifests are made of. */
export interface Placement {
  readonly holder: Holder;
  readonly pool: Pool;
  /** One per family of the holder, IPv4 first. */
  readonly addresses: readonly [Address, ...Address[]];
}
