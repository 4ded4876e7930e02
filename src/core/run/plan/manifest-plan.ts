import { namedManifests, readManifest } from '../../manifests/manifest-objects.ts';
import { holderPath, shardOf } from '../../manifests/paths.ts';
import { addToGroup, compareText } from '../../model/order.ts';
import type { Shards } from '../../model/pools.ts';
import { unifiedDiff } from '../../text/print/unified-diff.ts';
import type { Declared } from '../../tree/declared.ts';
import type { FileChange } from '../../tree/file-changes.ts';
import type { Review } from '../review/review.ts';
import { fieldDifferences } from './objects/field-changes.ts';
import { gradeOf } from './objects/field-grades.ts';
import type { FieldChange, ManifestChange, ObjectChange } from './plan-answer.ts';

/** The manifest files that differ, by path, with their holders. */
export function manifestPlan({ base, head, manifests }: Review): ManifestChange[] {
  const holders = new Map([...holdersByPath(base), ...holdersByPath(head)]);
  const shards = { before: shardsOf(base), after: shardsOf(head) };
  const old = objectsOf(manifests, 'before', shards.before);
  const now = objectsOf(manifests, 'after', shards.after);
  return withMoves(manifests, shards.before, shards.after).map((file) => {
    const { path, movedFrom, before, after } = file;
    const holder = holders.get(path);
    const { text, added, removed } = unifiedDiff(before ?? '', after ?? '');
    return {
      path,
      ...(movedFrom === undefined ? {} : { movedFrom }),
      ...(holder === undefined ? {} : { holder }),
      objects: objectChanges(file, { old, now, shards }),
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
    if (file.after === undefined) addToGroup(removed, appliedObjects(file, shardsBefore), file);
    if (file.before === undefined) addToGroup(added, appliedObjects(file, shardsAfter), file);
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
  const objects = [...namedManifests(before ?? after ?? '').keys()].sort(compareText);
  return [shardPlace(path, shards), ...objects].join('\n');
}

/** The cluster and the shard of a file: what an engine applies, and prunes, on its own. */
function shardPlace(path: string, shards: ClusterShards): string {
  const [, cluster = ''] = path.split('/');
  const count = shards.get(cluster) ?? 1;
  return `${cluster} ${count === 1 ? '' : shardOf(path, count)} of ${count}`;
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

/**
 * The objects of changed files by name, with the cluster and the shard that applies them. An object
 * that goes to another file of them stays the same object.
 */
function objectsOf(
  files: readonly FileChange[],
  side: 'before' | 'after',
  shards: ClusterShards,
): ReadonlyMap<string, string> {
  return new Map(
    files.flatMap((file) => {
      const place = shardPlace(file.path, shards);
      const named = namedManifests(file[side] ?? '');
      return [...named].map(([name, text]) => [`${place} ${name}`, text] as const);
    }),
  );
}

/** The objects of both sides, as {@link objectsOf} returns them. */
interface Objects {
  readonly old: ReadonlyMap<string, string>;
  readonly now: ReadonlyMap<string, string>;
  readonly shards: { readonly before: ClusterShards; readonly after: ClusterShards };
}

function objectChanges(
  { path, movedFrom, before, after }: MovedFile,
  { old, now, shards }: Objects,
): ObjectChange[] {
  const [from, to] = [shardPlace(movedFrom ?? path, shards.before), shardPlace(path, shards.after)];
  const texts = namedManifests(after ?? '');
  const names = new Set([...namedManifests(before ?? '').keys(), ...texts.keys()]);
  return [...names].sort(compareText).flatMap((object): ObjectChange[] => {
    const text = texts.get(object);
    if (text === undefined)
      return now.has(`${from} ${object}`) ? [] : [{ action: 'removed', object }];
    const was = old.get(`${to} ${object}`);
    if (was === undefined) return [{ action: 'added', object }];
    if (was === text) return [];
    const fields = fieldChanges(object.slice(0, object.indexOf(' ')), was, text);
    return [{ action: 'changed', object, ...(fields.length > 0 && { fields }) }];
  });
}

/** The longest path of a field in an answer. */
const longestPath = 1000;

function fieldChanges(kind: string, before: string, after: string): FieldChange[] {
  const [old, now] = [readManifest(before), readManifest(after)];
  if (old === undefined || now === undefined) return [{ path: '.', grade: 'reach' }];
  return fieldDifferences(old, now).map((field) => ({
    ...field,
    path: field.path.slice(0, longestPath),
    grade: gradeOf(kind, field),
  }));
}
