import { readPools } from '../../../core/declarations/pools/pools-file.ts';
import type { SourceTree } from '../../../core/interfaces/tree.ts';
import type { Day } from '../../../core/model/day.ts';
import { compareText } from '../../../core/model/order.ts';
import type { Pools } from '../../../core/model/pools.ts';
import { type Outcome, ok } from '../../../core/model/problem.ts';
import { leasesFolder, poolsPath } from '../../../core/model/repository-paths.ts';
import { type Address, formatAddress } from '../../../core/net/address.ts';
import { rangeSetOf } from '../../../core/net/range-set.ts';
import { readDeclared } from '../../../core/tree/declared.ts';
import { textIn } from '../../../core/tree/tree-reader.ts';
import type { ImportNote } from '../../../lib/foreign/source-reader.ts';
import type { ImportAnswerDeclaration } from '../import-answer.ts';
import { type Adopted, ImportContext, type LeftObject } from '../import-context.ts';
import type { RepositoryState } from '../import-target.ts';
import type { ImportedLive } from '../imported.ts';
import { withGroup, withMembers, withReserved } from '../pool-file.ts';
import { adoptHostnames } from './adopted-hostnames.ts';
import { adoptLeases } from './adopted-leases.ts';
import { adoptServices } from './adopted-services.ts';

/** The result of declaring live objects. */
export interface LiveDeclarations {
  /** The pool file with reserved addresses; unchanged when there are none. */
  readonly poolsText: string | undefined;
  /** New declarations, by path. */
  readonly writes: ReadonlyMap<string, string>;
  readonly answer: readonly ImportAnswerDeclaration[];
  readonly notes: readonly ImportNote[];
  /** The addresses of objects that cannot be declared, by pool name. */
  readonly reserved: ReadonlyMap<string, readonly Address[]>;
  /** Those objects. */
  readonly undeclared: readonly LeftObject[];
}

/** An empty result, for sources that have only pools. */
export const noLiveDeclarations: Omit<LiveDeclarations, 'poolsText'> = {
  writes: new Map(),
  answer: [],
  notes: [],
  reserved: new Map(),
  undeclared: [],
};

/**
 * Declares live objects in a tree with the pool file `poolsText`, or the current one. Problems:
 * those of the pool file.
 */
export function liveDeclarations(
  tree: SourceTree,
  poolsText: string | undefined,
  live: ImportedLive,
  {
    cluster: name,
    today,
  }: { readonly cluster: string | undefined; readonly today: Day | undefined },
): Outcome<LiveDeclarations> {
  const before = poolsText ?? textIn(tree, poolsPath);
  const read = readPools(poolsPath, new TextEncoder().encode(before));
  if (!read.ok) return read;
  const pools = read.value;
  const wanted = name ?? pools.defaultCluster;
  const cluster = pools.clusters.find((one) => one.name === wanted) ?? pools.clusters[0];
  if (!cluster) return ok({ ...noLiveDeclarations, poolsText });
  const context = declareLive(live, {
    ...readDeclared(tree, pools),
    pools,
    cluster,
    paths: tree.list(leasesFolder).map(({ path }) => path),
    today,
    textOf: (path) => textIn(tree, path),
  });
  const { reserved, adopted, notes, undeclared } = context;
  const after = poolsTextWith(before, pools, context);
  const added = adopted.flatMap(({ path, text }) =>
    text === undefined ? [] : [[path, text] as const],
  );
  return ok({
    poolsText: after === before ? poolsText : after,
    writes: new Map(added),
    answer: [...adopted].sort(byName).map(declarationAnswer),
    notes,
    reserved,
    undeclared,
  });
}

/** The text of a pool file with the groups and reserved addresses of an import. */
function poolsTextWith(before: string, pools: Pools, { groups, reserved }: ImportContext): string {
  const grouped = [...groups].reduce((text, [group, members]) => {
    const index = pools.anycast.findIndex((one) => one.name === group);
    return index < 0 ? withGroup(text, group, members) : withMembers(text, index, members);
  }, before);
  return [...reserved].reduce((text, [pool, addresses]) => {
    const ranges = rangeSetOf(addresses.map((address) => ({ from: address, to: address })));
    const index = pools.pools.findIndex((one) => one.name === pool);
    return withReserved(text, index, ranges);
  }, grouped);
}

function byName(left: Adopted, right: Adopted): number {
  return (
    compareText(left.kind, right.kind) ||
    compareText(left.name, right.name) ||
    compareText(left.hostnames.join(), right.hostnames.join())
  );
}

function declarationAnswer(adopted: Adopted): ImportAnswerDeclaration {
  const { kind, name, state, path, at } = adopted;
  const addresses = adopted.addresses.map(formatAddress);
  const hostnames = [...adopted.hostnames];
  return { kind, name, state, addresses, hostnames, path, file: at.file, line: at.line };
}

/**
 * Declares a live cluster: leases first, since their Services and routes need no declarations, then
 * hostnames, then Services, then addresses that can only be reserved.
 */
function declareLive(live: ImportedLive, repository: RepositoryState): ImportContext {
  const { services, taken } = live;
  const context = new ImportContext(repository);
  adoptLeases(live, context);
  adoptHostnames(live, context);
  const leased = new Set(context.adopted.flatMap(({ addresses }) => addresses.map(formatAddress)));
  const plain = services.filter(({ isOfLease }) => !isOfLease);
  const beside = new Set(
    plain.filter(({ addresses }) =>
      addresses.some((address) => leased.has(formatAddress(address))),
    ),
  );
  for (const { namespace, name, addresses, at } of beside) {
    const reason = 'it is not declared: it shares the address of a lease';
    const others = addresses.filter((address) => !leased.has(formatAddress(address)));
    context.leave(`Service ${namespace}/${name}`, reason, others, at);
  }
  adoptServices(
    plain.filter((service) => !beside.has(service)),
    context,
  );
  for (const { address, by, why, at } of taken) {
    if (context.target.poolOf(address) === undefined) continue;
    const isDeclared = context.adopted.some(({ addresses }) =>
      addresses.some((one) => formatAddress(one) === formatAddress(address)),
    );
    if (isDeclared) continue;
    context.leave(by, why, [address], at);
  }
  return context;
}
