import { allocate, placementsOf } from '../core/allocate/allocate.ts';
import { nodePortProblems, sharingProblems } from '../core/manifests/rules/service-problems.ts';
import { type Claim, wantsFamily } from '../core/model/claim.ts';
import { claimsIn, type Holder, type Placement } from '../core/model/holder.ts';
import { addToGroup, nearest } from '../core/model/order.ts';
import { type Cluster, type Pools, publicAddress } from '../core/model/pools.ts';
import {
  EnvironmentError,
  fewOf,
  type Outcome,
  type Problem,
  placeText,
} from '../core/model/problem.ts';
import { leasesFolder } from '../core/model/repository-paths.ts';
import type { Address } from '../core/net/address.ts';
import { type Declared, readDeclared } from '../core/tree/declared.ts';
import { openForReading } from '../core/world/disk/disk-tree.ts';
import { LeaseholdError } from './leasehold-error.ts';

/**
 * Selects an address: by the name of a Reservation or a declared Service, or by the id of a holder.
 */
export type AddressQuery = (
  | { readonly namespace: string; readonly name: string; readonly holder?: undefined }
  | { readonly holder: string }
) & { readonly cluster?: string };

/** A declaration with its addresses. */
export interface CommittedAddress {
  readonly cluster: Cluster;
  readonly holder: Holder;
  /** The first claim of the declaration in that cluster. */
  readonly claim: Claim;
  /** The addresses of the families that the claim wants, IPv4 first. */
  readonly addresses: readonly Address[];
  /** The name of their pool. */
  readonly pool: string;
  /** The public addresses of these, in their order. */
  readonly publicAddresses: readonly Address[];
  /** All Services and Reservations of the repository, and its pools. */
  readonly services: Declared['services'];
  readonly pools: Pools;
}

/** The declarations of one repository with the addresses in `leases/allocations/`. */
export class CommittedTable {
  readonly #pools: Pools;
  readonly #services: Declared['services'];
  readonly #placements: ReadonlyMap<string, Placement>;
  /**
   * Claims by the id of their holder, and by `namespace/name` for a Service or a Reservation. There
   * is one for each cluster.
   */
  readonly #claims = new Map<string, { holder: Holder; claim: Claim }[]>();

  /** Reads `leases/` of a folder. Throws REPOSITORY_REFUSED when it has problems. */
  constructor(folder: string) {
    const { pools, services, holders, table, problems } = read(folder);
    // The kinds of files of features are unknown here; leasehold check knows them.
    const known = problems.filter(({ code }) => code !== 'KIND_UNKNOWN');
    if (!pools || !holders || known.length > 0) throw refusal(folder, known);
    const wrong = [
      ...recordProblems(allocate(pools, holders, table, { today: undefined })),
      ...sharingProblems(holders),
      ...nodePortProblems(services),
    ];
    if (wrong.length > 0) throw refusal(folder, wrong);
    this.#pools = pools;
    this.#services = services;
    this.#placements = new Map(
      placementsOf(pools, holders, table).map((placement) => [placement.holder.id, placement]),
    );
    for (const holder of holders) {
      for (const cluster of holder.clusters) this.#index(holder, claimsIn(holder, cluster));
    }
  }

  /** Throws DECLARATION_UNKNOWN, CLUSTER_AMBIGUOUS or ADDRESS_MISSING. */
  find(query: AddressQuery): CommittedAddress {
    const ofHolder = query.holder !== undefined;
    const name = ofHolder ? query.holder : `${query.namespace}/${query.name}`;
    const { holder, claim } = this.#claimOf(name, query.cluster);
    const placement = this.#placements.get(holder.id);
    const cluster = this.#pools.clusters.find((one) => one.name === claim.cluster);
    if (!placement || !cluster) {
      throw new LeaseholdError(
        'ADDRESS_MISSING',
        `${name} is declared in ${claim.at.file} and has no address in leases/allocations/`,
        'run `leasehold synth` in that repository and commit the result',
      );
    }
    const addresses = placement.addresses.filter(
      ({ family }) => ofHolder || wantsFamily(claim, family),
    );
    const publicAddresses = addresses.map((address) => publicAddress(placement.pool, address));
    const pool = placement.pool.name;
    const [services, pools] = [this.#services, this.#pools];
    return { cluster, holder, claim, addresses, pool, publicAddresses, services, pools };
  }

  #claimOf(name: string, cluster: string | undefined): { holder: Holder; claim: Claim } {
    const inAll = this.#claims.get(name) ?? [];
    const found = inAll.filter(({ claim }) => claim.cluster === (cluster ?? claim.cluster));
    const [first, ...others] = found;
    if (!first) {
      const where = cluster === undefined ? '' : ` in cluster ${cluster}`;
      const message = `${name} is not declared${where}`;
      const clusters = inAll.map(({ claim }) => claim.cluster);
      throw new LeaseholdError('DECLARATION_UNKNOWN', message, this.#unknownHint(name, clusters));
    }
    if (others.length > 0) {
      const clusters = fewOf(found.map(({ claim }) => claim.cluster));
      const message = `${name} is declared in several clusters: ${clusters}`;
      throw new LeaseholdError('CLUSTER_AMBIGUOUS', message, 'set cluster to one of them');
    }
    return first;
  }

  /** The hint for a name that only these clusters have, or none. */
  #unknownHint(name: string, clusters: readonly string[]): string {
    if (clusters.length > 0) return `it is declared in cluster ${fewOf(clusters)}`;
    const meant = nearest(name, [...this.#claims.keys()]);
    if (meant !== undefined) return `did you mean ${meant}?`;
    return '`leasehold list` prints what is declared; for a new Service declare a Reservation below leases/, run `leasehold synth` and commit';
  }

  #index(holder: Holder, claims: readonly Claim[]): void {
    const names = new Map<string, Claim>();
    for (const claim of claims) {
      if (!names.has(holder.id)) names.set(holder.id, claim);
      if (claim.kind === 'Lease') continue;
      const name = `${claim.declared.namespace}/${claim.declared.name}`;
      if (!names.has(name)) names.set(name, claim);
    }
    for (const [name, claim] of names) {
      addToGroup(this.#claims, name, { holder, claim });
    }
  }
}

function read(folder: string): Declared {
  const hint = 'set repository to the folder that has leases/';
  try {
    const tree = openForReading(folder);
    if (tree.list(leasesFolder).length > 0) return readDeclared(tree);
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    const message = `${folderText(folder)}: ${error.message}`;
    throw new LeaseholdError('REPOSITORY_REFUSED', message, hint);
  }
  const message = `${folderText(folder)} has no files in leases/`;
  throw new LeaseholdError('REPOSITORY_REFUSED', message, hint);
}

/**
 * The problems of a frozen run but STALE ones: an address that its declaration no longer allows is
 * refused, and a declaration without an address is refused only when it is used.
 */
function recordProblems(frozen: Outcome<unknown>): readonly Problem[] {
  return frozen.ok ? [] : frozen.problems.filter(({ code }) => code !== 'STALE');
}

function refusal(folder: string, problems: readonly Problem[]): LeaseholdError {
  const texts = problems.map(({ at, code, message }) => `${placeText(at)} ${code} ${message}`);
  const message = `leases/ of ${folderText(folder)} has problems: ${fewOf(texts, 3)}`;
  const hint = 'run `leasehold check` in that repository';
  return new LeaseholdError('REPOSITORY_REFUSED', message, hint);
}

function folderText(folder: string): string {
  return folder === '.' ? 'the current folder' : folder;
}
