import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/**
 * Where a program stands on a search path such as `PATH`; undefined when it does not. Folders that are not
 * absolute are left out: they lead to whatever the current folder holds.
 */
export function programPath(name: string, searchPath: string | undefined): string | undefined {
  return (searchPath ?? '')
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
