import {
  declaredIn,
  firstClaims,
  isLeaseClaim,
  type LeaseClaim,
  wantsFamily,
} from '../model/claim.ts';
import { claimsIn, type Holder, type Placement, publicAddresses } from '../model/holder.ts';
import { type Hostname, hostnameRecords } from '../model/hostname.ts';
import type { LeaseId } from '../model/lease.ts';
import { compareText } from '../model/order.ts';
import { hasDeclaredPools, hasHeldPools } from '../model/planes.ts';
import { type Cluster, type Emit, type Pools, poolsIn, shardFolders } from '../model/pools.ts';
import { InternalError } from '../model/problem.ts';
import type { DeclaredService, Reservation } from '../model/service.ts';
import type { Manifest, Metadata } from './manifest.ts';
import { leasedIPNamespace, leaseNamespace } from './names.ts';
import { addressNameManifests } from './objects/address-names.ts';
import { admissionManifests } from './objects/admission-policy.ts';
import {
  keepManifest,
  leaseNamespaceLabels,
  namespaceManifest,
  serviceNamespaceLabels,
} from './objects/cluster-objects.ts';
import {
  addressConfigMapManifest,
  declaredServiceManifest,
  unleasedServiceManifest,
} from './objects/declared-service.ts';
import { dnsEndpointManifests, hostnameDnsManifest } from './objects/dns-endpoint.ts';
import {
  claimsByService,
  ipv6PolicyManifest,
  leasedIPManifest,
  leaseServiceManifest,
} from './objects/lease-objects.ts';
import { providerHostManifest, routeManifests } from './objects/routes.ts';
import {
  type AddedFile,
  addedPath,
  admissionPath,
  holderPath,
  isManifestPath,
  keepPath,
  namespacePath,
  poolPath,
  routePath,
  servicePath,
} from './paths.ts';
import { planeOf } from './planes/planes.ts';
import { ClusterCheck } from './rules/cluster-check.ts';
import { yamlText } from './yaml-text.ts';

/** Receives each file as soon as it is rendered, in any order. */
export type WriteFile = (path: string, text: string) => void;

/** Renders the objects of one file by other means. They must come out the same. */
export type RenderObjects = (manifests: readonly Manifest[]) => readonly Manifest[];

/** What the files of `dist/` are rendered from. The order of each list does not matter. */
export interface RenderedParts {
  /** They must have no nameProblems, serviceProblems or sharingProblems. */
  readonly placements: readonly Placement[];
  /**
   * All that are declared: those without an address are rendered from here, the others from their
   * placements.
   */
  readonly services: readonly (DeclaredService | Reservation)[];
  /** The hostnames that their holders have. */
  readonly hostnames: readonly Hostname[];
  /** The files of a cluster that features add. */
  readonly added?: (cluster: Cluster) => readonly AddedFile[];
}

/**
 * Renders all files of `dist/`. When this returns, they have passed {@link ClusterCheck}. The cdk8s
 * app renders the objects of each file through its constructs: `renderObjects`.
 */
export function renderDist(
  pools: Pools,
  { placements, services, hostnames, added = () => [] }: RenderedParts,
  write: WriteFile,
  renderObjects: RenderObjects = (manifests) => manifests,
): void {
  const sorted = [...placements].sort((left, right) =>
    compareText(left.holder.id, right.holder.id),
  );
  const names = new Set(pools.clusters.map(({ name }) => name));
  const lost = sorted.find(({ holder }) => !holder.clusters.every((name) => names.has(name)));
  if (lost)
    throw new InternalError(`${lost.holder.id} was placed in a cluster that is not declared`);
  for (const cluster of pools.clusters) {
    const own = sorted.filter(({ holder }) => holder.clusters.includes(cluster.name));
    const isHere = (one: { readonly cluster: string }): boolean => one.cluster === cluster.name;
    const unleased = services.filter(isUnleased).filter(isHere);
    const check = new ClusterCheck(cluster, poolsIn(pools, cluster.name));
    const files = new ClusterFiles(cluster, check, { write, renderObjects });
    renderCluster(files, pools, { placements: own, unleased, hostnames: hostnames.filter(isHere) });
    for (const file of added(cluster)) files.write(addedPath(cluster, file), file.objects);
    files.finish();
  }
}

