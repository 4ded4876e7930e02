import { type LiveFacts, liveFacts } from '../codec/manifest-file.ts';
import { type Problem, startOf } from '../model/problem.ts';
import type { SourceTree, TreeChanges, TreeEntry } from './ports.ts';

const hint =
  'remove the endpoints in one commit, and declare them again in the next, once the first is applied; with retentionPeriodDays the address is kept';

/**
 * FAMILY_CHANGED for what a live cluster refuses when it stands in one commit: a Service whose first
 * family changes (the API server refuses it), also when it goes from one holder's file to another's, and
 * an address that goes from one IPAddressPool of a file to another (MetalLB refuses the new pool while
 * the old one has it). Flux then applies nothing for anyone. Compares the manifests that would be written
 * with the committed ones that they replace.
 */
export function liveChanges(
  tree: SourceTree,
  dist: readonly TreeEntry[],
  { writes, removes }: TreeChanges,
): Problem[] {
  const present = new Set(dist.map((entry) => entry.path));
  const replaced = [...[...writes.keys()].filter((path) => present.has(path)), ...removes];
  const before = new Map(replaced.map((path) => [path, committedFacts(tree, path)]));
  const families = new Map<string, Live>();
  for (const [path, facts] of before) {
    for (const [key, value] of facts.families) families.set(key, { path, value });
  }
  return [...writes].flatMap(([path, text]) => {
    const after = liveFacts(text);
    const pools = new Map<string, Live>();
    for (const [key, value] of before.get(path)?.pools ?? []) pools.set(key, { path, value });
    return [
      ...differing(families, after.families, (key, from, to) => {
        return `the live Service ${key} would go from ${from} to ${to}, which the API server refuses`;
      }),
      ...differing(pools, after.pools, (key, from, to) => {
        return `${key} would go from the live IPAddressPool ${from} to ${to}, and MetalLB refuses two pools with one address`;
      }),
    ];
  });
}

/** What a live object says, and the manifest that says so. */
interface Live {
  readonly path: string;
  readonly value: string;
}

function committedFacts(tree: SourceTree, path: string): LiveFacts {
  return liveFacts(Buffer.from(tree.read(path)).toString('utf8'));
}

function differing(
  before: ReadonlyMap<string, Live>,
  after: ReadonlyMap<string, string>,
  messageOf: (key: string, from: string, to: string) => string,
): Problem[] {
  return [...after].flatMap(([key, to]): Problem[] => {
    const live = before.get(key);
    if (live === undefined || live.value === to) return [];
    const message = messageOf(key, live.value, to);
    return [{ code: 'FAMILY_CHANGED', message, at: startOf(live.path), hint }];
  });
}
