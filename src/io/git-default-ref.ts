import { ask } from './git-commits.ts';

/**
 * What pull requests go to, as far as a clone can tell: the default branch of `origin`, or of the only
 * remote; else `main` there, or here. Undefined when there is none of these, or no
 * git repository.
 */
export async function defaultRef(root: string): Promise<string | undefined> {
  const remotes = ((await ask(root, ['remote'])) ?? '').split('\n').filter((name) => name !== '');
  const remote = remotes.includes('origin') || remotes.length !== 1 ? 'origin' : remotes[0];
  const head = await ask(root, ['symbolic-ref', '--quiet', `refs/remotes/${remote}/HEAD`]);
  const refs = [head?.trim(), `refs/remotes/${remote}/main`, 'refs/heads/main'];
  for (const ref of refs) {
    if (ref !== undefined && (await isCommit(root, ref))) return ref.replace(/^refs\/\w+\//, '');
  }
  return undefined;
}

async function isCommit(root: string, ref: string): Promise<boolean> {
  const command = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
  return (await ask(root, command)) !== undefined;
}
