import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EnvironmentError } from '../model/problem.ts';
import { reasonOf } from './system-error.ts';

/** Where the script of the page is built, in the package. */
export const pageScriptPath = 'build/page/page.js';

/** Where a file stands that the package ships, by its path in the package. */
export function shippedPath(path: string): string {
  return join(packageFolder(), path);
}

/** The text of a file that the package ships beside its program, by its path in the package. */
export function shippedText(path: string): string {
  try {
    return readFileSync(shippedPath(path), 'utf8');
  } catch (error) {
    throw new EnvironmentError(
      `leasehold is not installed whole, ${path} cannot be read: ${reasonOf(error)}`,
    );
  }
}

/** The folder with our package.json: above the sources, and above what they are compiled to. */
function packageFolder(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) {
    folder = dirname(folder);
  }
  return folder;
}
