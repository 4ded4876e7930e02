import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A new temporary folder with these files, path to text; removed when the test is over. */
export function tempTree(files: Readonly<Record<string, string>> = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'leasehold-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) putFile(root, path, text);
  return root;
}

/** Writes a file below root, with its folders. */
export function putFile(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Everything below root: path to text, folders to `folder`, links and the like to `other`. */
export function snapshot(root: string, folder = ''): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(join(root, folder)).sort()) {
    const path = folder === '' ? name : `${folder}/${name}`;
    const stats = lstatSync(join(root, path));
    if (stats.isDirectory()) Object.assign(found, { [path]: 'folder' }, snapshot(root, path));
    else found[path] = stats.isFile() ? readFileSync(join(root, path), 'utf8') : 'other';
  }
  return found;
}

/** The {@link snapshot} without leasehold's own lock and journal. */
export function content(root: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(snapshot(root)).filter(
      ([path]) => !path.startsWith('.leasehold') || path.startsWith('.leasehold/cdk8s'),
    ),
  );
}

/** Only the files of a {@link content}. */
export function filesOf(tree: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(tree).filter(([, text]) => text !== 'folder'));
}
