import { pinFor } from '../declarations/holders.ts';
import { type Obstacle, obstacle, type PoolIndex } from '../declarations/pools/pool-index.ts';
import { type Allocation, type AllocationTable, isFree, isHeld } from '../model/allocation.ts';
import type { ProblemCode } from '../model/codes/problem-codes.ts';
import type { Day } from '../model/day.ts';
import { type Holder, holderParts } from '../model/holder.ts';
import { familiesOf, type Pool } from '../model/pools.ts';
import { fewOf, type Position, type Problem } from '../model/problem.ts';
import { type Address, type Family, formatAddress, isBuggyIP } from '../net/address.ts';
import { formatRange, formatShortRange, rangeSize } from '../net/range.ts';
import { rangeWith } from '../net/range-set.ts';
import { isKeptFor, isSignedFor, proofProblem } from '../records/key-rules.ts';
import type { AddressNeed } from './needs.ts';

/**
 * Returns why pinned addresses cannot be given: PIN_OUTSIDE, PIN_RESERVED, POOL_DRAINING,
 * PIN_TAKEN, PIN_RETAINED, and NOT_PROVEN for a retained address with a key. An address that two
 * holders pin is PIN_TAKEN for the second one.
 */
export function pinProblems(
  index: PoolIndex,
  needs: readonly AddressNeed[],
  table: AllocationTable,
  today: Day,
): Problem[] {
  const firstToPin = new Map<string, Pinned>();
  const problems: Problem[] = [];
  for (const need of needs) {
    for (const address of need.pins) {
      const text = formatAddress(address);
      const pin = pinFor(need.holder, address.family);
      const at = pin?.at ?? need.holder.at;
      const isOutside = index.of(address) === undefined;
      const hinted = (problem: Problem): Problem =>
        pin?.isMoveTarget ? ofMove(problem, isOutside) : problem;
      const other = firstToPin.get(text);
      const refused =
        placeProblem(index, need, address) ?? recordProblem(index, need, table.get(text), today);
      if (other) {
        problems.push(hinted(pinnedTwice(index, need, address, { at, other })));
      } else {
        firstToPin.set(text, { holder: need.holder, at });
        if (refused) problems.push(hinted({ at, ...refused }));
      }
    }
  }
  return problems;
}

/** The problem with the hint for the new address of a move: there is no pin to change. */
function ofMove(problem: Problem, isOutside: boolean): Problem {
  if (problem.code === 'NOT_PROVEN') return problem;
  const wait = problem.code === 'PIN_RETAINED' ? 'wait until it is free, or ' : '';
  const first = isOutside ? 'add it to a pool in leases/pools.yaml, or ' : wait;
  const hint = `${first}name another address with --to; \`leasehold list --free\` shows them`;
  return { ...problem, hint };
}

interface Pinned {
  readonly holder: Holder;
  readonly at: Position;
}

function pinnedTwice(
  index: PoolIndex,
  { holder }: AddressNeed,
  address: Address,
  { at, other }: { readonly at: Position; readonly other: Pinned },
): Problem {
  const pool = index.of(address);
  const leave = `remove this pin${sharingText(holder, other.holder.id)}`;
  return {
    code: 'PIN_TAKEN',
    message: `${formatAddress(address)} is pinned by ${other.holder.id} and ${holder.id}`,
    at,
    also: [other.at],
    hint: pool ? pinAnother(pool, address, leave) : leave,
  };
}

/** A problem with a pin. Its place is the pin by default. */
type Refusal = Omit<Problem, 'at'> & Partial<Pick<Problem, 'at'>>;

function placeProblem(index: PoolIndex, need: AddressNeed, address: Address): Refusal | undefined {
  const text = formatAddress(address);
  const { holder } = need;
  const pool = index.of(address);
  const state = pinFor(holder, address.family)?.isMoveTarget ? 'is asked for' : 'is pinned';
  const outside = (message: string, from: readonly Pool[], otherwise: string): Refusal => ({
    code: 'PIN_OUTSIDE',
    message,
    hint: pinFrom(from, address, otherwise),
  });
  if (!pool) {
    const message = `${text} ${state}, and no pool has it`;
    return outside(message, index.allowed(holder), 'add it to a pool in leases/pools.yaml');
  }
  const [decided] = need.pools;
  if (need.pools.length === 1 && decided && decided !== pool) {
    const message = `${text} lies in pool ${pool.name}, but the other address of the holder lies in pool ${decided.name}`;
    return outside(
      message,
      [decided],
      'remove this pin: both addresses of a holder come from one pool',
    );
  }
  if (!index.isWanted(holder, pool)) {
    const { pool: named } = holder;
    const wanted = named === undefined ? `zone ${index.zoneOf(holder)}` : `pool ${named}`;
    const message = `${text} lies in pool ${pool.name} of zone ${pool.zone}, but its claims want ${wanted}`;
    const other = named === undefined ? `zone ${pool.zone}` : `pool ${pool.name}`;
    return outside(message, index.allowed(holder), `ask for ${other}`);
  }
  const between = obstacle(holder, pool);
  if (between) {
    const message = `${text} ${state}, and ${between.reason}`;
    return outside(message, index.allowed(holder), remedies[between.code](pool.name));
  }
  return withheld(index, pool, address, need);
}

