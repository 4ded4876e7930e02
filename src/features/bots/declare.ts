import { newLeaseText, type WrittenClaim } from '../../declarations/lease/lease-edit.ts';
import { readLeaseFile } from '../../declarations/lease/lease-file.ts';
import { addressesHeldBy } from '../../model/allocation.ts';
import { claimText, isLeaseClaim, type LeaseClaim } from '../../model/claim.ts';
import { isSameEndpoint, leaseIdText } from '../../model/lease.ts';
import { InternalError, type Outcome, type Problem } from '../../model/problem.ts';
import { sharingKey } from '../../model/sharing-key.ts';
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
import type { Declaration } from './bot-answer.ts';
import { addCommit, commitMessage, type Ended } from './branch-commit.ts';
import { type BotDesk, type BranchRun, changeLines, type Edit, runOnBranch } from './branch-run.ts';

/** A claim that a caller wants made. */
export interface WantedClaim {
  readonly lease: LeaseName;
  /** Sound in itself. */
  readonly claim: WrittenClaim;
  /** Lets it take the claim over from another lease of the same owner. */
  readonly overwrite: boolean;
  /** The commit's subject, in place of ours. */
  readonly subject: string | undefined;
}

/** What a claim came to, but for the commit. */
export type DeclaredClaim = Omit<Declaration, 'commit'>;

/**
 * Declares a claim on a branch: writes the declaration, allocates, renders, commits and pushes; from the
 * new head when somebody else was first. Nothing is done for an equal claim of the same lease, so that a caller who lost
 * the answer asks again; PORT_TAKEN for one that differs, and for one of another lease. The Akash provider's DeclareIP
 * refuses an equal one too (cluster/kube/cluster_ip_connections.go, ErrAlreadyExists).
 */
export function declare(desk: BotDesk, wanted: WantedClaim): Promise<Ended<DeclaredClaim>> {
  return addCommit(desk, async (head) => {
    const outcome = await runOnBranch(desk, head, (tree, declared) =>
      editFor(tree, declared, wanted),
    );
    if (!outcome.ok) return { kind: 'problems', problems: outcome.problems };
    const { run, changes } = outcome.value;
    const value = answerOf(outcome.value, wanted);
    if (outcome.value.value === 'declared already') return { kind: 'nothing', value };
    const message = messageOf(value, changeLines(run.changes), wanted.subject);
    const tree = await desk.branch.treeWith(head ?? '', changes);
    return { kind: 'commit', draft: { tree, parent: head, message }, value };
  });
}

/** The claim that another lease loses, if one does; or that nothing is to be done. */
type Taken = LeaseClaim | 'declared already' | undefined;

function editFor(tree: ChangedTree, declared: Declared, wanted: WantedClaim): Outcome<Edit<Taken>> {
  const existing = declared.claims
    .filter(isLeaseClaim)
    .find((claim) => isWanted(claim, wanted, declared));
  if (existing && isEqual(declared, existing, wanted)) {
    return {
      ok: true,
      value: { changes: { writes: new Map(), removes: [] }, value: 'declared already' },
    };
  }
  const refused = existing && refusal(declared, existing, wanted);
  if (refused) return { ok: false, problems: [refused] };
  const added = addClaims(tree, declared, wanted.lease, [wanted.claim]);
  if (!added.ok) return added;
  const removed = existing
    ? removeClaims(tree, declared, leaseOf(declared, existing), [existing])
    : undefined;
  if (removed && !removed.ok) return removed;
  const changes = {
    writes: new Map([...(removed?.value.writes ?? []), ...added.value.writes]),
    removes: removed?.value.removes ?? [],
  };
  return { ok: true, value: { changes, value: existing } };
}

/** True for a claim on the wanted port of the wanted holder. */
function isWanted(
  { holder, externalPort, protocol }: LeaseClaim,
  { lease, claim }: WantedClaim,
  { pools }: Pick<Declared, 'pools'>,
): boolean {
  const cluster = lease.cluster ?? pools?.defaultCluster;
  return (
    externalPort === (claim.externalPort ?? claim.port) &&
    protocol === (claim.protocol ?? 'TCP') &&
    holder === `${cluster}/akash/${sharingKey(lease.owner, claim.name)}`
  );
}

/** True for a claim of the wanted lease that says what is wanted, also where it takes a default. */
function isEqual(
  declared: Declared,
  existing: LeaseClaim,
  { lease: name, claim }: WantedClaim,
): boolean {
  const lease = leaseOf(declared, existing);
  if (lease !== leaseNamed(declared, name)) return false;
  const text = newLeaseText({ ...lease.id, cluster: lease.cluster }, claim);
  const read = readLeaseFile(lease.at.file, new TextEncoder().encode(text), declared.pools);
  const own = lease.endpoints.find(({ at }) => at === existing.at);
  if (!read.ok || !read.value || !('endpoints' in read.value) || !own) return false;
  return read.value.endpoints.every((wanted) => isSameEndpoint(own, wanted));
}

/** PORT_TAKEN, unless the claim is another lease's and may be taken over. */
function refusal(
  declared: Declared,
  existing: LeaseClaim,
  { lease, overwrite }: WantedClaim,
): Problem | undefined {
  const isOwn = leaseOf(declared, existing) === leaseNamed(declared, lease);
  if (overwrite && !isOwn) return undefined;
  const addresses = addressesHeldBy(declared.table, existing.holder).map(formatAddress);
  const on = addresses.length > 0 ? ` on ${addresses.join(' and ')}` : '';
  const whose = isOwn ? 'this lease' : `lease ${leaseIdText(existing.lease)}`;
  return {
    code: 'PORT_TAKEN',
    message: `endpoint '${existing.endpoint}' has ${claimText(existing)} of ${whose} already${on}`,
    at: existing.at,
    hint: isOwn
      ? 'to change it, purge the claim first, or edit the file and commit it'
      : 'declare --overwrite takes it over from the other lease of this owner',
  };
}

function answerOf({ run, value }: BranchRun<Taken>, wanted: WantedClaim): DeclaredClaim {
  const claims = run.workspace.holders.flatMap((holder) => holder.claims).filter(isLeaseClaim);
  const claim = claims.find((candidate) => isWanted(candidate, wanted, run.workspace));
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
