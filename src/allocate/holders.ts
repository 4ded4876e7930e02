import { type Claim, claimText, compareClaims, type Holder, type Pin } from '../model/claim.ts';
import type { Lease } from '../model/lease.ts';
import { compareText } from '../model/order.ts';
import type { Pools } from '../model/pools.ts';
import { compareProblems, type Outcome, type Problem } from '../model/problem.ts';
import { sharingKey } from '../model/sharing-key.ts';
import { type Family, formatAddress } from '../net/address.ts';

/** What each endpoint of a lease asks for. */
export function claimsOf(lease: Lease): Claim[] {
  return lease.endpoints.map((endpoint) => {
    const key = sharingKey(lease.id.owner, endpoint.name);
    return {
      holder: `${lease.cluster}/akash/${key}`,
      cluster: lease.cluster,
      lease: lease.id,
      endpoint: endpoint.name,
      sharingKey: key,
      service: endpoint.service,
      port: endpoint.port,
      externalPort: endpoint.externalPort,
      protocol: endpoint.protocol,
      zone: endpoint.zone,
      pool: endpoint.pool,
      ipFamily: endpoint.ipFamily,
      pin: endpoint.address,
      retentionPeriodDays: endpoint.retentionPeriodDays,
      selector: endpoint.selector,
      at: endpoint.at,
    };
  });
}

/**
 * The claims by holder, in the order of the holders' ids. Two claims of one holder on one port are
 * PORT_TAKEN; claims that disagree about pool, zone or pin are HOLDER_CONFLICT. Claims that say
 * nothing of those go along with the ones that do. Without the pools, the zone of a named pool is not
 * known.
 */
export function holdersOf(
  claims: readonly Claim[],
  pools: Pools | undefined,
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
    found.push(portClashes(group), disagreements(group, pools));
    holders.push(holderOf(group));
  }
  const problems = found.flat();
  if (problems.length > 0) return { ok: false, problems: problems.sort(compareProblems) };
  return { ok: true, value: holders.sort((left, right) => compareText(left.id, right.id)) };
}

function holderOf(claims: readonly [Claim, ...Claim[]]): Holder {
  const needs = (family: Family) =>
    claims.some((claim) => claim.ipFamily === family || claim.ipFamily === 'dual');
  const families = (['ipv4', 'ipv6'] as const).filter(needs);
  return {
    id: claims[0].holder,
    cluster: claims[0].cluster,
    claims,
    families,
    pool: claims.find((claim) => claim.pool !== undefined)?.pool,
    zone: claims.find((claim) => claim.zone !== undefined)?.zone,
    pins: families.flatMap((family) => pinOf(claims, family) ?? []),
    retentionPeriodDays: claims.reduce(
      (most, claim) => Math.max(most, claim.retentionPeriodDays),
      0,
    ),
  };
}

function pinOf(claims: readonly Claim[], family: Family): Pin | undefined {
  const claim = claims.find((candidate) => candidate.pin?.family === family);
  return claim?.pin && { address: claim.pin, at: claim.at };
}

function portClashes(claims: readonly Claim[]): Problem[] {
  const first = new Map<string, Claim>();
  return claims.flatMap((claim) => {
    const port = `${claim.externalPort}/${claim.protocol}`;
    const other = first.get(port);
    if (!other) {
      first.set(port, claim);
      return [];
    }
    const place = `${other.at.file}:${other.at.line}:${other.at.column}`;
    return [
      {
        code: 'PORT_TAKEN' as const,
        message: `port ${port} of endpoint '${claim.endpoint}' is taken by ${claimText(other)} in ${place}`,
        at: claim.at,
        also: [other.at],
        hint: 'change externalPort, or give it another endpoint name so that it gets its own address',
      },
    ];
  });
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
  return disagreement(claims, 'address', (claim) =>
    claim.pin?.family === family ? formatAddress(claim.pin) : undefined,
  );
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
      message: `endpoint '${claim.endpoint}' of this owner shares one address, but ${claimText(claim)} has ${field} ${read(claim)} and ${claimText(first)} has ${field} ${read(first)}`,
      at: claim.at,
      also: [first.at],
      hint: `say the same ${field} in all of them, or in one only`,
    }));
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
