import { newLeaseText, type WrittenClaim } from '../../declarations/declaration-edits.ts';
import { readLeaseFile } from '../../declarations/lease/lease-file.ts';
import { addressesHeldBy } from '../../model/allocation.ts';
import { claimText, isLeaseClaim, type LeaseClaim, sharingKey } from '../../model/claim.ts';
import { isSameEndpoint, leaseIdText } from '../../model/lease.ts';
import { fail, InternalError, type Outcome, ok, type Problem } from '../../model/problem.ts';
import { formatAddress } from '../../net/address.ts';
import type { ChangedTree } from '../../workspace/changed-tree.ts';
import type { Declared } from '../../workspace/declared.ts';
import {
  addClaims,
  type LeaseName,
  leaseNamed,
  leaseOf,
  removeClaims,
} from '../../workspace/lease-edits.ts';
import type { DeclareAnswer } from './bot-answer.ts';
import { addCommit, type CommitResult, commitMessage } from './branch-commit.ts';
import {
  type BotContext,
  type BranchRun,
  changeLines,
  type Edit,
  runOnBranch,
} from './branch-run.ts';

/** A request to declare a claim. */
export interface DeclareRequest {
  readonly lease: LeaseName;
  /** Already validated. */
  readonly claim: WrittenClaim;
  /** Allows it to take the claim over from another lease of the same owner. */
  readonly overwrite: boolean;
  /** The commit's subject, instead of the default one. */
  readonly subject: string | undefined;
}

/** The answer without the commit. */
export type DeclaredClaim = Omit<DeclareAnswer, 'commit'>;

/**
 * Declares a claim on a branch: writes the declaration, allocates, renders, commits and pushes, again from the
 * new head after a concurrent push. Idempotent: an equal claim of the same lease changes nothing, so that a
 * caller who lost the answer can repeat the request. Problems: PORT_TAKEN for a different claim on the port, and
 * for one of another lease. The Akash provider's DeclareIP refuses an equal one too
 * (cluster/kube/cluster_ip_connections.go, ErrAlreadyExists).
 */
export function declare(
  context: BotContext,
  request: DeclareRequest,
): Promise<CommitResult<DeclaredClaim>> {
  return addCommit(context, async (head) => {
    const outcome = await runOnBranch(context, head, (tree, declared) =>
      editFor(tree, declared, request),
    );
    if (!outcome.ok) return { kind: 'problems', problems: outcome.problems };
    const { run, changes } = outcome.value;
    const value = answerOf(outcome.value, request);
    if (outcome.value.value === 'declared already') return { kind: 'nothing', value };
    const message = messageOf(value, changeLines(run.changes), request.subject);
    const tree = await context.branch.treeWith(head ?? '', changes);
    return { kind: 'commit', draft: { tree, parent: head, message }, value };
  });
}

/** The claim that is taken over from another lease, if any; or that no edit is needed. */
type Taken = LeaseClaim | 'declared already' | undefined;

function editFor(
  tree: ChangedTree,
  declared: Declared,
  request: DeclareRequest,
): Outcome<Edit<Taken>> {
  const existing = declared.claims
    .filter(isLeaseClaim)
    .find((claim) => isRequested(claim, request, declared));
  if (existing && isEqual(declared, existing, request)) {
    return ok({ changes: { writes: new Map(), removes: [] }, value: 'declared already' });
  }
  const refused = existing && refusal(declared, existing, request);
  if (refused) return fail([refused]);
  const added = addClaims(tree, declared, request.lease, [request.claim]);
  if (!added.ok) return added;
  const removed = existing
    ? removeClaims(tree, declared, leaseOf(declared, existing), [existing])
    : undefined;
  if (removed && !removed.ok) return removed;
  const changes = {
    writes: new Map([...(removed?.value.writes ?? []), ...added.value.writes]),
    removes: removed?.value.removes ?? [],
  };
  return ok({ changes, value: existing });
}

/** True for a claim on the requested port of the requested holder. */
function isRequested(
  { holder, externalPort, protocol }: LeaseClaim,
  { lease, claim }: DeclareRequest,
  { pools }: Pick<Declared, 'pools'>,
): boolean {
  const cluster = lease.cluster ?? pools?.defaultCluster;
  return (
    externalPort === (claim.externalPort ?? claim.port) &&
    protocol === (claim.protocol ?? 'TCP') &&
    holder === `${cluster}/akash/${sharingKey(lease.owner, claim.name)}`
  );
}

/** True for a claim of the requested lease that is equal to the requested one, with defaults applied. */
function isEqual(
  declared: Declared,
  existing: LeaseClaim,
  { lease: name, claim }: DeclareRequest,
): boolean {
  const lease = leaseOf(declared, existing);
  if (lease !== leaseNamed(declared, name)) return false;
  const text = newLeaseText({ ...lease.id, cluster: lease.cluster }, claim);
  const read = readLeaseFile(lease.at.file, new TextEncoder().encode(text), declared.pools);
  const own = lease.endpoints.find(({ at }) => at === existing.at);
  if (!read.ok || !read.value || !('endpoints' in read.value) || !own) return false;
  return read.value.endpoints.every((wanted) => isSameEndpoint(own, wanted));
}

/** PORT_TAKEN, unless the claim belongs to another lease and may be taken over. */
function refusal(
  declared: Declared,
  existing: LeaseClaim,
  { lease, overwrite }: DeclareRequest,
): Problem | undefined {
  const isOwn = leaseOf(declared, existing) === leaseNamed(declared, lease);
  if (overwrite && !isOwn) return undefined;
  const addresses = addressesHeldBy(declared.table, existing.holder).map(formatAddress);
  const on = addresses.length > 0 ? ` on ${addresses.join(' and ')}` : '';
  const whose = isOwn ? 'this lease' : `lease ${leaseIdText(existing.lease)}`;
  return {
    code: 'PORT_TAKEN',
    message: `endpoint '${existing.endpoint}' already has ${claimText(existing)} of ${whose}${on}`,
    at: existing.at,
    hint: isOwn
      ? 'to change it, purge the claim first, or edit the file and commit it'
      : 'declare --overwrite takes it over from the other lease of this owner',
  };
}

function answerOf({ run, value }: BranchRun<Taken>, request: DeclareRequest): DeclaredClaim {
  const claims = run.workspace.holders.flatMap((holder) => holder.claims).filter(isLeaseClaim);
  const claim = claims.find((candidate) => isRequested(candidate, request, run.workspace));
  if (claim === undefined) throw new InternalError('the declared claim is not in the workspace');
  const taken = value === 'declared already' ? undefined : value;
  const { endpoint, service, externalPort, protocol } = claim;
  return {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Declaration',
    lease: leaseIdText(claim.lease),
    cluster: claim.cluster,
    holder: claim.holder,
    addresses: addressesHeldBy(run.table, claim.holder).map(formatAddress),
    claim: { endpoint, service, externalPort, protocol },
    file: claim.at.file,
    ...(taken === undefined ? {} : { takenFrom: leaseIdText(taken.lease) }),
  };
}

function messageOf(
  { holder, addresses, lease, claim, takenFrom }: DeclaredClaim,
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
