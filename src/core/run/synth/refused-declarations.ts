import { nameProblems } from '../../manifests/rules/name-problems.ts';
import {
  nodePortProblems,
  serviceProblems,
  sharingProblems,
} from '../../manifests/rules/service-problems.ts';
import type { Day } from '../../model/day.ts';
import type { Holder } from '../../model/holder.ts';
import { compareText } from '../../model/order.ts';
import { byStanding, type Problem, type Standing } from '../../model/problem.ts';
import { policyRefusals } from '../../tree/policy-refusals.ts';
import type { Workspace } from '../../tree/workspace.ts';
import { strandedPromises, tooLongPromises } from './promise-rules.ts';

/** The problems of valid declarations that a run refuses to allocate for. */
export function refusedDeclarations(
  workspace: Workspace,
  today: Day | undefined,
  standing: Standing | undefined,
): Problem[] {
  const { pools, policy, promises } = workspace;
  const holders = standing ? ranked(workspace.holders, standing) : workspace.holders;
  const services = byStanding(workspace.services, standing);
  const hostnames = byStanding(workspace.hostnames, standing);
  return [
    ...nameProblems(pools, holders, { services, hostnames }, standing),
    ...serviceProblems(pools, holders),
    ...sharingProblems(holders),
    ...nodePortProblems(services, standing),
    ...strandedPromises(holders),
    ...(policy ? policyRefusals(policy, workspace) : []),
    ...(today === undefined ? [] : tooLongPromises(promises, today)),
  ];
}

/** The holders and their claims, the ones with the better standing first. */
function ranked(holders: readonly Holder[], standing: Standing): readonly Holder[] {
  const own = holders.map((holder) => ({ ...holder, claims: byStanding(holder.claims, standing) }));
  const standingText = ({ claims: [first], at }: Holder): string => standing(first ?? { at });
  return own.toSorted((left, right) => compareText(standingText(left), standingText(right)));
}