function isUnleased(declared: DeclaredService | Reservation): declared is DeclaredService {
  return declared.kind === 'Service' && !declared.isLeased;
}

/** The parts of one cluster. */
interface ClusterParts extends Pick<RenderedParts, 'placements' | 'hostnames'> {
  readonly unleased: readonly DeclaredService[];
}

function renderCluster(
  files: ClusterFiles,
  pools: Pools,
  { placements, unleased, hostnames }: ClusterParts,
): void {
  const { cluster } = files;
  for (const shard of shardFolders(cluster.shards)) {
    files.write(keepPath(cluster.name, shard), [keepManifest(cluster, shard)]);
  }
  if (pools.emit.namespaces) renderNamespaces(files, pools, { placements, unleased, hostnames });
  if (hasDeclaredPools(cluster.plane)) renderDeclaredPools(files, pools);
  renderHolders(files, placements, pools);
  for (const declared of unleased) {
    const path = servicePath(cluster, declared.namespace, declared.name);
    files.write(path, [unleasedServiceManifest(declared)]);
  }
  renderRoutes(files, { placements, hostnames }, pools);
}

function renderRoutes(
  files: ClusterFiles,
  { placements, hostnames }: Pick<ClusterParts, 'placements' | 'hostnames'>,
  pools: Pools,
): void {
  const { cluster } = files;
  const { emit, dns } = pools;
  const { routes } = cluster;
  if (!routes) return;
  const byName = hostnameRecords(emit.dnsEndpoints ? hostnames : [], placements, pools);
  for (const declared of hostnames) {
    const records = byName.get(declared.hostname) ?? [];
    files.write(routePath(cluster, declared.hostname), [
      ...(declared.lease && emit.providerHost ? [providerHostManifest(declared)] : []),
      ...routeManifests(cluster.naming, routes, declared),
      ...(records.length > 0
        ? [hostnameDnsManifest(cluster.naming, declared, { records, ttl: dns.ttl })]
        : []),
    ]);
  }
}

function renderHolders(
  files: ClusterFiles,
  placements: readonly Placement[],
  { emit, dns }: Pick<Pools, 'emit' | 'dns'>,
): void {
  const { cluster } = files;
  for (const placement of placements) {
    const { holder } = placement;
    files.write(
      holderPath(cluster, holder),
      [
        ...holderManifests(cluster, placement, emit),
        ...(emit.dnsEndpoints ? dnsEndpointManifests(cluster, placement, dns.ttl) : []),
      ],
      holder,
    );
  }
}

/**
 * Returns everything that a holder has in one cluster. With `layout: pool` that can be nothing for a
 * single Reservation, whose Service is rendered elsewhere.
 */
function holderManifests(cluster: Cluster, placement: Placement, emit: Emit): readonly Manifest[] {
  const { holder } = placement;
  const { naming } = cluster;
  const claims = claimsIn(holder, cluster.name);
  const leased = claims.filter(isLeaseClaim);
  const manifests: Manifest[] = [];
  if (hasHeldPools(cluster.plane)) manifests.push(...planeOf(cluster).heldPool(cluster, placement));
  if (emit.providerLeasedIP) {
    for (const claim of leased) manifests.push(leasedIPManifest(naming, claim));
  }
  for (const served of claimsByService(naming, leased)) {
    manifests.push(leaseServiceManifest(cluster, served, placement));
  }
  if (emit.networkPolicies) {
    for (const claim of isolatedClaims(cluster, leased)) manifests.push(ipv6PolicyManifest(claim));
  }
  if (emit.addressNames) {
    manifests.push(...addressNameManifests(naming, leased, publicAddresses(placement)));
  }
  for (const claim of firstClaims(claims)) {
    if (emit.addressConfigMaps) manifests.push(addressConfigMapManifest(claim, placement));
    if (claim.declared.kind !== 'Service') continue;
    manifests.push(declaredServiceManifest(cluster, claim, claim.declared, placement));
  }
  return manifests;
}

