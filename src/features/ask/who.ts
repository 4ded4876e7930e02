import * as z from 'zod';
import { PoolIndex } from '../../declarations/pools/pool-index.ts';
import { type Allocation, isHeld } from '../../model/allocation.ts';
import type { Pool } from '../../model/pools.ts';
import type { Question } from '../../model/question.ts';
import { type Address, compareAddresses, formatAddress, isBuggyIP } from '../../net/address.ts';
import { rangeHas } from '../../net/range.ts';
import { setHas } from '../../net/range-set.ts';
import { type Answer, answeredDay, apiVersion } from '../../text/answer.ts';
import { columns } from '../../text/print/columns.ts';
import { csvText } from '../../text/print/csv.ts';
import { plain } from '../../text/print/plain.ts';
import { listClaims } from './list.ts';
import { type ListClaim, listClaimSchema } from './list-answer.ts';
import { namedIn } from './name-index.ts';
import type { Known } from './workspace-snapshot.ts';

/**
 * How it stands with an address: somebody holds it; it is released and recorded for its last holder; it is free, and
 * nobody is recorded; it is never given out (reserved, or left out by `avoidBuggyIPs`); or no pool has it.
 */
const addressStates = ['held', 'released', 'free', 'reserved', 'in no pool'] as const;

/** One of {@link addressStates}. */
export type AddressState = (typeof addressStates)[number];

/** One address and who has it. */
const whoItem = z.strictObject({
  address: z.string().describe('In canonical form.'),
  state: z.enum(addressStates),
  pool: z.string().exactOptional(),
  zone: z.string().exactOptional(),
  holder: z.string().exactOptional().describe('Once released, who held it last.'),
  since: answeredDay.exactOptional().describe('The day the holder got it, UTC.'),
  released: z
    .strictObject({
      on: answeredDay,
      freeFrom: answeredDay.describe('The first day on which anyone may get it.'),
    })
    .exactOptional(),
  file: z.string().exactOptional().describe('Its allocation file.'),
  claims: z.array(listClaimSchema).describe('What stands on it.'),
});

export type WhoItem = Answer<typeof whoItem>;

/** What `leasehold who -o json` prints. */
export const whoSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Who'),
    asked: z.string().describe('What was asked for, as typed.'),
    items: z.array(whoItem).describe('By address, IPv4 first.'),
  })
  .describe('What leasehold who -o json prints.');

export type Who = Answer<typeof whoSchema>;

/** The addresses that a question is about, and holders it names that are declared and have none yet. */
export interface WhoMatches {
  /** By address, IPv4 first. Of a range, those that are recorded. */
  readonly items: readonly WhoItem[];
  readonly waiting: readonly string[];
}

/**
 * Who has what a question names: an address, the recorded ones of a range, or those of a holder, an owner, a
 * dseq, a lease id, a sharing key, a service or a namespace. A name matches whole.
 */
export function whoHas(question: Question, known: Known): WhoMatches {
  const index = new PoolIndex(known.pools);
  if (question.kind === 'address') {
    const record = known.table.get(formatAddress(question.address));
    const item = record ? recordedItem(record, index, known) : bareItem(question.address, index);
    return { items: [item], waiting: [] };
  }
  if (question.kind === 'name') {
    const { records, waiting } = namedIn(known, question.name);
    return { items: records.map((record) => recordedItem(record, index, known)), waiting };
  }
  if (question.kind === 'nothing') return { items: [], waiting: [] };
  const isMeant = ({ address }: Allocation): boolean => rangeHas(question.range, address);
  return { items: itemsOf(known, index, isMeant), waiting: [] };
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

/** The answer as a table: a line per address, and below it one per claim that stands on it; of a terminal's width, if there is one. */
export function whoTable({ items }: Who, width?: number): string {
  const header = ['ADDRESS', 'STATE', 'POOL', 'ZONE', 'HOLDER'];
  const [first = '', ...lines] = columns([header, ...items.map(row)], {
    width,
    order: [4, 1, 3, 2],
  }).split(/(?<=\n)/);
  const claims = items.map((item) => claimLines(item.claims, width));
  return [first, ...lines.map((line, index) => `${line}${claims[index] ?? ''}`)].join('');
}

function row({ address, pool, zone, holder, ...rest }: WhoItem): string[] {
  return [address, stateText(rest), pool ?? '-', zone ?? '-', holder ?? '-'].map(plain);
}

function stateText({
  state,
  since,
  released,
}: Pick<WhoItem, 'state' | 'since' | 'released'>): string {
  if (released) return `released ${released.on}, free from ${released.freeFrom}`;
  return since === undefined ? state : `${state} since ${since}`;
}

function claimLines(claims: readonly ListClaim[], width: number | undefined): string {
  const rows = claims.map(
    ({ cluster, namespace, service, externalPort, protocol, lease, file }) => {
      const whose = cluster === undefined ? namespace : `${cluster}/${namespace}`;
      return [`  ${service}`, `${externalPort}/${protocol}`, lease ?? whose, file].map(plain);
    },
  );
  return columns(rows, { width, order: [2, 3, 0] });
}

const csvHeader =
  'address,state,pool,zone,holder,since,releasedOn,freeFrom,record,lease,namespace,service,port,externalPort,protocol,file';

/** The answer as CSV: a line per claim, and one for an address without claims. */
export function whoCsv({ items }: Who): string {
  const rows = items.flatMap((item) => {
    const { address, state, pool = '', zone = '', holder = '', since = '', file = '' } = item;
    const { on = '', freeFrom = '' } = item.released ?? {};
    const own = [address, state, pool, zone, holder, since, on, freeFrom, file];
    return item.claims.length === 0
      ? [[...own, '', '', '', '', '', '', '']]
      : item.claims.map((claim) => [...own, ...claimCells(claim)]);
  });
  return csvText([csvHeader.split(','), ...rows]);
}

function claimCells(claim: ListClaim): string[] {
  const { lease = '', namespace, service, port = '', externalPort, protocol, file } = claim;
  return [lease, namespace, service, String(port), String(externalPort), protocol, file];
}
