import { isHeld } from '../../core/model/allocation.ts';
import { claimText, isLeaseClaim, type LeaseClaim } from '../../core/model/claim.ts';
import { isLeaseHostname, type LeaseHostname } from '../../core/model/hostname.ts';
import { leaseIdText } from '../../core/model/lease.ts';
import { counted, fail, type Outcome, ok, type Problem } from '../../core/model/problem.ts';
import { compareAddresses, formatAddress } from '../../core/net/address.ts';
import { releasedHostnames } from '../../core/run/synth/planned-run.ts';
import type { ChangedTree } from '../../core/tree/changed-tree.ts';
import type { Declared } from '../../core/tree/declared.ts';
import {
  addCommit,
  type CommitResult,
  type CommitStep,
  commitMessage,
} from '../../lib/branch/branch-commit.ts';
import {
  type BotContext,
  type BranchRun,
  changeLines,
  type Edit,
  runOnBranch,
} from '../../lib/branch/branch-run.ts';
import {
  type EndedParts,
  type LeaseName,
  leaseNamed,
  leaseNameText,
  removeParts,
} from '../../lib/edit/lease-edits.ts';
import type { AnsweredClaim, PurgeAnswer, PurgedAddress } from './bot-answer.ts';
import { problem } from './codes.ts';

/** A lease to remove in a commit, or the claims of it that match every given field. */
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
    const value = purgeAnswer(outcome.value, task);
    const { run, changes, value: gone } = outcome.value;
    if (gone.claims.length + gone.hostnames.length === 0) return { kind: 'nothing', value };
    const lines = [...gone.claims.map(goneText), ...gone.hostnames.map(goneHostnameText)];
    const message = messageOf(value, gone, [...lines, ...changeLines(run.changes)], task);
    const tree = await context.branch.treeWith(head ?? '', changes);
    return { kind: 'commit', draft: { tree, parent: head, message }, value };
  });
}

/** The value of the edit is what it ends. A whole lease ends with its hostnames. */
function editFor(
  tree: ChangedTree,
  declared: Declared,
  task: PurgeTask,
): Outcome<Edit<EndedParts>> {
  const lease = leaseNamed(declared, task.lease);
  const places = new Set(
    [...(lease?.endpoints ?? []), ...(lease?.hosts ?? [])].map(({ at }) => at),
  );
  const own = declared.claims.filter(isLeaseClaim).filter((claim) => places.has(claim.at));
  const isWhole = claimFields.every((field) => task[field] === undefined);
  const named = declared.hostnames.filter(isLeaseHostname).filter(({ at }) => places.has(at));
  const gone = {
    claims: own.filter((claim) => fits(claim, task)),
    hostnames: isWhole ? named : [],
  };
  if (lease === undefined || gone.claims.length + gone.hostnames.length === 0) {
    const unclear = own.filter((claim) => isByContainerPort(claim, task));
    const [first] = unclear;
    if (first) return fail([portUnclear(first, unclear)]);
    return ok({ changes: { writes: new Map(), removes: [] }, value: gone });
  }
  const changes = removeParts(tree, declared, lease, gone);
  return changes.ok ? ok({ changes: changes.value, value: gone }) : changes;
}

const claimFields = ['service', 'port', 'externalPort', 'protocol', 'endpoint'] as const;

function fits(claim: LeaseClaim, task: PurgeTask): boolean {
  return claimFields.every((field) => task[field] === undefined || task[field] === claim[field]);
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
    code: problem.PORT_UNCLEAR,
    message: `no claim of ${service} uses port ${port} on the address; declared: ${names.join(', ')}`,
    at,
    hint: `name the port on the address: ${ports.join(' or ')}`,
  };
}

function purgeAnswer(
  { day, run, value: gone }: BranchRun<EndedParts>,
  { lease }: PurgeTask,
): PurgedClaims {
  const holders = new Set(gone.claims.map(({ holder }) => holder));
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
    claims: gone.claims.map(answered),
    released: [...released, ...releasedHostnames(run, gone.hostnames, day)],
  };
}

function answered({ endpoint, service, externalPort, protocol }: LeaseClaim): AnsweredClaim {
  return { endpoint, service, externalPort, protocol };
}

function goneText(claim: LeaseClaim): string {
  return `${claimText(claim)} of lease ${leaseIdText(claim.lease)} is no longer declared`;
}

function goneHostnameText({ hostname, lease }: LeaseHostname): string {
  return `${hostname} of lease ${leaseIdText(lease)} is no longer declared`;
}

function messageOf(
  { lease, released }: PurgedClaims,
  gone: EndedParts,
  body: readonly string[],
  { subject }: PurgeTask,
): string {
  const addresses = released.flatMap((one) => ('address' in one ? [one.address] : []));
  const names = released.flatMap((one) => ('hostname' in one ? [one.hostname] : []));
  const ended = [...addresses, ...names];
  const count =
    gone.claims.length > 0
      ? counted(gone.claims.length, 'claim')
      : counted(gone.hostnames.length, 'hostname');
  const what = ended.length > 0 ? `Release ${ended.join(', ')}` : `Remove ${count}`;
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
