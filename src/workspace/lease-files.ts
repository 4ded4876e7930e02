import { keyNameOf } from '../declarations/key-file.ts';
import type { ProblemCode } from '../model/codes/problem-codes.ts';
import {
  allocationsFolder,
  keysFolder,
  leasesFolder,
  policyPath,
  poolsPath,
  repositoryIdPath,
} from '../model/folders.ts';
import { type Problem, startOf } from '../model/problem.ts';
import type { TreeEntry } from '../ports/tree.ts';

/** The files of `leases/` by what they are, each in the order of its path, and what should not be there. */
export interface LeaseFiles {
  readonly pools: TreeEntry | undefined;
  readonly policy: TreeEntry | undefined;
  readonly declarations: readonly TreeEntry[];
  readonly allocations: readonly TreeEntry[];
  /** Ownership keys, one file each. */
  readonly keys: readonly TreeEntry[];
  readonly repositoryId: TreeEntry | undefined;
  /** Read only through a declaration's `spec.sdl`. */
  readonly sdls: ReadonlyMap<string, TreeEntry>;
  readonly problems: readonly Problem[];
}

type Sort = 'pools' | 'policy' | 'declaration' | 'allocation' | 'key' | 'repositoryId' | 'sdl';

const plainPath = /^[A-Za-z0-9_][A-Za-z0-9._-]*(\/[A-Za-z0-9_][A-Za-z0-9._-]*)*$/;

/**
 * Sorts the entries of `leases/`. FILE_NOT_REGULAR for a link, FILE_UNEXPECTED for a file that is
 * none of ours or has a name that is not plain.
 */
export function sortLeaseFiles(entries: readonly TreeEntry[]): LeaseFiles {
  const bySort = new Map<Sort, TreeEntry[]>();
  const listOf = (sort: Sort): TreeEntry[] => {
    const list = bySort.get(sort) ?? [];
    bySort.set(sort, list);
    return list;
  };
  const problems: Problem[] = [];
  for (const entry of entries) {
    const sort = sortOf(entry);
    if (typeof sort !== 'string') problems.push(sort);
    else listOf(sort).push(entry);
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

function sortOf({ path, kind }: TreeEntry): Sort | Problem {
  if (kind !== 'file') {
    return refused(path, 'FILE_NOT_REGULAR', 'not a regular file', 'commit the file itself');
  }
  if ([leasesFolder, allocationsFolder, keysFolder].includes(path)) {
    return refused(path, 'FILE_UNEXPECTED', 'a file stands where a folder belongs', 'move it away');
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
      : refused(path, 'FILE_UNEXPECTED', 'only leasehold writes here', 'move it elsewhere');
  }
  if (path.endsWith('.sdl.yaml')) return 'sdl';
  if (path.endsWith('.yaml')) return 'declaration';
  const hint = path.endsWith('.yml') ? 'rename it to .yaml' : 'move it out of leases/';
  return refused(path, 'FILE_UNEXPECTED', 'not a declaration: those end in .yaml', hint);
}

function whyNoKey(path: string): string {
  return /^[^/]+\/[^/]+\/[^/]+\/default\.yaml$/.test(path)
    ? 'no key has the name default: a Service with the secret default has no key'
    : 'not a key: those are leases/keys/<namespace>/<name>.yaml, with names of a-z, 0-9 and -, and . in the second one';
}

function refused(
  path: string,
  code: ProblemCode,
  message: string,
  hint: string | undefined,
): Problem {
  return { code, message, at: startOf(path), ...(hint === undefined ? {} : { hint }) };
}
