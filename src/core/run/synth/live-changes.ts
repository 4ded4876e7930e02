import type { SourceTree, TreeChanges, TreeEntry } from '../../interfaces/tree.ts';
import { type LiveFacts, liveFacts } from '../../manifests/live-facts.ts';
import { isHashedPath, isRoutePath, routePath } from '../../manifests/paths.ts';
import { planeOf } from '../../manifests/planes/planes.ts';
import { type AllocationTable, isHeld, wasMoved } from '../../model/allocation.ts';
import type { ProblemCode } from '../../model/codes/problem-codes.ts';
import { holderParts } from '../../model/holder.ts';
import type { HostnameTable } from '../../model/hostname.ts';
import { type Plane, planeNames } from '../../model/planes.ts';
import type { Cluster } from '../../model/pools.ts';
import { type Problem, startOf } from '../../model/problem.ts';
import { poolsPath } from '../../model/repository-paths.ts';
import { textIn } from '../../tree/tree-reader.ts';
import {
  compareLivePools,
  livePoolsIn,
  poolMoves,
  shardsChanged,
  shardsLeft,
} from './live-pools.ts';

/**
 * Returns the changes of manifests that a live cluster would refuse or that would take its
 * addresses, found by comparing with the committed manifests. Clusters are checked independently.
 *
 * - FAMILY_CHANGED: the first family of a Service changes, even from one holder's file to another's:
 *   the API server refuses it, and Flux then applies nothing at all. A Service without a family
 *   counts as IPv4, which it is in most clusters, and must name IPv6 to keep IPv6.
 * - POOL_CHANGED: an address goes from one IPAddressPool to another: MetalLB refuses the new pool
 *   while the old one has the address.
 * - HEALTH_CHECK_CHANGED: the health check node port of a Service changes, even one that the API
 *   server picked. Kubernetes: pkg/apis/core/validation,
 *   validateServiceExternalTrafficFieldsUpdate.
 * - CLASS_CHANGED: the loadBalancerClass of a Service changes, is added or is removed. Kubernetes:
 *   pkg/apis/core/validation, ValidateServiceUpdate.
 * - NODE_PORT_TAKEN: a node port goes from one Service to another while the first one still has it.
 * - ALLOCATION_LOST: a Service would get another address without a recorded move. Its record or its
 *   manifest was removed or edited. A hint with the cause is added where git can be read.
 * - LAYOUT_CHANGED, alone: the pools of the new layout contain addresses of live pools, if the
 *   cluster holds any address. From and to `both`, MetalLB keeps the pools that it has.
 * - PLANE_CHANGED, alone: the cluster gets another data plane, if it holds any address, and does not say that it takes these over.
 * - SHARDS_CHANGED, alone, and SHARD_LEFT: see {@link shardsChanged} and {@link shardsLeft}.
 * - SHARING_STRANDED and ANNOTATIONS_UNREAD: see `sharingProblems` of the planes.
 */
export function liveChanges(
  tree: SourceTree,
  dist: readonly TreeEntry[],
  changes: TreeChanges,
  { before, after, clusters, restored }: LiveRecords,
): Problem[] {
  return [...byCluster(changes)].flatMap(([name, own]) => {
    const cluster = clusters.find((one) => one.name === name);
    const hasHeld = hasHeldIn(before, name);
    return changesIn(tree, dist, own, { hasHeld, table: after, restored, cluster });
  });
}

/** The codes of {@link liveChanges}. */
export const liveCodes: ReadonlySet<ProblemCode> = new Set([
  'FAMILY_CHANGED',
  'POOL_CHANGED',
  'HEALTH_CHECK_CHANGED',
  'CLASS_CHANGED',
  'NODE_PORT_TAKEN',
  'ALLOCATION_LOST',
  'LAYOUT_CHANGED',
  'PLANE_CHANGED',
  'SHARDS_CHANGED',
  'SHARD_LEFT',
  'SHARING_STRANDED',
  'ANNOTATIONS_UNREAD',
]);

/**
 * ALLOCATION_LOST for each committed route of a hostname without a record: the hostname would be
 * given anew, or be free without a retention.
 */
export function lostHostnames(dist: readonly TreeEntry[], table: HostnameTable): Problem[] {
  const fileOf = (path: string): string => {
    const [, cluster = '', ...rest] = path.split('/');
    return `${cluster}/${rest.at(-1)}`;
  };
  const recorded = new Set(
    [...table.values()].map(({ hostname, holder }) => {
      const name = holderParts(holder).cluster ?? '';
      return fileOf(routePath({ name, shards: 1 }, hostname));
    }),
  );
  return dist
    .filter(({ path }) => isRoutePath(path) && !recorded.has(fileOf(path)))
    .map(({ path }) => ({
      code: 'ALLOCATION_LOST',
      message: 'the committed route is of a hostname that leases/hostnames/ does not record',
      at: startOf(path),
    }));
}

