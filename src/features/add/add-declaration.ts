import type { WrittenClaim } from '../../declarations/declaration-edits.ts';
import { readDeclaration } from '../../declarations/declaration-file.ts';
import {
  newServiceText,
  type WrittenServiceDeclaration,
} from '../../declarations/service/service-text.ts';
import { addressesHeldBy } from '../../model/allocation.ts';
import type { Claim } from '../../model/claim.ts';
import type { Day } from '../../model/day.ts';
import type { Policy, Tenant } from '../../model/policy.ts';
import {
  fail,
  failSorted,
  InternalError,
  type Outcome,
  ok,
  type Problem,
} from '../../model/problem.ts';
import { leasesFolder, poolsPath } from '../../model/repository-paths.ts';
import { type DeclaredService, isSameService, type Reservation } from '../../model/service.ts';
import { compareAddresses, formatAddress } from '../../net/address.ts';
import type { SourceTree, TreeChanges } from '../../ports/tree.ts';
import type { History } from '../../ports/work-tree.ts';
import { schemaLineLike } from '../../text/yaml/yaml-output.ts';
import { changedTree } from '../../workspace/changed-tree.ts';
import { type Declared, readDeclared } from '../../workspace/declared.ts';
import {
  claimEdit,
  freePath,
  type LeaseName,
  leaseNamed,
  leaseNameText,
} from '../../workspace/lease-edits.ts';
import { textIn } from '../../workspace/tree-reader.ts';
import { type PlannedRun, planRun, type RunBase } from '../synth/planned-run.ts';
import type { AddAnswer } from './add-answer.ts';

/** What to declare. */
export type Added = AddedClaim | WrittenServiceDeclaration;

interface AddOptions {
  /** The folder of a new file; undefined for the usual one. */
  readonly folder: string | undefined;
  readonly today: Day;
  readonly base: RunBase | undefined;
}

/** What an addition would write. */
export interface Addition {
  /** Empty when it is declared already. */
  readonly changes: TreeChanges;
  readonly answer: AddAnswer;
}

/**
 * Plans a declaration that synth accepts, without writing. Problems: those of a synth of the tree
 * with it; PORT_TAKEN and SERVICE_DUPLICATE when another declaration has its place; SDL_NOT_EDITED.
 * An equal declaration needs no change.
 */
export async function planAddition(
  tree: SourceTree,
  history: History,
  added: Added,
  { folder, today, base }: AddOptions,
): Promise<Outcome<Addition>> {
  const declared = readDeclared(tree);
  if (declared.problems.length > 0) return failSorted(declared.problems);
  const edited =
    added.kind === 'Lease'
      ? leaseEdit(tree, declared, added, folder)
      : serviceEdit(tree, declared, added, folder);
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
  if (!planned.ok) return fail(planned.problems.map((problem) => unwritten(writes, problem)));
  const answer: AddAnswer = {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Addition',
    declared: added.kind,
    name: added.kind === 'Lease' ? leaseNameText(added.lease) : `${added.namespace}/${added.name}`,
    state,
    file,
    addresses: addressesOf(planned.value, file, added),
  };
  return ok({ changes, answer });
}

/** The addresses of the declaration after a run, IPv4 first. */
function addressesOf({ workspace, table }: PlannedRun, file: string, added: Added) {
  const isAdded = (claim: Claim): boolean =>
    claim.kind === 'Lease'
      ? claim.at.file === file && added.kind === 'Lease' && claim.endpoint === added.claim.name
      : claim.declared.at.file === file;
  return workspace.holders
    .filter(({ claims }) => claims.some(isAdded))
    .flatMap(({ id }) => addressesHeldBy(table, id))
    .sort(compareAddresses)
    .map(formatAddress);
}

/** Adds to a problem in the new text that its line is not on disk. */
function unwritten(writes: ReadonlyMap<string, string>, problem: Problem): Problem {
  if (!writes.has(problem.at.file)) return problem;
  const planned = 'nothing is written: the line is of the file as add would have written it';
  return { ...problem, hint: problem.hint ? `${problem.hint}; ${planned}` : planned };
}

/** A port of a lease to declare. Its id has been validated. */
interface AddedClaim {
  readonly kind: 'Lease';
  readonly lease: LeaseName;
  readonly claim: WrittenClaim;
}

