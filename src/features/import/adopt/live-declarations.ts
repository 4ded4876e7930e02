import { readPools } from '../../../declarations/pools/pools-file.ts';
import type { Day } from '../../../model/day.ts';
import { leasesFolder, poolsPath } from '../../../model/folders.ts';
import type { ImportNote } from '../../../model/input-file.ts';
import { compareText } from '../../../model/order.ts';
import type { Outcome } from '../../../model/problem.ts';
import { type Address, formatAddress } from '../../../net/address.ts';
import { rangeSetOf } from '../../../net/range-set.ts';
import type { SourceTree } from '../../../ports/tree.ts';
import { readDeclared } from '../../../workspace/declared.ts';
import type { ImportAnswerDeclaration } from '../import-answer.ts';
import { type Adopted, Ground, type Standing } from '../import-context.ts';
import type { ImportedLive } from '../imported.ts';
import { withGroup, withMembers, withReserved } from '../pool-file.ts';
import { adoptLeases } from './adopted-leases.ts';
import { adoptServices } from './adopted-services.ts';

/** What an import writes of what is live, beside pools. */
export interface LiveDeclarations {
  /** The pool file with what is reserved; as it was when nothing is. */
  readonly poolsText: string | undefined;
  /** Declarations by path. */
  readonly writes: ReadonlyMap<string, string>;
  readonly answer: readonly ImportAnswerDeclaration[];
  readonly notes: readonly ImportNote[];
  /** What is reserved because it cannot be declared, by the names of pools. */
  readonly reserved: ReadonlyMap<string, readonly Address[]>;
}

/** Nothing: for a source that knows pools only. */
export const noLiveDeclarations: Omit<LiveDeclarations, 'poolsText'> = {
  writes: new Map(),
  answer: [],
  notes: [],
  reserved: new Map(),
};

/**
 * Declares what is live in a tree whose pool file would be `poolsText`, or is as it stands. Problems: those of the pool
 * file.
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
  const before =
    poolsText ?? new TextDecoder('utf-8', { ignoreBOM: true }).decode(tree.read(poolsPath));
  const read = readPools(poolsPath, new TextEncoder().encode(before));
  if (!read.ok) return read;
  const pools = read.value;
  const wanted = name ?? pools.defaultCluster;
  const cluster = pools.clusters.find((one) => one.name === wanted) ?? pools.clusters[0];
  if (!cluster) return { ok: true, value: { ...noLiveDeclarations, poolsText } };
  const { services, leases, claims, table } = readDeclared(tree, pools);
  const paths = tree.list(leasesFolder).map(({ path }) => path);
  const ground = adoption(live, { pools, cluster, services, leases, claims, table, paths, today });
  const { reserved, adopted, notes } = ground;
  const grouped = [...ground.groups].reduce((text, [group, members]) => {
    const index = pools.anycast.findIndex((one) => one.name === group);
    return index < 0 ? withGroup(text, group, members) : withMembers(text, index, members);
  }, before);
  const after = [...reserved].reduce((text, [pool, addresses]) => {
    const ranges = rangeSetOf(addresses.map((address) => ({ from: address, to: address })));
    return withReserved(
      text,
      pools.pools.findIndex((one) => one.name === pool),
      ranges,
    );
  }, grouped);
  const added = adopted.flatMap(({ path, text }) =>
    text === undefined ? [] : [[path, text] as const],
  );
  return {
    ok: true,
    value: {
      poolsText: after === before ? poolsText : after,
      writes: new Map(added),
      answer: [...adopted].sort(byName).map(answerOf),
      notes,
      reserved,
    },
  };
}

function byName(left: Adopted, right: Adopted): number {
  return compareText(left.kind, right.kind) || compareText(left.name, right.name);
}

function answerOf({ kind, name, addresses, path, text, at }: Adopted): ImportAnswerDeclaration {
  return {
    kind,
    name,
    state: text === undefined ? 'present' : 'added',
    addresses: addresses.map(formatAddress),
    path,
    file: at.file,
    line: at.line,
  };
}

/**
 * What is declared of a live cluster: leases first, since their Services are no declarations of their own, then
 * Services, and what of its addresses can only be reserved.
 */
export function adoption({ services, leasedIPs, taken }: ImportedLive, standing: Standing): Ground {
  const ground = new Ground(standing);
  adoptLeases(leasedIPs, services, ground);
  const leased = new Set(ground.adopted.flatMap(({ addresses }) => addresses.map(formatAddress)));
  const plain = services.filter(({ isOfLease }) => !isOfLease);
  const beside = new Set(
    plain.filter(({ addresses }) =>
      addresses.some((address) => leased.has(formatAddress(address))),
    ),
  );
  for (const { namespace, name, addresses, at } of beside) {
    const reason = 'it is not declared: it shares the address of a lease';
    const others = addresses.filter((address) => !leased.has(formatAddress(address)));
    ground.leave(`Service ${namespace}/${name}`, reason, others, at);
  }
  adoptServices(
    plain.filter((service) => !beside.has(service)),
    ground,
  );
  for (const { address, by, why, at } of taken) {
    if (ground.poolOf(address) === undefined) continue;
    const isDeclared = ground.adopted.some(({ addresses }) =>
      addresses.some((one) => formatAddress(one) === formatAddress(address)),
    );
    if (isDeclared) continue;
    ground.leave(by, why, [address], at);
  }
  return ground;
}
