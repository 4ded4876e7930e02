import * as z from 'zod';
import { countedRecords, quotaOf } from '../../core/allocate/quotas.ts';
import { PoolIndex } from '../../core/declarations/pools/pool-index.ts';
import { type Allocation, isFree, isHeld, ownerOf } from '../../core/model/allocation.ts';
import type { Day } from '../../core/model/day.ts';
import { addToGroup, sortedEntries } from '../../core/model/order.ts';
import type { Pools } from '../../core/model/pools.ts';
import { bothFamilies } from '../../core/net/address.ts';
import { type Answer, addressCount, answeredState, apiVersion } from '../../core/text/answer.ts';
import { csvText } from '../../core/text/print/escape.ts';
import { stateColor } from '../../core/text/print/state-color.ts';
import { type Column, type TableStyle, tableText } from '../../core/text/print/table.ts';
import type { WorkspaceSnapshot } from './workspace-snapshot.ts';

/** The number of addresses of one family that an owner has in a zone. */
const ownerPart = z.strictObject({
  zone: z.string().exactOptional().describe('Absent when no declared pool contains the addresses.'),
  family: z.enum(bothFamilies),
  held: addressCount,
  retained: addressCount,
});

type OwnerPart = Answer<typeof ownerPart>;

const ownerUsage = z.strictObject({
  owner: z.string().describe('An Akash account, or cluster/namespace of Services.'),
  held: addressCount,
  retained: addressCount.describe('Released, and still kept for the owner.'),
  quota: addressCount.exactOptional().describe('Absent when there is no quota.'),
  left: addressCount.exactOptional().describe('How many more addresses the owner may get.'),
  parts: z.array(ownerPart).describe('By zone, then IPv4 first.'),
});
type OwnerUsage = Answer<typeof ownerUsage>;

export const ownerUsagesSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('OwnerUsages'),
    ...answeredState,
    items: z.array(ownerUsage).describe('By owner.'),
  })
  .describe('The output of leasehold pools --owners -o json.');

export type OwnerUsages = Answer<typeof ownerUsagesSchema>;

/**
 * Counts the addresses of every owner on a day, as quotas count them (`allocate/quotas.ts`). Owners
 * with held or retained addresses and owners with a quota of their own are listed. Anycast groups
 * have no owner and are not counted.
 */
export function ownerUsages({ pools, table }: WorkspaceSnapshot, day: Day): OwnerUsages {
  const records = new Map([...pools.quotas.owners.keys()].map((owner): Owned => [owner, []]));
  for (const record of countedRecords(pools, table).values()) {
    const owner = ownerOf(record.holder);
    if (owner === undefined || isFree(record, day)) continue;
    addToGroup(records, owner, record);
  }
  const zoneOf = zonesIn(pools);
  const items = sortedEntries(records).map(([owner, own]) =>
    usageOf(owner, partsOf(own, zoneOf), pools),
  );
  return { apiVersion: 'leasehold.dev/v1', kind: 'OwnerUsages', day, items };
}

type Owned = [owner: string, records: Allocation[]];

/** Returns the zone that contains an address, or else the zone of the recorded pool. */
type ZoneOf = (record: Pick<Allocation, 'address' | 'pool'>) => string | undefined;

/** The zones of addresses, as a pool file has them. */
export function zonesIn(pools: Pools): ZoneOf {
  const index = new PoolIndex(pools);
  const named = new Map(pools.pools.map((pool) => [pool.name, pool]));
  return ({ address, pool }) => (index.of(address) ?? named.get(pool))?.zone;
}

function usageOf(owner: string, parts: readonly OwnerPart[], { quotas }: Pools): OwnerUsage {
  const held = parts.reduce((sum, part) => sum + Number(part.held), 0);
  const retained = parts.reduce((sum, part) => sum + Number(part.retained), 0);
  const own = { owner, held: String(held), retained: String(retained) };
  const quota = quotaOf(quotas, owner);
  if (quota === undefined) return { ...own, parts };
  const left = String(Math.max(0, quota - held - retained));
  return { ...own, quota: String(quota), left, parts };
}

function partsOf(records: readonly Allocation[], zoneOf: ZoneOf): readonly OwnerPart[] {
  const parts = new Map<string, OwnerPart>();
  for (const record of records) {
    const { family } = record.address;
    const zone = zoneOf(record);
    const key = `${zone ?? ''} ${family}`;
    const { held, retained } = parts.get(key) ?? { held: '0', retained: '0' };
    const more = isHeld(record) ? 1 : 0;
    const counts = {
      family,
      held: String(Number(held) + more),
      retained: String(Number(retained) + 1 - more),
    };
    parts.set(key, zone === undefined ? counts : { zone, ...counts });
  }
  return sortedEntries(parts).map(([, part]) => part);
}

export const ownerOrders = ['owner', 'use', 'left'] as const;

/**
 * Returns the usages in another order: `use` begins with the most addresses, `left` with the least
 * that a quota leaves.
 */
export function sortedOwners(
  usages: OwnerUsages,
  order: (typeof ownerOrders)[number],
): OwnerUsages {
  if (order === 'owner') return usages;
  const keyOf = ({ held, retained, left = 'Infinity' }: OwnerUsage) =>
    order === 'use' ? -Number(held) - Number(retained) : Number(left);
  const items = usages.items.toSorted((one, other) => Math.sign(keyOf(one) - keyOf(other)) || 0);
  return { ...usages, items };
}

const columns: readonly Column<OwnerUsage>[] = [
  { name: 'OWNER', cell: ({ owner }) => owner, prose: 'name' },
  {
    name: 'HELD',
    cell: ({ held }) => held,
    color: (_, paint) => stateColor('held', paint),
  },
  {
    name: 'RETAINED',
    cell: ({ retained }) => retained,
    color: (_, paint) => stateColor('retained', paint),
  },
  { name: 'QUOTA', cell: ({ quota }) => quota ?? '-' },
  { name: 'LEFT', cell: ({ left }) => left ?? '-' },
  { name: 'WHERE', cell: ({ parts }) => parts.map(partText), separator: ', ', few: true, drop: 1 },
];

/** Returns a table with a line per owner. The last column lists zones and families. */
export function ownerUsageTable({ items }: OwnerUsages, style: TableStyle): string {
  return tableText(columns, items, style);
}

/** Returns `2 of inet ipv4`, or `1 + 1 retained of inet ipv4`. */
function partText({ zone = 'no zone', family, held, retained }: OwnerPart): string {
  return `${held}${retained !== '0' ? ` + ${retained} retained` : ''} of ${zone} ${family}`;
}

/** Returns CSV: a line per owner, zone and family. The columns named `owner*` are per owner. */
export function ownerUsageCsv({ items }: OwnerUsages): string {
  const header = 'owner,zone,family,held,retained,ownerHeld,ownerRetained,ownerQuota,ownerLeft';
  const rows = items.flatMap(({ owner, held, retained, quota, left, parts }): object[] => {
    const whole = { ownerHeld: held, ownerRetained: retained, ownerQuota: quota, ownerLeft: left };
    const none = { held: '0', retained: '0' };
    return (parts.length === 0 ? [none] : parts).map((part) => ({ owner, ...part, ...whole }));
  });
  return csvText(header, rows);
}
