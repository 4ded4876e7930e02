import ignore from 'ignore';
import { sourceIgnorePath } from '../../model/folders.ts';
import type { Problem } from '../../model/problem.ts';
import type { SourceTree } from '../../ports/tree.ts';

/**
 * MANIFEST_HIDDEN when `.sourceignore` leaves a manifest out of what Flux takes from the repository: its Kustomization
 * then deletes the objects of that manifest. `manifests` are the paths of those that the run gives.
 */
export function hiddenManifests(tree: SourceTree, manifests: Iterable<string>): Problem[] {
  const [file] = tree.list(sourceIgnorePath);
  if (file?.kind !== 'file' || file.path !== sourceIgnorePath) return [];
  const text = Buffer.from(tree.read(sourceIgnorePath)).toString('utf8');
  const ignored = firstIgnored(text, manifests);
  if (ignored === undefined) return [];
  return [
    {
      code: 'MANIFEST_HIDDEN',
      message: `the pattern hides ${ignored.path} from Flux, which then deletes what it applied of it`,
      at: { file: sourceIgnorePath, line: ignored.line, column: 1 },
      hint: 'remove the pattern',
    },
  ];
}

/** A path that a `.sourceignore` leaves out, and the line of the pattern that does so, from 1. */
interface IgnoredPath {
  readonly path: string;
  readonly line: number;
}

/**
 * The first of some paths that a `.sourceignore` in their root folder leaves out; undefined when it leaves out none.
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
