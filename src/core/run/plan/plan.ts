import type { Commit } from '../../interfaces/commits.ts';
import { sha256Hex } from '../../model/digest.ts';
import { type Problem, placeText } from '../../model/problem.ts';
import type { Comparison } from '../review/comparison.ts';
import type { Review } from '../review/review.ts';
import { addressChanges } from './address-changes.ts';
import { cautionsOf } from './cautions.ts';
import { changedHostnames } from './changed-hostnames.ts';
import { declaredText } from './declared-changes.ts';
import { manifestPlan } from './manifest-plan.ts';
import { changedObjects } from './objects/object-cautions.ts';
import { type ChangedObjects, noChangedObjects } from './objects/object-groups.ts';
import { redeploysOf } from './objects/redeploys.ts';
import type { Plan, PlanCommit, PlanProblem, Verdict } from './plan-answer.ts';
import { poolTotals } from './pool-changes.ts';
import { movedClaims, movedClaimText } from './serving-cautions.ts';
import { type PlanParts, summaryOf } from './summary.ts';

/**
 * The plan of a reviewed pull request. The same two commits give the same plan. When files of the
 * head cannot be read, the plan has their problems and no changes, because the changes are unknown.
 * `folder` is that of the workspace in its repository, empty for the top folder.
 */
export function planOf(review: Review, folder = ''): Plan {
  const { comparison, treeProblems, changeProblems } = review;
  const changes = review.head.problems.length > 0 ? noChanges : changesOf(review);
  const problems = causesFirst([
    ...treeProblems.map((problem) => planProblem(problem, 'tree')),
    ...changeProblems.map((problem) => planProblem(problem, 'change')),
  ]);
  const { pools, addresses, hostnames, moves, changed, cautions, manifests } = changes;
  const named = hostnames && hostnames.length > 0 ? { hostnames } : {};
  const parts = { addresses, ...named, cautions, problems, manifests };
  return {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Plan',
    verdict: verdictOf(parts),
    day: comparison.day,
    commit: comparison.head.id,
    ...(comparison.isUncommitted ? { uncommitted: true } : {}),
    ...(folder === '' ? {} : { folder }),
    summary: summaryOf(parts, moves, changed),
    base: planCommit(comparison.base),
    head: headOf(comparison),
    pools,
    ...parts,
    digest: digestOf(parts, review),
  };
}

/** A record that was lost or edited has other problems behind it. */
function causesFirst(problems: readonly PlanProblem[]): readonly PlanProblem[] {
  const isCause = ({ code }: PlanProblem): boolean => /^ALLOCATION_(?:FORGED|LOST)$/.test(code);
  return [...problems.filter(isCause), ...problems.filter((one) => !isCause(one))];
}

type Changes = Pick<Plan, 'pools' | 'addresses' | 'hostnames' | 'cautions' | 'manifests'> & {
  readonly moves: readonly string[];
  readonly changed: ChangedObjects;
};

const noChanges: Changes = {
  pools: [],
  addresses: [],
  moves: [],
  changed: noChangedObjects,
  cautions: [],
  manifests: [],
};

function changesOf(review: Review): Changes {
  const { base, head, comparison } = review;
  const pools = poolTotals(base, head, comparison.day);
  const addresses = addressChanges(review);
  const hostnames = changedHostnames(review);
  const moved = movedClaims(base, head);
  const manifests = manifestPlan(review);
  const changed = changedObjects(manifests, moved, redeploysOf(review));
  return {
    pools,
    addresses,
    hostnames,
    moves: moved.map(movedClaimText),
    changed,
    cautions: cautionsOf(review, { addresses, hostnames, moved, pools, manifests, changed }),
    manifests,
  };
}

/** The digest covers the pool file and the policy too: they decide what future leases get. */
function digestOf(
  { addresses, hostnames, manifests }: Pick<Plan, 'addresses' | 'hostnames' | 'manifests'>,
  review: Review,
) {
  const { base, head } = review;
  return sha256Hex(
    JSON.stringify([
      addresses,
      manifests,
      ...(hostnames ? [hostnames] : []),
      ...ifDifferent(declaredText(base.pools), declaredText(head.pools)),
      ...ifDifferent(declaredText(base.policy), declaredText(head.policy)),
    ]),
  );
}

function ifDifferent(before: string, after: string): readonly string[] {
  return before === after ? [] : [before, after];
}

function verdictOf(parts: PlanParts): Verdict {
  if (parts.problems.length > 0) return 'blocked';
  if (parts.cautions.length > 0) return 'caution';
  const { addresses, hostnames = [], manifests } = parts;
  const count = addresses.length + hostnames.length + manifests.length;
  return count > 0 ? 'routine' : 'no change';
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
