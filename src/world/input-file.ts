import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { EnvironmentError } from '../model/problem.ts';
import { lookAt, readRegularFile } from './disk/regular-file.ts';

/** A file that somebody named on the command line, and the most bytes that are read of it. */
export interface InputFile {
  /** Relative to the folder the command runs in; `-` is standard input. */
  readonly name: string;
  readonly mostBytes: number;
  /** True to read what a link leads to, as the files of a Secret that a pod mounts are links. */
  readonly followsLinks?: boolean;
}

/**
 * The bytes of a named file; links are not followed unless it is said. An EnvironmentError when it is not there, is too
 * large or cannot be read.
 */
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

/** True when the mode of a file lets every user of the machine read it; false where there is none. */
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
