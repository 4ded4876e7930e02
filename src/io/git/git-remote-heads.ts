import type { RemoteHead, RemoteHeads } from '../../app/ports/remote-heads.ts';
import { readObjects } from './git-objects.ts';
import { asked, assertRemote, failure, notReached } from './git-remote.ts';
import { type Environment, userGit } from './git-user.ts';

/** The refs of a clone's remote. The names of refs are never given to git again, nor to a shell: only object names are. */
export function gitRemoteHeads(
  root: string,
  remote: string,
  environment: Environment,
): RemoteHeads {
  return {
    async list(patterns) {
      await assertRemote(root, remote);
      const command = ['ls-remote', '--quiet', '--', remote, ...patterns];
      return headsIn(await asked(userGit(root, environment).raw(command), notReached(remote)));
    },
    async bring(commits) {
      const here = await thoseHere(root, commits);
      const missing = commits.filter((commit) => !here.has(commit));
      for (let start = 0; start < missing.length; start += atOnce) {
        await fetchSome(root, remote, missing.slice(start, start + atOnce), environment);
      }
      return missing.length === 0 ? here : thoseHere(root, commits);
    },
  };
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
  const objects = await readObjects(root, commits);
  return new Set(commits.filter((_, index) => objects[index]?.type === 'commit'));
}

const fetchOptions = [
  '--quiet',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-recurse-submodules',
  '--no-auto-maintenance',
  '--refmap=',
];

/** One that the remote does not give must not keep the others away: then each is asked for alone. */
async function fetchSome(
  root: string,
  remote: string,
  commits: readonly string[],
  environment: Environment,
): Promise<void> {
  try {
    await userGit(root, environment).raw(['fetch', ...fetchOptions, '--', remote, ...commits]);
  } catch (error) {
    if (!notGiven.test(String(error))) throw failure(notReached(remote), error);
    if (commits.length === 1) return;
    for (const commit of commits) await fetchSome(root, remote, [commit], environment);
  }
}

const notGiven =
  /not our ref|unadvertised object|no such remote ref|missing necessary objects|did not send all/i;
