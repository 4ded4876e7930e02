import { PoolIndex } from '../../core/declarations/pools/pool-index.ts';
import type { SourceTree } from '../../core/interfaces/tree.ts';
import type { History } from '../../core/interfaces/work-tree.ts';
import { claimNamespace } from '../../core/manifests/names.ts';
import { type Allocation, isHeld } from '../../core/model/allocation.ts';
import type { Claim } from '../../core/model/claim.ts';
import { type Day, earlierDay } from '../../core/model/day.ts';
import { holderParts } from '../../core/model/holder.ts';
import { leaseIdText } from '../../core/model/lease.ts';
import { compareText, groupBy, sortedEntries } from '../../core/model/order.ts';
import type { Cluster, Pools } from '../../core/model/pools.ts';
import { type Outcome, ok } from '../../core/model/problem.ts';
import { byAddress, formatAddress } from '../../core/net/address.ts';
import { readWorkspace, type Workspace } from '../../core/tree/workspace.ts';
import { announcedAs } from './announced.ts';
import type { List, ListClaim, ListItem } from './list-answer.ts';
import { lastPromisedDay, snapshotOf, type WorkspaceSnapshot } from './workspace-snapshot.ts';

/** The list of holders with recorded addresses. */
export interface Listing {
  readonly list: List;
  readonly pools: Pools;
  /** The number of declared holders that do not have all their addresses yet. */
  readonly waiting: number;
}

/** Lists the holders of the tree with their held addresses and those retained after release. */
export async function listHolders(
  tree: SourceTree,
  history: History,
  day: Day,
): Promise<Outcome<Listing>> {
  const workspace = await readWorkspace(tree, history);
  if (!workspace.ok) return workspace;
  const list = listFrom(snapshotOf(workspace.value), day);
  const { pools } = workspace.value;
  return ok({ list, pools, waiting: waitingHolders(workspace.value, list) });
}

type ListedSnapshot = Omit<WorkspaceSnapshot, 'problems'>;

/** Lists the holders of a snapshot, by holder. */
export function listFrom(snapshot: ListedSnapshot, day: Day): List {
  const groups = groupBy(snapshot.table.values(), ({ holder, pool, released }) =>
    released ? `${holder} ${released.freeFrom} ${pool}` : `${holder} `,
  );
  const index = new PoolIndex(snapshot.pools);
  const items = sortedEntries(groups).flatMap(([, records]) =>
    pairsOf(records).flatMap((pair) => itemOf(snapshot, index, pair) ?? []),
  );
  return { apiVersion: 'leasehold.dev/v1', kind: 'List', day, items };
}

/** Returns records in order, with one of each family together: a holder may have left several. */
function pairsOf(records: readonly Allocation[]): Allocation[][] {
  const pairs: Allocation[][] = [];
  for (const record of [...records].sort(byAddress)) {
    const pair = pairs.find((other) =>
      other.every(({ address }) => address.family !== record.address.family),
    );
    if (pair) pair.push(record);
    else pairs.push([record]);
  }
  return pairs;
}

function waitingHolders({ holders }: Workspace, { items }: List): number {
  const served = new Map(
    items.flatMap(({ state, holder, addresses }) =>
      state === 'held' ? [[holder, addresses.length] as const] : [],
    ),
  );
  return holders.filter((holder) => (served.get(holder.id) ?? 0) < holder.families.length).length;
}

function itemOf(
  snapshot: ListedSnapshot,
  index: PoolIndex,
  records: readonly Allocation[],
): ListItem | undefined {
  const [first] = records;
  if (!first) return undefined;
  const addresses = records.map(({ address }) => address);
  const beyond = index.publicAddresses(addresses);
  const { pools } = snapshot;
  const own = snapshot.claims.get(first.holder) ?? [];
  const claims = isHeld(first) ? own : [];
  const pool = index.named(first.pool);
  return {
    holder: first.holder,
    cluster: holderParts(first.holder).cluster ?? clustersOf(own),
    pool: first.pool,
    zone: pool?.zone ?? '',
    addresses: addresses.map(formatAddress),
    ...(beyond ? { publicAddresses: beyond.map(formatAddress) } : {}),
    state: isHeld(first) ? 'held' : 'released',
    since: records.map(({ since }) => since).reduce(earlierDay),
    ...(first.released ? { freeFrom: first.released.freeFrom, ...withheldOf(index, records) } : {}),
    ...(isHeld(first) ? lastPromisedDay(snapshot, first.holder) : {}),
    ...(isHeld(first) ? announcedAs(pool, pools, own) : {}),
    claims: listClaims(pools, claims),
  };
}

/** Why no new holder gets the first of these addresses that none gets. Empty when one may get all. */
export function withheldOf(
  index: PoolIndex,
  records: readonly Pick<Allocation, 'address'>[],
): { readonly withheld?: string } {
  const [withheld] = records.flatMap(({ address }) => index.withheld(address) ?? []);
  return withheld === undefined ? {} : { withheld };
}

/** Returns the cluster names in order, separated by commas. */
function clustersOf(claims: readonly Claim[]): string {
  return [...new Set(claims.map(({ cluster }) => cluster))].sort(compareText).join(',');
}

/** Returns claims as `leasehold list` shows them. Claims of undeclared clusters are omitted. */
export function listClaims({ clusters }: Pools, claims: readonly Claim[]): readonly ListClaim[] {
  return claims.flatMap((claim) => {
    const cluster = clusters.find(({ name }) => name === claim.cluster);
    return cluster ? [listClaim(cluster, claim)] : [];
  });
}

export function listClaim(cluster: Cluster, claim: Claim): ListClaim {
  return {
    ...(claim.kind === 'Lease' ? { lease: leaseIdText(claim.lease) } : {}),
    ...(holderParts(claim.holder).cluster === undefined ? { cluster: claim.cluster } : {}),
    namespace: claimNamespace(cluster.naming, claim),
    service: claim.service,
    ...(claim.port === undefined ? {} : { port: claim.port }),
    externalPort: claim.externalPort,
    protocol: claim.protocol,
    ...(claim.dns.length === 0 ? {} : { dns: claim.dns.map(({ name }) => name) }),
    file: `${claim.at.file}:${claim.at.line}`,
  };
}
