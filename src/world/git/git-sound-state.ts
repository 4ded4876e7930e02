import { allocationsFolder, distFolder } from '../../model/folders.ts';
import { quietGit } from './git.ts';

/** What git can take back, and the commit to take it from. */
export interface SoundState {
  /** `HEAD`, or the commit before one. */
  readonly commit: string;
  /** Of the folders that leasehold alone writes. */
  readonly folders: readonly string[];
}

const writtenFolders: readonly string[] = [allocationsFolder, distFolder];

/**
 * What the folders that leasehold alone writes were before their last change, which somebody made by hand: HEAD's, where they differ
 * from it; else those of the commit before the newest that changed them. Undefined where git knows no commit before it.
 */
export async function soundState(root: string): Promise<SoundState | undefined> {
  const changed = await changedFolders(root);
  if (changed.length > 0) return { commit: 'HEAD', folders: changed };
  const newest = ['log', '-1', '--no-show-signature', '--format=%h %P', '--', ...literal()];
  const [id, parent] = (await quietGit(root).raw(newest)).trim().split(' ');
  return parent ? { commit: `${id}~1`, folders: writtenFolders } : undefined;
}

/** Those in which a tracked file differs from HEAD. */
async function changedFolders(root: string): Promise<readonly string[]> {
  // Without its locks, git does not write what it finds about files into the index.
  const command = ['--no-optional-locks', 'status', '--porcelain', '-z', '--no-renames'];
  const output = await quietGit(root).raw([...command, '--untracked-files=no', '--', ...literal()]);
  const paths = output.split('\0').map((line) => line.slice(3));
  return writtenFolders.filter((folder) => paths.some((path) => path.includes(`${folder}/`)));
}

function literal(): readonly string[] {
  return writtenFolders.map((folder) => `:(literal)${folder}`);
}
