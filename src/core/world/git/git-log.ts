import type { CommitLog, CommitRange, FileVersion } from '../../interfaces/commit-log.ts';
import { addToGroup } from '../../model/order.ts';
import type { Git } from './git.ts';
import { ownFiles, rawFormat } from './git-differences.ts';
import { logFormat, loggedCommits, loggedDifferences } from './git-log-format.ts';
import { signedCommits } from './git-signatures.ts';
import { linesIn, literal } from './git-text.ts';

/** The log of a repository. Paths are relative to the opened folder. */
export function gitLog(git: Git, defaultRef: () => Promise<string | undefined>): CommitLog {
  const logOf = async (head: string, ...words: readonly string[]): Promise<string> => {
    const branch = (await defaultRef())?.split('/').at(-1);
    const logs: string[] = [];
    for (const range of await ownPast(git, head, branch)) {
      logs.push(await git.read(['log', ...logFormat, '--first-parent', ...range, ...words]));
    }
    return logs.join('');
  };
  return {
    defaultRef: async () => (await defaultRef()) ?? 'HEAD',
    isShallow: () => git.isShallow(),
    versions: (commit, path) => versions(git, logOf, { commit, path }),
    folderVersions: (range, ...folders) => folderVersions(git, logOf, { ...range, folders }),
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

/** The log of the own past of a commit, newest first, with these options and paths. */
type LogOf = (head: string, ...words: readonly string[]) => Promise<string>;

/**
 * The ranges of the own past of a commit, newest first: its first parents. When the default branch
 * was fast-forwarded to a branch that had merged it, the second parent of that merge leads on: what
 * the other branch had recorded before was never live.
 */
async function ownPast(
  git: Git,
  commit: string,
  branch: string | undefined,
): Promise<readonly (readonly string[])[]> {
  const name = branch?.replaceAll(/[^\w-]/g, '.') ?? '';
  const subject = `^Merge (remote-tracking )?branch '([^']*/)?${name}'( of .*)? into `;
  const foreign = ['log', '--first-parent', '--merges', '-1', '--format=%P', '-E'];
  const ranges: string[][] = [];
  for (let head = commit; ; ) {
    const merge = branch && (await git.read([...foreign, `--grep=${subject}`, head, '--']));
    const [first, second] = merge ? merge.trim().split(' ') : [];
    if (first === undefined || second === undefined) return [...ranges, [head]];
    ranges.push([head, `^${first}`]);
    head = second;
  }
}

/** Along first parents, the changes of a branch appear at once, at the time of its merge. */
async function versions(
  git: Git,
  logOf: LogOf,
  { commit, path }: { readonly commit: string; readonly path: string },
): Promise<readonly FileVersion[]> {
  const options = ['--no-renames', '--no-follow', '--', literal(path)];
  const commits = loggedCommits(await logOf(commit, ...options));
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
  logOf: LogOf,
  { base, head, folders }: CommitRange & { readonly folders: readonly string[] },
): Promise<ReadonlyMap<string, readonly FileVersion[]>> {
  const options = ['-m', '--root', '--no-follow', ...rawFormat, '--relative'];
  const which = [...(base === undefined ? [] : [`^${base}`]), '--', ...folders.map(literal)];
  const logged = loggedDifferences(await logOf(head, ...options, ...which)).reverse();
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
