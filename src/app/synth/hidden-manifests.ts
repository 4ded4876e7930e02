import { firstIgnored } from '../../codec/source-ignore.ts';
import { sourceIgnorePath } from '../../model/folders.ts';
import type { Problem } from '../../model/problem.ts';
import type { SourceTree } from '../ports/tree.ts';

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
