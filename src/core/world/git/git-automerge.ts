import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Automerge, Automerged } from '../../interfaces/commits.ts';
import { EnvironmentError } from '../../model/problem.ts';
import { type Git, readerEnvironment } from './git.ts';
import { partsIn } from './git-text.ts';

/** Settings by which every machine merges alike and starts no merge driver. */
const settings: readonly string[] = [
  'core.attributesFile=/dev/null',
  'merge.default=text',
  'merge.renames=true',
  'merge.directoryRenames=conflict',
  'merge.renameLimit=7000',
].flatMap((setting) => ['-c', setting]);

/**
 * Repeats a merge outside of the work tree and the index, without the attributes of the repository.
 * New objects go to a temporary folder. Undefined before git 2.38, which has no `git merge-tree
 * --write-tree`.
 */
export async function automerge(
  git: Git,
  { ours, theirs, base, attributesOf }: Automerge,
  paths: readonly string[],
): Promise<Automerged | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-merge-'));
  try {
    const isolated = await openIsolated(git, folder);
    const sides = base === undefined ? [ours, theirs] : joined(isolated, { ours, theirs, base });
    const command = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages'];
    const { status, output } = isolated([...settings, ...command, ...sides]);
    if (status !== 0 && status !== 1) return undefined;
    const [tree = '', ...conflicts] = partsIn(output.toString('utf8'));
    const prefix = (await git.prefix()) ?? '';
    const stopped = new Set(conflicts);
    const attributes = new Map<string, string>();
    if (attributesOf !== undefined) {
      const names = paths.map((path) => `${prefix}${path}`);
      await putAttributes(git, folder, { commit: attributesOf, names });
      for (const [name, value] of mergeAttributes(isolated, names)) attributes.set(name, value);
    }
    return new Map(
      paths.flatMap((path): [string, Uint8Array | 'conflict' | 'missing'][] => {
        const name = `${prefix}${path}`;
        const attribute = attributes.get(name) ?? 'unspecified';
        const isLeft = attribute === 'unset' || attribute === 'binary';
        if (!isLeft && !/^(?:unspecified|set|text)$/.test(attribute)) return [];
        if (isLeft || stopped.has(name)) return [[path, 'conflict']];
        const { status: found, output: bytes } = isolated(['cat-file', 'blob', `${tree}:${name}`]);
        return [[path, found === 0 ? bytes : 'missing']];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type IsolatedGit = (
  command: readonly string[],
  input?: string,
) => { readonly status: number | null; readonly output: Buffer };

/** Starts git with the objects of a repository in another, empty work tree. */
async function openIsolated(git: Git, folder: string): Promise<IsolatedGit> {
  const places = ['rev-parse', '--absolute-git-dir', '--git-path', 'objects'];
  const [own = '', objects = ''] = (await git.run(places)).split('\n');
  const cwd = join(folder, 'tree');
  for (const made of [cwd, join(folder, 'objects')]) mkdirSync(made);
  const env = {
    ...readerEnvironment(),
    GIT_DIR: own,
    GIT_WORK_TREE: cwd,
    GIT_INDEX_FILE: join(folder, 'index'),
    GIT_OBJECT_DIRECTORY: join(folder, 'objects'),
    GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(resolve(git.root, objects)),
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
  };
  return (command, input = '') => {
    const options = { cwd, env, input, maxBuffer: Number.POSITIVE_INFINITY };
    const { status, stdout, error } = spawnSync('git', command, options);
    if (error)
      throw new EnvironmentError('git is needed in a git work tree, and it is not installed');
    return { status, output: stdout };
  };
}

/** Commits with the trees of the sides whose only merge base has the tree of `base`. */
function joined(
  isolated: IsolatedGit,
  { ours, theirs, base }: Readonly<Record<'ours' | 'theirs' | 'base', string>>,
): readonly string[] {
  const person = 'leasehold <leasehold> 0 +0000';
  const commit = (side: string, parent?: string): string => {
    const tree = isolated(['rev-parse', `${side}^{tree}`]).output.toString('utf8');
    const from = parent === undefined ? '' : `parent ${parent}\n`;
    const text = `tree ${tree}${from}author ${person}\ncommitter ${person}\n\n${side}\n`;
    const made = isolated(['hash-object', '-t', 'commit', '-w', '--stdin'], text);
    return made.output.toString('utf8').trim();
  };
  const root = commit(base);
  return [commit(ours, root), commit(theirs, root)];
}

/** Writes the attributes that a commit has for some files into the empty work tree. */
async function putAttributes(
  git: Git,
  folder: string,
  { commit, names }: { readonly commit: string; readonly names: readonly string[] },
): Promise<void> {
  const files = new Set(
    names
      .filter((name) => !name.includes('\n') && !name.split('/').includes('..'))
      .flatMap((name) => name.split('/').map((_, index, parts) => parts.slice(0, index).join('/')))
      .map((above) => join(above, '.gitattributes')),
  );
  const objects = await git.objects.read([...files].map((file) => `${commit}:${file}`));
  for (const [index, file] of [...files].entries()) {
    const bytes = objects[index]?.bytes;
    if (!bytes) continue;
    const path = join(folder, 'tree', file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
}

/** The attribute `merge` of each file; `unset` for `-merge`. */
function mergeAttributes(
  isolated: IsolatedGit,
  names: readonly string[],
): readonly [string, string][] {
  const command = ['check-attr', '-z', '--stdin', 'merge'];
  const { output } = isolated(command, names.map((name) => `${name}\0`).join(''));
  const parts = output.toString('utf8').split('\0');
  return names.map((name, index) => [name, parts[index * 3 + 2] ?? '']);
}
