import { EnvironmentError } from '../../model/problem.ts';
import { firstLine, quietGit } from './git.ts';

/** One object of a repository. */
export interface GitObject {
  /** Its name, 40 or 64 hex digits. */
  readonly id: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/**
 * The objects that some names name (an object name, or `<commit>:./<path>` from root), in their order; undefined
 * for a name that names none. All are read by one process, as they are committed: no filter, line end or attribute
 * of the repository changes them. No name has a line break. An EnvironmentError when git fails.
 */
export async function readObjects(
  root: string,
  names: readonly string[],
): Promise<readonly (GitObject | undefined)[]> {
  if (names.length === 0) return [];
  const output = await batch(root, names);
  let start = 0;
  return names.map((name) => {
    const end = output.indexOf(10, start);
    const header = end < 0 ? '' : output.subarray(start, end).toString('utf8');
    start = end + 1;
    if (header === `${name} missing` || header === `${name} ambiguous`) return undefined;
    const [, id, type, size] = /^([0-9a-f]+) (\w+) (\d+)$/.exec(header) ?? [];
    if (id === undefined || type === undefined) {
      throw new EnvironmentError(`git cannot read the object ${name}: ${header.slice(0, 80)}`);
    }
    const bytes = output.subarray(start, start + Number(size));
    start += Number(size) + 1;
    return { id, type, bytes };
  });
}

/** For each name `<id> <type> <size>`, a line break, the bytes, a line break. */
async function batch(root: string, names: readonly string[]): Promise<Buffer> {
  try {
    return await quietGit(root, { input: `${names.join('\n')}\n` }).binaryCatFile(['--batch']);
  } catch (error) {
    throw new EnvironmentError(`git cannot read committed files: ${firstLine(error)}`);
  }
}
