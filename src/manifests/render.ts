import {
  claimsIn,
  type Holder,
  isLeaseClaim,
  type LeaseClaim,
  wantsFamily,
} from '../model/claim.ts';
import type { LeaseId } from '../model/lease.ts';
import { compareText, sortedKeys } from '../model/order.ts';
import type { Placement } from '../model/placement.ts';
import {
  type Cluster,
  type Emit,
  type Pool,
  type Pools,
  poolsIn,
  shardFolders,
} from '../model/pools.ts';
import { InternalError } from '../model/problem.ts';
import type { DeclaredService, Reservation } from '../model/service.ts';
import { keepManifest } from './keep-file.ts';
import type { Manifest } from './manifest.ts';
import { addressPoolName, claimNamespace, leasedIPNamespace, leaseNamespace } from './names.ts';
import { declaredPoolManifest, heldPoolManifest } from './objects/address-pool.ts';
import { admissionManifests } from './objects/admission-policy.ts';
import { advertisementManifest } from './objects/advertisement.ts';
import {
  declaredIn,
  declaredServiceManifest,
  firstClaims,
  unleasedServiceManifest,
} from './objects/declared-service.ts';
import {
  leasedIPNamespaceManifest,
  leaseNamespaceManifest,
  serviceNamespaceManifest,
} from './objects/namespace.ts';
import { networkPolicyManifest } from './objects/network-policy.ts';
import { leasedIPManifest } from './objects/provider-leased-ip.ts';
import { claimsByService, serviceManifest } from './objects/service.ts';
import {
  admissionPath,
  holderPath,
  isManifestPath,
  keepPath,
  namespacePath,
  poolPath,
  servicePath,
} from './paths.ts';
import { ClusterCheck } from './rules/validate.ts';
import { yamlText } from './yaml-text.ts';

/**
 * Everything under `dist/`: path to whole text, in the order of the paths, whatever the order of
 * `placements` and `services`. They have no nameProblems, serviceProblems and sharingProblems. Of `services`,
 * those without an address come out here; the others with their placements. What is returned has passed the schemas and MetalLB's rules; see {@link ClusterCheck}.
 */
export function renderDist(
  pools: Pools,
  placements: readonly Placement[],
  services: readonly (DeclaredService | Reservation)[],
): ReadonlyMap<string, string> {
  const sorted = [...placements].sort((left, right) =>
    compareText(left.holder.id, right.holder.id),
  );
  const names = new Set(pools.clusters.map(({ name }) => name));
  const lost = sorted.find(({ holder }) => !holder.clusters.every((name) => names.has(name)));
  if (lost) throw new InternalError(`${lost.holder.id} was placed in no declared cluster`);
  const files = new Map<string, string>();
  for (const cluster of pools.clusters) {
    const own = sorted.filter(({ holder }) => holder.clusters.includes(cluster.name));
    const unleased = services.filter(isUnleased).filter((one) => one.cluster === cluster.name);
    renderCluster(
      new ClusterFiles(cluster, poolsIn(pools, cluster.name), files),
      pools,
      own,
      unleased,
    );
  }
  return new Map(sortedKeys(files).map((path) => [path, files.get(path) ?? '']));
}

function isUnleased(declared: DeclaredService | Reservation): declared is DeclaredService {
  return declared.kind === 'Service' && !declared.isLeased;
}

function renderCluster(
  files: ClusterFiles,
  pools: Pools,
  placements: readonly Placement[],
  unleased: readonly DeclaredService[],
): void {
  const { cluster } = files;
  for (const shard of shardFolders(cluster.shards)) {
    files.write(keepPath(cluster.name, shard), [keepManifest(cluster, shard)]);
  }
  if (pools.emit.namespaces) renderNamespaces(files, pools, placements, unleased);
  if (cluster.metallb.layout === 'pool') renderDeclaredPools(files, pools);
  for (const placement of placements) {
    const { holder } = placement;
    const manifests = footprint(cluster, placement, pools.emit);
    // Reservations alone have nothing of their own where the declared pools stand.
    if (manifests.length > 0) files.write(holderPath(cluster, holder), manifests, holder);
  }
  for (const declared of unleased) {
    const path = servicePath(cluster, declared.namespace, declared.name);
    files.write(path, [unleasedServiceManifest(declared)]);
  }
  files.finish();
}

