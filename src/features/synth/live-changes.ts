import { type LiveFacts, liveFacts } from '../../manifests/manifest-file.ts';
import { isHashedPath } from '../../manifests/paths.ts';
import { type AllocationTable, isHeld } from '../../model/allocation.ts';
import type { ProblemCode } from '../../model/codes/problem-codes.ts';
import { poolsPath } from '../../model/folders.ts';
import { clusterOfHolder } from '../../model/holder-cluster.ts';
import type { Cluster } from '../../model/pools.ts';
import { type Problem, startOf } from '../../model/problem.ts';
import type { SourceTree, TreeChanges, TreeEntry } from '../../ports/tree.ts';
import { wasMoved } from '../../records/came-from.ts';
import {
  compareLivePools,
  type LivePool,
  livePoolsIn,
  poolMoves,
  shardsChanged,
  shardsLeft,
} from './live-pools.ts';
import { strandedServices } from './live-sharing.ts';

/**
 * What a change of the manifests would do to a live cluster and must not, told from the committed
 * manifests that would be replaced:
 *
 * - FAMILY_CHANGED: the first family of a Service changes, also when it goes from one holder's file to
 *   another's (the API server refuses it); or an address goes from one IPAddressPool to another (MetalLB
 *   refuses the new pool while the old one has it). Flux then applies nothing for anyone. A Service that names no
 *   family counts as IPv4, which it is in most clusters, and must name IPv6 to stay so.
 * - HEALTH_CHECK_CHANGED: the health check node port of a Service changes; one that the API server picked is another.
 *   Kubernetes: pkg/apis/core/validation, validateServiceExternalTrafficFieldsUpdate.
 * - CLASS_CHANGED: the loadBalancerClass of a Service changes, also from none or to none. Kubernetes: pkg/apis/core/validation,
 *   ValidateServiceUpdate.
 * - NODE_PORT_TAKEN: a node port goes from one Service to another, which would ask for it while the first one has it.
 * - ALLOCATION_LOST: a Service of a holder would get another address, and the records do not say that it was
 *   moved. So its record is gone or was edited, or the manifest was. Which it is, the readers of git tell in a hint.
 * - LAYOUT_CHANGED, alone: the pools of the other layout have the addresses of those that are live, if the
 *   committed records say that any are in a cluster.
 * - SHARDS_CHANGED, alone, and SHARD_LEFT: see {@link shardsChanged} and {@link shardsLeft}.
 * - SHARING_STRANDED: see {@link strandedServices}.
 *
 * Each cluster by itself: what stands in one is nothing to the other.
 */
export function liveChanges(
  tree: SourceTree,
  dist: readonly TreeEntry[],
  changes: TreeChanges,
  { before, after, clusters }: LiveRecords,
): Problem[] {
  return [...byCluster(changes)].flatMap(([name, own]) => {
    const cluster = clusters.find((one) => one.name === name);
    return changesIn(tree, dist, own, { hasHeld: hasHeldIn(before, name), table: after, cluster });
  });
}

/** The committed records, those that the new manifests are made of, and the clusters that these are for. */
export interface LiveRecords {
  readonly clusters: readonly Cluster[];
  readonly before: AllocationTable;
  readonly after: AllocationTable;
}

/** True when a cluster has an address, or may have one of an anycast group. */
function hasHeldIn(table: AllocationTable, cluster: string): boolean {
  return [...table.values()].some(
    (record) => isHeld(record) && (clusterOfHolder(record.holder) ?? cluster) === cluster,
  );
}

/** The changes below `dist/<cluster>/`, by cluster. */
function byCluster({ writes, removes }: TreeChanges): ReadonlyMap<string, TreeChanges> {
  const clusters = new Map<string, { writes: Map<string, string>; removes: string[] }>();
  const of = (path: string) => {
    const cluster = path.split('/')[1] ?? '';
    const own = clusters.get(cluster) ?? { writes: new Map<string, string>(), removes: [] };
    clusters.set(cluster, own);
    return own;
  };
  for (const [path, text] of writes) of(path).writes.set(path, text);
  for (const path of removes) of(path).removes.push(path);
  return clusters;
}

function changesIn(
  tree: SourceTree,
  dist: readonly TreeEntry[],
  { writes, removes }: TreeChanges,
  { hasHeld, table, cluster }: OfCluster,
): Problem[] {
  const present = new Set(dist.map((entry) => entry.path));
  const resharded = cluster ? shardsChanged(dist, cluster) : [];
  if (resharded.length > 0) return resharded;
  const replaced = [...[...writes.keys()].filter((path) => present.has(path)), ...removes];
  if (replaced.length === 0) return [];
  const before = new Map(replaced.map((path) => [path, committedFacts(tree, path)]));
  const [families, healthChecks, classes, nodePorts] = [liveMap(), liveMap(), liveMap(), liveMap()];
  const livePools: LivePool[] = [];
  for (const [path, facts] of before) {
    for (const [key, value] of facts.families) families.set(key, { path, value });
    for (const [key, value] of facts.healthChecks) healthChecks.set(key, { path, value });
    for (const [key, value] of facts.classes) classes.set(key, { path, value });
    for (const [key, value] of facts.nodePorts) nodePorts.set(key, { path, value });
    livePools.push(...livePoolsIn(path, facts));
  }
  livePools.sort(compareLivePools);
  const written = new Map([...writes].map(([path, text]) => [path, liveFacts(text)]));
  // The files of one holder have the same Services before and after its path got names in place of a hash.
  const hashed = new Map(
    [...before].flatMap(([path, facts]) =>
      isHashedPath(path) ? [[servicesOf(facts), path] as const] : [],
    ),
  );
  const layout = [...written].flatMap(([path, after]) => layoutProblems(before.get(path), after));
  if (hasHeld && layout.length > 0) return layout.slice(0, 1);
  const facts = [...written].flatMap(([path, after]) => {
    const earlier = before.has(path) ? path : hashed.get(servicesOf(after));
    const committed = earlier === undefined ? undefined : before.get(earlier);
    const lost = differing(inFile(earlier ?? path, committed?.pins), after.pins, {
      ...serviceAddress,
      isMeant: (from, to) => wasMoved(table, from, to),
    });
    return [
      ...differing(families, after.families, serviceFamily),
      ...differing(families, after.families, unnamedFamily),
      ...differing(healthChecks, after.healthChecks, serviceHealthCheck),
      ...differing(classes, after.classes, serviceClass),
      ...differing(nodePorts, after.nodePorts, nodePort),
      ...livePoolsIn(path, after).flatMap((pool) => poolMoves(livePools, pool)),
      ...lost,
    ];
  });
  return cluster
    ? [
        ...facts,
        ...shardsLeft(before, written, cluster),
        ...strandedServices({ before, after: written }, cluster.metallb),
      ]
    : facts;
}

