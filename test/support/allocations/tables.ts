import { holdersOf } from '../../../src/core/declarations/holders.ts';
import type { Allocation, AllocationTable } from '../../../src/core/model/allocation.ts';
import type { Claim, LeaseClaim } from '../../../src/core/model/claim.ts';
import { type Day, parseDay } from '../../../src/core/model/day.ts';
import type { Holder } from '../../../src/core/model/holder.ts';
import type { AddressPromise } from '../../../src/core/model/lease.ts';
import type { Pool, Pools } from '../../../src/core/model/pools.ts';
import { startOf } from '../../../src/core/model/problem.ts';
import { rangeSetOf } from '../../../src/core/net/range-set.ts';
import { anAddress, aPool, aRange, thePools } from '../declarations/pools-and-claims.ts';

/** The day of a text that is one. */
export function aDay(text: string): Day {
  const day = parseDay(text);
  if (!day) throw new Error(`${text} is no day`);
  return day;
}

/** What a test says about a pool; the rest has defaults. */
export interface PoolWords {
  readonly name?: string;
  readonly zone?: string;
  readonly addresses?: readonly string[];
  readonly reserved?: readonly string[];
  readonly avoidBuggyIPs?: boolean;
  readonly state?: Pool['state'];
  readonly retentionDays?: number;
  readonly strategy?: Pool['strategy'];
}

/** A pool; by default `default` in zone `inet` with 203.0.113.0/28 and no retention. */
export function poolWith(words: PoolWords = {}): Pool {
  const ranges = (words.addresses ?? ['203.0.113.0/28']).map(aRange);
  return aPool({
    name: words.name ?? 'default',
    zone: words.zone ?? 'inet',
    ranges: rangeSetOf(ranges).ranges,
    reserved: rangeSetOf((words.reserved ?? []).map(aRange)),
    avoidBuggyIPs: words.avoidBuggyIPs ?? false,
    state: words.state ?? 'active',
    retentionDays: words.retentionDays ?? 0,
    strategy: words.strategy ?? 'spread',
  });
}

/** A pool file with those pools; the default zone is the first one's. */
export function poolsWith(...pools: readonly Pool[]): Pools {
  return thePools({ defaultZone: pools[0]?.zone ?? 'inet', pools });
}

/** What a test says about a claim; the rest has defaults. */
export interface ClaimWords {
  readonly name?: string;
  readonly service?: string;
  readonly dseq?: string;
  readonly port?: number;
  readonly protocol?: LeaseClaim['protocol'];
  readonly zone?: string | undefined;
  readonly pool?: string | undefined;
  readonly ipFamily?: Claim['ipFamily'];
  readonly pin?: string | undefined;
  readonly retain?: number;
  readonly file?: string;
  readonly line?: number;
}

/** A claim of holder `default/akash/<name>`; by default one on 80/TCP for an IPv4 address. */
export function claimWith(words: ClaimWords = {}): LeaseClaim {
  const name = words.name ?? 'alice';
  const dseq = words.dseq ?? '1';
  const port = words.port ?? 80;
  const at = {
    file: words.file ?? `leases/${name}-${dseq}.yaml`,
    line: words.line ?? 1,
    column: 1,
  };
  return {
    kind: 'Lease',
    holder: holderId(name),
    cluster: 'default',
    lease: { owner: name, dseq, gseq: 1, oseq: 1, provider: 'provider' },
    endpoint: 'myip',
    sharingKey: `${name}-ip-myip`,
    service: words.service ?? 'web',
    port,
    externalPort: port,
    protocol: words.protocol ?? 'TCP',
    zone: words.zone,
    pool: words.pool,
    advertisement: undefined,
    ipFamily: words.ipFamily ?? 'ipv4',
    pins: words.pin === undefined ? [] : [{ address: anAddress(words.pin), at }],
    dns: [],
    retentionDays: words.retain ?? 0,
    selector: undefined,
    liveSharingKey: undefined,
    at,
  };
}

/** A promise for the holder of {@link claimWith}. */
export function promiseWith(name: string, words: Partial<AddressPromise> = {}): AddressPromise {
  return {
    kind: 'Promise',
    cluster: 'default',
    owner: name,
    endpoint: 'myip',
    holder: holderId(name),
    zone: undefined,
    pool: undefined,
    ipFamily: 'ipv4',
    until: aDay('2026-01-31'),
    at: startOf(`leases/promise-${name}.yaml`),
    ...words,
  };
}

/** The id of the holder that {@link claimWith} makes for a name. */
export function holderId(name: string): string {
  return `default/akash/${name}`;
}

/** The holders of claims that do not contradict each other. */
export function theHolders(pools: Pools, ...claims: readonly Claim[]): readonly Holder[] {
  const outcome = holdersOf({ claims, promises: [] }, pools);
  if (!outcome.ok) throw new Error(outcome.problems.map(({ message }) => message).join('\n'));
  return outcome.value;
}

/** What a test says about a recorded address; the rest has defaults. */
export interface RecordWords {
  readonly pool?: string;
  readonly name?: string;
  readonly since?: string;
  readonly retain?: number;
  readonly keepUntil?: string;
  /** The day of the release and the day from which anyone may have the address. */
  readonly released?: readonly [on: string, freeFrom: string];
  readonly movedFrom?: string;
}

/** A recorded address; by default held by `alice` of pool `default` since 2026-01-01. */
export function aRecord(address: string, words: RecordWords = {}): Allocation {
  const { released, keepUntil, movedFrom } = words;
  return {
    address: anAddress(address),
    pool: words.pool ?? 'default',
    holder: holderId(words.name ?? 'alice'),
    since: aDay(words.since ?? '2026-01-01'),
    retain: words.retain ?? 0,
    keepUntil: keepUntil === undefined ? undefined : aDay(keepUntil),
    released: released && { on: aDay(released[0]), freeFrom: aDay(released[1]) },
    key: undefined,
    generation: 0,
    shared: false,
    promised: false,
    movedFrom: movedFrom === undefined ? undefined : anAddress(movedFrom),
    at: startOf(`leases/allocations/${address}.yaml`),
  };
}

/** A table of records, by the text of their addresses. */
export function aTable(...records: readonly (readonly [string, RecordWords?])[]): AllocationTable {
  return new Map(records.map(([address, words]) => [address, aRecord(address, words)]));
}
