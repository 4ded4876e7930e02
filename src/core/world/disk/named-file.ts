import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { EnvironmentError } from '../../model/problem.ts';
import { hasCode, reasonOf } from '../system-error.ts';
import { lookAt, readRegularFile } from './regular-file.ts';

/** The bytes of a file by its absolute path; undefined when it does not exist. */
export function readNamedFile(path: string): Uint8Array | undefined {
  return readRegularFile(dirname(path), basename(path));
}

/**
 * Replaces a file atomically, or creates it and the folders around it: wherever the process is
 * killed, readers see the old bytes or the new ones. Permissions are kept. An EnvironmentError when
 * the disk refuses.
 */
export function replaceFile(path: string, bytes: Uint8Array): void {
  const folder = dirname(path);
  const staged = join(folder, `.${basename(path)}.leasehold-${process.pid}`);
  const mode = lookAt(folder, basename(path))?.mode ?? 0o644;
  try {
    mkdirSync(folder, { recursive: true });
    writeSynced(staged, bytes, mode & 0o777);
    renameSync(staged, path);
  } catch (error) {
    rmSync(staged, { force: true });
    throw new EnvironmentError(`${path} cannot be written: ${reasonOf(error)}`);
  }
}

function writeSynced(path: string, bytes: Uint8Array, mode: number): void {
  const descriptor = openSync(path, 'wx', mode);
  try {
    for (let start = 0; start < bytes.length; ) start += writeSync(descriptor, bytes, start);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** A file named on the command line, and the most bytes to read. */
export interface InputFile {
  /** Relative to the working directory; `-` is standard input. */
  readonly name: string;
  readonly mostBytes: number;
  /** True to follow links. The files of a Secret that is mounted in a pod are links. */
  readonly followsLinks?: boolean;
}

/** The bytes of a named file. An EnvironmentError when it is missing, too large or unreadable. */
export async function readInput(
  cwd: string,
  { name, mostBytes, followsLinks = false }: InputFile,
  standardInput: Readable = process.stdin,
): Promise<Uint8Array> {
  if (name === '-') return readAll(standardInput, mostBytes);
  const named = resolve(cwd, name);
  const path = followsLinks && existsSync(named) ? realpathSync(named) : named;
  const [folder, file] = [dirname(path), basename(path)];
  const size = lookAt(folder, file)?.size;
  if (size === undefined) throw new EnvironmentError(`there is no file ${name}`);
  if (size > mostBytes) throw tooLarge(name, mostBytes);
  const bytes = readRegularFile(folder, file);
  if (bytes === undefined) throw new EnvironmentError(`there is no file ${name}`);
  return bytes;
}

/** True when every user of the machine may read a file; false for a missing file. */
export function isReadByAll(cwd: string, name: string): boolean {
  const stats = statSync(resolve(cwd, name), { throwIfNoEntry: false });
  return process.platform !== 'win32' && stats !== undefined && (stats.mode & 0o004) !== 0;
}

async function readAll(stream: Readable, mostBytes: number): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of stream) {
    const buffer = Buffer.from(part as Uint8Array);
    parts.push(buffer);
    bytes += buffer.length;
    if (bytes > mostBytes) throw tooLarge('standard input', mostBytes);
  }
  return Buffer.concat(parts);
}

function tooLarge(name: string, mostBytes: number): EnvironmentError {
  return new EnvironmentError(`${name} is larger than ${mostBytes / 1024 / 1024} MiB`);
}

/** A file with a secret, readable by its owner only. */
export interface SecretFile {
  remove(): void;
}

/**
 * Writes a secret to a new file with mode 0600. An EnvironmentError when the file exists, is inside
 * the repository, or cannot be written; the message never contains the secret.
 */
export function writeSecretFile(
  { cwd, root }: { readonly cwd: string; readonly root: string },
  name: string,
  secret: string,
): SecretFile {
  const path = realPlace(cwd, name);
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

function realPlace(cwd: string, name: string): string {
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
