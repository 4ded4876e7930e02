import { type Claim, isLeaseClaim, type LeaseClaim } from '../../model/claim.ts';
import type { Hostname } from '../../model/hostname.ts';
import type { AddressPromise } from '../../model/lease.ts';
import { compareText, groupBy, sortedKeys } from '../../model/order.ts';
import { type Outcome, ok, okUnless, type Problem } from '../../model/problem.ts';
import type { SourceTree, TargetTree, TreeChanges } from '../../ports/tree.ts';
import type { History } from '../../ports/work-tree.ts';
import { leaseOf, removeClaims } from '../../workspace/lease-edits.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import {
  type EditedRun,
  type EditOptions,
  releasedAddresses,
  releasedHostnames,
  runEdited,
} from './edited-run.ts';
import { cutClaim, type ReleaseAnswer } from './operation-answer.ts';

/** The run of a release, and its answer. */
export interface ReleasedRun extends EditedRun {
  readonly answer: ReleaseAnswer;
}

/** What to remove from the declarations. */
interface Releasing {
  readonly claims: readonly Claim[];
  readonly promises: readonly AddressPromise[];
  readonly hostnames: readonly Hostname[];
  readonly workspace: Workspace;
}

/**
 * Removes claims, promises and hostnames from the declarations and synthesizes the result,
 * atomically: endpoints of a lease, the file of a lease without remaining endpoints, and the file
 * of a Service, Reservation, promise or hostname. Problems: SDL_NOT_EDITED for only some endpoints of an SDL, MASS_RELEASE,
 * those of synth.
 */
export async function releaseClaims(
  tree: SourceTree & TargetTree,
  history: History,
  releasing: Releasing,
  options: EditOptions,
): Promise<Outcome<ReleasedRun>> {
  const { claims, promises, workspace } = releasing;
  const edit = editOf(tree, releasing);
  if (!edit.ok) return edit;
  const removed = new Set(edit.value.removes);
  // An SDL ends with its lease, and its hostnames with it.
  const hostnames = workspace.hostnames.filter(({ at }) => removed.has(at.file));
  const outcome = await runEdited(tree, history, edit.value, options);
  if (!outcome.ok) return outcome;
  const answer: ReleaseAnswer = {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Release',
    day: options.today,
    claims: claims.map(cutClaim),
    released: [
      ...releasedAddresses(
        outcome.value.run,
        new Set([...claims, ...promises].map(({ holder }) => holder)),
        options.today,
      ),
      ...releasedHostnames(outcome.value.run, hostnames, options.today),
    ],
    edited: sortedKeys(edit.value.writes),
    removed: [...removed].sort(compareText),
  };
  return ok({ ...outcome.value, answer });
}

function editOf(
  tree: SourceTree,
  { claims, promises, hostnames, workspace }: Releasing,
): Outcome<TreeChanges> {
  const writes = new Map<string, string>();
  const removes = new Set<string>();
  const problems: Problem[] = [];
  let { leases } = workspace;
  for (const [lease, gone] of byLease(claims.filter(isLeaseClaim), workspace)) {
    const changes = removeClaims(tree, { leases }, lease, gone);
    if (!changes.ok) {
      problems.push(...changes.problems);
      continue;
    }
    for (const [path, text] of changes.value.writes) writes.set(path, text);
    for (const path of changes.value.removes) removes.add(path);
    // An SDL that two leases read is removed with the last one.
    if (removes.has(lease.at.file)) leases = leases.filter((other) => other !== lease);
  }
  for (const claim of claims) if (claim.kind === 'Service') removes.add(claim.declared.at.file);
  for (const { at } of [...promises, ...hostnames]) removes.add(at.file);
  return okUnless(problems, { writes, removes: [...removes] });
}

function byLease(claims: readonly LeaseClaim[], workspace: Workspace) {
  const groups = groupBy(claims, (claim) => leaseOf(workspace, claim));
  return groups;
}
