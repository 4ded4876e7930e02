import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import {
  allocationsFolder,
  distFolder,
  leasesFolder,
  policyPath,
  poolsPath,
  stateFolder,
} from '../../model/folders.ts';
import { EnvironmentError } from '../../model/problem.ts';
import { isSetupPath } from '../../model/setup-files.ts';
import { foldersAbove } from './real-folders.ts';
import { readRegularFile } from './regular-file.ts';

/** Where a transaction is staged, below root. */
export const journalFolder = `${stateFolder}/txn`;

/** While this file is there, the transaction is committed and has to be finished. */
export const commitFile = `${journalFolder}/commit.json`;

/** One file of a transaction: the staged one takes the target's place. */
export interface StagedWrite {
  /** The target, relative to the root, with forward slashes. */
  readonly path: string;
  /** The file's name in {@link journalFolder}; gone once it has become the target. */
  readonly staged: string;
  /** SHA-256 of the bytes, 64 hex digits. */
  readonly sha256: string;
}

/** A transaction: what the tree becomes. No path is in it twice. */
export interface JournalRecord {
  readonly writes: readonly StagedWrite[];
  readonly removes: readonly string[];
}

const writableFolders: readonly string[] = [distFolder, allocationsFolder, `${stateFolder}/cdk8s`];

/** True for a folder that goes when a transaction empties it: below those that leasehold writes, and never they themselves. */
export function isEmptiedFolder(folder: string): boolean {
  return (
    folder !== allocationsFolder &&
    [distFolder, leasesFolder].some((outermost) => folder.startsWith(`${outermost}/`))
  );
}

/** What to do about a journal that cannot be finished. */
export const journalAdvice = `remove ${journalFolder}, restore the tree with 'git checkout -- ${distFolder} ${allocationsFolder}' and run leasehold synth again`;

/** The text of `commit.json`. */
export function printJournal(root: string, record: JournalRecord): string {
  const { writes, removes } = record;
  return `${JSON.stringify({ version: 1, folder: folderIdentity(root), writes, removes })}\n`;
}

/**
 * The committed transaction that is not finished yet, or undefined.
 *
 * It is not trusted: anyone can commit a file of this name to git. One that was not written into
 * this very folder, or names a target elsewhere than where leasehold writes, is an EnvironmentError.
 */
export function readJournal(root: string): JournalRecord | undefined {
  const bytes = readRegularFile(root, commitFile);
  if (bytes === undefined) return undefined;
  const written = parseJson(new TextDecoder().decode(bytes));
  const record = recordOf(written);
  if (record === undefined) throw unusable('it is not a journal');
  if (!isWrittenHere(root, written)) throw unusable('it was not written in this folder');
  const fault = faultOf(record);
  if (fault !== undefined) throw unusable(fault);
  return record;
}

/** Why a transaction must not be carried out, or undefined: a path elsewhere, or twice, or in another. */
export function faultOf(record: JournalRecord): string | undefined {
  const targets = new Set<string>();
  const written = new Set(record.writes.map((write) => write.path));
  for (const path of [...record.writes.map((write) => write.path), ...record.removes]) {
    if (!isTarget(path) && !(isOnlyWritten(path) && written.has(path)))
      return `leasehold does not write '${path}'`;
    if (targets.has(path)) return `'${path}' is in it twice`;
    targets.add(path);
  }
  const around = foldersAbove(targets).find((folder) => targets.has(folder));
  if (around !== undefined) return `'${around}' is in it as a file and as a folder`;
  const staged = new Set(record.writes.map((write) => write.staged));
  return staged.size === record.writes.length ? undefined : 'two targets have one staged file';
}

/** True for a normalized path inside a folder that leasehold writes. */
function isTarget(path: string): boolean {
  const names = path.split('/');
  return (
    !/[\\\0]/.test(path) &&
    names.every((name) => name !== '' && name !== '.' && name !== '..') &&
    (writableFolders.some((folder) => path.startsWith(`${folder}/`)) || isDeclaration(path))
  );
}

/**
 * True for what imports write, and what sets a repository up; none of it is ever removed. The policy and what stands
 * outside of `leases/` is nobody's but people's otherwise.
 */
function isOnlyWritten(path: string): boolean {
  return path === poolsPath || path === policyPath || isSetupPath(path);
}

/** True for a declaration or an SDL: commands that end leases remove them. */
function isDeclaration(path: string): boolean {
  return (
    path.startsWith(`${leasesFolder}/`) &&
    path.endsWith('.yaml') &&
    path !== poolsPath &&
    path !== policyPath
  );
}

function recordOf(written: unknown): JournalRecord | undefined {
  if (!isObject(written) || written.version !== 1) return undefined;
  const { writes, removes } = written;
  if (!Array.isArray(writes) || !writes.every(isStagedWrite)) return undefined;
  if (!Array.isArray(removes) || !removes.every(isText)) return undefined;
  return { writes, removes };
}

function isStagedWrite(value: unknown): value is StagedWrite {
  return (
    isObject(value) &&
    isText(value.path) &&
    isText(value.staged) &&
    /^\d+\.new$/.test(value.staged) &&
    isText(value.sha256) &&
    /^[0-9a-f]{64}$/.test(value.sha256)
  );
}

/**
 * What tells this machine's journal folder from one that a checkout made: its inode and the time it
 * was made, in nanoseconds. Where the disk does not keep that time, it shows the time of the last
 * change instead, which says nothing.
 */
function folderIdentity(root: string): { readonly inode: string; readonly made: string } {
  const stats = lstatSync(join(root, journalFolder), { bigint: true });
  return { inode: String(stats.ino), made: String(stats.birthtimeNs) };
}

function isWrittenHere(root: string, written: unknown): boolean {
  if (!isObject(written) || !isObject(written.folder)) return false;
  const stats = lstatSync(join(root, journalFolder), { bigint: true });
  const isMadeKept = stats.birthtimeNs !== stats.ctimeNs;
  return (
    written.folder.inode === String(stats.ino) &&
    (!isMadeKept || written.folder.made === String(stats.birthtimeNs))
  );
}

function unusable(reason: string): EnvironmentError {
  return new EnvironmentError(`${commitFile} cannot be used: ${reason}; ${journalAdvice}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
