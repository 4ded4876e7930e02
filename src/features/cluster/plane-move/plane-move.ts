import type { SourceTree, TargetTree } from '../../../core/interfaces/tree.ts';
import type { History } from '../../../core/interfaces/work-tree.ts';
import type { Cluster, Pools } from '../../../core/model/pools.ts';
import type { Outcome } from '../../../core/model/problem.ts';
import { poolsPath } from '../../../core/model/repository-paths.ts';
import { type EditedRun, runEdited } from '../../../core/run/synth/edited-run.ts';
import type { SynthOptions } from '../../../core/run/synth/synth.ts';
import { flow } from '../../../core/text/yaml/yaml-output.ts';
import { textIn } from '../../../core/tree/tree-reader.ts';
import { hasKey, type NodePath, withEntry, withoutEntry } from '../../../lib/edit/yaml-edit.ts';

/** The Cilium to which a cluster goes. */
export interface NextCilium {
  readonly version: string;
  readonly namespace: string;
}

/** Writes Cilium in place of MetalLB into the pool file, and synthesizes. */
export function movePlane(
  tree: SourceTree & TargetTree,
  history: History,
  {
    pools,
    cluster,
    next,
  }: { readonly pools: Pools; readonly cluster: Cluster; readonly next: NextCilium },
  options: SynthOptions,
): Promise<Outcome<EditedRun>> {
  const text = withCilium(textIn(tree, poolsPath), pools, cluster, next);
  return runEdited(tree, history, { writes: new Map([[poolsPath, text]]), removes: [] }, options);
}

/** A cluster of several gets the plane by itself; the only one has it where the file names MetalLB. */
function withCilium(
  text: string,
  { clusters }: Pools,
  { name }: Cluster,
  { version, namespace }: NextCilium,
): string {
  const index = clusters.findIndex((one) => one.name === name);
  const own: NodePath = ['clusters', index];
  const isOwn = clusters.length > 1 || hasKey(text, [...own, 'metallb']);
  const place = isOwn ? own : [];
  const value = flow({ version, namespace, movedFrom: 'metallb' });
  const added = withEntry(text, place, 'cilium', value);
  return hasKey(added, [...place, 'metallb']) ? withoutEntry(added, place, 'metallb') : added;
}
