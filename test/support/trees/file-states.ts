import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Everything below a folder, links not followed: path to what it is, files by their digest. */
export function fileStates(root: string, folder = ''): Readonly<Record<string, string>> {
  const states: Record<string, string> = {};
  for (const name of readdirSync(join(root, folder)).sort()) {
    const path = folder === '' ? name : `${folder}/${name}`;
    const place = join(root, path);
    const stats = lstatSync(place);
    if (stats.isDirectory()) Object.assign(states, { [path]: 'folder' }, fileStates(root, path));
    else if (stats.isSymbolicLink()) states[path] = `link to ${readlinkSync(place)}`;
    else if (stats.isFile())
      states[path] = createHash('sha256').update(readFileSync(place)).digest('hex');
    else states[path] = 'other';
  }
  return states;
}
