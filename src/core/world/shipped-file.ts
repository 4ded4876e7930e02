import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EnvironmentError } from '../model/problem.ts';
import { reasonOf } from './system-error.ts';

/** The absolute path of a file in the package. */
export function shippedPath(path: string): string {
  return join(packageFolder(), path);
}

/** The text of a file in the package. */
export function shippedText(path: string): string {
  try {
    return readFileSync(shippedPath(path), 'utf8');
  } catch (error) {
    throw new EnvironmentError(
      `the installation of leasehold is incomplete: ${path} cannot be read: ${reasonOf(error)}`,
    );
  }
}

/** The folder of package.json, above the sources and above the compiled files. */
function packageFolder(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) {
    folder = dirname(folder);
  }
  return folder;
}