/**
 * Returns the claims whose pods get IPv6 traffic only with a NetworkPolicy. There are none with
 * `naming: readable`: no provider isolates the pods there, and a first policy would isolate them.
 */
function isolatedClaims({ naming }: Cluster, claims: readonly LeaseClaim[]): readonly LeaseClaim[] {
  if (naming === 'readable') return [];
  return claims.filter((claim) => wantsFamily(claim, 'ipv6'));
}

/** Writes the Namespaces of the placements, and those of objects without an address. */
function renderNamespaces(
  files: ClusterFiles,
  pools: Pools,
  { placements, unleased, hostnames }: ClusterParts,
): void {
  const { cluster } = files;
  const { naming } = cluster;
  const write = (name: string, labels: Metadata['labels']): void =>
    files.write(namespacePath(cluster, name), [namespaceManifest(name, labels)]);
  const { providerLeasedIP, providerHost } = pools.emit;
  const leased = hostnames.filter((one) => one.lease !== undefined);
  if (providerLeasedIP || (providerHost && leased.length > 0)) {
    write(leasedIPNamespace, serviceNamespaceLabels);
  }
  const claims = placements.flatMap(({ holder }) => claimsIn(holder, cluster.name));
  const leases = new Map<string, LeaseId>();
  for (const { lease } of [...claims.filter(isLeaseClaim), ...leased]) {
    leases.set(leaseNamespace(naming, lease), lease);
  }
  for (const [name, lease] of leases) write(name, leaseNamespaceLabels(naming, name, lease));
  const routed = hostnames.filter((one) => one.lease === undefined);
  const declared = [...declaredIn(claims), ...unleased, ...routed];
  for (const name of new Set(declared.map(({ namespace }) => namespace))) {
    write(name, serviceNamespaceLabels);
  }
}

function renderDeclaredPools(files: ClusterFiles, pools: Pools): void {
  const { cluster } = files;
  const { name, shards } = cluster;
  const own = poolsIn(pools, name);
  for (const pool of own) {
    const objects = planeOf(cluster).declaredPool(cluster, pool, pools.emit.namespaces);
    files.write(poolPath(cluster, pool.name), objects);
  }
  const closed = own.filter(({ fence }) => fence === 'closed');
  if (closed.length === 0) return;
  files.write(admissionPath(name, shardFolders(shards)[0]), admissionManifests(cluster, closed));
}

/** The files of one cluster. Objects are checked as they are written, and only the text is kept. */
class ClusterFiles {
  readonly cluster: Cluster;
  readonly #check: ClusterCheck;
  readonly #paths = new Set<string>();
  readonly #writeFile: WriteFile;
  readonly #renderObjects: RenderObjects;

  constructor(
    cluster: Cluster,
    check: ClusterCheck,
    { write, renderObjects }: { readonly write: WriteFile; readonly renderObjects: RenderObjects },
  ) {
    this.cluster = cluster;
    this.#check = check;
    this.#writeFile = write;
    this.#renderObjects = renderObjects;
  }

  /** Writes one file, unless it has no objects. `holder` is the holder of its objects. */
  write(path: string, objects: readonly Manifest[], holder?: Holder): void {
    if (objects.length === 0) return;
    const manifests = this.#renderObjects(objects);
    for (const manifest of manifests) this.#check.add(manifest, holder);
    if (!isManifestPath(path)) throw new InternalError(`${path} is not a path of a manifest`);
    if (this.#paths.has(path)) throw new InternalError(`${path} is written twice`);
    this.#paths.add(path);
    this.#writeFile(path, yamlText(manifests));
  }

  finish(): void {
    this.#check.finish();
  }
}
