import { keyNameOf } from '../declarations/key-file.ts';
import type { TreeEntry } from '../interfaces/tree.ts';
import { addToGroup } from '../model/order.ts';
import { type Problem, startOf } from '../model/problem.ts';
import {
  allocationsFolder,
  foldersWithoutDeclarations,
  hostnamesFolder,
  isRecordPath,
  keysFolder,
  leasesFolder,
  policyPath,
  poolsPath,
  proofsFolder,
  repositoryIdPath,
} from '../model/repository-paths.ts';
import { hostnameOfPath } from '../records/hostname-file.ts';
import { leaseFileKindAt } from './parts.ts';

/** The files of `leases/` by kind, in path order, and the problems of unexpected ones. */
export interface LeaseFiles {
  readonly pools: TreeEntry | undefined;
  readonly policy: TreeEntry | undefined;
  /** Those of features: see {@link leaseFileKindAt}. */
  readonly others: readonly TreeEntry[];
  readonly declarations: readonly TreeEntry[];
  readonly allocations: readonly TreeEntry[];
  /** The records of hostnames. */
  readonly hostnames: readonly TreeEntry[];
  /** The proofs of domains. */
  readonly proofs: readonly TreeEntry[];
  /** Ownership keys, one file each. */
  readonly keys: readonly TreeEntry[];
  readonly repositoryId: TreeEntry | undefined;
  /** By path. Only read when a declaration names one in `spec.sdl`. */
  readonly sdls: ReadonlyMap<string, TreeEntry>;
  /**
   * FILE_UNEXPECTED for each declaration and SDL in the folder of the records of hostnames, which
   * was a folder like others in older versions. They are read, so that an older commit can be a base.
   */
  readonly misplaced: readonly Problem[];
  readonly problems: readonly Problem[];
}

type LeaseFileKind =
  | 'pools'
  | 'policy'
  | 'other'
  | 'declaration'
  | 'allocation'
  | 'hostname'
  | 'proof'
  | 'key'
  | 'repositoryId'
  | 'sdl';

const plainPath = /^[A-Za-z0-9_][A-Za-z0-9._-]*(\/[A-Za-z0-9_][A-Za-z0-9._-]*)*$/;

/**
 * Classifies the entries of `leases/`. FILE_NOT_REGULAR for a link, FILE_UNEXPECTED for a file of
 * an unknown kind or with unusual characters in its name. The temporary files of editors are left
 * out.
 */
export function classifyLeaseFiles(entries: readonly TreeEntry[]): LeaseFiles {
  const byKind = new Map<LeaseFileKind, TreeEntry[]>();
  const problems: Problem[] = [];
  const misplaced: Problem[] = [];
  for (const entry of entries) {
    if (isEditorFile(entry.path)) continue;
    const kind = classify(entry);
    if (typeof kind === 'string') addToGroup(byKind, kind, entry);
    else problems.push(kind);
    if (entry.kind === 'file' && isHandWritten(entry.path))
      misplaced.push(amongHostnames(entry.path));
  }
  const listOf = (kind: LeaseFileKind): readonly TreeEntry[] => byKind.get(kind) ?? [];
  return {
    pools: listOf('pools')[0],
    policy: listOf('policy')[0],
    others: listOf('other'),
    declarations: listOf('declaration'),
    allocations: listOf('allocation'),
    hostnames: listOf('hostname'),
    proofs: listOf('proof'),
    keys: listOf('key'),
    repositoryId: listOf('repositoryId')[0],
    sdls: new Map(listOf('sdl').map((entry) => [entry.path, entry])),
    misplaced,
    problems,
  };
}

function classify({ path, kind }: TreeEntry): LeaseFileKind | Problem {
  if (kind !== 'file') {
    const hint = 'commit the file itself';
    return { code: 'FILE_NOT_REGULAR', message: 'not a regular file', at: startOf(path), hint };
  }
  if ([leasesFolder, ...foldersWithoutDeclarations].includes(path)) {
    return unexpected(path, 'this is a file, expected a folder', 'move it away');
  }
  if (!plainPath.test(path)) {
    return unexpected(
      path,
      'the name has a character other than ASCII letters, digits, - _ and ., or starts with a dot or dash',
      'rename the file',
    );
  }
  if (path === poolsPath) return 'pools';
  if (path === policyPath) return 'policy';
  if (leaseFileKindAt(path)) return 'other';
  if (path === repositoryIdPath) return 'repositoryId';
  if (path.startsWith(`${keysFolder}/`)) {
    return keyNameOf(path)
      ? 'key'
      : unexpected(path, whyNoKey(path), 'rename it, or move it out of leases/keys/');
  }
  if (isGenerated(path)) return classifyGenerated(path);
  if (path.endsWith('.sdl.yaml')) return 'sdl';
  if (path.endsWith('.yaml')) return 'declaration';
  const hint = /\.ya?ml$/i.test(path) ? 'rename it to .yaml' : 'move it out of leases/';
  return unexpected(path, 'not a declaration: their names end in .yaml', hint);
}

/** True for swap, lock and backup files of Vim and Emacs, and for `.DS_Store` of macOS. */
function isEditorFile(path: string): boolean {
  return /(?:^|\/)(?:\.[^/]+\.sw[a-p]|[^/]+~|\.#[^/]+|#[^/]+#|\.DS_Store)$/.test(path);
}

/** True for a YAML file among the records of hostnames whose path is not that of a record. */
function isHandWritten(path: string): boolean {
  const isInFolder = path.startsWith(`${hostnamesFolder}/`) && path.endsWith('.yaml');
  return isInFolder && hostnameOfPath(path) === undefined;
}

function amongHostnames(path: string): Problem {
  return unexpected(
    path,
    'only leasehold writes files to this folder, the records of hostnames',
    'move it to another folder of leases/ with `git mv`, and name that folder in leases/policy.yaml and CODEOWNERS',
  );
}

/** True for a file of a folder that only leasehold writes. */
function isGenerated(path: string): boolean {
  return path.startsWith(`${proofsFolder}/`) || (isRecordPath(path) && !isHandWritten(path));
}

function classifyGenerated(path: string): LeaseFileKind | Problem {
  if (!path.endsWith('.yaml')) {
    return unexpected(
      path,
      'only leasehold writes files to this folder',
      'move it to another folder',
    );
  }
  if (path.startsWith(`${proofsFolder}/`)) return 'proof';
  return path.startsWith(`${allocationsFolder}/`) ? 'allocation' : 'hostname';
}

function whyNoKey(path: string): string {
  return /^[^/]+\/[^/]+\/[^/]+\/default\.yaml$/.test(path)
    ? 'a key cannot be named default: secret: default means no key'
    : 'not a key: expected leases/keys/<namespace>/<name>.yaml with a-z, 0-9 and - in both names, and . in the second';
}

function unexpected(path: string, message: string, hint: string): Problem {
  return { code: 'FILE_UNEXPECTED', message, at: startOf(path), hint };
}
