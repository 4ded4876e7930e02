import type { ManifestChange, Plan } from '../plan-answer.ts';
import { counted } from './plan-words.ts';

/** The files of manifests that belong to one holder, or to none. */
export interface ManifestGroup {
  readonly holder: string | undefined;
  readonly manifests: readonly ManifestChange[];
}

/** The manifests of a plan by holder, in path order; those of no holder come last, in one group. */
export function manifestGroups({ manifests }: Pick<Plan, 'manifests'>): readonly ManifestGroup[] {
  const groups = new Map<string | undefined, ManifestChange[]>();
  for (const manifest of manifests) {
    const group = groups.get(manifest.holder);
    if (group) group.push(manifest);
    else groups.set(manifest.holder, [manifest]);
  }
  const ofNone = groups.get(undefined);
  groups.delete(undefined);
  const ofHolders = [...groups].map(([holder, of]) => ({ holder, manifests: of }));
  return ofNone ? [...ofHolders, { holder: undefined, manifests: ofNone }] : ofHolders;
}

/** `2 objects added, 1 removed; +40 −12 lines`. */
export function extentText(manifests: readonly ManifestChange[]): string {
  const objects = manifests.flatMap((manifest) => manifest.objects);
  const counts = (['added', 'changed', 'removed'] as const).flatMap((action) => {
    const count = objects.filter((object) => object.action === action).length;
    return count === 0 ? [] : [{ action, count }];
  });
  const told = counts.map(({ action, count }, index) =>
    index === 0 ? `${counted(count, 'object')} ${action}` : `${count} ${action}`,
  );
  const lines = `+${sum(manifests, 'added')} −${sum(manifests, 'removed')} lines`;
  return `${told.length === 0 ? counted(manifests.length, 'file') : told.join(', ')}; ${lines}`;
}

function sum(manifests: readonly ManifestChange[], side: 'added' | 'removed'): number {
  return manifests.reduce((total, manifest) => total + manifest[side], 0);
}
