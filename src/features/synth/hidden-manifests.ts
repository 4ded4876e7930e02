import ignore from 'ignore';
import { distFolder, gitIgnorePath, sourceIgnorePath } from '../../model/folders.ts';
import type { Problem } from '../../model/problem.ts';
import type { SourceTree } from '../../ports/tree.ts';

/**
 * MANIFEST_HIDDEN when a file in the root folder hides a manifest. `.sourceignore` takes one away from Flux, whose
 * Kustomization then deletes the objects of it. `.gitignore` keeps a new one out of the commit, as `build/` does with
 * those of the namespace `build`; a repository that ignores all of `dist/` means it. `manifests` are the paths of all
 * that the run gives, `added` those that are new.
 */
export function hiddenManifests(
  tree: SourceTree,
  manifests: Iterable<string>,
  added: Iterable<string>,
): Problem[] {
  return [
    ...hiddenBy(tree, sourceIgnorePath, manifests, {
      from: 'from Flux, which then deletes what it applied of it',
      hint: 'remove the pattern',
    }),
    ...hiddenBy(tree, gitIgnorePath, isIgnoredWhole(tree) ? [] : added, {
      from: 'from git, so that nobody would commit it',
      hint: 'add the line !/dist/** at the end of the file',
    }),
  ];
}

function isIgnoredWhole(tree: SourceTree): boolean {
  return firstIgnored(patternsIn(tree, gitIgnorePath), [`${distFolder}/any`]) !== undefined;
}

function hiddenBy(
  tree: SourceTree,
  path: string,
  manifests: Iterable<string>,
  { from, hint }: { readonly from: string; readonly hint: string },
): Problem[] {
  const ignored = firstIgnored(patternsIn(tree, path), manifests);
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

/** The text of a file of patterns in the root folder; empty when there is none. */
function patternsIn(tree: SourceTree, path: string): string {
  const [file] = tree.list(path);
  if (file?.kind !== 'file' || file.path !== path) return '';
  return Buffer.from(tree.read(path)).toString('utf8');
}

/** A path that a file of patterns leaves out, and the line of the pattern that does so, from 1. */
interface IgnoredPath {
  readonly path: string;
  readonly line: number;
}

/**
 * The first of some paths that a `.sourceignore` or `.gitignore` in their root folder leaves out; undefined when it leaves out none.
 * Its patterns are those of `.gitignore` (fluxcd/pkg: sourceignore).
 */
export function firstIgnored(text: string, paths: Iterable<string>): IgnoredPath | undefined {
  const rules = ignore();
  text.split(/\r?\n/).forEach((pattern, index) => {
    rules.add({ pattern, mark: String(index + 1) });
  });
  for (const path of paths) {
    const { ignored, rule } = rules.checkIgnore(path);
    if (ignored) return { path, line: Number(rule?.mark ?? 1) };
  }
  return undefined;
}
