import { PoolIndex } from '../../allocate/pool-index.ts';
import { claimNamespace } from '../../manifests/names.ts';
import { type Allocation, isHeld } from '../../model/allocation.ts';
import type { Claim, LeaseClaim, ServiceClaim } from '../../model/claim.ts';
import { leaseIdText } from '../../model/lease.ts';
import { compareText } from '../../model/order.ts';
import type { Pool, Pools } from '../../model/pools.ts';
import type { Question } from '../../model/question.ts';
import { serviceIdText } from '../../model/service.ts';
import type { AddressState, WhoItem } from '../../model/who.ts';
import { type Address, compareAddresses, formatAddress, isBuggyIP } from '../../net/address.ts';
import { rangeHas } from '../../net/range.ts';
import { setHas } from '../../net/range-set.ts';
import type { Known } from './known.ts';
import { listClaims } from './list.ts';

/** The addresses that a question is about, and holders it names that are declared and have none yet. */
export interface Answer {
  /** By address, IPv4 first. Of a range, those that are recorded. */
  readonly items: readonly WhoItem[];
  readonly waiting: readonly string[];
}

/**
 * Who has what a question names: an address, the recorded ones of a range, or those of a holder, an owner, a
 * dseq, a lease id, a sharing key, a service or a namespace. A name matches whole.
 */
export function whoHas(question: Question, known: Known): Answer {
  const index = new PoolIndex(known.pools);
  if (question.kind === 'address') {
    const record = known.table.get(formatAddress(question.address));
    const item = record ? recordedItem(record, index, known) : bareItem(question.address, index);
    return { items: [item], waiting: [] };
  }
  const items = itemsOf(known, index, (record) => isMeant(question, record, known));
  return { items, waiting: waitingHolders(question, known) };
}

/** Every address that is recorded, IPv4 first. */
export function allRecorded(known: Known): readonly WhoItem[] {
  return itemsOf(known, new PoolIndex(known.pools), () => true);
}

function itemsOf(
  known: Known,
  index: PoolIndex,
  test: (record: Allocation) => boolean,
): readonly WhoItem[] {
  return [...known.table.values()]
    .filter(test)
    .sort((left, right) => compareAddresses(left.address, right.address))
    .map((record) => recordedItem(record, index, known));
}

function isMeant(question: Question, record: Allocation, known: Known): boolean {
  if (question.kind === 'range') return rangeHas(question.range, record.address);
  if (question.kind !== 'name') return false;
  if (isHolderNamed(question.name, record.holder)) return true;
  return (
    isHeld(record) && isClaimNamed(question.name, known.claims.get(record.holder), known.pools)
  );
}

/** A holder by its id, its sharing key, or its owner; also one whose declarations are gone. */
function isHolderNamed(name: string, holder: string): boolean {
  const key = holder.split('/').at(-1) ?? '';
  return name === holder || name === key || (isAccount(name) && key.startsWith(`${name}-ip-`));
}

function isAccount(name: string): boolean {
  return /^akash1[a-z\d]+$/.test(name);
}

function isClaimNamed(name: string, claims: readonly Claim[] | undefined, pools: Pools): boolean {
  return (claims ?? []).some((claim) => {
    if (name === claim.service) return true;
    if (claim.kind === 'Lease' ? isLeaseNamed(name, claim) : isServiceNamed(name, claim))
      return true;
    const cluster = pools.clusters.find((candidate) => candidate.name === claim.cluster);
    return cluster !== undefined && claimNamespace(cluster.naming, claim) === name;
  });
}

/** A lease by its dseq, its id, or the beginning of that. */
function isLeaseNamed(text: string, { lease }: LeaseClaim): boolean {
  return text === lease.dseq || `${leaseIdText(lease)}/`.startsWith(`${text}/`);
}

/** A Service or Reservation by `namespace/name`, also after `service/`, or by its sharing key as it was written. */
function isServiceNamed(text: string, { declared }: ServiceClaim): boolean {
  const { namespace, name, sharingKey } = declared;
  return text === `${namespace}/${name}` || text === serviceIdText(declared) || text === sharingKey;
}

function waitingHolders(question: Question, { claims, pools, table }: Known): readonly string[] {
  if (question.kind !== 'name') return [];
  const served = new Set([...table.values()].filter(isHeld).map(({ holder }) => holder));
  return [...claims]
    .filter(([holder]) => !served.has(holder))
    .filter(
      ([holder, own]) =>
        isHolderNamed(question.name, holder) || isClaimNamed(question.name, own, pools),
    )
    .map(([holder]) => holder)
    .sort(compareText);
}

function recordedItem(record: Allocation, index: PoolIndex, { claims, pools }: Known): WhoItem {
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

function bareState(address: Address, pool: Pool | undefined): AddressState {
  if (!pool) return 'in no pool';
  const isLeftOut = pool.avoidBuggyIPs && isBuggyIP(address);
  return isLeftOut || setHas(pool.reserved, address) ? 'reserved' : 'free';
}
