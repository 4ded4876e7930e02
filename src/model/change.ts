import type { Address } from '../net/address.ts';

/** What a run does to one address. */
export interface Change {
  readonly kind: 'allocated' | 'released' | 'reclaimed' | 'updated' | 'removed';
  readonly address: Address;
  readonly holder: string;
  readonly pool: string;
}
