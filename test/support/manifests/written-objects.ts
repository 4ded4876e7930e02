import { parseAllDocuments } from 'yaml';
import { filesBelow } from '../trees/tree-bytes.ts';
import type { Rendered } from './rendered.ts';

/** The objects of a kind in `dist/` below root, in the order of their files. */
export function objectsIn(root: string, kind: string): readonly Rendered[] {
  return [...filesBelow(root, ['dist'])].flatMap(([path, text]) =>
    parseAllDocuments(text, { version: '1.1' })
      .map((document) => ({ path, ...(document.toJS() as Omit<Rendered, 'path'>) }))
      .filter((object) => object.kind === kind),
  );
}
