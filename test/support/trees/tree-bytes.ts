import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Files, path to text. Every text here is ASCII or UTF-8, so that equal texts are equal bytes. */
export type FileTexts = ReadonlyMap<string, string>;

/** What `synth` writes. */
export const outputFolders: readonly string[] = ['dist', 'leases/allocations', 'leases/hostnames'];

/** All files below some folders of root, in path order. */
export function filesBelow(root: string, folders: readonly string[] = outputFolders): FileTexts {
  const files = new Map<string, string>();
  for (const folder of folders) collect(root, folder, files);
  return new Map([...files].sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** Paths that are not the same in two sets of files, with how: empty when the sets are equal. */
export function unlike(left: FileTexts, right: FileTexts): string[] {
  const gone = [...left.keys()].filter((path) => !right.has(path)).map((path) => `- ${path}`);
  const others = [...right].flatMap(([path, text]) => {
    if (!left.has(path)) return [`+ ${path}`];
    return left.get(path) === text ? [] : [`~ ${path}`];
  });
  return [...gone, ...others];
}

/** Writes and removes what differs, so that the second set stands where the first did. */
export function turnInto(root: string, from: FileTexts, into: FileTexts): void {
  for (const path of from.keys()) if (!into.has(path)) rmSync(join(root, path));
  for (const [path, text] of into) {
    if (from.get(path) === text) continue;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

function collect(root: string, folder: string, files: Map<string, string>): void {
  for (const entry of entriesOf(join(root, folder))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) collect(root, path, files);
    else files.set(path, readFileSync(join(root, path), 'utf8'));
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
