import { readDeclaration } from '../../core/declarations/declaration-file.ts';
import type { WrittenHostname } from '../../core/declarations/hostname-file.ts';
import type { WrittenPromise } from '../../core/declarations/promise/promise-file.ts';
import type { SourceTree } from '../../core/interfaces/tree.ts';
import type { Day } from '../../core/model/day.ts';
import { hostnameFields } from '../../core/model/hostname.ts';
import { type AddressPromise, isPromiseOver, isSamePromise } from '../../core/model/lease.ts';
import {
  fail,
  InternalError,
  type Outcome,
  ok,
  type Problem,
  startOf,
} from '../../core/model/problem.ts';
import { leasesFolder } from '../../core/model/repository-paths.ts';
import { type DeclaredService, isSameService, type Reservation } from '../../core/model/service.ts';
import type { Declared } from '../../core/tree/declared.ts';
import { claimEdit } from './claim-edit.ts';
import { newSpecText, type WrittenClaim } from './declaration-edits.ts';
import { freePath, type LeaseName, leaseNamed } from './lease-edits.ts';
import { hostnameFolder, leaseFolder, serviceFolder } from './new-file-folder.ts';
import { newServiceText, type WrittenServiceDeclaration } from './service-text.ts';

/** A port of a lease to declare. Its id has been validated. */
export interface AddedClaim {
  readonly kind: 'Lease';
  readonly lease: LeaseName;
  readonly claim: WrittenClaim;
}

/** Extended: a port was added to the file of a lease. Present: it was declared already. */
export const additionStates = ['added', 'extended', 'present'] as const;

/** The file of a declaration, and its text with what is added. */
interface DeclarationEdit {
  readonly file: string;
  readonly text: string;
  readonly state: (typeof additionStates)[number];
}

/** Declares a port of a lease: in the file of the lease, or in a new one. */
export function leaseEdit(
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
export function serviceEdit(
  tree: SourceTree,
  declared: Declared,
  added: WrittenServiceDeclaration,
  folder?: string,
): Outcome<DeclarationEdit> {
  const text = newServiceText(added);
  const fields = readFields(text);
  if (!fields.ok) return fields;
  const usual = serviceFolder(declared, { ...added, cluster: clusterOf(declared, added) });
  const file = freePath(tree, folder ?? usual, added.name);
  const read = readDeclaration(file, new TextEncoder().encode(text), declared.pools);
  if (!read.ok) return unread(file, text);
  const wanted = read.value;
  if (!wanted || !('ports' in wanted)) throw new InternalError('the text is not of a Service');
  const known = declared.services.find(
    ({ cluster, namespace, name }) =>
      cluster === wanted.cluster && namespace === wanted.namespace && name === wanted.name,
  );
  if (known) {
    return isSameService(known, wanted)
      ? ok({ file: known.at.file, text: '', state: 'present' })
      : fail([duplicate(known)]);
  }
  return ok({ file, text, state: 'added' });
}

/**
 * Reads what does not depend on the pools. No file may be named after a declaration with problems
 * in it.
 */
function readFields(text: string) {
  return readDeclaration('declaration', new TextEncoder().encode(text), undefined);
}

/** A declaration with problems that depend on the pools: the run finds them in the new file. */
function unread(file: string, text: string): Outcome<DeclarationEdit> {
  return ok({ file, text, state: 'added' });
}

/** The cluster that a declaration names, or the default one. */
function clusterOf({ pools }: Declared, { cluster }: { readonly cluster?: string | undefined }) {
  return cluster ?? pools?.defaultCluster ?? '';
}

/** Where and when a promise is declared. */
interface PromiseOptions {
  readonly today: Day;
  /** The folder of a new file; undefined for the usual one. */
  readonly folder?: string | undefined;
}

/**
 * Declares a promise in a new file, `<folder>/promise-<endpoint>.yaml`. An endpoint with a lease
 * needs none: it has its address. FIELD_VALUE for a new promise whose last day is over.
 */
export function promiseEdit(
  tree: SourceTree,
  declared: Declared,
  added: WrittenPromise,
  {
    today,
    folder = leaseFolder(declared, added.owner) ?? `${leasesFolder}/${added.owner}`,
  }: PromiseOptions,
): Outcome<DeclarationEdit> {
  const text = newSpecText(added);
  const fields = readFields(text);
  if (!fields.ok) return fields;
  const file = freePath(tree, folder, `promise-${added.endpoint}`);
  const read = readDeclaration(file, new TextEncoder().encode(text), declared.pools);
  if (!read.ok) return unread(file, text);
  const wanted = read.value;
  if (!wanted || !('until' in wanted)) throw new InternalError('the text is not of a promise');
  const lease = declared.claims.find(({ holder }) => holder === wanted.holder);
  if (lease) return ok({ file: lease.at.file, text: '', state: 'present' });
  const known = declared.promises.find(({ holder }) => holder === wanted.holder);
  if (known) {
    return isSamePromise(known, wanted)
      ? ok({ file: known.at.file, text: '', state: 'present' })
      : fail([otherPromise(known)]);
  }
  if (isPromiseOver(wanted, today)) return fail([alreadyOver(wanted, file, today)]);
  return ok({ file, text, state: 'added' });
}

function alreadyOver({ endpoint, until }: AddressPromise, file: string, today: Day): Problem {
  return {
    code: 'FIELD_VALUE',
    message: `the last day of the promise for ${endpoint} is ${until}, and today is ${today}`,
    at: startOf(file),
    hint: 'nothing was written; use today or a later day',
  };
}

function otherPromise({ owner, endpoint, at }: AddressPromise): Problem {
  return {
    code: 'PROMISE_DUPLICATE',
    message: `the promise for endpoint '${endpoint}' of ${owner} is declared here, with other fields`,
    at,
    hint: 'edit this file to change it',
  };
}

function duplicate({ kind, namespace, name, at }: DeclaredService | Reservation): Problem {
  return {
    code: 'SERVICE_DUPLICATE',
    message: `${kind} ${namespace}/${name} is declared here, with other fields`,
    at,
    hint: 'edit this file to change it; add writes only new declarations',
  };
}

/**
 * Declares a hostname in a new file that is named after it. An equal declaration needs no change;
 * synth refuses another one of the same hostname.
 */
export function hostnameEdit(
  tree: SourceTree,
  declared: Declared,
  added: WrittenHostname,
  folder?: string,
): Outcome<DeclarationEdit> {
  const text = newSpecText(added);
  const fields = readFields(text);
  if (!fields.ok) return fields;
  const usual = hostnameFolder(declared, { ...added, cluster: clusterOf(declared, added) });
  const file = freePath(tree, folder ?? usual, added.hostname.replace('*', 'wildcard'));
  const read = readDeclaration(file, new TextEncoder().encode(text), declared.pools);
  if (!read.ok) return unread(file, text);
  const wanted = read.value;
  if (!wanted || !('hostname' in wanted)) {
    throw new InternalError('the text is not of a hostname');
  }
  const wantedFields = hostnameFields(wanted);
  const known = declared.hostnames.find((one) => hostnameFields(one) === wantedFields);
  if (known) return ok({ file: known.at.file, text: '', state: 'present' });
  return ok({ file, text, state: 'added' });
}
