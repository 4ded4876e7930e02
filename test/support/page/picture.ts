import {
  type Family,
  formatAddress,
  isAddress,
  parseAddress,
} from '../../../src/core/net/address.ts';
import { isRange, parseRange, rangeSize } from '../../../src/core/net/range.ts';
import type {
  Picture,
  PictureHolder,
  PictureHostname,
  PicturePool,
  PictureRecord,
} from '../../../src/features/page/picture-answer.ts';

/** A pool of a made-up picture, and how many of its addresses are held, spread evenly. */
export interface MadePool {
  readonly pool: string;
  readonly range: string;
  readonly held: number;
  readonly reserved?: readonly string[];
  readonly nat?: PicturePool['nat'];
}

/** A picture with this many leases; each seventh address in use is retained. `text` stands in each service's name. */
export function pictured(pools: readonly MadePool[], text = 'web'): Picture {
  const parts = pools.map((pool) => ({ pool, records: recordsOf(pool) }));
  const records = parts.flatMap((part) => part.records);
  return {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Picture',
    revision: { commit: 'a1b2c3d4'.repeat(5), at: '2026-11-20' },
    day: '2026-11-20',
    problems: 0,
    pools: parts.map((part) => poolOf(part.pool, part.records)),
    records,
    holders: records.map((record) => holderOf(record, text)),
    hostnames: [],
    waitingHostnames: [],
    past: {
      shallow: false,
      commits: [
        {
          commit: 'f'.repeat(40),
          at: '2026-01-02T10:00:00Z',
          author: text,
          subject: `Lease ${text}`,
        },
      ],
      addresses: records.slice(0, 5).map(({ address, holder }) => ({
        address,
        periods: [{ state: 'held', holder, event: 'given', by: 0 }],
      })),
      hostnames: [],
      pools: [],
      poolFiles: [],
    },
    forecasts: [
      {
        pool: pools[0]?.pool ?? '',
        zone: 'dc1',
        family: familyOf(pools[0]?.range ?? ''),
        free: '10',
        points: [
          { day: '2026-01-02', held: '1', retained: '0' },
          { day: '2026-06-02', held: '9', retained: '2' },
          { day: '2026-10-12', held: '14', retained: '1' },
        ],
        window: { from: '2026-08-22', to: '2026-11-20' },
        growth: '0.044',
        outlook: 'exhausts',
        exhausted: '2027-07-05',
      },
    ],
  };
}

function recordsOf({ pool, range, held }: MadePool): readonly PictureRecord[] {
  const parsed = parseRange(range);
  if (!isRange(parsed)) throw new Error(range);
  const step = rangeSize(parsed) / BigInt(held + 1);
  return Array.from({ length: held }, (_, number): PictureRecord => {
    const value = parsed.from.value + BigInt(number + 1) * step;
    const record = {
      address: formatAddress({ family: parsed.from.family, value }),
      pool,
      holder: `lab/akash1owner${number % 50}-ip-${pool}${number}`,
      since: '2026-02-03',
    };
    return number % 7 === 6
      ? { ...record, state: 'released', freeFrom: '2026-12-01' }
      : { ...record, state: 'held' };
  });
}

function holderOf(record: PictureRecord, text: string): PictureHolder {
  const { holder, address } = record;
  if (record.state === 'released') return { holder, cluster: 'lab', claims: [] };
  const number = address.replace(/\D/g, '');
  return {
    holder,
    cluster: 'lab',
    claims: [
      {
        lease: `akash1owner/${number}/1/1/akash1provider`,
        namespace: `tenant-${number}`,
        service: text,
        externalPort: 443,
        protocol: 'TCP',
        file: `leases/owner/${number}.yaml:12`,
      },
    ],
  };
}

function poolOf({ pool, range, reserved = [], nat }: MadePool, records: readonly PictureRecord[]) {
  const parsed = parseRange(range);
  if (!isRange(parsed)) throw new Error(range);
  const total = rangeSize(parsed);
  const kept = reserved
    .map(parseRange)
    .reduce((sum, each) => sum + (isRange(each) ? rangeSize(each) : 0n), 0n);
  const held = records.filter(({ state }) => state === 'held').length;
  const free = total - kept - BigInt(records.length);
  return {
    pool,
    zone: 'dc1',
    state: 'active' as const,
    families: [
      {
        family: familyOf(range),
        ranges: [range],
        total: String(total),
        reserved: String(kept),
        held: String(held),
        retained: String(records.length - held),
        free: String(free),
        percent: Number(((total - kept - free) * 100n) / (total - kept)),
      },
    ],
    reservedRanges: reserved,
    ...(nat ? { nat } : {}),
    avoidBuggyIPs: false,
    ...({ retentionDays: 1, strategy: 'spread', fence: 'closed' } as const),
    announced: [{ by: 'l2' as const, name: pool }],
  };
}

function familyOf(range: string): Family {
  const address = parseAddress(range.split(/[-/]/)[0] ?? '');
  return isAddress(address) ? address.family : 'ipv4';
}

/** A record of a made-up picture: held, if nothing else is said. */
export function recordAt(address: string, more: Partial<PictureRecord> = {}): PictureRecord {
  const holder = 'lab/akash1owner-ip-web';
  return { address, pool: 'lab', holder, state: 'held', since: '2026-02-03', ...more };
}

/** The record of a hostname of a made-up picture: held by the namespace `shop`, if nothing else is said. */
export function hostnameAt(hostname: string, more: Partial<PictureHostname> = {}): PictureHostname {
  const holder = 'lab/namespace/shop';
  return { hostname, holder, state: 'held', since: '2026-02-03', ...more };
}

/** What makes a record one of an address or a hostname that is kept; from the day of the picture on it is free. */
export function keptUntil(freeFrom: string) {
  return { state: 'released', freeFrom } as const;
}
