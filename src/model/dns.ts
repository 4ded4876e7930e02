import type { Position } from './problem.ts';

/** A DNS name that a declaration requests for its address. */
export interface DnsRequest {
  /** In canonical form: see `dnsNameFault`. */
  readonly name: string;
  readonly at: Position;
}
