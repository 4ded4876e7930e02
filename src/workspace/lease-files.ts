import { keyNameOf } from '../declarations/key-file.ts';
import type { ProblemCode } from '../model/codes/problem-codes.ts';
import { type Problem, startOf } from '../model/problem.ts';
import {
  allocationsFolder,
  keysFolder,
  leasesFolder,
  policyPath,
  poolsPath,
  repositoryIdPath,
} from '../model/repository-paths.ts';
import type { TreeEntry } from '../ports/tree.ts';

/** The files of `leases/` by kind, in path order, and the problems of unexpected ones. */
export interface LeaseFiles {
  readonly pools: TreeEntry | undefined;
  readonly policy: TreeEntry | undefined;
  readonly declarations: readonly TreeEntry[];
  readonly allocations: readonly TreeEntry[];
  /** Ownership keys, one file each. */
  readonly keys: readonly TreeEntry[];
  readonly repositoryId: TreeEntry | undefined;
  /** By path. Only read when a declaration names one in `spec.sdl`. */
  readonly sdls: ReadonlyMap<string, TreeEntry>;
  readonly problems: readonly Problem[];
}

type LeaseFileKind =
  | 'pools'
  | 'policy'
  | 'declaration'
  | 'allocation'
  | 'key'
  | 'repositoryId'
  | 'sdl';

const plainPath = /^[A-Za-z0-9_][A-Za-z0-9._-]*(\/[A-Za-z0-9_][A-Za-z0-9._-]*)*$/;

/**
 * Classifies the entries of `leases/`. FILE_NOT_REGULAR for a link, FILE_UNEXPECTED for a file of
 * an unknown kind or with unusual characters in its name.
 */
export function classifyLeaseFiles(entries: readonly TreeEntry[]): LeaseFiles {
  const byKind = new Map<LeaseFileKind, TreeEntry[]>();
  const listOf = (kind: LeaseFileKind): TreeEntry[] => {
    const list = byKind.get(kind) ?? [];
    byKind.set(kind, list);
    return list;
  };
  const problems: Problem[] = [];
  for (const entry of entries) {
    const kind = classify(entry);
    if (typeof kind !== 'string') problems.push(kind);
    else listOf(kind).push(entry);
  }
  return {
    pools: listOf('pools')[0],
    policy: listOf('policy')[0],
    declarations: listOf('declaration'),
    allocations: listOf('allocation'),
    keys: listOf('key'),
    repositoryId: listOf('repositoryId')[0],
    sdls: new Map(listOf('sdl').map((entry) => [entry.path, entry])),
    problems,
  };
}

function classify({ path, kind }: TreeEntry): LeaseFileKind | Problem {
  if (kind !== 'file') {
    return refused(path, 'FILE_NOT_REGULAR', 'not a regular file', 'commit the file itself');
  }
  if ([leasesFolder, allocationsFolder, keysFolder].includes(path)) {
    return refused(path, 'FILE_UNEXPECTED', 'this is a file, expected a folder', 'move it away');
  }
  if (!plainPath.test(path)) {
    return refused(
      path,
      'FILE_UNEXPECTED',
      'the name has a character other than letters, digits, - _ and ., or starts with a dot or dash',
      'rename the file',
    );
  }
  if (path === poolsPath) return 'pools';
  if (path === policyPath) return 'policy';
  if (path === repositoryIdPath) return 'repositoryId';
  if (path.startsWith(`${keysFolder}/`)) {
    return keyNameOf(path)
      ? 'key'
      : refused(
          path,
          'FILE_UNEXPECTED',
          whyNoKey(path),
          'rename it, or move it out of leases/keys/',
        );
  }
  if (path.startsWith(`${allocationsFolder}/`)) {
    return path.endsWith('.yaml')
      ? 'allocation'
      : refused(
          path,
          'FILE_UNEXPECTED',
          'only leasehold writes files to this folder',
          'move it to another folder',
        );
  }
  if (path.endsWith('.sdl.yaml')) return 'sdl';
  if (path.endsWith('.yaml')) return 'declaration';
  const hint = path.endsWith('.yml') ? 'rename it to .yaml' : 'move it out of leases/';
  return refused(path, 'FILE_UNEXPECTED', 'not a declaration: their names end in .yaml', hint);
}

function whyNoKey(path: string): string {
  return /^[^/]+\/[^/]+\/[^/]+\/default\.yaml$/.test(path)
    ? 'a key cannot be named default: secret: default means no key'
    : 'not a key: expected leases/keys/<namespace>/<name>.yaml with a-z, 0-9 and - in both names, and . in the second';
}

function refused(
  path: string,
  code: ProblemCode,
  message: string,
  hint: string | undefined,
): Problem {
  return { code, message, at: startOf(path), ...(hint === undefined ? {} : { hint }) };
}
