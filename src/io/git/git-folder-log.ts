import type {
  CommitRange,
  FileDifference,
  FileVersion,
  LoggedCommit,
} from '../../app/ports/commit-log.ts';
import { readRepository } from './git.ts';
import { logFormat, loggedCommit } from './git-log-fields.ts';
import { readObjects } from './git-objects.ts';

/** A file that differs between two trees, and the object it is in each; undefined where it is not there. */
interface RawDifference {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** How files that differ are told: each as `:<mode> <mode> <id> <id> <letter>` and its path, from root. */
const rawFormat = ['--raw', '-z', '--no-abbrev', '--no-renames', '--relative'] as const;

/** All versions of all files of a folder on the way of first parents: see `CommitLog.folderVersions`. */
export async function folderVersions(
  root: string,
  { base, head }: CommitRange,
  folder: string,
): Promise<ReadonlyMap<string, readonly FileVersion[]>> {
  const way = ['--first-parent', '-m', '--root', '--no-follow', ...rawFormat];
  const which = [head, ...(base === undefined ? [] : [`^${base}`]), '--', `:(literal)${folder}`];
  const logged = loggedDifferences(
    await readRepository(root, ['log', ...logFormat, ...way, ...which]),
  ).reverse();
  const objects = await objectsOf(
    root,
    logged.flatMap(({ files }) => files.map(({ after }) => after)),
  );
  const versions = new Map<string, FileVersion[]>();
  for (const { commit, files } of logged) {
    for (const { path, after } of files) {
      const version = { commit, content: objects.get(after ?? '') };
      const own = versions.get(path);
      if (own) own.push(version);
      else versions.set(path, [version]);
    }
  }
  return versions;
}

/** What two commits have otherwise of a folder: see `CommitLog.differences`. */
export async function differences(
  root: string,
  { base, head }: Required<CommitRange>,
  folder: string,
): Promise<ReadonlyMap<string, FileDifference>> {
  if (base === undefined) return new Map();
  const command = ['diff-tree', '-r', ...rawFormat, base, head, '--', `:(literal)${folder}`];
  const files = [...rawDifferences((await readRepository(root, command)).split('\0'), 0).files];
  const objects = await objectsOf(
    root,
    files.flatMap(({ before, after }) => [before, after]),
  );
  return new Map(
    files.map(({ path, before, after }) => [
      path,
      { before: objects.get(before ?? ''), after: objects.get(after ?? '') },
    ]),
  );
}

/** A commit and the files in which it differs from its first parent. */
interface LoggedDifferences {
  readonly commit: LoggedCommit;
  readonly files: readonly RawDifference[];
}

/** No field of a commit, and no path, holds the character that all of them end with. */
function loggedDifferences(output: string): LoggedDifferences[] {
  const fields = output.split('\0');
  const found: LoggedDifferences[] = [];
  let index = 0;
  while (index + 4 < fields.length) {
    const commit = loggedCommit(fields.slice(index, index + 5));
    const { files, end } = rawDifferences(fields, index + 5);
    found.push({ commit, files });
    index = end;
  }
  return found;
}

function rawDifferences(
  fields: readonly string[],
  start: number,
): { readonly files: readonly RawDifference[]; readonly end: number } {
  const files: RawDifference[] = [];
  let index = start;
  for (;;) {
    const found = /^\n?:\d{6} \d{6} ([0-9a-f]+) ([0-9a-f]+) [A-Z]/.exec(fields[index] ?? '');
    if (!found) return { files, end: index };
    const [, before = '', after = ''] = found;
    files.push({ path: fields[index + 1] ?? '', before: realId(before), after: realId(after) });
    index += 2;
  }
}

/** Git writes a name of zeros for what is not there. */
function realId(id: string): string | undefined {
  return /^0+$/.test(id) ? undefined : id;
}

async function objectsOf(
  root: string,
  ids: readonly (string | undefined)[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const names = [...new Set(ids.filter((id) => id !== undefined))];
  const objects = await readObjects(root, names);
  return new Map(
    names.flatMap((name, index) => {
      const bytes = objects[index]?.bytes;
      return bytes ? [[name, bytes]] : [];
    }),
  );
}