/** The declared clusters, and the tables of the committed and of the new manifests. */
export interface LiveRecords {
  readonly clusters: readonly Cluster[];
  readonly before: AllocationTable;
  readonly after: AllocationTable;
  /** Addresses that a red base gave against the rules: a Service that loses one had no right to it. */
  readonly restored?: ReadonlySet<string> | undefined;
}

/** True when a cluster holds an address, or may hold one of an anycast group. */
function hasHeldIn(table: AllocationTable, cluster: string): boolean {
  return [...table.values()].some(
    (record) => isHeld(record) && (holderParts(record.holder).cluster ?? cluster) === cluster,
  );
}

/** The changes below `dist/<cluster>/`, by cluster. */
function byCluster({ writes, removes }: TreeChanges): ReadonlyMap<string, TreeChanges> {
  const clusters = new Map<string, { writes: Map<string, string>; removes: string[] }>();
  const of = (path: string) => {
    const cluster = clusterIn(path);
    const own = clusters.get(cluster) ?? { writes: new Map<string, string>(), removes: [] };
    clusters.set(cluster, own);
    return own;
  };
  for (const [path, text] of writes) of(path).writes.set(path, text);
  for (const path of removes) of(path).removes.push(path);
  return clusters;
}

/** The cluster of a path below `dist/`. */
function clusterIn(path: string): string {
  return path.split('/')[1] ?? '';
}

function changesIn(
  tree: SourceTree,
  dist: readonly TreeEntry[],
  { writes, removes }: TreeChanges,
  { hasHeld, table, restored, cluster }: ChangedCluster,
): Problem[] {
  const present = new Set(dist.map((entry) => entry.path));
  const resharded = cluster ? shardsChanged(dist, cluster) : [];
  if (resharded.length > 0) return resharded;
  const replaced = [...[...writes.keys()].filter((path) => present.has(path)), ...removes];
  if (replaced.length === 0) return [];
  const before = new Map(replaced.map((path) => [path, liveFacts(textIn(tree, path))]));
  const live = rules.map((rule) => ({
    rule,
    values: new Map([...before].flatMap(([path, facts]) => [...inFile(path, facts[rule.fact])])),
  }));
  const livePools = [...before]
    .flatMap(([path, facts]) => livePoolsIn(path, facts))
    .sort(compareLivePools);
  const written = new Map([...writes].map(([path, text]) => [path, liveFacts(text)]));
  const earlierPath = earlierPathIn(before);
  const layout = [...written].flatMap(([path, after]) =>
    layoutProblems(clusterIn(path), before.get(earlierPath(path, after)), after, cluster),
  );
  if (hasHeld && layout.length > 0) return layout.slice(0, 1);
  // Between two layouts a cluster has the pools of both.
  const overlaps = cluster?.plane.layout === 'both';
  const plane = cluster?.plane.kind ?? 'metallb';
  const facts = [...written].flatMap(([path, after]) => {
    const earlier = earlierPath(path, after);
    const lost = differing(inFile(earlier, before.get(earlier)?.pins), after.pins, {
      ...serviceAddress,
      isAllowed: (from, to) => (restored?.has(from) ?? false) || wasMoved(table, from, to),
    });
    return [
      ...live.flatMap(({ rule, values }) => differing(values, after[rule.fact], rule)),
      ...(overlaps
        ? []
        : livePoolsIn(path, after).flatMap((pool) => poolMoves(livePools, pool, plane))),
      ...lost,
    ];
  });
  return cluster
    ? [
        ...facts,
        ...shardsLeft(before, written, cluster),
        ...planeOf(cluster).sharingProblems({ before, after: written }, cluster),
      ]
    : facts;
}

/**
 * Returns the committed path of a written manifest: its own, or that of an earlier version of
 * leasehold, which had a hash in place of names.
 */
function earlierPathIn(
  before: ReadonlyMap<string, LiveFacts>,
): (path: string, facts: LiveFacts) => string {
  const hashed = new Map(
    [...before].flatMap(([path, { families }]) =>
      isHashedPath(path) ? [...families.keys()].map((service) => [service, path] as const) : [],
    ),
  );
  return (path, { families }) => {
    if (before.has(path)) return path;
    const [found] = [...families.keys()].flatMap((service) => hashed.get(service) ?? []);
    return found ?? path;
  };
}

/** The cluster whose manifests change. */
interface ChangedCluster {
  readonly hasHeld: boolean;
  readonly table: AllocationTable;
  readonly restored: LiveRecords['restored'];
  /** Undefined if the cluster is no longer declared. */
  readonly cluster: Cluster | undefined;
}

/** A field of a live object, and its manifest. */
interface LiveValue {
  readonly path: string;
  readonly value: string;
}

interface Rule {
  readonly code: ProblemCode;
  /** Undefined where the cause can only be found in git. */
  readonly hint?: string;
  readonly messageOf: (key: string, from: string, to: string) => string;
  /** True for a difference that is allowed. */
  readonly isAllowed?: (from: string, to: string) => boolean;
}

