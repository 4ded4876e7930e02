import * as z from 'zod';
import { PoolIndex } from '../../core/declarations/pools/pool-index.ts';
import { type AllocationTable, isFree, isHeld, ownerOf } from '../../core/model/allocation.ts';
import type { Day } from '../../core/model/day.ts';
import type { Pools } from '../../core/model/pools.ts';
import { type Outcome, ok } from '../../core/model/problem.ts';
import { byAddress, formatAddress } from '../../core/net/address.ts';
import { check } from '../../core/run/synth/check.ts';
import { type Answer, answeredDay, apiVersion } from '../../core/text/answer.ts';
import { csvText } from '../../core/text/print/escape.ts';
import { committedHistory } from '../../core/tree/workspace.ts';
import { type HistoryPorts, recordLogOf } from '../../lib/history/address-history.ts';
import { zonesIn } from '../../lib/list/owner-usage.ts';

const exportedAddress = z.strictObject({
  address: z.string().describe('In canonical form.'),
  publicAddress: z
    .string()
    .exactOptional()
    .describe('The address by which clients beyond the NAT of its pool reach it.'),
  state: z.enum(['held', 'retained']).describe('retained: released, and not yet free.'),
  holder: z.string().describe('The holder; of a retained address the last one.'),
  owner: z
    .string()
    .describe('An Akash account, cluster/namespace of Services, or anycast/name of a group.'),
  zone: z.string().exactOptional().describe('Absent when no declared pool contains the address.'),
  pool: z.string(),
  since: answeredDay.describe('The day the holder got the address.'),
  freeFrom: answeredDay.exactOptional().describe('Of a retained address: the day it becomes free.'),
  commit: z.string().describe('The commit that last changed the record of the address.'),
});

/** An address that is not free, as other inventories get it. */
export type ExportedAddress = Answer<typeof exportedAddress>;

export const addressExportSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('AddressExport'),
    day: answeredDay.describe('Addresses that are free on this day are left out.'),
    commit: z.string().describe('The commit whose records were read.'),
    items: z.array(exportedAddress).describe('By address, IPv4 first.'),
  })
  .describe('The output of leasehold export addresses -o json.');

export type AddressExport = Answer<typeof addressExportSchema>;

/** The held and retained addresses of a commit, and the pools that it declares. */
export interface CommittedAddresses {
  readonly answer: AddressExport;
  readonly pools: Pools;
  /** True when the clone lacks history, so that the commits of addresses may be wrong. */
  readonly shallow: boolean;
}

/** Reads the addresses of a commit that passes check. Problems: those of {@link check}. */
export async function committedAddresses(
  { commits, log }: HistoryPorts,
  ref: string,
  day: Day,
): Promise<Outcome<CommittedAddresses>> {
  const { id } = await commits.resolve(ref);
  const tree = await commits.tree(id);
  const checked = await check(tree, committedHistory(tree));
  if (!checked.ok) return checked;
  const { workspace, table } = checked.value;
  const { events, shallow } = await recordLogOf({ commits, log }, id);
  const commitOf = (address: string) => events.get(address)?.at(-1)?.event.commit ?? id;
  const items = exportedAddresses(workspace.pools, table, { day, commitOf });
  const answer: AddressExport = {
    ...{ apiVersion: 'leasehold.dev/v1', kind: 'AddressExport', day, commit: id },
    items,
  };
  return ok({ answer, pools: workspace.pools, shallow });
}

/** The addresses of a table that are not free on a day, with the commit of each. */
export function exportedAddresses(
  pools: Pools,
  table: AllocationTable,
  { day, commitOf }: { readonly day: Day; readonly commitOf: (address: string) => string },
): readonly ExportedAddress[] {
  const zoneOf = zonesIn(pools);
  const index = new PoolIndex(pools);
  const records = [...table.values()].filter((record) => !isFree(record, day));
  return records.toSorted(byAddress).map((record) => {
    const address = formatAddress(record.address);
    const [beyond] = index.publicAddresses([record.address]) ?? [];
    const zone = zoneOf(record);
    return {
      address,
      ...(beyond ? { publicAddress: formatAddress(beyond) } : {}),
      state: isHeld(record) ? 'held' : 'retained',
      holder: record.holder,
      owner: ownerOf(record.holder) ?? record.holder,
      ...(zone === undefined ? {} : { zone }),
      pool: record.pool,
      since: record.since,
      ...(record.released ? { freeFrom: record.released.freeFrom } : {}),
      commit: commitOf(address),
    };
  });
}

const csvHeader = 'address,state,holder,owner,zone,pool,since,freeFrom,commit,publicAddress';

/** Returns CSV: a line per address. */
export function addressExportCsv({ items }: Pick<AddressExport, 'items'>): string {
  return csvText(csvHeader, items);
}
