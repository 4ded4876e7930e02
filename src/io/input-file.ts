import { basename, dirname, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { EnvironmentError } from '../model/problem.ts';
import { lookAt, readRegularFile } from './disk/regular-file.ts';

/** A file that somebody named on the command line, and the most bytes that are read of it. */
export interface InputFile {
  /** Relative to the folder the command runs in; `-` is standard input. */
  readonly name: string;
  readonly mostBytes: number;
}

/**
 * The bytes of a named file; links are not followed. An EnvironmentError when it is not there, is too
 * large or cannot be read.
 */
export async function readInput(
  cwd: string,
  { name, mostBytes }: InputFile,
  standardInput: Readable = process.stdin,
): Promise<Uint8Array> {
  if (name === '-') return readAll(standardInput, mostBytes);
  const path = resolve(cwd, name);
  const [folder, file] = [dirname(path), basename(path)];
  const size = lookAt(folder, file)?.size;
  if (size === undefined) throw new EnvironmentError(`there is no file ${name}`);
  if (size > mostBytes) throw tooLarge(name, mostBytes);
  const bytes = readRegularFile(folder, file);
  if (bytes === undefined) throw new EnvironmentError(`there is no file ${name}`);
  return bytes;
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
