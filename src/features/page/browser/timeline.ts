import { compareAddresses, isAddress, parseAddress } from '../../../core/net/address.ts';
import type { FamilyUsage } from '../../../lib/list/pool-usage-answer.ts';
import type {
  Picture,
  PictureHostname,
  PicturePeriod,
  PicturePool,
  PictureRecord,
} from '../picture-answer.ts';
import { bareState, type IndexedRecord, PictureIndex, type Space } from './picture-index.ts';

/** The days on which records or pools changed, oldest first. The last one is the day of the picture. */
export function changeDays({ day, past }: Picture): readonly string[] {
  const { commits = [], poolFiles = [] } = past ?? {};
  const days = new Set([
    ...commits.map(({ at }) => at.slice(0, 10)),
    ...poolFiles.map(({ from }) => from),
  ]);
  return [...[...days].filter((one) => one < day).sort(), day];
}

/**
 * The picture at the end of an earlier day, from the histories: with the pools of that day, and the claims
 * of now. Periods that the picture leaves out are missing.
 */
export function pastIndex(now: PictureIndex, day: string): PictureIndex {
  const { picture } = now;
  const { commits = [], addresses = [], hostnames: names = [] } = picture.past ?? {};
  const dayOf = ({ by }: PicturePeriod) => commits[by]?.at.slice(0, 10) ?? '';
  const tenureIn = (periods: readonly PicturePeriod[]) => {
    const period = periods.findLast((one) => dayOf(one) <= day);
    return period && tenureOf(period, dayOf(period));
  };
  const declared = poolsOn(picture, day);
  const bare = new PictureIndex({ ...picture, pools: declared, records: [] });
  const records = addresses.flatMap(({ address, periods }) => {
    const tenure = tenureIn(periods);
    const pool = (bare.spaceOfText(address)?.pool ?? now.recordOf(address)?.record)?.pool ?? '';
    return tenure ? [{ address, pool, ...tenure }] : [];
  });
  const hostnames = names.flatMap(({ hostname, periods }) => {
    const tenure = tenureIn(periods);
    return tenure ? [hostnameIn(now, hostname, tenure)] : [];
  });
  const known = { ...picture };
  delete known.forecasts;
  delete known.stale;
  const sorted = sortedRecords(records);
  const then = {
    day,
    problems: 0,
    pools: declared,
    records: sorted,
    hostnames,
    waitingHostnames: [],
  };
  const found = new PictureIndex({ ...known, ...then });
  const pools = declared.map((pool) => ({
    ...pool,
    families: pool.families.map((usage) => usageIn(found, pool.pool, usage)),
  }));
  return new PictureIndex({ ...found.picture, pools }, true);
}

/** The pools at the end of a day; before the first pool file that is known, those of that one. */
function poolsOn({ pools, past }: Picture, day: string): readonly PicturePool[] {
  const { pools: known = [], poolFiles = [] } = past ?? {};
  const file = poolFiles.findLast(({ from }) => from <= day) ?? poolFiles[0];
  return file ? file.pools.flatMap((at) => known[at] ?? []) : pools;
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

/** Who had an address or a hostname in a period; undefined for a period without a holder. */
type PastTenure = Pick<PictureRecord, 'holder' | 'state' | 'since' | 'freeFrom'>;

function tenureOf(
  { state, holder, freeFrom }: PicturePeriod,
  since: string,
): PastTenure | undefined {
  if ((state !== 'held' && state !== 'released') || holder === undefined) return undefined;
  return { holder, state, since, ...(freeFrom === undefined ? {} : { freeFrom }) };
}

/** With the route of now, if the holder is the same. */
function hostnameIn(now: PictureIndex, hostname: string, tenure: PastTenure): PictureHostname {
  const own = now.hostnameOf(hostname)?.record;
  const isSame = own?.state === 'held' && tenure.state === 'held' && own.holder === tenure.holder;
  return { ...(isSame ? own : {}), hostname, ...tenure };
}

function usageIn(index: PictureIndex, pool: string, usage: FamilyUsage): FamilyUsage {
  const space = index.spaces.find((one) => one.pool.pool === pool && one.family === usage.family);
  const used = space?.records.filter(({ state }) => state !== 'free') ?? [];
  const held = used.filter(({ state }) => state === 'held').length;
  const usable = BigInt(usage.total) - BigInt(usage.reserved);
  const free = usable - BigInt(used.filter((record) => space && isUsable(space, record)).length);
  const percent = usable === 0n ? 0 : Number(((usable - free) * 100n) / usable);
  const left = usage.draining === undefined ? { free: String(free) } : { draining: String(free) };
  return { ...usage, held: String(held), retained: String(used.length - held), ...left, percent };
}

function isUsable(space: Space, { address }: IndexedRecord): boolean {
  return bareState(space, address) === 'free';
}
