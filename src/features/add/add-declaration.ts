import type { WrittenHostname } from '../../core/declarations/hostname-file.ts';
import type { WrittenPromise } from '../../core/declarations/promise/promise-file.ts';
import type { SourceTree, TreeChanges } from '../../core/interfaces/tree.ts';
import type { History } from '../../core/interfaces/work-tree.ts';
import { addressesHeldBy } from '../../core/model/allocation.ts';
import type { Claim } from '../../core/model/claim.ts';
import type { Day } from '../../core/model/day.ts';
import { proofRecordOf } from '../../core/model/domain-proof.ts';
import { fail, failSorted, type Outcome, ok, type Problem } from '../../core/model/problem.ts';
import { poolsPath } from '../../core/model/repository-paths.ts';
import { compareAddresses, formatAddress } from '../../core/net/address.ts';
import { type PlannedRun, planRun } from '../../core/run/synth/planned-run.ts';
import type { RunBase } from '../../core/run/synth/run-base.ts';
import { schemaLineLike } from '../../core/text/yaml/yaml-output.ts';
import { changedTree } from '../../core/tree/changed-tree.ts';
import { type Declared, readDeclared } from '../../core/tree/declared.ts';
import { textIn } from '../../core/tree/tree-reader.ts';
import {
  type AddedClaim,
  hostnameEdit,
  leaseEdit,
  promiseEdit,
  serviceEdit,
} from '../../lib/edit/declaration-edit.ts';
import { leaseNameText } from '../../lib/edit/lease-edits.ts';
import type { WrittenServiceDeclaration } from '../../lib/edit/service-text.ts';
import type { AddAnswer } from './add-answer.ts';

/** The declaration to add. */
export type Added = AddedClaim | WrittenServiceDeclaration | WrittenPromise | WrittenHostname;

interface AddOptions {
  /** The folder of a new file; undefined for the usual one. */
  readonly folder: string | undefined;
  readonly today: Day;
  readonly base: RunBase | undefined;
}

/** The files that an addition would write. */
export interface Addition {
  /** Empty when it is declared already. */
  readonly changes: TreeChanges;
  readonly answer: AddAnswer;
}

/**
 * Plans a declaration that synth accepts, without writing. Problems: those of a synth of the tree
 * with it, except HOSTNAME_UNPROVEN for a hostname; PORT_TAKEN, SERVICE_DUPLICATE and
 * PROMISE_DUPLICATE when another declaration has its place; SDL_NOT_EDITED. An equal declaration needs no change.
 */
export async function planAddition(
  tree: SourceTree,
  history: History,
  added: Added,
  { folder, today, base }: AddOptions,
): Promise<Outcome<Addition>> {
  const declared = readDeclared(tree);
  // A name is declared before it is proven.
  const isLater = ({ code }: Problem) => added.kind === 'Hostname' && code === 'HOSTNAME_UNPROVEN';
  const problems = declared.problems.filter((problem) => !isLater(problem));
  if (problems.length > 0) return failSorted(problems);
  const edited = editOf(tree, declared, added, { folder, today });
  if (!edited.ok) return edited;
  const { file, state, text } = edited.value;
  const schema = added.kind.toLowerCase();
  const line = `${schemaLineLike(textIn(tree, poolsPath), file, schema)}\n`;
  const writes = new Map(
    state === 'present' ? [] : [[file, state === 'added' ? `${line}${text}` : text]],
  );
  const changes = { writes, removes: [] };
  const after = changedTree(tree);
  await after.commit(changes);
  const planned = await planRun(after, history, today, { base });
  if (!planned.ok && !planned.problems.every(isLater)) {
    return fail(planned.problems.map((problem) => unwritten(writes, problem)));
  }
  const answer: AddAnswer = {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Addition',
    day: today,
    declared: added.kind,
    name: addedName(added),
    state,
    file,
    addresses: planned.ok ? addressesOf(planned.value, file, added) : [],
    ...(added.kind === 'Hostname'
      ? { routedTo: `${added.namespace}/${added.service}:${added.port}` }
      : {}),
    ...proofFields(readDeclared(after), file),
  };
  return ok({ changes, answer });
}

/** The DNS record that proves the hostname of a file, when it needs one. */
function proofFields({ hostnames, problems }: Declared, file: string) {
  const isUnproven = problems.some(
    ({ code, at }) => code === 'HOSTNAME_UNPROVEN' && at.file === file,
  );
  const one = isUnproven ? hostnames.find(({ at }) => at.file === file) : undefined;
  return one ? { proofRecord: proofRecordOf(one) } : {};
}

function editOf(
  tree: SourceTree,
  declared: Declared,
  added: Added,
  { folder, today }: Pick<AddOptions, 'folder' | 'today'>,
) {
  switch (added.kind) {
    case 'Lease':
      return leaseEdit(tree, declared, added, folder);
    case 'Promise':
      return promiseEdit(tree, declared, added, { folder, today });
    case 'Hostname':
      return hostnameEdit(tree, declared, added, folder);
    case 'Service':
    case 'Reservation':
      return serviceEdit(tree, declared, added, folder);
  }
}

function addedName(added: Added): string {
  switch (added.kind) {
    case 'Lease':
      return leaseNameText(added.lease);
    case 'Promise':
      return `${added.owner}/${added.endpoint}`;
    case 'Hostname':
      return added.hostname;
    case 'Service':
    case 'Reservation':
      return `${added.namespace}/${added.name}`;
  }
}

/** The addresses of the declaration after a run, IPv4 first. */
function addressesOf({ workspace, table }: PlannedRun, file: string, added: Added) {
  const isAdded = (claim: Claim): boolean => {
    if (claim.kind !== 'Lease') return claim.declared.at.file === file;
    if (claim.at.file !== file) return false;
    return added.kind === 'Promise'
      ? claim.endpoint === added.endpoint && claim.lease.owner === added.owner
      : added.kind === 'Lease' && claim.endpoint === added.claim.name;
  };
  return workspace.holders
    .filter(({ claims, promise }) => claims.some(isAdded) || promise?.at.file === file)
    .flatMap(({ id }) => addressesHeldBy(table, id))
    .sort(compareAddresses)
    .map(formatAddress);
}

/** Adds to a problem in the new text that its line is not on disk. */
function unwritten(writes: ReadonlyMap<string, string>, problem: Problem): Problem {
  if (!writes.has(problem.at.file)) return problem;
  const planned = 'nothing was written; the line is that of the file that add would write';
  return { ...problem, hint: problem.hint ? `${problem.hint}; ${planned}` : planned };
}
