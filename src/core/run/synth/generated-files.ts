import ignore from 'ignore';
import type { SourceTree, TreeChanges, TreeEntry } from '../../interfaces/tree.ts';
import { isManifestPath, isOwnManifest } from '../../manifests/paths.ts';
import type { AllocationTable } from '../../model/allocation.ts';
import type { HostnameTable } from '../../model/hostname.ts';
import { sortedKeys } from '../../model/order.ts';
import { type Problem, startOf } from '../../model/problem.ts';
import {
  distFolder,
  gitAttributesPath,
  gitIgnorePath,
  sourceIgnorePath,
} from '../../model/repository-paths.ts';
import { allocationPath, isAsPrinted, printAllocation } from '../../records/allocation-file.ts';
import { hostnamePath, printHostname } from '../../records/hostname-file.ts';
import { bytesUpTo, textIn } from '../../tree/tree-reader.ts';

/** Returns the allocation files of a table: path to text. */
export function recordTexts(table: AllocationTable): ReadonlyMap<string, string> {
  return new Map(
    [...table.values()].map((record) => [allocationPath(record.address), printAllocation(record)]),
  );
}

/** Returns the files of the records of hostnames: path to text. */
export function hostnameTexts(table: HostnameTable): ReadonlyMap<string, string> {
  return new Map(
    [...table.values()].map((record) => [hostnamePath(record.hostname), printHostname(record)]),
  );
}

/**
 * Collects the writes and removals that turn `entries` of a tree into exactly the files that are
 * added. Keeps the texts of only those files that differ.
 */
export class TreeComparison {
  readonly #tree: SourceTree;
  /** The entries that are not wanted so far. */
  readonly #others: Map<string, TreeEntry>;
  readonly #writes = new Map<string, string>();
  readonly #wanted: string[] = [];

  constructor(tree: SourceTree, entries: readonly TreeEntry[]) {
    this.#tree = tree;
    this.#others = new Map(entries.map((entry) => [entry.path, entry]));
  }

