import { claimsIn, isLeaseClaim } from '../model/claim.ts';
import type { LeaseId } from '../model/lease.ts';
import { compareText, sortedKeys } from '../model/order.ts';
import type { Placement } from '../model/placement.ts';
import type { Cluster, Pools } from '../model/pools.ts';
import { InternalError } from '../model/problem.ts';
import { declaredPoolManifest, heldPoolManifest } from './address-pool.ts';
import { admissionManifests } from './admission-policy.ts';
import { advertisementManifest } from './advertisement.ts';
import { keepManifest } from './keep-file.ts';
import type { Manifest } from './manifest.ts';
import {
  addressPoolName,
  admissionPath,
  claimNamespace,
  holderPath,
  isDistPath,
  keepPath,
  leasedIPNamespace,
  leaseNamespace,
  namespacePath,
  poolPath,
} from './names.ts';
import { leasedIPNamespaceManifest, leaseNamespaceManifest } from './namespace.ts';
import { leasedIPManifest } from './provider-leased-ip.ts';
import { claimsByService, serviceManifest } from './service.ts';
import { ClusterCheck } from './validate.ts';
import { yamlText } from './yaml-text.ts';

/**
 * Everything under `dist/`: path to whole text, in the order of the paths, whatever the order of
 * `placements`. Their holders have no nameProblems and no serviceProblems. What is
 * returned has passed the schemas and MetalLB's rules; see {@link ClusterCheck}.
 */
export function renderDist(
  pools: Pools,
  placements: readonly Placement[],
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
    renderCluster(new ClusterFiles(cluster, files), pools, own);
  }
  return new Map(sortedKeys(files).map((path) => [path, files.get(path) ?? '']));
}

function renderCluster(files: ClusterFiles, pools: Pools, placements: readonly Placement[]): void {
  const { cluster } = files;
  files.write(keepPath(cluster.name), [keepManifest(cluster)]);
  if (pools.emit.namespaces) renderNamespaces(files, pools, placements);
  if (cluster.metallb.layout === 'pool') renderDeclaredPools(files, pools);
  for (const placement of placements) {
    const leased = claimsIn(placement.holder, cluster.name).filter(isLeaseClaim);
    files.write(holderPath(cluster.name, placement.holder), [
      ...(cluster.metallb.layout === 'lease' ? heldPool(cluster, placement) : []),
      ...(pools.emit.providerLeasedIP
        ? leased.map((claim) => leasedIPManifest(cluster.naming, claim))
        : []),
      ...claimsByService(cluster.naming, leased).map((claims) =>
        serviceManifest(cluster, claims, placement.addresses),
      ),
    ]);
  }
  files.finish();
}

function renderNamespaces(
  files: ClusterFiles,
  pools: Pools,
  placements: readonly Placement[],
): void {
  const { name: cluster, naming } = files.cluster;
  if (pools.emit.providerLeasedIP) {
    files.write(namespacePath(cluster, leasedIPNamespace), [leasedIPNamespaceManifest()]);
  }
  const leases = new Map<string, LeaseId>();
  for (const { holder } of placements) {
    for (const { lease } of claimsIn(holder, cluster).filter(isLeaseClaim)) {
      leases.set(leaseNamespace(naming, lease), lease);
    }
  }
  for (const [name, lease] of leases) {
    files.write(namespacePath(cluster, name), [leaseNamespaceManifest(naming, name, lease)]);
  }
}

function renderDeclaredPools(files: ClusterFiles, pools: Pools): void {
  const { name: cluster, metallb } = files.cluster;
  for (const pool of pools.pools) {
    files.write(poolPath(cluster, pool.name), [
      declaredPoolManifest(pool, metallb.namespace, pools.emit.namespaces),
      advertisementManifest(pool.advertise, pool.name, metallb.namespace),
    ]);
  }
  files.write(admissionPath(cluster), admissionManifests(files.cluster, pools.pools));
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

  constructor(cluster: Cluster, texts: Map<string, string>) {
    this.cluster = cluster;
    this.check = new ClusterCheck(cluster);
    this.texts = texts;
  }

  write(path: string, manifests: readonly Manifest[]): void {
    if (!isDistPath(path)) throw new InternalError(`${path} is no path that leasehold may own`);
    if (this.texts.has(path)) throw new InternalError(`${path} is written twice`);
    for (const manifest of manifests) this.check.add(manifest);
    this.texts.set(path, yamlText(manifests));
  }

  finish(): void {
    this.check.finish();
  }
}
