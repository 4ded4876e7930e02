import { isHeld } from '../../model/allocation.ts';
import { claimText, isLeaseClaim, type LeaseClaim } from '../../model/claim.ts';
import { leaseIdText } from '../../model/lease.ts';
import type { Outcome, Problem } from '../../model/problem.ts';
import { compareAddresses, formatAddress } from '../../net/address.ts';
import type { ChangedTree } from '../../workspace/changed-tree.ts';
import type { Declared } from '../../workspace/declared.ts';
import {
  type LeaseName,
  leaseNamed,
  leaseNameText,
  removeClaims,
} from '../../workspace/lease-edits.ts';
import type { AnsweredClaim, Purge, ReleasedAddress } from './bot-answer.ts';
import { addCommit, commitMessage, type Ended, type Step } from './branch-commit.ts';
import { type BotDesk, type BranchRun, changeLines, type Edit, runOnBranch } from './branch-run.ts';

/** Claims of a lease that are to go: all, or those that every given field fits. */
export interface UnwantedClaims {
  readonly lease: LeaseName;
  readonly service: string | undefined;
  readonly externalPort: number | undefined;
  readonly protocol: string | undefined;
  /** The tenant's IP endpoint name. */
  readonly endpoint: string | undefined;
  /** The commit's subject, in place of ours. */
  readonly subject: string | undefined;
}

/** What a purge came to, but for the commit. */
export type PurgedClaims = Omit<Purge, 'commit'>;

/**
 * Takes claims of a lease from a branch, or the whole lease: removes them from the declaration, releases
 * what nobody else stands on, commits and pushes; from the new head when somebody else was first. Nothing
 * is done when there is no such claim: the Akash provider's PurgeDeclaredIP is content with that too. PORT_UNCLEAR for
 * the container's port of a claim in place of the port on the address.
 */
export function purge(desk: BotDesk, unwanted: UnwantedClaims): Promise<Ended<PurgedClaims>> {
  return addCommit(desk, async (head): Promise<Step<PurgedClaims>> => {
    const outcome = await runOnBranch(desk, head, (tree, declared) =>
      editFor(tree, declared, unwanted),
    );
    if (!outcome.ok) return { kind: 'problems', problems: outcome.problems };
    const value = answerOf(outcome.value, unwanted);
    if (value.claims.length === 0) return { kind: 'nothing', value };
    const { run, changes, value: gone } = outcome.value;
    const message = messageOf(
      value,
      [...gone.map(goneText), ...changeLines(run.changes)],
      unwanted,
    );
    const tree = await desk.branch.treeWith(head ?? '', changes);
    return { kind: 'commit', draft: { tree, parent: head, message }, value };
  });
}

/** `value` are the claims that go. */
function editFor(
  tree: ChangedTree,
  declared: Declared,
  unwanted: UnwantedClaims,
): Outcome<Edit<readonly LeaseClaim[]>> {
  const lease = leaseNamed(declared, unwanted.lease);
  const places = new Set(lease?.endpoints.map(({ at }) => at));
  const gone = declared.claims
    .filter(isLeaseClaim)
    .filter((claim) => places.has(claim.at) && fits(claim, unwanted));
  if (lease === undefined || gone.length === 0) {
    const unclear = declared.claims
      .filter(isLeaseClaim)
      .find((claim) => places.has(claim.at) && isByContainerPort(claim, unwanted));
    if (unclear) return { ok: false, problems: [portUnclear(unclear)] };
    return { ok: true, value: { changes: { writes: new Map(), removes: [] }, value: [] } };
  }
  const changes = removeClaims(tree, declared, lease, gone);
  return changes.ok ? { ok: true, value: { changes: changes.value, value: gone } } : changes;
}

function fits(claim: LeaseClaim, unwanted: UnwantedClaims): boolean {
  const fields = ['service', 'externalPort', 'protocol', 'endpoint'] as const;
  return fields.every((field) => unwanted[field] === undefined || unwanted[field] === claim[field]);
}

/** True for a claim that would fit if the port were the container's. */
function isByContainerPort(claim: LeaseClaim, unwanted: UnwantedClaims): boolean {
  return (
    claim.port === unwanted.externalPort && fits(claim, { ...unwanted, externalPort: undefined })
  );
}

/** Whoever says the container's port would otherwise be told that nothing is to be done, and the address stays leased. */
function portUnclear(claim: LeaseClaim): Problem {
  return {
    code: 'PORT_UNCLEAR',
    message: `no claim of ${claim.service} is on the port ${claim.port}, which is the container's port of ${claimText(claim)}`,
    at: claim.at,
    hint: `name the port on the address: ${claim.externalPort}/${claim.protocol.toLowerCase()}`,
  };
}

function answerOf(
  { run, value: gone }: BranchRun<readonly LeaseClaim[]>,
  { lease }: UnwantedClaims,
): PurgedClaims {
  const holders = new Set(gone.map(({ holder }) => holder));
  const released = run.changes
    .filter(({ kind, holder }) => kind === 'released' && holders.has(holder))
    .map(({ address }) => address)
    .sort(compareAddresses)
    .flatMap((address): ReleasedAddress[] => {
      const record = run.table.get(formatAddress(address));
      if (record === undefined || isHeld(record)) return [];
      const freeFrom = record.released?.freeFrom ?? '';
      return [{ address: formatAddress(address), holder: record.holder, freeFrom }];
    });
  return {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Purge',
    lease: leaseNameText(lease),
    claims: gone.map(answered),
    released,
  };
}

function answered({ endpoint, service, externalPort, protocol }: LeaseClaim): AnsweredClaim {
  return { endpoint, service, externalPort, protocol };
}

function goneText(claim: LeaseClaim): string {
  return `${claimText(claim)} of lease ${leaseIdText(claim.lease)} is declared no more`;
}

function messageOf(
  { lease, claims, released }: PurgedClaims,
  body: readonly string[],
  { subject }: UnwantedClaims,
): string {
  const addresses = released.map(({ address }) => address);
  const count = claims.length === 1 ? '1 claim' : `${claims.length} claims`;
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
