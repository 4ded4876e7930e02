import { ask } from './git-commits.ts';

/**
 * What pull requests go to, as far as a clone can tell: the default branch of `origin`, or of the only
 * remote; else `main` there, or here. In full when the short name is another commit: anybody can call a
 * branch `origin/main`. Undefined when there is none of these, or no git repository.
 */
export async function defaultRef(root: string): Promise<string | undefined> {
  const remotes = ((await ask(root, ['remote'])) ?? '').split('\n').filter((name) => name !== '');
  const remote = remotes.includes('origin') || remotes.length !== 1 ? 'origin' : remotes[0];
  const head = await ask(root, ['symbolic-ref', '--quiet', `refs/remotes/${remote}/HEAD`]);
  const refs = [head?.trim(), `refs/remotes/${remote}/main`, 'refs/heads/main'];
  for (const ref of refs) {
    const commit = ref === undefined ? undefined : await commitOf(root, ref);
    if (ref === undefined || commit === undefined) continue;
    const short = ref.replace(/^refs\/\w+\//, '');
    return (await commitOf(root, short)) === commit ? short : ref;
  }
  return undefined;
}

/** The short name of the branch that is checked out; undefined for none. */
export async function currentBranch(root: string): Promise<string | undefined> {
  return (await ask(root, ['symbolic-ref', '--quiet', '--short', 'HEAD']))?.trim();
}

async function commitOf(root: string, ref: string): Promise<string | undefined> {
  return ask(root, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]);
}
