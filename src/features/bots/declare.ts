import { PoolIndex } from '../../core/declarations/pools/pool-index.ts';
import { addressesHeldBy } from '../../core/model/allocation.ts';
import { isLeaseClaim } from '../../core/model/claim.ts';
import { leaseIdText } from '../../core/model/lease.ts';
import { InternalError } from '../../core/model/problem.ts';
import { formatAddress } from '../../core/net/address.ts';
import type { PlannedRun } from '../../core/run/synth/planned-run.ts';
import { addCommit, type CommitResult, commitMessage } from '../../lib/branch/branch-commit.ts';
import {
  type BotContext,
  type BranchRun,
  changeLines,
  isUnrecorded,
  runOnBranch,
} from '../../lib/branch/branch-run.ts';
import { type ClaimEdit, claimEdit, hasPortOf, type NewClaim } from '../../lib/edit/claim-edit.ts';
import type { DeclareAnswer } from './bot-answer.ts';

/** A claim to declare in a commit. */
export interface ClaimTask extends NewClaim {
  /** The commit's subject, instead of the default one. */
  readonly subject: string | undefined;
}

/** The answer without the commit. */
export type DeclareResult = Omit<DeclareAnswer, 'commit'>;

/** That of a claim. */
type LeaseAnswer = DeclareResult & Required<Pick<DeclareAnswer, 'lease' | 'claim'>>;

/**
 * Declares a claim on a branch: writes the declaration, allocates, renders, commits and pushes,
 * again from the new head after a concurrent push. Idempotent: an equal claim of the same lease
 * with an address changes nothing, so that a caller who lost the answer can repeat the call.
 * Problems: PORT_TAKEN for a different claim on the port, and for one of another lease. The Akash
 * provider's DeclareIP refuses an equal one too (cluster/kube/cluster_ip_connections.go,
 * ErrAlreadyExists).
 */
export function declare(
  context: BotContext,
  task: ClaimTask,
): Promise<CommitResult<DeclareResult>> {
  return addCommit(context, async (head) => {
    const outcome = await runOnBranch(context, head, (tree, declared) =>
      claimEdit(tree, declared, task),
    );
    if (!outcome.ok) return { kind: 'problems', problems: outcome.problems };
    const { run, changes } = outcome.value;
    const value = claimAnswer(outcome.value, task);
    const isDeclared = outcome.value.value === 'declared already';
    if (isDeclared && !isUnrecorded(run, value)) return { kind: 'nothing', value };
    const message = messageOf(value, changeLines(run.changes), task.subject);
    const tree = await context.branch.treeWith(head ?? '', changes);
    return { kind: 'commit', draft: { tree, parent: head, message }, value };
  });
}

function claimAnswer(
  { day, run, value }: BranchRun<ClaimEdit['value']>,
  task: ClaimTask,
): LeaseAnswer {
  const claims = run.workspace.holders.flatMap((holder) => holder.claims).filter(isLeaseClaim);
  const claim = claims.find((candidate) => hasPortOf(candidate, task, run.workspace));
  if (claim === undefined) throw new InternalError('the declared claim is not in the workspace');
  const taken = value === 'declared already' ? undefined : value;
  const { endpoint, service, externalPort, protocol } = claim;
  return {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Declaration',
    day,
    lease: leaseIdText(claim.lease),
    cluster: claim.cluster,
    holder: claim.holder,
    ...addressFields(run, claim.holder),
    claim: { endpoint, service, externalPort, protocol },
    file: claim.at.file,
    ...(taken === undefined ? {} : { takenFrom: leaseIdText(taken.lease) }),
  };
}

/** The addresses of a holder after a run. */
export function addressFields(
  { table, workspace: { pools } }: PlannedRun,
  holder: string,
): Pick<DeclareResult, 'addresses' | 'publicAddresses'> {
  const held = addressesHeldBy(table, holder);
  const beyond = new PoolIndex(pools).publicAddresses(held);
  return {
    addresses: held.map(formatAddress),
    ...(beyond ? { publicAddresses: beyond.map(formatAddress) } : {}),
  };
}

function messageOf(
  { holder, addresses, lease, claim, takenFrom }: LeaseAnswer,
  changes: readonly string[],
  subject = `Lease ${addresses.join(' and ')} for ${holder}`,
): string {
  const what = `${claim.service} ${claim.externalPort}/${claim.protocol} of lease ${lease}`;
  const taken = takenFrom === undefined ? [] : [`taken over from lease ${takenFrom}`];
  return commitMessage({
    subject,
    body: [what, ...taken, ...changes],
    trailers: [
      ['Leasehold-Holder', holder],
      ...addresses.map((address) => ['Leasehold-Address', address] as const),
    ],
  });
}
