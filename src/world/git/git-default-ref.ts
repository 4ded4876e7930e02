import { ask } from './git-commits.ts';

/**
 * What pull requests go to, as far as a clone can tell: the default branch of `origin`, or of the only
 * remote; else `main` there, or here. In full when the short name is another commit: anybody can call a
 * branch `origin/main`. Undefined when there is none of these, or no git repository.
 */
export async function defaultRef(root: string): Promise<string | undefined> {
  const names = await targets(root);
  const remote = await remoteOf(root, [...names.keys()]);
  const candidates = [`refs/remotes/${remote}/HEAD`, `refs/remotes/${remote}/main`, mainHere];
  return candidates.map((ref) => names.get(ref)).find((name) => name !== undefined);
}

const mainHere = 'refs/heads/main';

/** Main, and what each remote calls HEAD or main, each with the name to give it. */
async function targets(root: string): Promise<ReadonlyMap<string, string>> {
  const fields = '%(refname)%00%(refname:short)%00%(symref)%00%(symref:short)';
  const patterns = ['refs/remotes/**/HEAD', 'refs/remotes/**/main', mainHere];
  const output = (await ask(root, ['for-each-ref', `--format=${fields}`, ...patterns])) ?? '';
  const lines = output.split('\n').filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const [ref = '', short = '', leadsTo = '', leadsToShort = ''] = line.split('\0');
      return [ref, leadsTo === '' ? nameOf(ref, short) : nameOf(leadsTo, leadsToShort)];
    }),
  );
}

/** The short name, or all of it when git shows that another ref has the short one. */
function nameOf(ref: string, short: string): string {
  return ref.replace(/^refs\/\w+\//, '') === short ? short : ref;
}

/** `origin`, where it has one of these refs; else the only remote. */
async function remoteOf(root: string, refs: readonly string[]): Promise<string> {
  const isRemote = refs.some((ref) => ref !== mainHere);
  if (!isRemote || refs.some((ref) => /^refs\/remotes\/origin\/(?:HEAD|main)$/.test(ref))) {
    return 'origin';
  }
  const remotes = ((await ask(root, ['remote'])) ?? '').split('\n').filter((name) => name !== '');
  return remotes.length === 1 ? (remotes[0] ?? 'origin') : 'origin';
}
