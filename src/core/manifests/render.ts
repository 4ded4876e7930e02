import type { Chart } from 'cdk8s';
import type { Inventory } from '../model/akash/inventory.ts';
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
import {
  advertiseFor,
  type Cluster,
  type Emit,
  hasDeclaredPools,
  hasHeldPools,
  type Pool,
  type PoolAdvertisement,
  type Pools,
  poolsIn,
  shardFolders,
} from '../model/pools.ts';
import { InternalError } from '../model/problem.ts';
import type { DeclaredService, Reservation } from '../model/service.ts';
import { DistApp, PlainObject } from './dist-app.ts';
import type { Manifest, Metadata } from './manifest.ts';
import {
  addressPoolName,
  advertisementName,
  claimNamespace,
  leasedIPNamespace,
  leaseNamespace,
} from './names.ts';
import { addAddressNames } from './objects/address-names.ts';
import { admissionManifests } from './objects/admission-policy.ts';
import {
  KeepObject,
  LabelledNamespace,
  leaseNamespaceLabels,
  serviceNamespaceLabels,
} from './objects/cluster-objects.ts';
import {
  AddressConfigMap,
  declaredServiceManifest,
  unleasedServiceManifest,
} from './objects/declared-service.ts';
import { addDnsEndpoints, addHostnameDns } from './objects/dns-endpoint.ts';
import { InventoryConfigMap } from './objects/inventory-config.ts';
import {
  claimsByService,
  IPv6NetworkPolicy,
  LeasedIPObject,
  LeaseService,
} from './objects/lease-objects.ts';
import { addAdvertisement, DeclaredPool, HeldPool } from './objects/pool-objects.ts';
import { addRoute, providerHostManifest } from './objects/routes.ts';
import {
  admissionPath,
  holderPath,
  inventoryConfigPath,
  isManifestPath,
  keepPath,
  namespacePath,
  poolPath,
  routePath,
  servicePath,
} from './paths.ts';
import { ClusterCheck } from './rules/cluster-check.ts';
import type { FilledFile, FilledText } from './templates/file-template.ts';
import { exampleLease, holderExample } from './templates/holder-example.ts';
import { holderWords, leaseIdWords } from './templates/holder-words.ts';
import { Templates } from './templates/templates.ts';
import { yamlText } from './yaml-text.ts';

/** Receives each file as soon as it is rendered, in any order. */
export type WriteFile = (path: string, text: string | FilledText) => void;

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
  readonly inventories: readonly Inventory[];
}

/** Renders all files of `dist/`. When this returns, they have passed {@link ClusterCheck}. */
export function renderDist(
  pools: Pools,
  { placements, services, hostnames, inventories }: RenderedParts,
  write: WriteFile,
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
    const files = new ClusterFiles(cluster, poolsIn(pools, cluster.name), write);
    renderCluster(files, pools, { placements: own, unleased, hostnames: hostnames.filter(isHere) });
    for (const inventory of inventories.filter(isHere)) renderInventory(files, inventory);
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
    files.write(keepPath(cluster.name, shard), (chart) => {
      new KeepObject(chart, 'keep', cluster, shard);
    });
  }
  if (pools.emit.namespaces) renderNamespaces(files, pools, { placements, unleased, hostnames });
  if (hasDeclaredPools(cluster.metallb)) renderDeclaredPools(files, pools);
  renderHolders(files, placements, pools);
  for (const declared of unleased) {
    const path = servicePath(cluster, declared.namespace, declared.name);
    files.write(path, (chart) => {
      new PlainObject(chart, 'service', unleasedServiceManifest(declared));
    });
  }
  renderRoutes(files, { placements, hostnames }, pools);
}

function renderInventory(files: ClusterFiles, inventory: Inventory): void {
  files.write(inventoryConfigPath(files.cluster), (chart) => {
    new InventoryConfigMap(chart, 'inventory', inventory);
  });
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
    files.write(routePath(cluster, declared.hostname), (chart) => {
      if (declared.lease && emit.providerHost) {
        new PlainObject(chart, 'provider-host', providerHostManifest(declared));
      }
      addRoute(chart, cluster.naming, routes, declared);
      const records = byName.get(declared.hostname) ?? [];
      addHostnameDns(chart, cluster.naming, declared, { records, ttl: dns.ttl });
    });
  }
}

