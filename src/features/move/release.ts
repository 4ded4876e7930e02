import { PoolIndex } from '../../core/declarations/pools/pool-index.ts';
import type { SourceTree, TargetTree, TreeChanges } from '../../core/interfaces/tree.ts';
import type { History } from '../../core/interfaces/work-tree.ts';
import { isHeld } from '../../core/model/allocation.ts';
import { type Claim, declarerText, isLeaseClaim } from '../../core/model/claim.ts';
import type { Day } from '../../core/model/day.ts';
import {
  type Hostname,
  isLeaseHostname,
  routedService,
  routeText,
} from '../../core/model/hostname.ts';
import type { Lease } from '../../core/model/lease.ts';
import { compareText, groupBy, sortedKeys } from '../../core/model/order.ts';
import { type Outcome, ok, okUnless, type Problem } from '../../core/model/problem.ts';
import { serviceIdText } from '../../core/model/service.ts';
import { formatAddress } from '../../core/net/address.ts';
import { type EditedRun, runEdited } from '../../core/run/synth/edited-run.ts';
import { type PlannedRun, releasedHostnames } from '../../core/run/synth/planned-run.ts';
import type { SynthOptions } from '../../core/run/synth/synth.ts';
import type { Workspace } from '../../core/tree/workspace.ts';
import { leaseOf } from '../../core/tree/workspace.ts';
import {
  type EndedParts,
  leaseOfHostname,
  removeParts,
  sourcesOf,
} from '../../lib/edit/lease-edits.ts';
import type { Owned } from '../../lib/edit/named-parties.ts';
import { withheldOf } from '../../lib/list/list.ts';
import { cutClaim, type ReleaseAnswer, type ReleasedAddress } from './operation-answer.ts';

/** The run of a release, and its answer. */
export interface ReleasedRun extends EditedRun {
  readonly answer: ReleaseAnswer;
}

/** The parts of declarations to remove. */
interface Releasing extends Owned {
  readonly workspace: Workspace;
}

/** The releases of a run, and the edit for them. */
interface Released extends Releasing {
  readonly edit: TreeChanges;
  readonly skipped: ReleaseAnswer['skipped'];
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
  const edit = editOf(tree, releasing);
  if (!edit.ok) return edit;
  return runRelease(tree, history, { ...releasing, edit: edit.value, skipped: [] }, options);
}

/**
 * Releases all leases, promises and hostnames of a cluster: removes their files, and the SDLs that
 * no other lease reads. Services and Reservations with `deny-external-cleanup` stay. This differs
 * from vitistack ipam-api (cmd/cli/delete_cluster.go), which frees every address of the cluster at
 * once and reads no deny flag.
 */
export async function releaseCluster(
  tree: SourceTree & TargetTree,
  history: History,
  { cluster, workspace }: { readonly cluster: string; readonly workspace: Workspace },
  options: SynthOptions,
): Promise<Outcome<ReleasedRun>> {
  const isOf = (one: { readonly cluster: string }) => one.cluster === cluster;
  const leases = workspace.leases.filter(isOf);
  const denied = workspace.services.filter((one) => isOf(one) && one.denyExternalCleanup);
  const ended = workspace.services.filter((one) => isOf(one) && !one.denyExternalCleanup);
  const promises = workspace.promises.filter(isOf);
  const hostnames = workspace.hostnames.filter(isOf);
  const claims = workspace.holders
    .flatMap((holder) => holder.claims)
    .filter((claim) => isOf(claim) && (isLeaseClaim(claim) || !claim.declared.denyExternalCleanup));
  // The hostnames of leases end with them.
  const routed = hostnames.filter(({ lease }) => lease === undefined);
  const removes = [
    ...filesOf(leases, workspace.leases),
    ...[...ended, ...promises, ...routed].map(({ at }) => at.file),
  ].sort(compareText);
  const skipped = denied
    .map((one) => ({ declarer: serviceIdText(one), file: one.at.file }))
    .sort((left, right) => compareText(left.file, right.file));
  const edit = { writes: new Map(), removes };
  const released = { claims, promises, hostnames, workspace, edit, skipped };
  return runRelease(tree, history, released, options);
}

/** The files of the ended leases, with the SDLs that no other lease reads. */
function filesOf(ended: readonly Lease[], all: readonly Lease[]): readonly string[] {
  const gone = new Set(ended);
  const read = new Set(all.filter((lease) => !gone.has(lease)).flatMap(sourcesOf));
  const files = ended.flatMap((lease) => [
    lease.at.file,
    ...sourcesOf(lease).filter((file) => !read.has(file)),
  ]);
  return [...new Set(files)];
}

async function runRelease(
  tree: SourceTree & TargetTree,
  history: History,
  { claims, promises, workspace, edit, skipped, ...releasing }: Released,
  options: SynthOptions,
): Promise<Outcome<ReleasedRun>> {
  const removed = new Set(edit.removes);
  const named = new Set(releasing.hostnames);
  // An SDL ends with its lease, and its hostnames with it.
  const hostnames = workspace.hostnames.filter((one) => named.has(one) || removed.has(one.at.file));
  const outcome = await runEdited(tree, history, edit, options);
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
    edited: sortedKeys(edit.writes),
    removed: [...removed].sort(compareText),
    stillRouted: stillRouted(claims, workspace, new Set(hostnames)),
    skipped,
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

/**
 * The addresses that a run released from these holders, IPv4 first. An address that the target
 * branch never had is free at once.
 */
function releasedAddresses(
  { changes, table, workspace }: PlannedRun,
  holders: ReadonlySet<string>,
  today: Day,
): readonly ReleasedAddress[] {
  const index = new PoolIndex(workspace.pools);
  return changes
    .filter(
      ({ kind, holder }) => (kind === 'released' || kind === 'removed') && holders.has(holder),
    )
    .flatMap(({ address, holder }) => {
      const record = table.get(formatAddress(address));
      if (record && isHeld(record)) return [];
      const freeFrom = record?.released?.freeFrom ?? today;
      const last = record?.holder ?? holder;
      const withheld = withheldOf(index, [{ address }]);
      return [{ address: formatAddress(address), holder: last, freeFrom, ...withheld }];
    });
}
