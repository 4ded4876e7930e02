import { closeSync, fsyncSync, openSync, realpathSync, unlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { EnvironmentError } from '../model/problem.ts';
import { hasCode, reasonOf } from './system-error.ts';

/** A file with a secret that only its owner reads, and how to take it back. */
export interface SecretFile {
  remove(): void;
}

/**
 * Writes a secret to a new file with the mode 0600. An EnvironmentError when the file is there already, lies
 * in the repository, or cannot be written; the message never has the secret.
 */
export function writeSecretFile(
  { cwd, root }: { readonly cwd: string; readonly root: string },
  name: string,
  secret: string,
): SecretFile {
  const path = placeOf(cwd, name);
  if (!relative(realpathSync(root), path).startsWith('..')) {
    throw new EnvironmentError(
      `${name} lies in the repository, and a secret must never be committed: choose a place outside`,
    );
  }
  const descriptor = openNew(path, name);
  try {
    writeFileSync(descriptor, `${secret}\n`);
    fsyncSync(descriptor);
  } catch (error) {
    unlinkSync(path);
    throw new EnvironmentError(`${name} cannot be written: ${reasonOf(error)}`);
  } finally {
    closeSync(descriptor);
  }
  return { remove: () => unlinkSync(path) };
}

function placeOf(cwd: string, name: string): string {
  const path = resolve(cwd, name);
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch (error) {
    throw new EnvironmentError(`${name} cannot be written: ${reasonOf(error)}`);
  }
}

function openNew(path: string, name: string): number {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) {
      throw new EnvironmentError(`${name} is there already, and a secret is never overwritten`);
    }
    throw new EnvironmentError(`${name} cannot be written: ${reasonOf(error)}`);
  }
}
