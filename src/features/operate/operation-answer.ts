/** A claim that loses the address it stands on, or goes to another one. */
export interface CutClaim {
  /** What declares it: a lease id `owner/dseq/gseq/oseq/provider`, or `service/<namespace>/<name>`. */
  readonly declarer: string;
  readonly cluster: string;
  readonly service: string;
  /** The port on the address. */
  readonly externalPort: number;
  readonly protocol: string;
  /** `file:line` of its declaration. */
  readonly file: string;
}

/** One address that its holder goes from, and the one it goes to. */
export interface MovedAddress {
  readonly holder: string;
  readonly from: string;
  readonly to: string;
  /** The pool of the new address. */
  readonly pool: string;
  /** The first day on which anyone may get the old address. */
  readonly freeFrom: string;
  /** All that stands on it: cut, and served again at the new address. */
  readonly claims: readonly CutClaim[];
}

/** What `leasehold move -o json` prints. */
export interface MoveAnswer {
  readonly apiVersion: 'leasehold.dev/v1';
  readonly kind: 'Move';
  /** By the old address, IPv4 first. */
  readonly moved: readonly MovedAddress[];
}

/** An address that a release gave up. */
export interface GivenUpAddress {
  readonly address: string;
  readonly holder: string;
  /** The first day on which anyone may get it. */
  readonly freeFrom: string;
}

/** What `leasehold release -o json` prints. */
export interface ReleaseAnswer {
  readonly apiVersion: 'leasehold.dev/v1';
  readonly kind: 'Release';
  /** What is declared no more. */
  readonly claims: readonly CutClaim[];
  /** By address, IPv4 first; an address that other claims stand on stays. */
  readonly released: readonly GivenUpAddress[];
  /** The declarations that were edited, and those that were removed, by path. */
  readonly edited: readonly string[];
  readonly removed: readonly string[];
}

/** An address that a declaration names, so that its holder gets it again whatever is lost. */
interface PinnedAddress {
  readonly address: string;
  readonly holder: string;
  /** Where it is pinned, `file:line`; none where no field is left for it. */
  readonly places: readonly string[];
}

/** What `leasehold pin -o json` prints. */
export interface PinAnswer {
  readonly apiVersion: 'leasehold.dev/v1';
  readonly kind: 'Pin';
  /** By address, IPv4 first. */
  readonly pinned: readonly PinnedAddress[];
  /** The declarations that were edited, by path; none when all was pinned already. */
  readonly edited: readonly string[];
}
