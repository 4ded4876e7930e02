import { readFileSync } from 'node:fs';
import { commandsOf, fencesOf } from '../docs/doc-page.ts';
import type { KubeObject } from './kube.ts';
import { objectsIn } from './manifests.ts';

/**
 * The object of a kind that docs/gitops.md tells people to apply: the first one that a command of the page prints. That
 * it prints this is shown by test/golden/docs.test.ts.
 */
export function documented(kind: string): KubeObject {
  const fences = fencesOf(readFileSync('docs/gitops.md', 'utf8'));
  const objects = fences
    .filter(({ language }) => language === 'console')
    .flatMap(commandsOf)
    .filter(({ command }) => command.startsWith('npx --no -- leasehold gitops '))
    .flatMap(({ output }) => objectsIn(output));
  const found = objects.find((object) => object.kind === kind);
  if (!found) throw new Error(`docs/gitops.md shows no ${kind}`);
  return found;
}
