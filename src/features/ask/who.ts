import * as z from 'zod';
import { PoolIndex } from '../../declarations/pools/pool-index.ts';
import { claimNamespace } from '../../manifests/names.ts';
import { type Allocation, isHeld } from '../../model/allocation.ts';
import type { Claim } from '../../model/claim.ts';
import { leaseIdText } from '../../model/lease.ts';
import { compareText } from '../../model/order.ts';
import type { Pool, Pools } from '../../model/pools.ts';
import type { Question } from '../../model/question.ts';
import { serviceIdText } from '../../model/service.ts';
import { type Address, byAddress, formatAddress, isBuggyIP } from '../../net/address.ts';
import { rangeHas } from '../../net/range.ts';
import { setHas } from '../../net/range-set.ts';
import { type Answer, answeredCommit, answeredDay, apiVersion } from '../../text/answer.ts';
import { listClaims } from './list.ts';
import { listClaimSchema } from './list-answer.ts';
import type { WorkspaceSnapshot } from './workspace-snapshot.ts';

/**
 * The state of an address:
 *
 * - `held`: it has a holder.
 * - `released`: it is still recorded for its last holder.
 * - `free`: it has no record.
 * - `reserved`: it is never allocated: reserved, or skipped because of `avoidBuggyIPs`.
 * - `in no pool`: no pool contains it.
 */
const addressStates = ['held', 'released', 'free', 'reserved', 'in no pool'] as const;

type WhoState = (typeof addressStates)[number];

const whoItem = z.strictObject({
  address: z.string().describe('In canonical form.'),
  state: z.enum(addressStates),
  pool: z.string().exactOptional(),
  zone: z.string().exactOptional(),
  holder: z.string().exactOptional().describe('After release, the last holder.'),
  since: answeredDay
    .exactOptional()
    .describe('The day the address was allocated to the holder, UTC.'),
  released: z
    .strictObject({
      on: answeredDay,
      freeFrom: answeredDay.describe('The first day the address is free for any holder.'),
    })
    .exactOptional(),
  file: z.string().exactOptional().describe('The allocation file.'),
  claims: z.array(listClaimSchema).describe('The claims served on the address.'),
});

export type WhoItem = Answer<typeof whoItem>;

export const whoSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Who'),
    day: answeredDay.describe('The day the answer is for.'),
    ...answeredCommit,
    asked: z.string().describe('The query, as typed.'),
    items: z.array(whoItem).describe('By address, IPv4 first.'),
  })
  .describe('The output of leasehold who -o json.');

export type Who = Answer<typeof whoSchema>;

/** The addresses that match a query. */
export interface WhoMatches {
  /** Sorted by address, IPv4 first. For a range, only recorded addresses. */
  readonly items: readonly WhoItem[];
  /** Matching declared holders without an address. */
  readonly waiting: readonly string[];
}

/**
 * Finds the holders of an address, of the recorded addresses of a range, or of the addresses of a
 * name: a holder, an owner, a dseq, a lease id, a sharing key, a service or a namespace. A name
 * must match exactly.
 */
export function whoHas(question: Question, snapshot: WorkspaceSnapshot): WhoMatches {
  const index = new PoolIndex(snapshot.pools);
  if (question.kind === 'address') {
    const record = snapshot.table.get(formatAddress(question.address));
    const item = record ? recordedItem(record, index, snapshot) : bareItem(question.address, index);
    return { items: [item], waiting: [] };
  }
  if (question.kind === 'name') {
    const { records, waiting } = namedIn(snapshot, question.name);
    return { items: records.map((record) => recordedItem(record, index, snapshot)), waiting };
  }
  if (question.kind === 'nothing') return { items: [], waiting: [] };
  const isMeant = ({ address }: Allocation): boolean => rangeHas(question.range, address);
  return { items: itemsOf(snapshot, index, isMeant), waiting: [] };
}

/** Returns every recorded address, IPv4 first. */
export function allRecorded(snapshot: WorkspaceSnapshot): readonly WhoItem[] {
  return itemsOf(snapshot, new PoolIndex(snapshot.pools), () => true);
}

function itemsOf(
  snapshot: WorkspaceSnapshot,
  index: PoolIndex,
  test: (record: Allocation) => boolean,
): readonly WhoItem[] {
  return [...snapshot.table.values()]
    .filter(test)
    .sort(byAddress)
    .map((record) => recordedItem(record, index, snapshot));
}

