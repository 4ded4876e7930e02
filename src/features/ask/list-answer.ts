/** One claim of a {@link ListItem}, as `leasehold list` shows it. */
export interface ListClaim {
  /** `owner/dseq/gseq/oseq/provider`, for an endpoint of an Akash lease. */
  readonly lease?: string;
  /** In an anycast group, whose members may stand in several clusters: which one. */
  readonly cluster?: string;
  readonly namespace: string;
  readonly service: string;
  /** The pods' port, where it is known as a number. */
  readonly port?: number;
  readonly externalPort: number;
  readonly protocol: 'TCP' | 'UDP' | 'SCTP';
  /** `file:line` of the declaration. */
  readonly file: string;
}

/** A holder and what it has; after release, the addresses still recorded for it. */
export interface ListItem {
  readonly holder: string;
  /** Of an anycast group: those of its claims, with commas between; empty once nobody stands in it. */
  readonly cluster: string;
  readonly pool: string;
  readonly zone: string;
  /** Canonical text, IPv4 first. */
  readonly addresses: readonly string[];
  /** `released`: nobody holds it, and it is kept for this holder until `freeFrom`. */
  readonly state: 'held' | 'released';
  /** With `released`: the day from which anyone may get the address. */
  readonly freeFrom?: string;
  readonly claims: readonly ListClaim[];
}

/** What `leasehold list -o json` prints, sorted by holder. */
export interface List {
  readonly apiVersion: 'leasehold.dev/v1';
  readonly kind: 'List';
  readonly items: readonly ListItem[];
}