/** The file of a declaration, and its text with what is added. */
interface DeclarationEdit {
  readonly file: string;
  readonly text: string;
  readonly state: AddAnswer['state'];
}

/** Declares a port of a lease: in the file of the lease, or in a new one. */
function leaseEdit(
  tree: SourceTree,
  declared: Declared,
  { lease: name, claim }: AddedClaim,
  folder = leaseFolder(declared, name.owner),
): Outcome<DeclarationEdit> {
  const known = leaseNamed(declared, name);
  const edit = claimEdit(tree, declared, {
    lease: { ...name, ...(folder === undefined ? {} : { folder }) },
    claim,
    overwrite: false,
  });
  if (!edit.ok) return edit;
  if (known && edit.value.value === 'declared already') {
    return ok({ file: known.at.file, text: '', state: 'present' });
  }
  const [[file, text] = []] = edit.value.changes.writes;
  if (file === undefined || text === undefined) throw new InternalError('a claim without a file');
  return ok({ file, text, state: known ? 'extended' : 'added' });
}

/** Declares a Service or a Reservation in a new file. */
function serviceEdit(
  tree: SourceTree,
  declared: Declared,
  added: WrittenServiceDeclaration,
  folder?: string,
): Outcome<DeclarationEdit> {
  const text = newServiceText(added);
  const read = readDeclaration('declaration', new TextEncoder().encode(text), declared.pools);
  if (!read.ok) return read;
  const wanted = read.value;
  if (!wanted || !('kind' in wanted)) throw new InternalError('the text is not of a Service');
  const known = declared.services.find(
    ({ cluster, namespace, name }) =>
      cluster === wanted.cluster && namespace === wanted.namespace && name === wanted.name,
  );
  if (known) {
    return isSameService(known, wanted)
      ? ok({ file: known.at.file, text: '', state: 'present' })
      : fail([duplicate(known)]);
  }
  const file = freePath(tree, folder ?? serviceFolder(declared, wanted), wanted.name);
  return ok({ file, text, state: 'added' });
}

function duplicate({ kind, namespace, name, at }: DeclaredService | Reservation): Problem {
  return {
    code: 'SERVICE_DUPLICATE',
    message: `${kind} ${namespace}/${name} is declared here, with other fields`,
    at,
    hint: 'edit this file to change it; add writes only new declarations',
  };
}

/** The folder of the owner's other leases, or of its tenant; undefined for the usual one. */
function leaseFolder({ leases, policy }: Declared, owner: string): string | undefined {
  const others = leases.filter(({ id }) => id.owner === owner);
  const isTenant = ({ owners }: Tenant): boolean => owners.includes(owner);
  return commonFolder(others) ?? tenantFolder(policy, isTenant);
}

/** The folder of the namespace's other Services, or of its tenant, or of the namespace. */
function serviceFolder(
  { services, policy, pools }: Declared,
  { cluster, namespace }: DeclaredService | Reservation,
): string {
  const others = services.filter(
    (other) => other.cluster === cluster && other.namespace === namespace,
  );
  const isTenant = ({ namespaces }: Tenant): boolean =>
    namespaces.some(
      (one) => one.name === namespace && (one.cluster === undefined || one.cluster === cluster),
    );
  const own = ['allocations', 'keys'].includes(namespace) ? `namespace-${namespace}` : namespace;
  const several = (pools?.clusters.length ?? 1) > 1;
  return (
    commonFolder(others) ??
    tenantFolder(policy, isTenant) ??
    `${leasesFolder}/${several ? `${cluster}/` : ''}${own}`
  );
}

/** The folder below `leases/` that has all these declarations; undefined when there is none. */
function commonFolder(
  declarations: readonly { readonly at: { readonly file: string } }[],
): string | undefined {
  const folders = declarations.map(({ at }) => at.file.slice(0, at.file.lastIndexOf('/')));
  const [only, other] = new Set(folders);
  return other === undefined && only !== leasesFolder ? only : undefined;
}

function tenantFolder(
  policy: Policy | undefined,
  isTenant: (tenant: Tenant) => boolean,
): string | undefined {
  return policy?.tenants.find(isTenant)?.folders[0];
}
