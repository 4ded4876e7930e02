import { primaryFamilies } from '../codec/manifest-file.ts';
import { type Problem, startOf } from '../model/problem.ts';
import { distFolder } from './lease-files.ts';
import type { SourceTree } from './ports.ts';

/**
 * FAMILY_CHANGED for every Service whose first family differs from the committed manifest's: the API
 * server refuses that change on a live Service, and Flux then applies nothing for anyone.
 * Only manifests that would be rewritten are read.
 */
export function familyChanges(tree: SourceTree, writes: ReadonlyMap<string, string>): Problem[] {
  const present = new Set(tree.list(distFolder).map((entry) => entry.path));
  return [...writes].flatMap(([path, text]) => {
    if (!present.has(path)) return [];
    const before = primaryFamilies(Buffer.from(tree.read(path)).toString('utf8'));
    return [...primaryFamilies(text)].flatMap(([service, family]) => {
      const former = before.get(service);
      if (former === undefined || former === family) return [];
      return [
        {
          code: 'FAMILY_CHANGED' as const,
          message: `Service ${service} would go from ${former} to ${family}, which the API server refuses`,
          at: startOf(path),
          hint: 'remove the endpoint in one commit, and declare it with the other family in the next, once the first is applied',
        },
      ];
    });
  });
}
