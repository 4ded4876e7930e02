import { namedManifests } from '../../manifests/manifest-objects.ts';
import { holderPath } from '../../manifests/paths.ts';
import { compareText } from '../../model/order.ts';
import { unifiedDiff } from '../../text/print/unified-diff.ts';
import type { Declared } from '../../workspace/declared.ts';
import type { FileChange } from '../review/file-changes.ts';
import type { Review } from '../review/review.ts';
import type { ManifestChange, ObjectChange } from './plan-answer.ts';

/** The manifest files that differ, by path, with their holders. */
export function manifestPlan({ base, head, manifests }: Review): ManifestChange[] {
  const holders = new Map([...holdersByPath(base), ...holdersByPath(head)]);
  return manifests.map(({ path, before, after }) => {
    const holder = holders.get(path);
    const { text, added, removed } = unifiedDiff(before ?? '', after ?? '');
    return {
      path,
      ...(holder === undefined ? {} : { holder }),
      objects: objectChanges(before, after),
      added,
      removed,
      diff: text,
    };
  });
}

/** The objects that an engine would delete: those in no file of the head, so not those that change files. */
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
