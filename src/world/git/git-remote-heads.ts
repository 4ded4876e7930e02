import type { SimpleGit } from 'simple-git';
import type { RemoteHead, RemoteHeads } from '../../ports/remote-heads.ts';
import { readBounded } from './git-bounded.ts';
import { asked, assertRemote, failure, notReached } from './git-remote.ts';
import { type Environment, userGit } from './git-user.ts';

/**
 * The refs of a clone's remote. The names of refs are never given to git again, nor to a shell: only object names are. `limit`
 * ends what is asked of the remote.
 */
export function gitRemoteHeads(
  root: string,
  remote: string,
  environment: Environment,
  limit?: AbortSignal,
): RemoteHeads {
  const desk = { root, remote, environment, limit };
  return {
    async list(patterns) {
      await assertRemote(root, remote);
      const command = ['ls-remote', '--quiet', '--', remote, ...patterns];
      return headsIn(await asked(remoteGit(desk).raw(command), notReached(remote)));
    },
    async bring(commits) {
      const here = await thoseHere(root, commits);
      const missing = commits.filter((commit) => !here.has(commit));
      for (let start = 0; start < missing.length; start += atOnce) {
        await fetchSome(desk, missing.slice(start, start + atOnce));
      }
      return missing.length === 0 ? here : thoseHere(root, commits);
    },
  };
}

interface Desk {
  readonly root: string;
  readonly remote: string;
  readonly environment: Environment;
  readonly limit: AbortSignal | undefined;
}

function remoteGit({ root, environment, limit }: Desk): SimpleGit {
  return userGit(root, environment, { signal: limit });
}

/** A command line has an end. */
const atOnce = 100;

/** A pattern with a tag matches also what the tag names, as `<ref>^{}`: that is no ref. */
function headsIn(output: string): readonly RemoteHead[] {
  return output.split('\n').flatMap((line) => {
    const [, commit, ref] = /^([0-9a-f]{40}|[0-9a-f]{64})\t(refs\/\S+)$/.exec(line) ?? [];
    return commit === undefined || ref === undefined || ref.endsWith('^{}')
      ? []
      : [{ ref, commit }];
  });
}

async function thoseHere(root: string, commits: readonly string[]): Promise<ReadonlySet<string>> {
  const lines = await readBounded(root, ['cat-file', '--batch-check'], { lines: commits });
  return new Set(
    lines.split('\n').flatMap((line) => /^([0-9a-f]+) commit \d+$/.exec(line)?.[1] ?? []),
  );
}

const fetchOptions = [
  '--quiet',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-recurse-submodules',
  '--no-auto-maintenance',
  '--refmap=',
];

/**
 * One that the remote does not give must not keep the others away: then each is asked for alone. What does not come in
 * time stays away.
 */
async function fetchSome(desk: Desk, commits: readonly string[]): Promise<void> {
  if (desk.limit?.aborted) return;
  try {
    await remoteGit(desk).raw(['fetch', ...fetchOptions, '--', desk.remote, ...commits]);
  } catch (error) {
    if (desk.limit?.aborted) return;
    if (!notGiven.test(String(error))) throw failure(notReached(desk.remote), error);
    if (commits.length === 1) return;
    for (const commit of commits) await fetchSome(desk, [commit]);
  }
}

const notGiven =
  /not our ref|unadvertised object|no such remote ref|missing necessary objects|did not send all/i;