/** A rule about one kind of the facts of manifests. */
interface FieldRule extends Rule {
  readonly fact: 'families' | 'healthChecks' | 'classes' | 'nodePorts';
}

const apart =
  'remove the endpoints or the Service in one commit, and declare them again in the next, once the first is applied; with a retention the address is kept';

/** The rules of the API server about fields of live objects. */
const rules: readonly FieldRule[] = [
  {
    fact: 'families',
    code: 'FAMILY_CHANGED',
    hint: apart,
    messageOf: (key, from, to) =>
      `the live Service ${key} would change from ${from || 'the first family of the cluster'} to ${to}, which the API server refuses`,
    isAllowed: (from, to) => to === '' || (from || 'IPv4') === to,
  },
  {
    fact: 'families',
    code: 'FAMILY_CHANGED',
    hint: 'name it in the Service: ipFamilies: [IPv6], or the annotation ipam.vitistack.io/ip-family',
    messageOf: (key) =>
      `the live Service ${key} would no longer set its first family IPv6, although the live Service keeps it`,
    isAllowed: (from, to) => to !== '' || from !== 'IPv6',
  },
  {
    fact: 'healthChecks',
    code: 'HEALTH_CHECK_CHANGED',
    hint: 'keep it; to change it, set externalTrafficPolicy: Cluster in one commit, and Local with the new port in the next, once the first is applied',
    messageOf: (key, from, to) =>
      `the health check node port of the live Service ${key} would change from ${from || 'what the API server picked'} to ${to}, which the API server refuses`,
    isAllowed: (_, to) => to === '',
  },
  {
    fact: 'classes',
    code: 'CLASS_CHANGED',
    hint: apart,
    messageOf: (key, from, to) =>
      `the live Service ${key} would change from ${classText(from)} to ${classText(to)}, which the API server refuses`,
  },
  {
    fact: 'nodePorts',
    code: 'NODE_PORT_TAKEN',
    hint: 'take it from the first one in one commit, by another nodePort or by removing the Service, and give it to the other in the next, once the first is applied',
    messageOf: (key, from, to) =>
      `the node port ${key} would move from the live Service ${from} to ${to}, which the API server refuses while the first one has it`,
  },
];

function classText(name: string): string {
  return name === '' ? 'no loadBalancerClass' : `the loadBalancerClass ${name}`;
}

const serviceAddress: Rule = {
  code: 'ALLOCATION_LOST',
  messageOf: (key, from, to) =>
    `the committed manifest has ${from} for the Service ${key}, which leases/allocations/ does not record for its holder, and would get ${to}`,
};

function layoutProblems(
  cluster: string,
  before: LiveFacts | undefined,
  after: LiveFacts,
  declared: Cluster | undefined,
): Problem[] {
  if (before?.layout === undefined) return [];
  if (before.plane !== after.plane) {
    const isTakenOver = declared?.plane.movedFrom === (before.plane ?? 'metallb');
    return isTakenOver && before.layout === 'pool' ? [] : [planeChanged(cluster, before, after)];
  }
  if (before.layout === after.layout) return [];
  if ([before.layout, after.layout].includes('both')) return [];
  return [
    {
      code: 'LAYOUT_CHANGED',
      message: `the layout would change from ${before.layout} to ${after.layout}, whose pools contain the addresses of the live pools`,
      at: startOf(poolsPath),
      hint: `two pull requests change it without an outage: from layout: ${before.layout}, run \`leasehold migrate-layout ${after.layout} --cluster ${cluster}\`, and again once the first is applied`,
    },
  ];
}

/** The plane that loses its Services would take their addresses away, and the other one gives them anew. */
function planeChanged(cluster: string, before: LiveFacts, after: LiveFacts): Problem {
  const [from, to] = [before, after].map(
    ({ plane = 'metallb' }) => planeNames[plane as Plane['kind']] ?? plane,
  );
  return {
    code: 'PLANE_CHANGED',
    message: `cluster ${cluster} would go from ${from} to ${to} in one step, and its live Services would lose their addresses meanwhile`,
    at: startOf(poolsPath),
    hint: `keep ${from} in leases/pools.yaml, and run \`leasehold migrate-plane ${after.plane ?? 'metallb'} --cluster ${cluster}\`, which says what must be true before the change`,
  };
}

function inFile(
  path: string,
  facts: ReadonlyMap<string, string> | undefined,
): ReadonlyMap<string, LiveValue> {
  return new Map([...(facts ?? [])].map(([key, value]) => [key, { path, value }]));
}

function differing(
  before: ReadonlyMap<string, LiveValue>,
  after: ReadonlyMap<string, string>,
  { code, hint, messageOf, isAllowed }: Rule,
): Problem[] {
  return [...after].flatMap(([key, to]): Problem[] => {
    const live = before.get(key);
    if (live === undefined || live.value === to || isAllowed?.(live.value, to)) return [];
    const problem = { code, message: messageOf(key, live.value, to), at: startOf(live.path) };
    return [hint === undefined ? problem : { ...problem, hint }];
  });
}
