import { claimText } from '../model/claim.ts';
import type { Problem } from '../model/problem.ts';
import { familyName } from '../net/address.ts';
import type { Supplies } from './supply.ts';
import type { Want } from './wants.ts';

const shownPools = 5;

/** Wants that may have addresses of the same pools and lack the same families. */
interface Group {
  readonly wants: [Want, ...Want[]];
  /** How many wants are short of these pools, or of one of them. */
  holders: number;
}

/**
 * Why wants could not be met, one problem each: POOL_DRAINING when all its pools give nothing new, else
 * POOL_EXHAUSTED with what is needed and what is there. `unmet` are all that could not be met.
 */
export function shortageProblems(unmet: readonly Want[], supplies: Supplies): Problem[] {
  return groupsOf(unmet).flatMap((group) => {
    const shortage = shortageOf(group, supplies);
    return group.wants.map(({ holder: { claims } }) => ({
      code: shortage.code,
      message: `${claimText(claims[0])} wants a new ${shortage.reason}`,
      at: claims[0].at,
      hint: shortage.hint,
    }));
  });
}

/** Many wants can be short, of few pools: what is the same for all of a group is found once. */
function groupsOf(unmet: readonly Want[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const want of unmet) {
    const key = [...want.families, ...want.pools.map((pool) => pool.name)].join(' ');
    const group = groups.get(key);
    if (group) group.wants.push(want);
    else groups.set(key, { wants: [want], holders: 0 });
  }
  for (const group of groups.values()) {
    for (const other of groups.values()) {
      if (sharesPools(group.wants[0], other.wants[0])) group.holders += other.wants.length;
    }
  }
  return [...groups.values()];
}

function shortageOf(
  { wants: [want], holders }: Group,
  supplies: Supplies,
): Required<Pick<Problem, 'code' | 'hint'>> & { readonly reason: string } {
  const names = want.pools.map((pool) => pool.name);
  const families = want.families.map(familyName).join(' and ');
  if (want.pools.length > 0 && want.pools.every((pool) => pool.state === 'draining')) {
    return {
      code: 'POOL_DRAINING',
      reason: `${families} address, and pool ${names.join(', ')} is draining`,
      hint: 'name another pool or zone, or set state: active in leases/pools.yaml',
    };
  }
  const both = want.families.length === 2 ? 'no pool has both left' : 'none is left';
  const counts = names.slice(0, shownPools).map((name) => countText(name, want, supplies));
  const more = names.length > shownPools ? `; and ${names.length - shownPools} more pools` : '';
  return {
    code: 'POOL_EXHAUSTED',
    reason: `${families} address and ${both} (${holders} ${holders === 1 ? 'holder' : 'holders'} short): ${counts.join('; ')}${more}`,
    hint: 'widen the pool in leases/pools.yaml, end a lease, or wait for a cooldown to end',
  };
}

function countText(name: string, want: Want, supplies: Supplies): string {
  const supply = supplies.get(name);
  if (supply?.ipv4.pool.state === 'draining') return `pool ${name} is draining`;
  const counts = want.families.map((family) => supply?.[family].describe() ?? '');
  return `pool ${name} has ${counts.join(' and ')}`;
}

function sharesPools(left: Want, right: Want): boolean {
  return left.pools.some((pool) => right.pools.includes(pool));
}
