import { type Claim, claimText, compareClaims, type Holder, wantsFamily } from '../model/claim.ts';
import { compareText } from '../model/order.ts';
import { type Keys, noKeys } from '../model/ownership.ts';
import type { Pin } from '../model/pin.ts';
import type { Pools } from '../model/pools.ts';
import { compareProblems, type Outcome, type Problem, placeText } from '../model/problem.ts';
import type { Family } from '../net/address.ts';
import { apartHint, conflictsOf, wanterText } from './holder-conflicts.ts';
import { ownershipOf } from './holder-keys.ts';

const bothFamilies = ['ipv4', 'ipv6'] as const;

/**
 * The claims by holder, in the order of the holders' ids. Two claims of one holder on one port of an address are
 * PORT_TAKEN in each cluster; claims that disagree about pool, zone, pin or key are HOLDER_CONFLICT. Claims that say
 * nothing of the first three go along with the ones that do. Without the pools, the zone of a named pool is not
 * known.
 */
export function holdersOf(
  claims: readonly Claim[],
  pools: Pools | undefined,
  keys: Keys = noKeys,
): Outcome<readonly Holder[]> {
  const groups = new Map<string, [Claim, ...Claim[]]>();
  for (const claim of claims) {
    const group = groups.get(claim.holder);
    if (group) group.push(claim);
    else groups.set(claim.holder, [claim]);
  }
  const found: Problem[][] = [];
  const holders: Holder[] = [];
  for (const group of groups.values()) {
    group.sort((left, right) => compareClaims(left, right) || comparePlaces(left, right));
    found.push(portClashes(group), conflictsOf(group, pools, keys));
    holders.push(holderOf(group, keys));
  }
  const problems = found.flat();
  if (problems.length > 0) return { ok: false, problems: problems.sort(compareProblems) };
  return { ok: true, value: holders.sort((left, right) => compareText(left.id, right.id)) };
}

function holderOf(claims: readonly [Claim, ...Claim[]], keys: Keys): Holder {
  const families = bothFamilies.filter((family) =>
    claims.some((claim) => wantsFamily(claim, family)),
  );
  return {
    id: claims[0].holder,
    clusters: [...new Set(claims.map(({ cluster }) => cluster))].sort(compareText),
    claims,
    families,
    pool: claims.find((claim) => claim.pool !== undefined)?.pool,
    zone: claims.find((claim) => claim.zone !== undefined)?.zone,
    pins: families.flatMap((family) => pinOf(claims, family) ?? []),
    retentionPeriodDays: claims.reduce(
      (most, claim) => Math.max(most, claim.retentionPeriodDays),
      0,
    ),
    ownership: ownershipOf(claims, keys),
  };
}

function pinOf(claims: readonly Claim[], family: Family): Pin | undefined {
  for (const { pins } of claims) {
    const pin = pins.find(({ address }) => address.family === family);
    if (pin) return pin;
  }
  return undefined;
}

function portClashes(claims: readonly Claim[]): Problem[] {
  const first = new Map<string, Claim>();
  return claims.flatMap((claim) => {
    const port = `${claim.externalPort}/${claim.protocol}`;
    const keys = portFamilies(claim).map((family) => `${claim.cluster} ${port} ${family}`);
    const other = keys.map((key) => first.get(key)).find((taker) => taker !== undefined);
    if (!other) {
      for (const key of keys) first.set(key, claim);
      return [];
    }
    return [
      {
        code: 'PORT_TAKEN' as const,
        message: `port ${port} of ${wanterText(claim)} is taken by ${claimText(other)} in ${placeText(other.at)}`,
        at: claim.at,
        also: [other.at],
        hint: `change ${claim.kind === 'Lease' ? 'externalPort' : 'the port'}, or ${apartHint(claim)}`,
      },
    ];
  });
}

/**
 * The families in which a claim has its port to itself. The port of an Akash endpoint is its own in both: the provider
 * names its ProviderLeasedIP by sharing key, protocol and port alone.
 */
function portFamilies(claim: Claim): readonly Family[] {
  return claim.kind === 'Lease'
    ? bothFamilies
    : bothFamilies.filter((family) => wantsFamily(claim, family));
}

function comparePlaces(left: Claim, right: Claim): number {
  return (
    compareText(left.at.file, right.at.file) ||
    left.at.line - right.at.line ||
    left.at.column - right.at.column
  );
}

/** The pin of a holder for one family. */
export function pinFor(holder: Holder, family: Family): Pin | undefined {
  return holder.pins.find((pin) => pin.address.family === family);
}
