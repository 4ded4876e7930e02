import { isGiven, keptDnsProblems, keptProblems } from '../../allocate/kept-hostnames.ts';
import { freshNames, refusedNames } from '../../declarations/dns-rules.ts';
import {
  heldElsewhere,
  overlapProblems,
  refusedHostname,
} from '../../declarations/hostname-rules.ts';
import { unprovenProblems } from '../../declarations/proof-rules.ts';
import { isHeld } from '../../model/allocation.ts';
import type { Claim } from '../../model/claim.ts';
import type { Day } from '../../model/day.ts';
import {
  type HostnameRecord,
  type HostnameTable,
  isOfRoutes,
  isSameHostname,
} from '../../model/hostname.ts';
import type { Pools } from '../../model/pools.ts';
import { type Problem, placeText, problemKey } from '../../model/problem.ts';
import { type Declared, readRecords } from '../../tree/declared.ts';
import { type Comparison, shownRef } from './comparison.ts';

/**
 * DNS_REFUSED and HOSTNAME_UNPROVEN for DNS names and hostnames that are new for their holders, and
 * that the rules of the base do not allow: a pull request cannot allow its own names. Without names
 * that the head refuses too. HOSTNAME_KEPT for new DNS names that overlap a hostname that is kept on the day of the head,
 * without those of {@link withoutHandedOver}.
 */
export function baseNameRefusals(base: Declared, head: Declared, day: Day): Problem[] {
  if (!base.pools || !head.pools) return [];
  const { claims, hostnames } = freshDeclared(base, head);
  const refused = (pools: Pools): Problem[] => [
    ...refusedNames(claims, pools.dns),
    ...hostnames.flatMap((one) => refusedHostname(one, pools)),
    ...unprovenProblems(hostnames, head.proofs, pools.hostnames),
  ];
  const byHead = new Set(refused(head.pools).map(problemKey));
  const byBase = refused(base.pools)
    .filter((problem) => !byHead.has(problemKey(problem)))
    .map((problem) => ({
      ...problem,
      message: `${problem.message} in the base`,
      ...(problem.code === 'DNS_REFUSED' ? { hint: allowFirst } : {}),
    }));
  const fresh = freshNames(base.claims, withoutHandedOver(base, head));
  const kept = keptDnsProblems(fresh, head.hostnameTable, { pools: base.pools, today: day });
  const routed = new Set(
    claims
      .filter((claim) => isOfRoutes(claim, head.pools))
      .flatMap(({ dns }) => dns.map(({ at }) => placeText(at))),
  );
  return [
    ...byBase,
    ...kept.map((problem) =>
      routed.has(placeText(problem.at)) ? { ...problem, hint: nameFirst } : problem,
    ),
  ];
}

const allowFirst = 'use another name, or have the domain allowed first, in a separate change';

const nameFirst =
  'use another name, or have the Service named in routes.service first, in a separate change';

/**
 * Returns the claims of the head without the DNS names that move from the Service in
 * `routes.service` of the base to the one of the head. So one Service can replace the other without
 * an outage.
 */
function withoutHandedOver(base: Declared, head: Declared): readonly Claim[] {
  const former = base.claims.filter((claim) => isOfRoutes(claim, base.pools));
  const known = new Set(
    former.flatMap(({ cluster, dns }) => dns.map(({ name }) => `${cluster} ${name}`)),
  );
  return head.claims.map((claim) => {
    if (!isOfRoutes(claim, head.pools)) return claim;
    return {
      ...claim,
      dns: claim.dns.filter(({ name }) => !known.has(`${claim.cluster} ${name}`)),
    };
  });
}

/**
 * HOSTNAME_TAKEN for names that are new for their holders, in the head, and that overlap
 *
 * - a name of another namespace by `routes.service` of the base: a pull request cannot name its own
 *   Service there, and take names with it, except those of {@link withoutHandedOver};
 * - a hostname that the target gave to another namespace since the branch started. Git merges two
 *   such records without a conflict. HOSTNAME_KEPT if the target has released it.
 *
 * Without names that the head refuses too.
 */
