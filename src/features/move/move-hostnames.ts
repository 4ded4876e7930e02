import type { SourceTree, TargetTree } from '../../core/interfaces/tree.ts';
import type { History } from '../../core/interfaces/work-tree.ts';
import { isLeaseHostname, type LeaseHostname } from '../../core/model/hostname.ts';
import { compareText, groupBy, sortedKeys } from '../../core/model/order.ts';
import { type Outcome, ok, placeText } from '../../core/model/problem.ts';
import { canonicalAdvice } from '../../core/net/dns-name.ts';
import { type EditedRun, runEdited } from '../../core/run/synth/edited-run.ts';
import type { SynthOptions } from '../../core/run/synth/synth.ts';
import { changedTree } from '../../core/tree/changed-tree.ts';
import { type Declared, readDeclared } from '../../core/tree/declared.ts';
import type { Workspace } from '../../core/tree/workspace.ts';
import { writtenHosts } from '../../lib/edit/declaration-edits.ts';
import {
  addParts,
  type LeaseName,
  leaseNamed,
  leaseNameText,
  leaseOfHostname,
  removeParts,
} from '../../lib/edit/lease-edits.ts';
import { leaseFolder } from '../../lib/edit/new-file-folder.ts';
import type { MoveAnswer } from './operation-answer.ts';

/** Hostnames, and the lease of their owner that gets them. */
export interface HostnameMove {
  readonly hostnames: readonly LeaseHostname[];
  readonly to: LeaseName;
}

/** The hostnames that a person wants to move, or why they cannot be moved. */
export type NamedHostnames =
  | ({ readonly ok: true } & HostnameMove)
  | { readonly ok: false; readonly reason: string };

/** The hostnames with these names. They must be of leases of one cluster, and of the owner of `to`. */
export function hostnamesToMove(
  names: readonly string[],
  to: Omit<LeaseName, 'cluster'>,
  { hostnames }: Pick<Workspace, 'hostnames'>,
): NamedHostnames {
  const found: LeaseHostname[] = [];
  for (const name of new Set(names)) {
    const one = hostnames.find(({ hostname }) => hostname === name);
    if (!one) return refused(`no declaration has the hostname ${name}${canonicalAdvice(name)}`);
    if (!isLeaseHostname(one)) {
      return refused(`${name} is not a hostname of a lease: edit ${placeText(one.at)}`);
    }
    if (one.lease.owner !== to.owner) {
      return refused(`${name} belongs to ${one.lease.owner}: a move does not change the owner`);
    }
    const { cluster } = one;
    if (leaseNameText({ ...one.lease, cluster }) === leaseNameText({ ...to, cluster })) {
      return refused(`${name} is already a hostname of this lease`);
    }
    found.push(one);
  }
  const [cluster, other] = new Set(found.map((one) => one.cluster));
  if (other !== undefined) return refused('the hostnames are of two clusters: move those of one');
  return { ok: true, hostnames: found, to: { ...to, cluster } };
}

function refused(reason: string): NamedHostnames {
  return { ok: false, reason };
}

/** The run of a move of hostnames, and its answer. */
export interface MovedHostnames extends EditedRun {
  readonly answer: MoveAnswer;
}

/**
 * Moves hostnames to another lease of their owner, with their service and HTTP options, and
 * synthesizes, atomically. A lease that is not declared yet gets a file. A lease without endpoints
 * and hostnames loses its file. Problems: SDL_NOT_EDITED, those of synth.
 */
export async function moveHostnames(
  tree: SourceTree & TargetTree,
  history: History,
  { hostnames, to }: HostnameMove,
  options: SynthOptions,
): Promise<Outcome<MovedHostnames>> {
  const edited = changedTree(tree);
  const declared = readDeclared(tree);
  const names = new Set(hostnames.map(({ hostname }) => hostname));
  const moved = declared.hostnames.filter(isLeaseHostname).filter((one) => names.has(one.hostname));
  const leases = groupBy(moved, (one) => leaseOfHostname(declared, one));
  for (const [lease, own] of leases) {
    const left = removeParts(edited, declared, lease, { claims: [], hostnames: own });
    if (!left.ok) return left;
    await edited.commit(left.value);
  }
  const target = { ...to, ...newFolder(declared, to) };
  const hosts = writtenHosts(
    [...leases.keys()].flatMap((lease) => lease.hosts).filter((host) => names.has(host.hostname)),
  );
  const added = addParts(edited, declared, target, { claims: [], hosts });
  if (!added.ok) return added;
  await edited.commit(added.value);
  const edit = edited.changes();
  const outcome = await runEdited(tree, history, edit, options);
  if (!outcome.ok) return outcome;
  const answer: MoveAnswer = {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Move',
    day: options.today,
    moved: [],
    hostnames: moved
      .map(({ hostname, holder, lease, cluster }) => {
        const from = leaseNameText({ ...lease, cluster });
        return { hostname, holder, from, to: leaseNameText(to) };
      })
      .sort((left, right) => compareText(left.hostname, right.hostname)),
    edited: [...sortedKeys(edit.writes), ...edit.removes].sort(compareText),
  };
  return ok({ ...outcome.value, answer });
}

/** The folder for the file of a lease that is not declared yet. */
function newFolder(declared: Declared, to: LeaseName): { readonly folder?: string } {
  const folder = leaseNamed(declared, to) ? undefined : leaseFolder(declared, to.owner);
  return folder === undefined ? {} : { folder };
}
