import type { OperatorScope } from '../../features/serve/routes/operator-leases.ts';
import type { CommonOptions } from '../command-line.ts';

/** What `leasehold serve` is asked for. */
export interface ServeOptions extends CommonOptions, OperatorScope {
  readonly listen: Listen;
  /** Milliseconds. */
  readonly interval: number;
  readonly branch?: string;
  readonly remote: string;
  readonly pendingRefs: readonly string[];
  readonly pendingDays: number;
  readonly tokenFile?: string;
  readonly openOperatorEndpoints: boolean;
  readonly allowedHost: readonly string[];
  readonly maxConnections: number;
  /** Milliseconds. */
  readonly drain: number;
}

/** Where to listen. */
export interface Listen {
  readonly host: string;
  readonly port: number;
}
