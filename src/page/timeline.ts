import type { FamilyUsage } from '../features/ask/pool-usage-answer.ts';
import type { Picture, PicturePeriod, PictureRecord } from '../features/picture/picture-answer.ts';
import { compareAddresses, isAddress, parseAddress } from '../net/address.ts';
import { bareState, type IndexedRecord, PictureIndex, type Space } from './picture-index.ts';

/** The days on which records changed, oldest first. The last one is the day of the picture. */
export function changeDays({ day, past }: Picture): readonly string[] {
  const days = new Set((past?.commits ?? []).map(({ at }) => at.slice(0, 10)));
  return [...[...days].filter((one) => one < day).sort(), day];
}

/**
 * The picture at the end of an earlier day, from the histories: pools and claims are those of now,
 * and periods that the picture leaves out are missing. It has no hostnames: histories are of addresses.
 */
export function pastIndex(now: PictureIndex, day: string): PictureIndex {
  const { picture } = now;
  const { commits = [], addresses = [] } = picture.past ?? {};
  const dayOf = ({ by }: PicturePeriod) => commits[by]?.at.slice(0, 10) ?? '';
  const records = addresses.flatMap(({ address, periods }) => {
    const period = periods.findLast((one) => dayOf(one) <= day);
    return period ? recordIn(now, address, period, dayOf(period)) : [];
  });
  const known = { ...picture };
  delete known.forecasts;
  delete known.stale;
  delete known.hostnames;
  const sorted = sortedRecords(records);
  const found = new PictureIndex({ ...known, day, problems: 0, records: sorted });
  const pools = picture.pools.map((pool) => ({
    ...pool,
    families: pool.families.map((usage) => usageIn(found, pool.pool, usage)),
  }));
  return new PictureIndex({ ...found.picture, pools }, true);
}

function sortedRecords(records: readonly PictureRecord[]): readonly PictureRecord[] {
  return records
    .flatMap((record) => {
      const address = parseAddress(record.address);
      return isAddress(address) ? [{ address, record }] : [];
    })
    .sort((one, other) => compareAddresses(one.address, other.address))
    .map(({ record }) => record);
}

function recordIn(
  now: PictureIndex,
  address: string,
  { state, holder, freeFrom }: PicturePeriod,
  since: string,
): readonly PictureRecord[] {
  if ((state !== 'held' && state !== 'released') || holder === undefined) return [];
  const pool = now.recordOf(address)?.record.pool ?? now.spaceOfText(address)?.pool.pool ?? '';
  return [{ address, pool, holder, state, since, ...(freeFrom === undefined ? {} : { freeFrom }) }];
}

function usageIn(index: PictureIndex, pool: string, usage: FamilyUsage): FamilyUsage {
  const space = index.spaces.find((one) => one.pool.pool === pool && one.family === usage.family);
  const used = space?.records.filter(({ state }) => state !== 'free') ?? [];
  const held = used.filter(({ state }) => state === 'held').length;
  const usable = BigInt(usage.total) - BigInt(usage.reserved);
  const free = usable - BigInt(used.filter((record) => space && isUsable(space, record)).length);
  const percent = usable === 0n ? 0 : Number(((usable - free) * 100n) / usable);
  const counts = { held: String(held), retained: String(used.length - held), free: String(free) };
  return { ...usage, ...counts, percent };
}

function isUsable(space: Space, { address }: IndexedRecord): boolean {
  return bareState(space, address) === 'free';
}
