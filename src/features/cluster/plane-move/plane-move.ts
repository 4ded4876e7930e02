import type { SourceTree, TargetTree } from '../../../core/interfaces/tree.ts';
import type { History } from '../../../core/interfaces/work-tree.ts';
import type { Plane } from '../../../core/model/planes.ts';
import type { Cluster, Pools } from '../../../core/model/pools.ts';
import type { Outcome } from '../../../core/model/problem.ts';
import { poolsPath } from '../../../core/model/repository-paths.ts';
import { type EditedRun, runEdited } from '../../../core/run/synth/edited-run.ts';
import type { SynthOptions } from '../../../core/run/synth/synth.ts';
import { flow } from '../../../core/text/yaml/yaml-output.ts';
import { textIn } from '../../../core/tree/tree-reader.ts';
import { hasKey, type NodePath, withEntry, withoutEntry } from '../../../lib/edit/yaml-edit.ts';

/** The plane to which a cluster goes, as it runs. */
export type NextPlane = Pick<Plane, 'kind' | 'version' | 'namespace'>;

/** A cluster that goes to another plane. */
export interface MovedCluster {
  readonly pools: Pools;
  readonly cluster: Cluster;
  readonly next: NextPlane;
}

/** Writes one plane in place of the other into the pool file, and synthesizes. */
export function movePlane(
  tree: SourceTree & TargetTree,
  history: History,
  moved: MovedCluster,
  options: SynthOptions,
): Promise<Outcome<EditedRun>> {
  const text = withPlane(textIn(tree, poolsPath), moved);
  return runEdited(tree, history, { writes: new Map([[poolsPath, text]]), removes: [] }, options);
}

/** A cluster of several gets the plane by itself; the only one has it where the file names the other. */
function withPlane(text: string, { pools: { clusters }, cluster, next }: MovedCluster): string {
  const { kind: former } = cluster.plane;
  const { kind, version, namespace } = next;
  const index = clusters.findIndex((one) => one.name === cluster.name);
  const own: NodePath = ['clusters', index];
  const isOwn = clusters.length > 1 || hasKey(text, [...own, former]);
  const place = isOwn ? own : [];
  const layout = kind === 'metallb' ? { layout: 'pool' } : {};
  const value = flow({ version, namespace, ...layout, movedFrom: former });
  const added = withEntry(text, place, kind, value);
  return hasKey(added, [...place, former]) ? withoutEntry(added, place, former) : added;
}
