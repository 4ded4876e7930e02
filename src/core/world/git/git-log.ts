import type {
  CommitLog,
  CommitRange,
  FileVersion,
  LoggedCommit,
} from '../../interfaces/commit-log.ts';
import { addToGroup } from '../../model/order.ts';
import type { Git } from './git.ts';
import { ownFiles, rawFormat } from './git-differences.ts';
import { logFormat, loggedCommits, loggedDifferences } from './git-log-format.ts';
import { signedCommits } from './git-signatures.ts';
import { linesIn, literal } from './git-text.ts';

/** The log of a repository. Paths are relative to the opened folder. */
export function gitLog(git: Git, defaultRef: () => Promise<string | undefined>): CommitLog {
  const isForeign = async ({ parents, message }: LoggedCommit): Promise<boolean> => {
    const merged = parents.length > 1 ? mergeIntoAnother.exec(message)?.[1] : undefined;
    return merged !== undefined && merged === (await defaultRef())?.split('/').at(-1);
  };
  return {
    defaultRef: async () => (await defaultRef()) ?? 'HEAD',
    isShallow: () => git.isShallow(),
    versions: (commit, path) => versions(git, { commit, path }, isForeign),
    folderVersions: (range, ...folders) => folderVersions(git, { ...range, folders }, isForeign),
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

/** The subject of a merge of a branch into another one, as git writes it. */
const mergeIntoAnother =
  /^Merge (?:remote-tracking )?branch '(?:[^']*\/)?([^'/]+)'(?: of .*)? into /;

/** True for a merge of the default branch into another one. */
type IsForeign = (commit: LoggedCommit) => Promise<boolean>;

/**
 * A log along first parents, newest first. When the default branch was fast-forwarded to a branch
 * that had merged it, the second parent of that merge leads on: what the other branch had recorded
 * before was never live.
 */
async function ownPast<Entry extends { readonly commit: LoggedCommit }>(
  head: string,
  log: (head: string) => Promise<readonly Entry[]>,
  isForeign: IsForeign,
): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (const entry of await log(head)) {
    entries.push(entry);
    const [, second] = entry.commit.parents;
    if (second !== undefined && (await isForeign(entry.commit))) {
      return [...entries, ...(await ownPast(second, log, isForeign))];
    }
  }
  return entries;
}

/** Along first parents, the changes of a branch appear at once, at the time of its merge. */
async function versions(
  git: Git,
  { commit, path }: { readonly commit: string; readonly path: string },
  isForeign: IsForeign,
): Promise<readonly FileVersion[]> {
  const options = ['--first-parent', '--no-renames', '--no-follow'];
  const log = async (head: string) => {
    const output = await git.read(['log', ...logFormat, ...options, head, '--', literal(path)]);
    return loggedCommits(output).map((commit) => ({ commit }));
  };
  const commits = (await ownPast(commit, log, isForeign)).map((entry) => entry.commit);
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
  { base, head, folders }: CommitRange & { readonly folders: readonly string[] },
  isForeign: IsForeign,
): Promise<ReadonlyMap<string, readonly FileVersion[]>> {
  const options = ['--first-parent', '-m', '--root', '--no-follow', ...rawFormat, '--relative'];
  const which = [...(base === undefined ? [] : [`^${base}`]), '--', ...folders.map(literal)];
  const log = async (from: string) =>
    loggedDifferences(await git.read(['log', ...logFormat, ...options, from, ...which]));
  const logged = [...(await ownPast(head, log, isForeign))].reverse();
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
