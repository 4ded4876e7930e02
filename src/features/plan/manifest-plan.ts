import { namedManifests } from '../../manifests/manifest-objects.ts';
import { holderPath, shardOf } from '../../manifests/paths.ts';
import { compareText } from '../../model/order.ts';
import type { Shards } from '../../model/pools.ts';
import { unifiedDiff } from '../../text/print/unified-diff.ts';
import type { Declared } from '../../workspace/declared.ts';
import type { FileChange } from '../review/file-changes.ts';
import type { Review } from '../review/review.ts';
import type { ManifestChange, ObjectChange } from './plan-answer.ts';

/** The manifest files that differ, by path, with their holders. */
export function manifestPlan({ base, head, manifests }: Review): ManifestChange[] {
  const holders = new Map([...holdersByPath(base), ...holdersByPath(head)]);
  return withMoves(manifests, shardsOf(base), shardsOf(head)).map((file) => {
    const { path, movedFrom, before, after } = file;
    const holder = holders.get(path);
    const { text, added, removed } = unifiedDiff(before ?? '', after ?? '');
    return {
      path,
      ...(movedFrom === undefined ? {} : { movedFrom }),
      ...(holder === undefined ? {} : { holder }),
      objects: objectChanges(before, after),
      added,
      removed,
      diff: text,
    };
  });
}

/** A changed file, with its path in the base when it moved. */
interface MovedFile extends FileChange {
  readonly movedFrom?: string;
}

/**
 * Joins a removed and an added file that have the same objects: the file moved. An engine
 * identifies objects by name, so none of them is deleted. A file does not move from one shard to
 * another: each shard is applied, and pruned, on its own.
 */
function withMoves(
  files: readonly FileChange[],
  shardsBefore: ClusterShards,
  shardsAfter: ClusterShards,
): readonly MovedFile[] {
  const removed = new Map<string, FileChange[]>();
  const added = new Map<string, FileChange[]>();
  for (const file of files) {
    if (file.after === undefined) collect(removed, appliedObjects(file, shardsBefore), file);
    if (file.before === undefined) collect(added, appliedObjects(file, shardsAfter), file);
  }
  const sources = new Map<string, FileChange>();
  const gone = new Set<string>();
  for (const [objects, [target, ...others]] of added) {
    const [source, ...more] = removed.get(objects) ?? [];
    if (target === undefined || source === undefined || others.length + more.length > 0) continue;
    sources.set(target.path, source);
    gone.add(source.path);
  }
  return files.flatMap((file) => {
    if (gone.has(file.path)) return [];
    const source = sources.get(file.path);
    return [source ? { ...file, before: source.before, movedFrom: source.path } : file];
  });
}

/** The number of shards of each cluster, by name. */
type ClusterShards = ReadonlyMap<string, Shards>;

function shardsOf({ pools }: Declared): ClusterShards {
  return new Map(pools?.clusters.map(({ name, shards }) => [name, shards]));
}

/** The cluster, the shard and the objects of a file, as one text. */
function appliedObjects({ path, before, after }: FileChange, shards: ClusterShards): string {
  const [, cluster = ''] = path.split('/');
  const count = shards.get(cluster) ?? 1;
  const shard = count === 1 ? '' : shardOf(path, count);
  const objects = [...namedManifests(before ?? after ?? '').keys()].sort(compareText);
  return [cluster, `${shard} of ${count}`, ...objects].join('\n');
}

function collect(files: Map<string, FileChange[]>, key: string, file: FileChange): void {
  const others = files.get(key);
  if (others) others.push(file);
  else files.set(key, [file]);
}

/** The objects that an engine would delete: no file of the head has them. */
export function prunedObjects(manifests: readonly FileChange[]): readonly string[] {
  const after = new Set(manifests.flatMap((file) => [...namedManifests(file.after ?? '').keys()]));
  return manifests
    .flatMap((file) => [...namedManifests(file.before ?? '').keys()])
    .filter((name) => !after.has(name))
    .sort(compareText);
}

function holdersByPath({ holders, pools }: Declared): readonly (readonly [string, string])[] {
  const clusters = new Map(pools?.clusters.map((cluster) => [cluster.name, cluster]));
  return (holders ?? []).flatMap((holder) =>
    holder.clusters.map((name) => {
      const cluster = clusters.get(name) ?? { name, shards: 1 };
      return [holderPath(cluster, holder), holder.id] as const;
    }),
  );
}

function objectChanges(before: string | undefined, after: string | undefined): ObjectChange[] {
  const old = namedManifests(before ?? '');
  const now = namedManifests(after ?? '');
  return [...new Set([...old.keys(), ...now.keys()])].sort(compareText).flatMap((object) => {
    const action = actionOf(old.get(object), now.get(object));
    return action === undefined ? [] : [{ action, object }];
  });
}

function actionOf(
  before: string | undefined,
  after: string | undefined,
): ObjectChange['action'] | undefined {
  if (before === undefined) return 'added';
  if (after === undefined) return 'removed';
  return before === after ? undefined : 'changed';
}
