import { sha256Hex } from '../../model/digest.ts';
import { type Problem, placeText } from '../../model/problem.ts';
import type { Commit } from '../../ports/commits.ts';
import type { Comparison } from '../review/comparison.ts';
import type { Review } from '../review/review.ts';
import { addressChanges } from './address-changes.ts';
import { cautionsOf } from './cautions.ts';
import { manifestPlan } from './manifest-plan.ts';
import type { Plan, PlanCommit, PlanProblem, Verdict } from './plan-answer.ts';
import { policyText } from './policy-cautions.ts';
import { poolsText, poolTotals } from './pool-changes.ts';
import { movedClaims, moveText } from './serving-cautions.ts';
import { summaryOf } from './summary.ts';

/**
 * The plan of a pull request that was reviewed. The same two commits give the same plan. While files of
 * the head cannot be read, it has their problems and no changes: nobody can tell what it does.
 */
export function planOf(review: Review): Plan {
  const { comparison, treeProblems, changeProblems } = review;
  const changes = review.head.problems.length > 0 ? noChanges : changesOf(review);
  const problems = [
    ...treeProblems.map((problem) => planProblem(problem, 'tree')),
    ...changeProblems.map((problem) => planProblem(problem, 'change')),
  ];
  const { pools, addresses, moves, cautions, manifests } = changes;
  const told = { addresses, cautions, problems, manifests };
  return {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Plan',
    verdict: verdictOf(told),
    summary: summaryOf(told, moves),
    base: planCommit(comparison.base),
    head: headOf(comparison),
    pools,
    ...told,
    digest: digestOf(told, review),
  };
}

type Changes = Pick<Plan, 'pools' | 'addresses' | 'cautions' | 'manifests'> & {
  readonly moves: readonly string[];
};

const noChanges: Changes = { pools: [], addresses: [], moves: [], cautions: [], manifests: [] };

function changesOf(review: Review): Changes {
  const { base, head, comparison } = review;
  const pools = poolTotals(base, head, comparison.day);
  const addresses = addressChanges(review);
  const moved = movedClaims(base, head);
  return {
    pools,
    addresses,
    moves: moved.map(moveText),
    cautions: cautionsOf(review, { addresses, moved, pools }),
    manifests: manifestPlan(review),
  };
}

/** The pool file and the policy count too: they decide what the leases to come get. */
function digestOf({ addresses, manifests }: Pick<Plan, 'addresses' | 'manifests'>, review: Review) {
  const { base, head } = review;
  return sha256Hex(
    JSON.stringify([
      addresses,
      manifests,
      ...ifDifferent(poolsText(base.pools), poolsText(head.pools)),
      ...ifDifferent(policyText(base.policy), policyText(head.policy)),
    ]),
  );
}

function ifDifferent(before: string, after: string): readonly string[] {
  return before === after ? [] : [before, after];
}

function verdictOf(told: Pick<Plan, 'addresses' | 'cautions' | 'problems' | 'manifests'>): Verdict {
  if (told.problems.length > 0) return 'blocked';
  if (told.cautions.length > 0) return 'caution';
  return told.addresses.length + told.manifests.length > 0 ? 'routine' : 'no change';
}

function headOf({ head, isUncommitted, day }: Comparison): PlanCommit {
  return isUncommitted ? { ...planCommit(head), day, uncommitted: true } : planCommit(head);
}

function planCommit({ id, day, parents }: Commit): PlanCommit {
  return { commit: id, day, parents };
}

function planProblem(problem: Problem, of: PlanProblem['of']): PlanProblem {
  const { code, message, at, hint, also = [] } = problem;
  return {
    code,
    message,
    of,
    file: at.file,
    line: at.line,
    column: at.column,
    ...(hint === undefined ? {} : { hint }),
    also: also.map(placeText),
  };
}