export function baseOverlaps(
  base: Declared,
  head: Declared,
  { base: start, target, targetTree, targetRef, day }: Comparison,
): Problem[] {
  if (!base.pools || !head.pools) return [];
  const fresh = freshDeclared(base, head);
  const places = new Set(
    [...fresh.hostnames, ...fresh.claims.flatMap(({ dns }) => dns)].map(({ at }) => placeText(at)),
  );
  if (places.size === 0) return [];
  const byHead = new Set(overlapProblems(head, head.pools).map(problemKey));
  const others = { ...head, claims: withoutHandedOver(base, head) };
  const byBase = overlapProblems(others, base.pools)
    .filter(({ at, also = [] }) => [at, ...also].some((place) => places.has(placeText(place))))
    .filter((problem) => !byHead.has(problemKey(problem)))
    .map((problem) => ({
      ...problem,
      message: `by routes.service of the base, ${problem.message}`,
      hint: nameFirst,
    }));
  if (target.id === start.id) return byBase;
  const since = [...readRecords(targetTree).hostnameTable.values()].filter((record) => {
    return isOfTarget(base.hostnameTable.get(record.hostname), record);
  });
  const ref = shownRef(targetRef) ?? 'the target branch';
  const names = { hostnames: fresh.hostnames, claims: freshNames(base.claims, others.claims) };
  const held = heldElsewhere(names, base.pools, since).map((problem) => ({
    ...problem,
    hint: `use another name: ${ref} has it since this branch started`,
  }));
  const sides = { before: base.hostnameTable, after: head.hostnameTable };
  const kept = keptElsewhere(names, since, { ...sides, pools: base.pools, today: day }).map(
    (problem) => ({
      ...problem,
      hint: `use another name; or, from that day on, merge ${ref} and run \`leasehold synth\``,
    }),
  );
  const byTarget = [...held, ...kept].map((problem) => ({
    ...problem,
    message: `in ${ref}, ${problem.message}`,
  }));
  return [...byBase, ...byTarget];
}

/** True for a record that the target has given or released since the branch started. */
function isOfTarget(before: HostnameRecord | undefined, record: HostnameRecord): boolean {
  if (isSameHostname(before, record)) return false;
  return !isHeld(record) || isGiven(before, record);
}

/** HOSTNAME_KEPT for new names that overlap a released hostname of `records`, those of the target. */
function keptElsewhere(
  { hostnames, claims }: Pick<Declared, 'hostnames' | 'claims'>,
  records: readonly HostnameRecord[],
  by: {
    readonly before: HostnameTable;
    readonly after: HostnameTable;
    readonly pools: Pools;
    readonly today: Day;
  },
): Problem[] {
  const released = records.filter((record) => !isHeld(record));
  const own = hostnames.flatMap(({ hostname }) => by.after.get(hostname) ?? []).filter(isHeld);
  const sides = { before: by.before, after: tableOf([...released, ...own]) };
  return [
    ...keptProblems(hostnames, sides, undefined),
    ...keptDnsProblems(claims, tableOf(released), by),
  ];
}

function tableOf(records: readonly HostnameRecord[]): HostnameTable {
  return new Map(records.map((record) => [record.hostname, record]));
}

/** The claims of the head with the DNS names that are new for their holders, and its new hostnames. */
function freshDeclared(base: Declared, head: Declared): Pick<Declared, 'claims' | 'hostnames'> {
  const known = new Set(base.hostnames.map(({ holder, hostname }) => `${holder} ${hostname}`));
  const hostnames = head.hostnames.filter(
    ({ holder, hostname }) => !known.has(`${holder} ${hostname}`),
  );
  return { claims: freshNames(base.claims, head.claims), hostnames };
}
