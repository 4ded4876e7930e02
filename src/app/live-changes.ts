import { liveFacts } from '../codec/manifest-file.ts';
import { type Problem, startOf } from '../model/problem.ts';
import type { SourceTree, TreeEntry } from './ports.ts';

const hint =
  'remove the endpoints in one commit, and declare them again in the next, once the first is applied; with retentionPeriodDays the address is kept';

/**
 * FAMILY_CHANGED for what a live cluster refuses when it stands in one commit: a Service whose first
 * family changes (the API server refuses it), and an address that goes from one IPAddressPool to another
 * (MetalLB refuses the new pool while the old one has it). Flux then applies nothing for anyone.
 * Compares the manifests that would be rewritten with the committed ones.
 */
export function liveChanges(
  tree: SourceTree,
  dist: readonly TreeEntry[],
  writes: ReadonlyMap<string, string>,
): Problem[] {
  const present = new Set(dist.map((entry) => entry.path));
  return [...writes].flatMap(([path, text]) => {
    if (!present.has(path)) return [];
    const before = liveFacts(Buffer.from(tree.read(path)).toString('utf8'));
    const after = liveFacts(text);
    return [
      ...differing(before.families, after.families).map(({ key, from, to }) => ({
        code: 'FAMILY_CHANGED' as const,
        message: `the live Service ${key} would go from ${from} to ${to}, which the API server refuses`,
        at: startOf(path),
        hint,
      })),
      ...differing(before.pools, after.pools).map(({ key, from, to }) => ({
        code: 'FAMILY_CHANGED' as const,
        message: `${key} would go from the live IPAddressPool ${from} to ${to}, and MetalLB refuses two pools with one address`,
        at: startOf(path),
        hint,
      })),
    ];
  });
}

function differing(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): { readonly key: string; readonly from: string; readonly to: string }[] {
  return [...after].flatMap(([key, to]) => {
    const from = before.get(key);
    return from === undefined || from === to ? [] : [{ key, from, to }];
  });
}
