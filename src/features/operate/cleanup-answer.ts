import type { GivenUpAddress } from './operation-answer.ts';

/** A declaration that a cleanup met. */
export interface CleanedDeclaration {
  /** A lease id `owner/dseq/gseq/oseq/provider`, or `service/<namespace>/<name>`. */
  readonly declarer: string;
  readonly file: string;
}

/** What `leasehold cleanup -o json` prints. */
export interface Cleanup {
  readonly apiVersion: 'leasehold.dev/v1';
  readonly kind: 'Cleanup';
  /** The cluster's name. */
  readonly cluster: string;
  /** What is declared no more, by file. */
  readonly ended: readonly CleanedDeclaration[];
  /** What says `deny-external-cleanup`, and stays, by file. */
  readonly skipped: readonly CleanedDeclaration[];
  /** IPv4 first; an address that something skipped, or another cluster, stands on stays. */
  readonly released: readonly GivenUpAddress[];
}
