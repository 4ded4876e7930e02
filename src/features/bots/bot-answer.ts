import type { Protocol } from '../../model/lease.ts';

/** One claim of a bot's answer. */
export interface AnsweredClaim {
  /** The tenant's IP endpoint name. */
  readonly endpoint: string;
  readonly service: string;
  readonly externalPort: number;
  readonly protocol: Protocol;
}

/** What `leasehold declare -o json` prints: the claim that was made, and the addresses it stands on. */
export interface Declaration {
  readonly apiVersion: 'leasehold.dev/v1';
  readonly kind: 'Declaration';
  /** `owner/dseq/gseq/oseq/provider`. */
  readonly lease: string;
  readonly cluster: string;
  readonly holder: string;
  /** Canonical text, IPv4 first. */
  readonly addresses: readonly string[];
  readonly claim: AnsweredClaim;
  /** The declaration's file. */
  readonly file: string;
  /** The lease that had the claim, with `--overwrite`. */
  readonly takenFrom?: string;
  /** The branch's new head; absent when the claim was there already. */
  readonly commit?: string;
}

/** An address that a purge released. */
export interface ReleasedAddress {
  readonly address: string;
  readonly holder: string;
  /** The first day on which anyone may get it. */
  readonly freeFrom: string;
}

/** What `leasehold purge -o json` prints. */
export interface Purge {
  readonly apiVersion: 'leasehold.dev/v1';
  readonly kind: 'Purge';
  /** `owner/dseq/gseq/oseq`, as asked. */
  readonly lease: string;
  /** What is declared no more; none when nothing of it was. */
  readonly claims: readonly AnsweredClaim[];
  /** IPv4 first; an address that other claims stand on stays. */
  readonly released: readonly ReleasedAddress[];
  /** The branch's new head; absent when nothing was to be done. */
  readonly commit?: string;
}
