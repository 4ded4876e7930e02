import { allocationsFolder, leasesFolder } from '../../model/folders.ts';
import { compareText } from '../../model/order.ts';
import type { SourceTree } from '../../ports/tree.ts';
import { isSameFile } from './manifest-changes.ts';

/**
 * The files of `leases/` that people write and that two trees have different, in path order: declarations, SDLs,
 * keys, the pool file and the policy. What is no regular file counts as not there.
 */
export function leaseFileChanges(base: SourceTree, head: SourceTree): readonly string[] {
  const inBase = new Set(filesOf(base));
  const inHead = new Set(filesOf(head));
  return [...new Set([...inBase, ...inHead])]
    .filter((path) => !(inBase.has(path) && inHead.has(path) && isSameFile(base, head, path)))
    .sort(compareText);
}

function filesOf(tree: SourceTree): string[] {
  return tree
    .list(leasesFolder)
    .filter(({ path, kind }) => kind === 'file' && !path.startsWith(`${allocationsFolder}/`))
    .map(({ path }) => path);
}
