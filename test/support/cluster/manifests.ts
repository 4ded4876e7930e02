import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from './kube.ts';

/** The objects of a file of YAML documents. */
export function objectsIn(text: string): readonly KubeObject[] {
  return parseAllDocuments(text).flatMap((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    return document.toJS() ?? [];
  });
}

/** The objects of all manifests below a folder, in the order of the paths: what an engine would apply. */
export function objectsBelow(folder: string): readonly KubeObject[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.yaml'))
    .sort()
    .flatMap((path) => objectsIn(readFileSync(join(folder, path), 'utf8')));
}

/** `Kind namespace/name`. */
export function nameOf({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.namespace ? `${metadata.namespace}/` : ''}${metadata.name}`;
}
