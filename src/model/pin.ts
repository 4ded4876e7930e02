import type { Address } from '../net/address.ts';
import type { Position } from './problem.ts';

/** An address that a declaration asks for by name, and where it does. */
export interface Pin {
  readonly address: Address;
  readonly at: Position;
}
