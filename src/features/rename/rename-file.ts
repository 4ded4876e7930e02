import type { SourceTree, TreeChanges } from '../../core/interfaces/tree.ts';
import { type AllocationTable, addressesHeldBy, isHeld } from '../../core/model/allocation.ts';
import { keyParts } from '../../core/model/claim.ts';
import { holderParts, type Rename } from '../../core/model/holder.ts';
import { compareText, groupBy, sortedKeys } from '../../core/model/order.ts';
import { fail, type Outcome, ok, type Problem } from '../../core/model/problem.ts';
import { formatAddress } from '../../core/net/address.ts';
import type { Declared } from '../../core/tree/declared.ts';
import { textIn } from '../../core/tree/tree-reader.ts';
import type { Workspace } from '../../core/tree/workspace.ts';
import { newSpecText } from '../../lib/edit/declaration-edits.ts';
import { freePath } from '../../lib/edit/lease-edits.ts';
import type { Renaming } from './rename-answer.ts';

/** A name before and after: the id of a holder, or a word of the command line. */
export type FromTo = Pick<Rename, 'from' | 'to'>;

/** The tree of a branch, and the records and claims that the branch starts from. */
export interface RenameContext {
  readonly tree: SourceTree;
  readonly workspace: Workspace;
  readonly before: RenameBase;
}

/** The start of a branch. */
export type RenameBase = Pick<Declared, 'table' | 'claims'>;

/** The holders that get another id, and the edits of their declarations. */
export interface HolderRenames {
  readonly holders: readonly FromTo[];
  readonly edits: readonly FileEdit[];
  /** The file of the `Rename` is in the folder of this declaration. */
  readonly beside: string;
  /** Why a declaration cannot be edited. */
  readonly problems?: readonly Problem[];
}

/** The edit of one file; several of one file are made one after the other. */
export type FileEdit = readonly [file: string, edit: (text: string) => string];

/** The renames, or the reason why the words name nothing that can be renamed. */
export type FoundRenames =
  | { readonly ok: true; readonly renames: HolderRenames }
  | { readonly ok: false; readonly reason: string };

export function refused(reason: string): FoundRenames {
  return { ok: false, reason };
}

/** Refuses a namespace that several clusters have. */
export function inSeveralClusters(namespace: string, clusters: readonly string[]): FoundRenames {
  const names = clusters.join(', ');
  return refused(
    `${namespace} is a namespace in several clusters (${names}): write <cluster>/namespace/${namespace}`,
  );
}

/** The changed files of a rename, and its part of the answer. */
export interface RenameEdit {
  readonly changes: TreeChanges;
  readonly renamed: Renaming['renamed'];
  readonly edited: readonly string[];
  /** The file of the `Rename`; undefined when nothing has an address yet. */
  readonly written: string | undefined;
}

/**
 * Edits the declarations, and adds the `Rename` for the holders that have an address. Problem:
 * SDL_NOT_EDITED.
 */
export function renameEditOf(
  { tree, workspace, before }: RenameContext,
  { holders, edits, beside, problems = [] }: HolderRenames,
): Outcome<RenameEdit> {
  if (problems.length > 0) return fail(problems);
  const writes = new Map<string, string>();
  for (const [file, edit] of edits) writes.set(file, edit(writes.get(file) ?? textIn(tree, file)));
  const edited = sortedKeys(writes);
  const renamed = holders
    .map(({ from, to }) => ({
      ...{ from, to, addresses: addressesOf(from, workspace.table, before.table) },
      hostnames: hostnamesOf(from, workspace),
    }))
    .sort((left, right) => compareText(left.from, right.from));
  const removes: string[] = [];
  for (const [file, left] of oldRenames(workspace, new Set(holders.map(({ to }) => to)))) {
    if (left.length === 0) removes.push(file);
    else writes.set(file, renameText(left));
  }
  const isHeldBefore = (holder: string) => addressesHeldBy(before.table, holder).length > 0;
  const recorded = renamed
    .filter(({ addresses, hostnames }) => addresses.length + hostnames.length > 0)
    .filter(({ from, to }) => isHeldBefore(from) || !isHeldBefore(to));
  const [first] = recorded;
  let written: string | undefined;
  if (first) {
    const { name } = holderParts(first.from);
    const folder = beside.slice(0, beside.lastIndexOf('/'));
    written = freePath(tree, folder, `rename-${keyParts(name)?.endpoint ?? name}`);
    writes.set(written, renameText(recorded));
  }
  return ok({ changes: { writes, removes }, renamed, edited, written });
}

/** The files with renames of names that are declared again, each with its other renames. */
function oldRenames(
  { renames }: Workspace,
  declared: ReadonlySet<string>,
): readonly (readonly [file: string, left: readonly FromTo[]])[] {
  return [...groupBy(renames, ({ at }) => at.file)].flatMap(([file, all]) => {
    const left = all.filter(({ from }) => !declared.has(from));
    return left.length === all.length ? [] : [[file, left] as const];
  });
}

/** The hostnames that a namespace has. */
function hostnamesOf(holder: string, { hostnameTable }: Workspace): readonly string[] {
  return [...hostnameTable.values()]
    .filter((record) => record.holder === holder && isHeld(record))
    .map(({ hostname }) => hostname)
    .sort(compareText);
}

/** The addresses that a holder has, on the branch or before it, or that are kept for it. */
function addressesOf(
  holder: string,
  table: AllocationTable,
  before: AllocationTable,
): readonly string[] {
  const found = [table, before].map((one) => addressesHeldBy(one, holder));
  const held = found.find(({ length }) => length > 0);
  const own = [...table.values()].filter((record) => record.holder === holder);
  return (held ?? own.map(({ address }) => address)).map(formatAddress);
}

function renameText(renames: readonly FromTo[]): string {
  const declaration = { kind: 'Rename', holders: renames.map(({ from, to }) => ({ from, to })) };
  return newSpecText(declaration);
}
