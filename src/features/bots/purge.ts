import { isHeld } from '../../model/allocation.ts';
import { claimText, isLeaseClaim, type LeaseClaim } from '../../model/claim.ts';
import { leaseIdText } from '../../model/lease.ts';
import { counted, fail, type Outcome, ok, type Problem } from '../../model/problem.ts';
import { compareAddresses, formatAddress } from '../../net/address.ts';
import type { ChangedTree } from '../../workspace/changed-tree.ts';
import type { Declared } from '../../workspace/declared.ts';
import {
  type LeaseName,
  leaseNamed,
  leaseNameText,
  removeClaims,
} from '../../workspace/lease-edits.ts';
import type { AnsweredClaim, PurgeAnswer, PurgedAddress } from './bot-answer.ts';
import { addCommit, type CommitResult, type CommitStep, commitMessage } from './branch-commit.ts';
import {
  type BotContext,
  type BranchRun,
  changeLines,
  type Edit,
  runOnBranch,
} from './branch-run.ts';

/** Claims of a lease to remove in a commit: all, or those that match every given field. */
export interface PurgeTask {
  readonly lease: LeaseName;
  readonly service: string | undefined;
  /** The container's port. */
  readonly port: number | undefined;
  /** The port on the address. */
  readonly externalPort: number | undefined;
  readonly protocol: string | undefined;
  /** The tenant's IP endpoint name. */
  readonly endpoint: string | undefined;
  /** The commit's subject, instead of the default one. */
  readonly subject: string | undefined;
}

/** The answer without the commit. */
export type PurgedClaims = Omit<PurgeAnswer, 'commit'>;

/**
 * Removes claims of a lease, or the whole lease, from a branch: edits the declaration, releases
 * addresses that no other claim uses, commits and pushes, again from the new head after a
 * concurrent push. Without a matching claim it does nothing, like the Akash provider's
 * PurgeDeclaredIP. Problems: PORT_UNCLEAR when `externalPort` is the container port of a claim
 * instead of the port on the address.
 */
export function purge(context: BotContext, task: PurgeTask): Promise<CommitResult<PurgedClaims>> {
  return addCommit(context, async (head): Promise<CommitStep<PurgedClaims>> => {
    const outcome = await runOnBranch(context, head, (tree, declared) =>
      editFor(tree, declared, task),
    );
    if (!outcome.ok) return { kind: 'problems', problems: outcome.problems };
    const value = answerOf(outcome.value, task);
    if (value.claims.length === 0) return { kind: 'nothing', value };
    const { run, changes, value: gone } = outcome.value;
    const message = messageOf(value, [...gone.map(goneText), ...changeLines(run.changes)], task);
    const tree = await context.branch.treeWith(head ?? '', changes);
    return { kind: 'commit', draft: { tree, parent: head, message }, value };
  });
}

/** The value of the edit is the list of removed claims. */
function editFor(
  tree: ChangedTree,
  declared: Declared,
  task: PurgeTask,
): Outcome<Edit<readonly LeaseClaim[]>> {
  const lease = leaseNamed(declared, task.lease);
  const places = new Set(lease?.endpoints.map(({ at }) => at));
  const own = declared.claims.filter(isLeaseClaim).filter((claim) => places.has(claim.at));
  const gone = own.filter((claim) => fits(claim, task));
  if (lease === undefined || gone.length === 0) {
    const unclear = own.filter((claim) => isByContainerPort(claim, task));
    const [first] = unclear;
    if (first) return fail([portUnclear(first, unclear)]);
    return ok({ changes: { writes: new Map(), removes: [] }, value: [] });
  }
  const changes = removeClaims(tree, declared, lease, gone);
  return changes.ok ? ok({ changes: changes.value, value: gone }) : changes;
}

function fits(claim: LeaseClaim, task: PurgeTask): boolean {
  const fields = ['service', 'port', 'externalPort', 'protocol', 'endpoint'] as const;
  return fields.every((field) => task[field] === undefined || task[field] === claim[field]);
}

/** True for a claim that would match if the port were the container port. */
function isByContainerPort(claim: LeaseClaim, task: PurgeTask): boolean {
  return claim.port === task.externalPort && fits(claim, { ...task, externalPort: undefined });
}

/** Without this problem, a purge by container port would report that there is nothing to do. */
function portUnclear({ service, port, at }: LeaseClaim, declared: readonly LeaseClaim[]): Problem {
  const names = declared.map((claim) => `${claimText(claim)} (container ${claim.port})`);
  const ports = declared.map(
    ({ externalPort, protocol }) => `${externalPort}/${protocol.toLowerCase()}`,
  );
  return {
    code: 'PORT_UNCLEAR',
    message: `no claim of ${service} uses port ${port} on the address; declared: ${names.join(', ')}`,
    at,
    hint: `name the port on the address: ${ports.join(' or ')}`,
  };
}

function answerOf(
  { day, run, value: gone }: BranchRun<readonly LeaseClaim[]>,
  { lease }: PurgeTask,
): PurgedClaims {
  const holders = new Set(gone.map(({ holder }) => holder));
  const released = run.changes
    .filter(({ kind, holder }) => kind === 'released' && holders.has(holder))
    .map(({ address }) => address)
    .sort(compareAddresses)
    .flatMap((address): PurgedAddress[] => {
      const record = run.table.get(formatAddress(address));
      if (record === undefined || isHeld(record)) return [];
      const freeFrom = record.released?.freeFrom ?? '';
      return [{ address: formatAddress(address), holder: record.holder, freeFrom }];
    });
  return {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Purge',
    day,
    lease: leaseNameText(lease),
    claims: gone.map(answered),
    released,
  };
}

function answered({ endpoint, service, externalPort, protocol }: LeaseClaim): AnsweredClaim {
  return { endpoint, service, externalPort, protocol };
}

function goneText(claim: LeaseClaim): string {
  return `${claimText(claim)} of lease ${leaseIdText(claim.lease)} is no longer declared`;
}

function messageOf(
  { lease, claims, released }: PurgedClaims,
  body: readonly string[],
  { subject }: PurgeTask,
): string {
  const addresses = released.map(({ address }) => address);
  const count = counted(claims.length, 'claim');
  const what = addresses.length > 0 ? `Release ${addresses.join(', ')}` : `Remove ${count}`;
  const holders = [...new Set(released.map(({ holder }) => holder))];
  return commitMessage({
    subject: subject ?? `${what} of lease ${lease}`,
    body,
    trailers: [
      ...holders.map((holder) => ['Leasehold-Holder', holder] as const),
      ...addresses.map((address) => ['Leasehold-Address', address] as const),
    ],
  });
}
