import type { CommitLog, CommitRange, FileVersion } from '../../interfaces/commit-log.ts';
import { addToGroup } from '../../model/order.ts';
import type { Git } from './git.ts';
import { ownFiles, rawFormat } from './git-differences.ts';
import { logFormat, loggedCommits, loggedDifferences } from './git-log-format.ts';
import { signedCommits } from './git-signatures.ts';
import { linesIn, literal } from './git-text.ts';

/** The log of a repository. Paths are relative to the opened folder. */
export function gitLog(git: Git, defaultRef: () => Promise<string | undefined>): CommitLog {
  let name: ReturnType<typeof repositoryName> | undefined;
  return {
    defaultRef: async () => (await defaultRef()) ?? 'HEAD',
    repositoryName: async () => {
      name ??= repositoryName(git);
      return await name;
    },
    isShallow: () => git.isShallow(),
    versions: (commit, path) => versions(git, commit, path),
    folderVersions: (range, ...folders) => folderVersions(git, range, folders),
    signed: (range, allowedSigners) => signedCommits(git, range, allowedSigners),
    ownFiles: (commits) => ownFiles(git, commits),
    contents: (commits, path) => contents(git, commits, path),
    async descending(base, head) {
      const command = ['rev-list', '--ancestry-path', head, `^${base}`, '--'];
      const output = await git.read(command);
      return new Set(linesIn(output));
    },
  };
}

/** See {@link CommitLog.repositoryName}. */
export async function repositoryName(git: Git): Promise<string | undefined> {
  const url = await git.originUrl();
  const name = url
    ?.replace(/(?:\.git)?\/*$/, '')
    .split(/[/:]/)
    .at(-1);
  // A URL without a path may end in credentials.
  if (name === undefined || !/^[\w.-]+$/.test(name)) return undefined;
  return `${name}/${(await git.prefix()) ?? ''}`.replace(/\/$/, '');
}

/** Along first parents, the changes of a branch appear at once, at the time of its merge. */
async function versions(git: Git, commit: string, path: string): Promise<readonly FileVersion[]> {
  const options = ['--first-parent', '--no-renames', '--no-follow'];
  const which = [...options, commit, '--', literal(path)];
  const commits = loggedCommits(await git.read(['log', ...logFormat, ...which]));
  const ids = commits.map(({ id }) => id);
  const found = await contents(git, ids, path);
  return commits.map((commit, index) => ({ commit, content: found[index] })).reverse();
}

async function contents(
  git: Git,
  commits: readonly string[],
  path: string,
): Promise<readonly (Uint8Array | undefined)[]> {
  const names = commits.map((id) => `${id}:./${path}`);
  return (await git.objects.read(names)).map((object) => object?.bytes);
}

async function folderVersions(
  git: Git,
  { base, head }: CommitRange,
  folders: readonly string[],
): Promise<ReadonlyMap<string, readonly FileVersion[]>> {
  const options = ['--first-parent', '-m', '--root', '--no-follow', ...rawFormat, '--relative'];
  const which = [head, ...(base === undefined ? [] : [`^${base}`]), '--', ...folders.map(literal)];
  const logged = loggedDifferences(
    await git.read(['log', ...logFormat, ...options, ...which]),
  ).reverse();
  const objects = await objectsOf(
    git,
    logged.flatMap(({ files }) => files.map(({ after }) => after)),
  );
  const versions = new Map<string, FileVersion[]>();
  for (const { commit, files } of logged) {
    for (const { path, after } of files) {
      addToGroup(versions, path, { commit, content: objects.get(after ?? '') });
    }
  }
  return versions;
}

async function objectsOf(
  git: Git,
  ids: readonly (string | undefined)[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const names = [...new Set(ids.filter((id) => id !== undefined))];
  const objects = await git.objects.read(names);
  return new Map(
    names.flatMap((name, index) => {
      const bytes = objects[index]?.bytes;
      return bytes ? [[name, bytes]] : [];
    }),
  );
}