function renderHolders(
  files: ClusterFiles,
  placements: readonly Placement[],
  { emit, dns }: Pick<Pools, 'emit' | 'dns'>,
): void {
  const { cluster } = files;
  const define = (placement: Placement) => (chart: Chart) => {
    addFootprint(chart, cluster, placement, emit);
    if (emit.dnsEndpoints) addDnsEndpoints(chart, cluster, placement, dns.ttl);
  };
  const templates = new Templates();
  for (const placement of placements) {
    const { holder } = placement;
    const path = holderPath(cluster, holder);
    const own = holderWords(cluster, placement);
    const filled =
      own &&
      templates.fill(own, (number) => {
        const example = holderExample(cluster, placement, { shape: own.shape, number });
        if (!example) return undefined;
        return { words: example.words, manifests: files.render(define(example.placement)) };
      });
    if (filled) files.addHolder(path, filled, placement);
    else files.write(path, define(placement), holder);
  }
}

/**
 * Adds everything that a holder has in one cluster. With `layout: pool` that can be nothing for a
 * single Reservation, whose Service is rendered elsewhere.
 */
function addFootprint(chart: Chart, cluster: Cluster, placement: Placement, emit: Emit): void {
  const { holder, addresses } = placement;
  const { naming } = cluster;
  const claims = claimsIn(holder, cluster.name);
  const leased = claims.filter(isLeaseClaim);
  if (hasHeldPools(cluster.metallb)) addHeldPool(chart, cluster, placement);
  if (emit.providerLeasedIP) {
    for (const [index, claim] of leased.entries()) {
      new LeasedIPObject(chart, `leased-ip-${index}`, naming, claim);
    }
  }
  for (const [index, served] of claimsByService(naming, leased).entries()) {
    new LeaseService(chart, `service-${index}`, cluster, { claims: served, addresses });
  }
  if (emit.networkPolicies) {
    for (const [index, claim] of isolatedClaims(cluster, leased).entries()) {
      new IPv6NetworkPolicy(chart, `network-policy-${index}`, claim);
    }
  }
  if (emit.addressNames) addAddressNames(chart, naming, leased, publicAddresses(placement));
  for (const [index, claim] of firstClaims(claims).entries()) {
    if (emit.addressConfigMaps) {
      new AddressConfigMap(chart, `address-config-map-${index}`, claim, placement);
    }
    if (claim.declared.kind !== 'Service') continue;
    const manifest = declaredServiceManifest(cluster, claim, claim.declared, addresses);
    new PlainObject(chart, `declared-service-${index}`, manifest);
  }
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
    files.write(namespacePath(cluster, name), namespaceChart(name, labels));
  const templates = new Templates();
  const writeOfLease = (name: string, lease: LeaseId): void => {
    const labels = leaseNamespaceLabels(naming, name, lease);
    const path = namespacePath(cluster, name);
    const wordsOf = (own: string, ownLease: LeaseId) => [own, ...leaseIdWords(ownLease)];
    const filled = templates.fill({ shape: 'lease', words: wordsOf(name, lease) }, (number) => {
      const [example, other] = [`example${number}-namespace`, exampleLease(number)];
      const chart = namespaceChart(example, leaseNamespaceLabels(naming, example, other));
      return { words: wordsOf(example, other), manifests: files.render(chart) };
    });
    if (filled) files.addNamespace(path, filled, { name, labels });
    else files.write(path, namespaceChart(name, labels));
  };
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
  for (const [name, lease] of leases) writeOfLease(name, lease);
  const routed = hostnames.filter((one) => one.lease === undefined);
  const declared = [...declaredIn(claims), ...unleased, ...routed];
  for (const name of new Set(declared.map(({ namespace }) => namespace))) {
    write(name, serviceNamespaceLabels);
  }
}

