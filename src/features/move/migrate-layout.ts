import type { SourceTree, TargetTree } from '../../core/interfaces/tree.ts';
import type { History } from '../../core/interfaces/work-tree.ts';
import { type LastingLayout, type Layout, lastingLayouts } from '../../core/model/planes.ts';
import type { Cluster } from '../../core/model/pools.ts';
import type { Outcome } from '../../core/model/problem.ts';
import { poolsPath } from '../../core/model/repository-paths.ts';
import { type EditedRun, runEdited } from '../../core/run/synth/edited-run.ts';
import type { SynthOptions } from '../../core/run/synth/synth.ts';
import { textIn } from '../../core/tree/tree-reader.ts';
import type { Workspace } from '../../core/tree/workspace.ts';
import { hasValue, type NodePath, withEntry, withValue } from '../../lib/edit/yaml-edit.ts';

/** The next step of a cluster to another layout. */
export interface LayoutStep {
  readonly cluster: string;
  readonly from: Layout;
  readonly to: Layout;
  readonly target: LastingLayout;
}

/**
 * Returns the next step to a layout; undefined when the cluster has it. Between the two layouts a
 * cluster has the pools of both, which overlap. MetalLB refuses such a configuration as a whole and
 * keeps using the last valid one, so no pool ever leaves before another one has its addresses:
 *
 * 1. `both` adds the new pools and their advertisements. From the first overlap on, the controller
 *    and the speakers keep what they have.
 * 2. The target removes the old ones, in any order. With the last overlap the configuration is
 *    valid again, and every address is in a pool that is announced.
 *
 * MetalLB: config.go poolsFor; pool_controller.go and config_controller.go Reconcile. Its webhooks
 * refuse overlapping pools, and must leave out those of leasehold meanwhile.
 */
export function nextLayoutStep(
  { name, plane: { layout: from } }: Cluster,
  target: LastingLayout,
): LayoutStep | undefined {
  if (from === target) return undefined;
  const [other] = lastingLayouts.filter((layout) => layout !== target);
  return { cluster: name, from, to: from === other ? 'both' : target, target };
}

/** Writes a step into the pool file, and synthesizes. */
export function migrateLayout(
  tree: SourceTree & TargetTree,
  history: History,
  { workspace, step }: { readonly workspace: Workspace; readonly step: LayoutStep },
  options: SynthOptions,
): Promise<Outcome<EditedRun>> {
  const text = withLayout(textIn(tree, poolsPath), workspace, step);
  return runEdited(tree, history, { writes: new Map([[poolsPath, text]]), removes: [] }, options);
}

/** Several clusters share the layout of the whole file, unless they have their own. */
function withLayout(
  text: string,
  { pools: { clusters } }: Workspace,
  { cluster, to }: LayoutStep,
): string {
  const index = clusters.findIndex(({ name }) => name === cluster);
  const own: NodePath = ['clusters', index, 'metallb'];
  const isShared = clusters.length === 1 && !hasValue(text, [...own, 'layout']);
  return set(text, isShared ? [] : own.slice(0, -1), to);
}

/** Sets `metallb.layout` of a mapping. */
function set(text: string, path: NodePath, layout: Layout): string {
  const metallb = [...path, 'metallb'];
  if (hasValue(text, [...metallb, 'layout'])) {
    return withValue(text, [...metallb, 'layout'], layout);
  }
  return hasValue(text, metallb)
    ? withEntry(text, metallb, 'layout', layout)
    : withEntry(text, path, 'metallb', `{ layout: ${layout} }`);
}