function servicesOf({ families }: LiveFacts): string {
  return [...families.keys()].sort().join(' ');
}

/** What is known of the cluster whose manifests change. */
interface OfCluster {
  readonly hasHeld: boolean;
  readonly table: AllocationTable;
  /** Undefined for one that is not declared any more. */
  readonly cluster: Cluster | undefined;
}

/** What a live object says, and the manifest that says so. */
interface Live {
  readonly path: string;
  readonly value: string;
}

function liveMap(): Map<string, Live> {
  return new Map();
}

interface Rule {
  readonly code: ProblemCode;
  /** Undefined where only git can tell. */
  readonly hint?: string;
  readonly messageOf: (key: string, from: string, to: string) => string;
  /** True for a difference that is no problem. */
  readonly isMeant?: (from: string, to: string) => boolean;
}

const apart =
  'remove the endpoints or the Service in one commit, and declare them again in the next, once the first is applied; with a retention the address is kept';

const serviceFamily: Rule = {
  code: 'FAMILY_CHANGED',
  hint: apart,
  messageOf: (key, from, to) =>
    `the live Service ${key} would go from ${from || 'the first family of the cluster'} to ${to}, which the API server refuses`,
  isMeant: (from, to) => to === '' || (from || 'IPv4') === to,
};

const unnamedFamily: Rule = {
  code: 'FAMILY_CHANGED',
  hint: 'name it in the Service: ipFamilies: [IPv6], or the annotation ipam.vitistack.io/ip-family',
  messageOf: (key) =>
    `the live Service ${key} would not name its first family IPv6 any more, which it keeps`,
  isMeant: (from, to) => to !== '' || from !== 'IPv6',
};

const serviceHealthCheck: Rule = {
  code: 'HEALTH_CHECK_CHANGED',
  hint: 'keep it; to change it, set externalTrafficPolicy: Cluster in one commit, and Local with the new port in the next, once the first is applied',
  messageOf: (key, from, to) =>
    `the health check node port of the live Service ${key} would go from ${from || 'what the API server picked'} to ${to}, which the API server refuses`,
  isMeant: (_, to) => to === '',
};

const serviceClass: Rule = {
  code: 'CLASS_CHANGED',
  hint: apart,
  messageOf: (key, from, to) =>
    `the live Service ${key} would go from ${classText(from)} to ${classText(to)}, which the API server refuses`,
};

function classText(name: string): string {
  return name === '' ? 'no loadBalancerClass' : `the loadBalancerClass ${name}`;
}

const nodePort: Rule = {
  code: 'NODE_PORT_TAKEN',
  hint: 'take it from the first one in one commit, by another nodePort or by removing the Service, and give it to the other in the next, once the first is applied',
  messageOf: (key, from, to) =>
    `the node port ${key} would go from the live Service ${from} to ${to}, which the API server refuses while the first one has it`,
};

const serviceAddress: Rule = {
  code: 'ALLOCATION_LOST',
  messageOf: (key, from, to) =>
    `the committed manifest has ${from} for the Service ${key}, which leases/allocations/ does not record for its holder, and would get ${to}`,
};

function layoutProblems(before: LiveFacts | undefined, after: LiveFacts): Problem[] {
  if (before?.layout === undefined || before.layout === after.layout) return [];
  return [
    {
      code: 'LAYOUT_CHANGED',
      message: `the layout would go from ${before.layout} to ${after.layout}, whose pools have the addresses of the live ones`,
      at: startOf(poolsPath),
      hint: `set layout: ${before.layout}; leasehold explain LAYOUT_CHANGED says how to change it all the same`,
    },
  ];
}

function committedFacts(tree: SourceTree, path: string): LiveFacts {
  return liveFacts(Buffer.from(tree.read(path)).toString('utf8'));
}

function inFile(
  path: string,
  facts: ReadonlyMap<string, string> | undefined,
): ReadonlyMap<string, Live> {
  return new Map([...(facts ?? [])].map(([key, value]) => [key, { path, value }]));
}

function differing(
  before: ReadonlyMap<string, Live>,
  after: ReadonlyMap<string, string>,
  { code, hint, messageOf, isMeant }: Rule,
): Problem[] {
  return [...after].flatMap(([key, to]): Problem[] => {
    const live = before.get(key);
    if (live === undefined || live.value === to || isMeant?.(live.value, to)) return [];
    const problem = { code, message: messageOf(key, live.value, to), at: startOf(live.path) };
    return [hint === undefined ? problem : { ...problem, hint }];
  });
}