function namespaceChart(name: string, labels: Metadata['labels']) {
  return (chart: Chart): void => {
    new LabelledNamespace(chart, 'namespace', name, labels);
  };
}

function renderDeclaredPools(files: ClusterFiles, pools: Pools): void {
  const { cluster } = files;
  const { name, metallb, shards } = cluster;
  const own = poolsIn(pools, name);
  for (const pool of own) {
    const metallbNamespace = metallb.namespace;
    const fencedByNamespace = pools.emit.namespaces;
    files.write(poolPath(cluster, pool.name), (chart) => {
      new DeclaredPool(chart, 'pool', { pool, metallbNamespace, fencedByNamespace });
      const names = { declared: pool.name, pool: pool.name };
      addAdvertisements(chart, pool.advertise, names, metallbNamespace);
    });
  }
  const closed = own.filter(({ fence }) => fence === 'closed');
  if (closed.length === 0) return;
  files.write(admissionPath(name, shardFolders(shards)[0]), (chart) => {
    for (const manifest of admissionManifests(cluster, closed)) {
      new PlainObject(chart, manifest.kind, manifest);
    }
  });
}

function addHeldPool(
  chart: Chart,
  { name: cluster, naming, metallb }: Cluster,
  placement: Placement,
): void {
  const { holder, pool, addresses } = placement;
  const claims = claimsIn(holder, cluster).map((claim) => claimNamespace(naming, claim));
  const namespaces = [...new Set(claims)].sort(compareText);
  const metallbNamespace = metallb.namespace;
  const name = addressPoolName(addresses[0]);
  new HeldPool(chart, 'pool', { pool, addresses, metallbNamespace, namespaces });
  const names = { declared: pool.name, pool: name };
  addAdvertisements(chart, advertiseFor(pool, holder.advertisement), names, metallbNamespace);
}

function addAdvertisements(
  chart: Chart,
  advertise: readonly PoolAdvertisement[],
  names: Parameters<typeof advertisementName>[1],
  metallbNamespace: string,
): void {
  for (const [index, one] of advertise.entries()) {
    const name = advertisementName(one, names);
    addAdvertisement(chart, `advertisement-${index}`, one, {
      name,
      pool: names.pool,
      metallbNamespace,
    });
  }
}

/** The files of one cluster. Objects are checked as they are written, and only the text is kept. */
class ClusterFiles {
  readonly cluster: Cluster;
  readonly #app = new DistApp();
  readonly #check: ClusterCheck;
  readonly #paths = new Set<string>();
  readonly #writeFile: WriteFile;

  constructor(cluster: Cluster, pools: readonly Pool[], writeFile: WriteFile) {
    this.cluster = cluster;
    this.#check = new ClusterCheck(cluster, pools);
    this.#writeFile = writeFile;
  }

  /** Writes one file, unless its chart is empty. `holder` is the holder of its objects. */
  write(path: string, define: (chart: Chart) => void, holder?: Holder): void {
    const manifests = this.render(define);
    if (manifests.length === 0) return;
    for (const manifest of manifests) this.#check.add(manifest, holder);
    this.#write(path, yamlText(manifests));
  }

  /** Writes the file of a holder that was filled in from a template. */
  addHolder(path: string, { text, names }: FilledFile, placement: Placement): void {
    this.#check.addHolder(names, placement);
    this.#write(path, text);
  }

  /** Writes the file of a Namespace that was filled in from a template. */
  addNamespace(
    path: string,
    { text, names }: FilledFile,
    namespace: Pick<Metadata, 'name' | 'labels'>,
  ): void {
    this.#check.addNamespace(names, namespace);
    this.#write(path, text);
  }

  #write(path: string, text: string | FilledText): void {
    if (!isManifestPath(path)) throw new InternalError(`${path} is not a path of a manifest`);
    if (this.#paths.has(path)) throw new InternalError(`${path} is written twice`);
    this.#paths.add(path);
    this.#writeFile(path, text);
  }

  /** Returns the objects of one file, without writing it. */
  render(define: (chart: Chart) => void): readonly Manifest[] {
    return this.#app.renderFile(define);
  }

  finish(): void {
    this.#check.finish();
  }
}
