import { readFileSync } from 'node:fs';
import { fencesOf } from '../doc-page.ts';
import type { KubeObject } from './kube.ts';
import { objectsIn } from './manifests.ts';

/** The object of a kind that docs/gitops.md tells people to apply. */
export function documented(kind: string): KubeObject {
  const fences = fencesOf(readFileSync('docs/gitops.md', 'utf8'));
  const objects = fences
    .filter(({ language }) => language === 'yaml')
    .flatMap(({ text }) => objectsIn(text));
  const found = objects.find((object) => object.kind === kind);
  if (!found) throw new Error(`docs/gitops.md shows no ${kind}`);
  return found;
}
