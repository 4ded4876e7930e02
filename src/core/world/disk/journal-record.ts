import { accessSync, constants, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { compareText } from '../../model/order.ts';
import { EnvironmentError } from '../../model/problem.ts';
import {
  distFolder,
  isSetupPath,
  leasesFolder,
  policyPath,
  poolsPath,
  recordFolders,
  stateFolder,
} from '../../model/repository-paths.ts';
import { jsonIn, reasonOf } from '../system-error.ts';
import { type HeadMark, hasMoved, headMark } from './git-head.ts';
import {
  digestOf,
  FolderStats,
  foldersAbove,
  lookAt,
  notFolder,
  readRegularFile,
  readSection,
  type Section,
} from './regular-file.ts';

/** The folder below root that has the journal. */
export const journalFolder = `${stateFolder}/txn`;

/**
 * While this file exists, the transaction is committed and must be finished, unless git has put
 * another tree in place since.
 */
export const commitFile = `${journalFolder}/commit.json`;

/** The bytes of all files of a transaction, one after the other. */
export const bytesFile = `${journalFolder}/bytes`;

/** One file of a transaction, and the section of {@link bytesFile} that has its bytes. */
export interface JournalWrite extends Section {
  /** The target, relative to the root, with forward slashes. */
  readonly path: string;
  /** SHA-256 of the bytes, 64 hex digits. */
  readonly sha256: string;
}

/** A transaction. Each path occurs once. */
export interface JournalRecord {
  readonly writes: readonly JournalWrite[];
  readonly removes: readonly string[];
  /** The files that git's index takes over before the transaction ends. */
  readonly staged: readonly string[];
}

/** The targets of a transaction, written ones first. */
export function targetsOf({
  writes,
  removes,
}: Pick<JournalRecord, 'writes' | 'removes'>): readonly string[] {
  return [...writes.map(({ path }) => path), ...removes];
}

const writableFolders: readonly string[] = [distFolder, ...recordFolders, `${stateFolder}/cdk8s`];

/** True for a folder that is removed when a transaction empties it: below the written folders. */
export function isEmptiedFolder(folder: string): boolean {
  return (
    !recordFolders.includes(folder) &&
    [distFolder, leasesFolder].some((outermost) => folder.startsWith(`${outermost}/`))
  );
}

/** Advice for a journal that cannot be finished. */
const journalAdvice = `remove ${journalFolder}, restore each of ${[distFolder, ...recordFolders].join(', ')} that git has with \`git checkout -- FOLDER\`, and run \`leasehold synth\` again`;

/** The text of `commit.json`. */
export function printJournal(root: string, record: JournalRecord): string {
  const { writes, removes, staged } = record;
  const place = { folder: folderIdentity(root), mark: headMark(root) };
  return `${JSON.stringify({ version: 3, ...place, writes, removes, staged })}\n`;
}

/**
 * Reads the committed, unfinished transaction that is to be finished; undefined without one, and
 * when git has put another tree in place since. To finish it would then write what belongs to the
 * earlier tree.
 *
 * The file is untrusted: anyone can commit a file of this name to git. A journal that was not
 * written in this very folder, or names a path that leasehold does not write, is an
 * EnvironmentError.
 */
export function readJournal(root: string): JournalRecord | undefined {
  const found = findJournal(root);
  return found?.isOvertaken ? undefined : found;
}

/** A committed, unfinished transaction. */
export interface FoundJournal extends JournalRecord {
  /** True when git has put another tree in place since. */
  readonly isOvertaken: boolean;
}

/** {@link readJournal}, also of a transaction that is not to be finished. */
export function findJournal(root: string): FoundJournal | undefined {
  const bytes = readRegularFile(root, commitFile);
  if (bytes === undefined) return undefined;
  const written = jsonIn(new TextDecoder().decode(bytes));
  const record = recordOf(written);
  if (record === undefined) throw unusable('it is not a journal');
  if (!isWrittenHere(root, written)) throw unusable('it was not written in this folder');
  const fault = faultOf(record);
  if (fault !== undefined) throw unusable(fault);
  return { ...record, isOvertaken: hasMoved(root, markIn(written)) };
}

function markIn(written: unknown): HeadMark | undefined {
  if (!isObject(written) || !isObject(written.mark)) return undefined;
  const { head, log } = written.mark;
  if (!isText(head)) return undefined;
  const isLog = isObject(log) && isCount(log.size) && isText(log.last);
  return isLog ? { head, log: { size: Number(log.size), last: String(log.last) } } : { head };
}

/**
 * The targets of a transaction that the disk does not have yet, in order, without leasehold's own
 * state.
 */
export function missingTargets(root: string, record: JournalRecord): readonly string[] {
  const writes = record.writes.filter(({ path, sha256 }) => {
    const bytes = readRegularFile(root, path);
    return bytes === undefined || digestOf(bytes) !== sha256;
  });
  const removes = record.removes.filter((path) => lookAt(root, path) !== undefined);
  return [...writes.map(({ path }) => path), ...removes]
    .filter((path) => !path.startsWith(`${stateFolder}/`))
    .sort(compareText);
}

/**
 * The reason why a transaction must not be carried out, if any: a path that leasehold does not
 * write, a path that occurs twice, or one inside another.
 */
export function faultOf(record: JournalRecord): string | undefined {
  const targets = new Set<string>();
  const written = new Set(record.writes.map((write) => write.path));
  for (const path of targetsOf(record)) {
    if (!isTarget(path) && !(isOnlyWritten(path) && written.has(path)))
      return `leasehold does not write '${path}'`;
    if (targets.has(path)) return `'${path}' is in it twice`;
    targets.add(path);
  }
  const outside = record.staged.find((path) => !isInWrittenFolder(path));
  if (outside !== undefined) return `leasehold does not stage '${outside}'`;
  const around = foldersAbove(targets).find((folder) => targets.has(folder));
  return around === undefined ? undefined : `'${around}' is in it as a file and as a folder`;
}

function isNormalized(path: string): boolean {
  const names = path.split('/');
  return (
    !/[\\\0]/.test(path) && names.every((name) => name !== '' && name !== '.' && name !== '..')
  );
}

/** True for a path in a folder whose files a run adds to git's index. */
function isInWrittenFolder(path: string): boolean {
  const folders = [leasesFolder, distFolder];
  return isNormalized(path) && folders.some((folder) => path.startsWith(`${folder}/`));
}

/** True for a normalized path inside a folder that leasehold writes. */
function isTarget(path: string): boolean {
  return (
    isNormalized(path) &&
    (writableFolders.some((folder) => path.startsWith(`${folder}/`)) || isDeclaration(path))
  );
}

/** True for a path that imports and `init` write and nothing removes. */
function isOnlyWritten(path: string): boolean {
  return path === poolsPath || path === policyPath || isSetupPath(path);
}

/** True for a declaration or an SDL, which commands that end leases remove. */
function isDeclaration(path: string): boolean {
  return (
    path.startsWith(`${leasesFolder}/`) &&
    path.endsWith('.yaml') &&
    path !== poolsPath &&
    path !== policyPath
  );
}

function recordOf(written: unknown): JournalRecord | undefined {
  if (!isObject(written) || written.version !== 3) return undefined;
  const { writes, removes, staged } = written;
  if (!Array.isArray(writes) || !writes.every(isJournalWrite)) return undefined;
  if (!Array.isArray(removes) || !removes.every(isText)) return undefined;
  if (!Array.isArray(staged) || !staged.every(isText)) return undefined;
  return { writes, removes, staged };
}

function isJournalWrite(value: unknown): value is JournalWrite {
  return (
    isObject(value) &&
    isText(value.path) &&
    isCount(value.start) &&
    isCount(value.size) &&
    isText(value.sha256) &&
    /^[0-9a-f]{64}$/.test(value.sha256)
  );
}

/**
 * Identifies the journal folder, so that one from a checkout is told apart: its inode and creation
 * time in nanoseconds. A disk without creation times gives the time of the last change instead,
 * which {@link isWrittenHere} then ignores.
 */
function folderIdentity(root: string): { readonly inode: string; readonly made: string } {
  const stats = lstatSync(join(root, journalFolder), { bigint: true });
  return { inode: String(stats.ino), made: String(stats.birthtimeNs) };
}

function isWrittenHere(root: string, written: unknown): boolean {
  if (!isObject(written) || !isObject(written.folder)) return false;
  const stats = lstatSync(join(root, journalFolder), { bigint: true });
  const hasCreationTime = stats.birthtimeNs !== stats.ctimeNs;
  return (
    written.folder.inode === String(stats.ino) &&
    (!hasCreationTime || written.folder.made === String(stats.birthtimeNs))
  );
}

function unusable(reason: string): EnvironmentError {
  return new EnvironmentError(`${commitFile} cannot be used: ${reason}; ${journalAdvice}`);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/**
 * Returns the existing targets. Throws an EnvironmentError when a target cannot be written or
 * removed: a folder on its path is a link or a file, is not writable or is on another disk, or the
 * target is not a regular file. Must run before the commit point, which cannot be undone.
 */
export function assertReachable(root: string, record: JournalRecord): ReadonlySet<string> {
  const paths = targetsOf(record);
  const folders = foldersAbove(paths);
  const known = new FolderStats(root);
  const obstacle = folders.find((folder) => known.of(folder)?.isDirectory() === false);
  if (obstacle !== undefined) throw notFolder(obstacle);
  const disk = lookAt(root, '.')?.dev;
  for (const folder of folders) {
    const stats = known.of(folder);
    if (stats) assertChangeable(root, folder, stats.dev === disk);
  }
  const present = new Set<string>();
  for (const path of paths) {
    if (known.isMissingAround(path)) continue;
    const stats = lookAt(root, path);
    if (stats?.isFile() === false) {
      throw new EnvironmentError(
        `${path} is not a regular file; remove it and run the command again`,
      );
    }
    if (stats) present.add(path);
  }
  return present;
}

/** Throws an EnvironmentError unless every write of a committed transaction can be finished. */
export function assertComplete(root: string, record: JournalRecord): void {
  for (const write of record.writes) readPending(root, write);
}

/**
 * The bytes of a target after the transaction: from the journal or, when another process has
 * finished it meanwhile, from the target. An EnvironmentError when neither has the recorded bytes.
 */
export function readPending(root: string, write: JournalWrite): Uint8Array {
  const isRecorded = (bytes: Uint8Array | undefined): bytes is Uint8Array =>
    bytes !== undefined && digestOf(bytes) === write.sha256;
  const bytes = readSection(root, bytesFile, write);
  if (isRecorded(bytes)) return bytes;
  const target = readRegularFile(root, write.path);
  if (isRecorded(target)) return target;
  throw new EnvironmentError(
    `a killed run cannot be finished, because ${write.path} is not what it wrote; ${journalAdvice}`,
  );
}

function assertChangeable(root: string, folder: string, isOnDisk: boolean): void {
  if (!isOnDisk) {
    throw new EnvironmentError(`${folder} lies on another disk than the repository`);
  }
  try {
    accessSync(join(root, folder), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new EnvironmentError(`${folder} may not be changed: ${reasonOf(error)}`);
  }
}
