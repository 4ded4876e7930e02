import { allocateHostnames } from '../../../core/allocate/hostnames.ts';
import { hostnameProblems } from '../../../core/declarations/hostname-rules.ts';
import { unprovenProblems } from '../../../core/declarations/proof-rules.ts';
import { nameProblems } from '../../../core/manifests/rules/name-problems.ts';
import { holderText } from '../../../core/model/holder.ts';
import type { Hostname } from '../../../core/model/hostname.ts';
import type { Position, Problem } from '../../../core/model/problem.ts';
import { policyRefusals } from '../../../core/tree/policy-refusals.ts';
import type { ImportContext } from '../import-context.ts';

/**
 * The reasons why some new hostnames cannot be declared. All others can be, beside each other and
 * beside those that are declared. Of a wildcard and a name in its domain the wildcard is refused.
 */
export function refusedHostnames(
  fresh: readonly Hostname[],
  context: ImportContext,
): ReadonlyMap<Hostname, string> {
  const refused = new Map<Hostname, string>();
  for (;;) {
    const left = fresh.filter((one) => !refused.has(one));
    const found = refusalsOf(left, context);
    if (found.size === 0) return refused;
    for (const [one, reason] of found) refused.set(one, reason);
  }
}

function refusalsOf(
  fresh: readonly Hostname[],
  context: ImportContext,
): ReadonlyMap<Hostname, string> {
  const all = [...context.hostnames, ...fresh];
  const byPlace = new Map<Position, Hostname>(all.map((one) => [one.at, one]));
  const isNew = new Set(fresh);
  const found = new Map<Hostname, string>();
  for (const problem of problemsOf(all, context)) {
    const places = [problem.at, ...(problem.also ?? [])];
    const involved = places.flatMap((at) => byPlace.get(at) ?? []);
    const [one, other] = involved.filter((hostname) => isNew.has(hostname));
    const refused = other?.hostname.startsWith('*.') ? other : one;
    if (refused) found.set(refused, reasonOf(problem, refused, involved));
  }
  return found;
}

/** The problems of hostnames that a run with them would have. */
function problemsOf(hostnames: readonly Hostname[], { repository }: ImportContext): Problem[] {
  const { pools, claims, hostnameTable, proofs, policy, today } = repository;
  const { retentionDays } = pools.hostnames;
  const run = allocateHostnames(hostnames, hostnameTable, { today, retentionDays });
  const subject = {
    pools,
    leases: [],
    renames: [],
    services: [],
    holders: [],
    hostnames,
    table: new Map(),
  };
  return [
    ...hostnameProblems({ hostnames, claims, hostnameTable }, pools),
    ...unprovenProblems(hostnames, proofs, pools.hostnames),
    ...nameProblems(pools, [], { services: [], hostnames }),
    ...(run.ok ? [] : run.problems.filter(({ code }) => code !== 'STALE')),
    ...(policy ? policyRefusals(policy, subject) : []),
  ];
}

function reasonOf(problem: Problem, refused: Hostname, involved: readonly Hostname[]): string {
  if (problem.code === 'HOSTNAME_UNPROVEN') return `${problem.message}: ${problem.hint}`;
  if (problem.at === refused.at) return problem.message;
  const other = involved.find((one) => one !== refused);
  if (!other) return problem.message;
  const which =
    other.hostname === refused.hostname ? 'it' : `${other.hostname}, which overlaps it,`;
  return `${which} is a hostname of ${holderText(other.holder)}`;
}