/** Everything that a holder has in one cluster. Of a Reservation, somebody else renders the Service. */
function footprint(cluster: Cluster, placement: Placement, emit: Emit): readonly Manifest[] {
  const { holder, addresses } = placement;
  const claims = claimsIn(holder, cluster.name);
  const leased = claims.filter(isLeaseClaim);
  return [
    ...(cluster.metallb.layout === 'lease' ? heldPool(cluster, placement) : []),
    ...(emit.providerLeasedIP
      ? leased.map((claim) => leasedIPManifest(cluster.naming, claim))
      : []),
    ...claimsByService(cluster.naming, leased).map((one) =>
      serviceManifest(cluster, one, addresses),
    ),
    ...(emit.networkPolicies ? networkPolicies(cluster, leased) : []),
    ...firstClaims(claims).flatMap((claim) =>
      claim.declared.kind === 'Service'
        ? declaredServiceManifest(cluster, claim, claim.declared, addresses)
        : [],
    ),
  ];
}

/**
 * None with `naming: readable`, where no provider shuts off the pods: a policy that is alone lets in nothing but what
 * it names.
 */
function networkPolicies({ naming }: Cluster, claims: readonly LeaseClaim[]): readonly Manifest[] {
  if (naming === 'readable') return [];
  return claims.filter((claim) => wantsFamily(claim, 'ipv6')).map(networkPolicyManifest);
}

function renderNamespaces(
  files: ClusterFiles,
  pools: Pools,
  placements: readonly Placement[],
  unleased: readonly DeclaredService[],
): void {
  const { cluster } = files;
  const { naming } = cluster;
  if (pools.emit.providerLeasedIP) {
    files.write(namespacePath(cluster, leasedIPNamespace), [leasedIPNamespaceManifest()]);
  }
  const claims = placements.flatMap(({ holder }) => claimsIn(holder, cluster.name));
  const leases = new Map<string, LeaseId>();
  for (const { lease } of claims.filter(isLeaseClaim)) {
    leases.set(leaseNamespace(naming, lease), lease);
  }
  for (const [name, lease] of leases) {
    files.write(namespacePath(cluster, name), [leaseNamespaceManifest(naming, name, lease)]);
  }
  const declared = [...declaredIn(claims), ...unleased];
  for (const name of new Set(declared.map(({ namespace }) => namespace))) {
    files.write(namespacePath(cluster, name), [serviceNamespaceManifest(name)]);
  }
}

function renderDeclaredPools(files: ClusterFiles, pools: Pools): void {
  const { cluster } = files;
  const { name, metallb, shards } = cluster;
  const own = poolsIn(pools, name);
  for (const pool of own) {
    files.write(poolPath(cluster, pool.name), [
      declaredPoolManifest(pool, metallb.namespace, pools.emit.namespaces),
      advertisementManifest(pool.advertise, pool.name, metallb.namespace),
    ]);
  }
  const closed = own.filter(({ fence }) => fence === 'closed');
  if (closed.length === 0) return;
  files.write(admissionPath(name, shardFolders(shards)[0]), admissionManifests(cluster, closed));
}

function heldPool({ name, naming, metallb }: Cluster, placement: Placement): readonly Manifest[] {
  const { holder, pool, addresses } = placement;
  const claims = claimsIn(holder, name).map((claim) => claimNamespace(naming, claim));
  const namespaces = [...new Set(claims)].sort(compareText);
  return [
    heldPoolManifest(pool, addresses, { metallbNamespace: metallb.namespace, namespaces }),
    advertisementManifest(pool.advertise, addressPoolName(addresses[0]), metallb.namespace),
  ];
}

/** The files of one cluster, checked as they are written. Objects are not kept, only texts. */
class ClusterFiles {
  readonly cluster: Cluster;
  private readonly check: ClusterCheck;
  private readonly texts: Map<string, string>;

  constructor(cluster: Cluster, pools: readonly Pool[], texts: Map<string, string>) {
    this.cluster = cluster;
    this.check = new ClusterCheck(cluster, pools);
    this.texts = texts;
  }

  /** Writes one file; `holder` is whose footprint it is. */
  write(path: string, manifests: readonly Manifest[], holder?: Holder): void {
    if (!isManifestPath(path)) throw new InternalError(`${path} is not a path of a manifest`);
    if (this.texts.has(path)) throw new InternalError(`${path} is written twice`);
    for (const manifest of manifests) this.check.add(manifest, holder);
    this.texts.set(path, yamlText(manifests));
  }

  finish(): void {
    this.check.finish();
  }
}
