import type { SourceTree, TargetTree } from '../../interfaces/tree.ts';
import type { History } from '../../interfaces/work-tree.ts';
import type { Hostname } from '../../model/hostname.ts';
import { type AddressPromise, type Lease, leaseIdText } from '../../model/lease.ts';
import { compareText } from '../../model/order.ts';
import { type Outcome, ok } from '../../model/problem.ts';
import { type DeclaredService, type Reservation, serviceIdText } from '../../model/service.ts';
import { sourcesOf } from '../../tree/lease-edits.ts';
import type { Workspace } from '../../tree/workspace.ts';
import { releasedHostnames } from '../synth/planned-run.ts';
import type { SynthOptions } from '../synth/synth.ts';
import { type EditedRun, releasedAddresses, runEdited } from './edited-run.ts';
import type { CleanedDeclaration, CleanupAnswer } from './operation-answer.ts';

/** The run of a cleanup, and its answer. */
export interface CleanedRun extends EditedRun {
  readonly answer: CleanupAnswer;
}

/**
 * Ends all leases, promises and hostnames of a cluster: removes their files, and synthesizes the
 * result. Services and Reservations with `deny-external-cleanup` are skipped. Released addresses
 * keep their retention. This differs from vitistack ipam-api (cmd/cli/delete_cluster.go), which
 * frees every address of the cluster at once and reads no deny flag.
 */
export async function cleanUp(
  tree: SourceTree & TargetTree,
  history: History,
  { cluster, workspace }: { readonly cluster: string; readonly workspace: Workspace },
  options: SynthOptions,
): Promise<Outcome<CleanedRun>> {
  const leases = workspace.leases.filter((lease) => lease.cluster === cluster);
  const services = workspace.services.filter((service) => service.cluster === cluster);
  const skipped = services.filter(({ denyExternalCleanup }) => denyExternalCleanup);
  const ended = services.filter(({ denyExternalCleanup }) => !denyExternalCleanup);
  const promises = workspace.promises.filter((promise) => promise.cluster === cluster);
  const hostnames = workspace.hostnames.filter((hostname) => hostname.cluster === cluster);
  // The others end with their leases.
  const declared = hostnames.filter(({ lease }) => !lease);
  const removes = [
    ...filesOf(leases, workspace.leases),
    ...[...ended, ...promises, ...declared].map(({ at }) => at.file),
  ].sort(compareText);
  const outcome = await runEdited(tree, history, { writes: new Map(), removes }, options);
  if (!outcome.ok) return outcome;
  const answer: CleanupAnswer = {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Cleanup',
    day: options.today,
    cluster,
    ended: byFile([
      ...leases.map(ofLease),
      ...ended.map(ofService),
      ...promises.map(ofPromise),
      ...declared.map(ofHostname),
    ]),
    skipped: byFile(skipped.map(ofService)),
    released: [
      ...releasedAddresses(outcome.value.run, holdersIn(workspace, cluster), options.today),
      ...releasedHostnames(outcome.value.run, hostnames, options.today),
    ],
  };
  return ok({ ...outcome.value, answer });
}

/** The files of the ended leases, with the SDLs that no other lease reads. */
function filesOf(ended: readonly Lease[], all: readonly Lease[]): readonly string[] {
  const gone = new Set(ended);
  const stay = all.filter((lease) => !gone.has(lease));
  const read = new Set(stay.flatMap(sourcesOf));
  const files = ended.flatMap((lease) => [
    lease.at.file,
    ...sourcesOf(lease).filter((file) => !read.has(file)),
  ]);
  return [...new Set(files)];
}

function ofLease({ id, at }: Lease): CleanedDeclaration {
  return { declarer: leaseIdText(id), file: at.file };
}

function ofService(declared: DeclaredService | Reservation): CleanedDeclaration {
  return { declarer: serviceIdText(declared), file: declared.at.file };
}

function ofPromise({ owner, endpoint, at }: AddressPromise): CleanedDeclaration {
  return { declarer: `promise/${owner}/${endpoint}`, file: at.file };
}

function ofHostname({ hostname, at }: Hostname): CleanedDeclaration {
  return { declarer: `hostname/${hostname}`, file: at.file };
}

function byFile(declarations: readonly CleanedDeclaration[]): readonly CleanedDeclaration[] {
  return declarations.toSorted((left, right) => compareText(left.file, right.file));
}

/** The holders with a claim in a cluster. */
function holdersIn({ holders }: Workspace, cluster: string): ReadonlySet<string> {
  return new Set(holders.flatMap(({ id, clusters }) => (clusters.includes(cluster) ? [id] : [])));
}
