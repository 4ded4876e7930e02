import type { SourceTree, TargetTree, TreeChanges } from '../../interfaces/tree.ts';
import type { History } from '../../interfaces/work-tree.ts';
import { type Claim, declarerText, isLeaseClaim } from '../../model/claim.ts';
import { type Hostname, isLeaseHostname, routedService, routeText } from '../../model/hostname.ts';
import type { AddressPromise, Lease } from '../../model/lease.ts';
import { compareText, groupBy, sortedKeys } from '../../model/order.ts';
import { type Outcome, ok, okUnless, type Problem } from '../../model/problem.ts';
import { type EndedParts, leaseOf, leaseOfHostname, removeParts } from '../../tree/lease-edits.ts';
import type { Workspace } from '../../tree/workspace.ts';
import { releasedHostnames } from '../synth/planned-run.ts';
import type { SynthOptions } from '../synth/synth.ts';
import { type EditedRun, releasedAddresses, runEdited } from './edited-run.ts';
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
 * atomically: endpoints and hostnames of a lease, the file of a lease without any, and the file of
 * a Service, Reservation, promise or hostname. Problems: SDL_NOT_EDITED for a part of an SDL,
 * MASS_RELEASE, those of synth.
 */
export async function releaseClaims(
  tree: SourceTree & TargetTree,
  history: History,
  releasing: Releasing,
  options: SynthOptions,
): Promise<Outcome<ReleasedRun>> {
  const { claims, promises, workspace } = releasing;
  const edit = editOf(tree, releasing);
  if (!edit.ok) return edit;
  const removed = new Set(edit.value.removes);
  const named = new Set(releasing.hostnames);
  // An SDL ends with its lease, and its hostnames with it.
  const hostnames = workspace.hostnames.filter((one) => named.has(one) || removed.has(one.at.file));
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
    stillRouted: stillRouted(claims, workspace, new Set(hostnames)),
  };
  return ok({ ...outcome.value, answer });
}

/** The hostnames of ended Services that stay, by name. */
function stillRouted(
  claims: readonly Claim[],
  workspace: Workspace,
  released: ReadonlySet<Hostname>,
): ReleaseAnswer['stillRouted'] {
  const ended = new Set(claims.map((claim) => `${claim.cluster}/${declarerText(claim)}`));
  return workspace.hostnames
    .flatMap((one) =>
      one.lease || released.has(one) || !ended.has(routedService(one) ?? '')
        ? []
        : [{ hostname: one.hostname, routedTo: `${one.namespace}/${routeText(one)}` }],
    )
    .sort((left, right) => compareText(left.hostname, right.hostname));
}

function editOf(
  tree: SourceTree,
  { claims, promises, hostnames, workspace }: Releasing,
): Outcome<TreeChanges> {
  const writes = new Map<string, string>();
  const removes = new Set<string>();
  const problems: Problem[] = [];
  let { leases } = workspace;
  for (const [lease, ended] of byLease({ claims, hostnames }, workspace)) {
    const changes = removeParts(tree, { leases }, lease, ended);
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
  const routed = hostnames.filter(({ lease }) => lease === undefined);
  for (const { at } of [...promises, ...routed]) removes.add(at.file);
  return okUnless(problems, { writes, removes: [...removes] });
}

function byLease(
  { claims, hostnames }: Pick<Releasing, 'claims' | 'hostnames'>,
  workspace: Workspace,
): ReadonlyMap<Lease, EndedParts> {
  const byClaim = groupBy(claims.filter(isLeaseClaim), (claim) => leaseOf(workspace, claim));
  const byHostname = groupBy(hostnames.filter(isLeaseHostname), (hostname) =>
    leaseOfHostname(workspace, hostname),
  );
  const leases = new Set([...byClaim.keys(), ...byHostname.keys()]);
  return new Map(
    [...leases].map((lease) => [
      lease,
      { claims: byClaim.get(lease) ?? [], hostnames: byHostname.get(lease) ?? [] },
    ]),
  );
}