  /** Adds a wanted file. A path may be added once. */
  add(path: string, text: string): void {
    const entry = this.#others.get(path);
    this.keep(path);
    const size = Buffer.byteLength(text);
    const found = entry?.kind === 'file' ? bytesUpTo(this.#tree, entry, size) : undefined;
    if (!found || !isSameText(found, text)) this.#writes.set(path, text);
  }

  /** Adds a wanted file that is known to be in the tree with its text. */
  keep(path: string): void {
    this.#others.delete(path);
    this.#wanted.push(path);
  }

  /** The paths of all wanted files, sorted. */
  paths(): readonly string[] {
    return [...this.#wanted].sort();
  }

  /** In path order. */
  changes(): TreeChanges {
    const writes = sortedKeys(this.#writes).map(
      (path) => [path, this.#writes.get(path) ?? ''] as const,
    );
    return { writes: new Map(writes), removes: [...this.#others.keys()].sort() };
  }
}

/** True for the UTF-8 bytes of a text. */
function isSameText(bytes: Uint8Array, text: string): boolean {
  const found = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  // To compare two strings is faster than to make bytes of one, where a text is ASCII.
  return Buffer.byteLength(text) === text.length
    ? found.toString('latin1') === text
    : Buffer.from(text).equals(found);
}

/**
 * Returns the changes of the records that turn one table of addresses into another. A record that
 * stays is not printed when its file has the printed text already.
 */
export function recordChanges(
  tree: SourceTree,
  entries: readonly TreeEntry[],
  { before, after }: { readonly before: AllocationTable; readonly after: AllocationTable },
  hostnames: HostnameTable,
): TreeChanges {
  const comparison = new TreeComparison(tree, entries);
  for (const [address, record] of after) {
    const file = record.at?.file;
    const stays = file !== undefined && before.get(address) === record && isAsPrinted(record);
    if (stays) comparison.keep(file);
    else comparison.add(allocationPath(record.address), printAllocation(record));
  }
  for (const [path, text] of hostnameTexts(hostnames)) comparison.add(path, text);
  return comparison.changes();
}

/**
 * Returns the writes and removals that turn `entries` of a tree into exactly the `wanted` files.
 */
export function changesTo(
  wanted: ReadonlyMap<string, string>,
  tree: SourceTree,
  entries: readonly TreeEntry[],
): TreeChanges {
  const comparison = new TreeComparison(tree, entries);
  for (const [path, text] of wanted) comparison.add(path, text);
  return comparison.changes();
}

/** FILE_NOT_REGULAR and FILE_UNEXPECTED for entries below `dist/` that leasehold never writes. */
export function unexpectedFiles(entries: readonly TreeEntry[]): Problem[] {
  return entries.flatMap(({ path, kind }): Problem[] => {
    if (kind !== 'file') {
      return [{ code: 'FILE_NOT_REGULAR', message: 'not a regular file', at: startOf(path) }];
    }
    return isManifestPath(path) ? [] : [unexpected(path)];
  });
}

/**
 * FILE_UNEXPECTED for each of some files below `dist/` that leasehold did not write. No run may
 * remove them.
 */
export function unexpectedManifests(tree: SourceTree, paths: readonly string[]): Problem[] {
  return paths.filter((path) => !isOwnManifest(path, textIn(tree, path))).map(unexpected);
}

function unexpected(path: string): Problem {
  return {
    code: 'FILE_UNEXPECTED',
    message: 'dist/ holds only what leasehold wrote',
    at: startOf(path),
    hint: 'move it elsewhere',
  };
}

/** Returns the paths of the files that a run writes and that did not exist. */
export function addedPaths({ writes }: TreeChanges, entries: readonly TreeEntry[]): string[] {
  const present = new Set(entries.map(({ path }) => path));
  return [...writes.keys()].filter((path) => !present.has(path));
}

/**
 * MANIFEST_HIDDEN when a file in the root folder hides a manifest. `.sourceignore` hides it from
 * Flux, whose Kustomization then deletes its objects. `.gitignore` keeps a new manifest out of the
 * commit, as the pattern `build/` does for the namespace `build`; ignoring all of `dist/` is
 * allowed. `.gitattributes` can give it another encoding in every checkout, and so in an engine's.
 * `manifests` returns the paths of all manifests that the run renders, `added` those that are
 * new.
 */
export function hiddenManifests(
  tree: SourceTree,
  manifests: () => Iterable<string>,
  added: () => Iterable<string>,
): Problem[] {
  return [
    ...hiddenBy(tree, sourceIgnorePath, manifests, {
      from: 'from Flux, which then deletes what it applied of it',
      hint: 'remove the pattern',
    }),
    ...hiddenBy(tree, gitAttributesPath, manifests, {
      from: 'from engines, whose checkout has it in another encoding',
      hint: 'remove working-tree-encoding, or the pattern',
    }),
    ...hiddenBy(tree, gitIgnorePath, isIgnoredWhole(tree) ? () => [] : added, {
      from: 'from git, so it would not be committed',
      hint: 'add the line !/dist/** at the end of the file',
    }),
  ];
}

/** True when `.gitignore` keeps all of `dist/` out of commits. */
export function isIgnoredWhole(tree: SourceTree): boolean {
  return firstIgnored(patternsIn(tree, gitIgnorePath), [`${distFolder}/any`]) !== undefined;
}

function hiddenBy(
  tree: SourceTree,
  path: string,
  manifests: () => Iterable<string>,
  { from, hint }: { readonly from: string; readonly hint: string },
): Problem[] {
  const text = patternsIn(tree, path);
  const patterns = path === gitAttributesPath ? encodedPatterns(text) : text;
  const ignored = patterns === '' ? undefined : firstIgnored(patterns, manifests());
  if (ignored === undefined) return [];
  return [
    {
      code: 'MANIFEST_HIDDEN',
      message: `the pattern hides ${ignored.path} ${from}`,
      at: { file: path, line: ignored.line, column: 1 },
      hint,
    },
  ];
}

/** The patterns of a `.gitattributes` by which files get another encoding, each in its line. */
function encodedPatterns(text: string): string {
  const encoding = 'working-tree-encoding';
  if (!text.includes(encoding)) return '';
  const lines = text.split(/\r?\n/).map((line) => line.trim().split(/\s+/));
  const macros = lines.flatMap(([name = '', ...attributes]) =>
    name.startsWith('[attr]') && attributes.some((one) => one.startsWith(encoding))
      ? [name.slice('[attr]'.length)]
      : [],
  );
  const encodes = (one: string): boolean => one.startsWith(`${encoding}=`) || macros.includes(one);
  return lines
    .map(([pattern = '', ...attributes]) => (attributes.some(encodes) ? pattern : ''))
    .join('\n');
}

/** The text of a file of patterns in the root folder; empty when there is none. */
function patternsIn(tree: SourceTree, path: string): string {
  const [file] = tree.list(path);
  if (file?.kind !== 'file' || file.path !== path) return '';
  return textIn(tree, path);
}

/** A path that a file of patterns leaves out, and the line of the pattern that does so, from 1. */
interface IgnoredPath {
  readonly path: string;
  readonly line: number;
}

/**
 * Returns the first of the paths that a `.sourceignore` or `.gitignore` in the root folder ignores,
 * or undefined. Both have one pattern format (fluxcd/pkg: sourceignore).
 */
export function firstIgnored(text: string, paths: Iterable<string>): IgnoredPath | undefined {
  if (text === '') return undefined;
  // Case counts, as for git on Linux and for Flux.
  const rules = ignore({ ignorecase: false });
  text.split(/\r?\n/).forEach((pattern, index) => {
    rules.add({ pattern, mark: String(index + 1) });
  });
  for (const path of paths) {
    const { ignored, rule } = rules.checkIgnore(path);
    if (ignored) return { path, line: Number(rule?.mark ?? 1) };
  }
  return undefined;
}
