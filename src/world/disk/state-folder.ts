import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stateFolder } from '../../model/folders.ts';
import { EnvironmentError } from '../../model/problem.ts';
import { hasCode, reasonOf } from '../system-error.ts';
import { lookAt } from './regular-file.ts';

/**
 * Makes `.leasehold/` and a folder in it, unless they are there. Git is told to ignore all of it,
 * for a repository whose own `.gitignore` does not. A link or a file in the way is an EnvironmentError.
 */
export function makeStateFolder(root: string, folder: string): void {
  makeFolder(root, stateFolder);
  // A run that was killed may have made the folder, and not the file in it.
  unlessThere(`${stateFolder}/.gitignore`, () =>
    writeFileSync(join(root, stateFolder, '.gitignore'), '*\n', { flag: 'wx' }),
  );
  makeFolder(root, folder);
}

function makeFolder(root: string, folder: string): void {
  unlessThere(folder, () => mkdirSync(join(root, folder)));
  if (lookAt(root, folder)?.isDirectory() !== true) {
    throw new EnvironmentError(`${folder} is no folder but a link or a file; remove it`);
  }
}

function unlessThere(path: string, make: () => void): void {
  try {
    make();
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return;
    throw new EnvironmentError(`${path} cannot be made: ${reasonOf(error)}`);
  }
}
