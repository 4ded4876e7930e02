import type { CommitRange, FileVersion, LoggedCommit } from '../../ports/commit-log.ts';
import { readRepository } from './git.ts';
import { logFormat, loggedCommit } from './git-log-fields.ts';
import { readObjects } from './git-objects.ts';
import { type RawDifference, rawDifferences, rawFormat } from './git-raw-differences.ts';

/** All versions of all files of a folder on the way of first parents: see `CommitLog.folderVersions`. */
export async function folderVersions(
  root: string,
  { base, head }: CommitRange,
  folder: string,
): Promise<ReadonlyMap<string, readonly FileVersion[]>> {
  const way = ['--first-parent', '-m', '--root', '--no-follow', ...rawFormat, '--relative'];
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
