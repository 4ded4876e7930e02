import { type Claim, claimText, compareClaims, type Holder, wantsFamily } from '../model/claim.ts';
import { compareText } from '../model/order.ts';
import { type Keys, noKeys } from '../model/ownership.ts';
import type { Pin } from '../model/pin.ts';
import type { Pools } from '../model/pools.ts';
import { compareProblems, type Outcome, type Problem } from '../model/problem.ts';
import { type Family, formatAddress } from '../net/address.ts';
import { keyDisagreements, ownershipOf } from './holder-keys.ts';

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
    found.push(portClashes(group), disagreements(group, pools), keyDisagreements(group, keys));
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
    const place = `${other.at.file}:${other.at.line}:${other.at.column}`;
    return [
      {
        code: 'PORT_TAKEN' as const,
        message: `port ${port} of ${wanterText(claim)} is taken by ${claimText(other)} in ${place}`,
        at: claim.at,
        also: [other.at],
        hint:
          claim.kind === 'Lease'
            ? 'change externalPort, or give it another endpoint name so that it gets its own address'
            : 'change the port, or give it another sharing key so that it gets its own address',
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

function disagreements(claims: readonly Claim[], pools: Pools | undefined): Problem[] {
  const zoneOf = (claim: Claim) =>
    claim.zone ?? pools?.pools.find((pool) => pool.name === claim.pool)?.zone;
  return [
    ...disagreement(claims, 'pool', (claim) => claim.pool),
    ...disagreement(claims, 'zone', zoneOf),
    ...pinDisagreements(claims, 'ipv4'),
    ...pinDisagreements(claims, 'ipv6'),
  ];
}

function pinDisagreements(claims: readonly Claim[], family: Family): Problem[] {
  return disagreement(claims, 'address', ({ pins }) => {
    const pin = pins.find(({ address }) => address.family === family);
    return pin && formatAddress(pin.address);
  });
}

function disagreement(
  claims: readonly Claim[],
  field: string,
  read: (claim: Claim) => string | undefined,
): Problem[] {
  const saying = claims.filter((claim) => read(claim) !== undefined);
  const first = saying[0];
  if (!first) return [];
  return saying
    .filter((claim) => read(claim) !== read(first))
    .map((claim) => ({
      code: 'HOLDER_CONFLICT',
      message: `${wanterText(claim)}${claim.kind === 'Lease' ? ' of this owner' : ''} shares one address, but ${claimText(claim)} has ${field} ${read(claim)} and ${claimText(first)} has ${field} ${read(first)}`,
      at: claim.at,
      also: [first.at],
      hint: `say the same ${field} in all of them, or in one only`,
    }));
}

function wanterText(claim: Claim): string {
  return claim.kind === 'Lease' ? `endpoint '${claim.endpoint}'` : `Service '${claim.service}'`;
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