function recordedItem(
  record: Allocation,
  index: PoolIndex,
  { claims, pools }: WorkspaceSnapshot,
): WhoItem {
  const { address, holder, since, released, at } = record;
  const pool = index.of(address) ?? index.named(record.pool);
  return {
    address: formatAddress(address),
    state: isHeld(record) ? 'held' : 'released',
    pool: pool?.name ?? record.pool,
    ...(pool ? { zone: pool.zone } : {}),
    holder,
    since,
    ...(released ? { released } : {}),
    ...(at ? { file: at.file } : {}),
    claims: isHeld(record) ? listClaims(pools, claims.get(holder) ?? []) : [],
  };
}

function bareItem(address: Address, index: PoolIndex): WhoItem {
  const pool = index.of(address);
  return {
    address: formatAddress(address),
    state: bareState(address, pool),
    ...(pool ? { pool: pool.name, zone: pool.zone } : {}),
    claims: [],
  };
}

function bareState(address: Address, pool: Pool | undefined): WhoState {
  if (!pool) return 'in no pool';
  const isLeftOut = pool.avoidBuggyIPs && isBuggyIP(address);
  return isLeftOut || setHas(pool.reserved, address) ? 'reserved' : 'free';
}

/** The records and holders that a name refers to. */
interface Named {
  /** By address, IPv4 first. */
  readonly records: readonly Allocation[];
  /** Declared holders without an address, sorted by id. */
  readonly waiting: readonly string[];
}

const nothing: Named = { records: [], waiting: [] };

const indexes = new WeakMap<WorkspaceSnapshot, ReadonlyMap<string, Named>>();

/** Looks up a whole name. The index of a snapshot is built once, on the first lookup. */
function namedIn(snapshot: WorkspaceSnapshot, name: string): Named {
  const index = indexes.get(snapshot) ?? indexOf(snapshot);
  indexes.set(snapshot, index);
  return index.get(name) ?? nothing;
}

function indexOf({ pools, table, claims }: WorkspaceSnapshot): ReadonlyMap<string, Named> {
  const index = new Map<string, { records: Allocation[]; waiting: string[] }>();
  const named = (name: string) => {
    const found = index.get(name) ?? { records: [], waiting: [] };
    index.set(name, found);
    return found;
  };
  const serving = new Set<string>();
  for (const record of [...table.values()].sort(byAddress)) {
    const own = isHeld(record) ? (claims.get(record.holder) ?? []) : [];
    if (isHeld(record)) serving.add(record.holder);
    for (const name of namesOf(record.holder, own, pools)) named(name).records.push(record);
  }
  const waiting = [...claims].filter(([holder]) => !serving.has(holder));
  for (const [holder, own] of waiting.sort(([left], [right]) => compareText(left, right))) {
    for (const name of namesOf(holder, own, pools)) named(name).waiting.push(holder);
  }
  return index;
}

/**
 * Returns the names of a holder: its id, its sharing key and its owner, which need no declaration,
 * and the names of each of its claims.
 */
function namesOf(holder: string, claims: readonly Claim[], pools: Pools): ReadonlySet<string> {
  const key = holder.split('/').at(-1) ?? '';
  const names = new Set([holder, key]);
  const account = /^(akash1[a-z\d]+)-ip-/.exec(key)?.[1];
  if (account !== undefined) names.add(account);
  for (const claim of claims) {
    for (const name of claimNames(claim)) names.add(name);
    const cluster = pools.clusters.find((candidate) => candidate.name === claim.cluster);
    if (cluster) names.add(claimNamespace(cluster.naming, claim));
  }
  return names;
}

/**
 * Returns the names of a claim: the service; for a lease its dseq, its id and each prefix of the
 * id; for a Service or Reservation `namespace/name`, `service/namespace/name` and its declared
 * sharing key.
 */
function claimNames(claim: Claim): readonly string[] {
  if (claim.kind === 'Lease') {
    const parts = leaseIdText(claim.lease).split('/');
    const beginnings = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    return [claim.service, claim.lease.dseq, ...beginnings];
  }
  const { namespace, name, sharingKey } = claim.declared;
  const names = [claim.service, `${namespace}/${name}`, serviceIdText(claim.declared)];
  return sharingKey === undefined ? names : [...names, sharingKey];
}