const remedies: Readonly<Record<Obstacle['code'], (pool: string) => string>> = {
  POOL_CLOSED: (pool) => `add the cluster to clusters of pool ${pool}`,
  ADVERTISEMENT_REFUSED: () => 'name another advertisement',
  ANYCAST_NOT_BGP: (pool) => `announce pool ${pool} by BGP`,
};

function withheld(
  index: PoolIndex,
  pool: Pool,
  address: Address,
  need: AddressNeed,
): Refusal | undefined {
  const text = formatAddress(address);
  const at = { also: [pool.at] };
  const range = rangeWith(pool.reserved, address);
  if (range) {
    const within = rangeSize(range) === 1n ? '' : ` with all of ${formatRange(range)}`;
    const message = `${text} is reserved in pool ${pool.name}${within}`;
    const hint = pinAnother(pool, address, 'remove it from reserved of the pool');
    return { code: 'PIN_RESERVED', message, hint, ...at };
  }
  if (pool.avoidBuggyIPs && isBuggyIP(address)) {
    const message = `${text} ends in .0 or .255, which pool ${pool.name} avoids`;
    const hint = pinAnother(pool, address, 'remove avoidBuggyIPs from the pool');
    return { code: 'PIN_RESERVED', message, hint, ...at };
  }
  const isKept = need.keptForIt.some((record) => formatAddress(record.address) === text);
  if (pool.state === 'draining' && !isKept) {
    const message = `${text} lies in pool ${pool.name}, which is draining and gives no new addresses`;
    const hint = pinFrom(index.allowed(need.holder), address, 'set state: active for the pool');
    return { code: 'POOL_DRAINING', message, hint, ...at };
  }
  return undefined;
}

function recordProblem(
  index: PoolIndex,
  { holder }: AddressNeed,
  record: Allocation | undefined,
  today: Day,
): Refusal | undefined {
  if (!record) return undefined;
  const { address } = record;
  const text = formatAddress(address);
  const pool = index.of(address);
  const taken = (code: ProblemCode, message: string, otherwise: string): Refusal => ({
    code,
    message,
    ...(record.at && { also: [record.at] }),
    hint: pool ? pinAnother(pool, address, otherwise) : otherwise,
  });
  if (isHeld(record)) {
    const leave = `remove the pin${sharingText(holder, record.holder)}`;
    return taken('PIN_TAKEN', `${text} is held by ${record.holder}`, leave);
  }
  if (isFree(record, today) || isKeptFor(record, holder)) return undefined;
  if (record.key !== undefined) {
    const isSigned = isSignedFor('reclaim', record, holder);
    return isSigned ? undefined : proofProblem('reclaim', record, holder);
  }
  const until = record.released?.freeFrom;
  const whom = record.vacatedBy ? `${record.vacatedBy}, which moves away,` : record.holder;
  const message = `${text} is kept for ${whom} until ${until}`;
  return taken('PIN_RETAINED', message, `remove the pin, or wait until ${until}`);
}

/** The other way out when a Service of the same namespace holds the address. */
function sharingText({ claims: [claim] }: Holder, other: string): string {
  if (claim?.kind !== 'Service') return '';
  const { cluster, namespace } = holderParts(other);
  const isNear = cluster === claim.cluster && namespace === claim.declared.namespace;
  return isNear ? ', or share the address with the same sharing key' : '';
}

/** A hint lists at most this many ranges of a pool. */
const mostRanges = 3;

/**
 * Returns a hint such as `pin an address of pool edge (198.51.100.0/28), or add …`. Leaves out
 * pools that are draining or have no address of the family.
 */
function pinFrom(pools: readonly Pool[], { family }: Address, otherwise: string): string {
  const giving = pools.filter(
    (pool) => pool.state === 'active' && familiesOf(pool).includes(family),
  );
  if (giving.length === 0) return otherwise;
  const texts = giving.map((pool) => `${pool.name} (${rangesText(pool, family)})`);
  const noun = texts.length === 1 ? 'pool' : 'one of the pools';
  return `pin an address of ${noun} ${fewOf(texts)}, or ${otherwise}`;
}

/** Returns a hint for a pinned address that its pool cannot give. */
function pinAnother(pool: Pool, { family }: Address, otherwise: string): string {
  const text = `pin another address of pool ${pool.name} (${rangesText(pool, family)})`;
  return `${text}, or ${otherwise}; \`leasehold map ${pool.name}\` shows which are free`;
}

function rangesText({ ranges }: Pool, family: Family): string {
  const own = ranges.filter(({ from }) => from.family === family);
  return fewOf(own.map(formatShortRange), mostRanges);
}
