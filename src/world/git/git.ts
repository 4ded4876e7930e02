import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type SimpleGit, simpleGit } from 'simple-git';
import { EnvironmentError } from '../../model/problem.ts';
import { completion, gitEnd, withoutDelay } from './git-end.ts';

/** What one command of git is given beside its arguments. */
export interface GitInput {
  /** Text for its standard input. */
  readonly input?: string;
  /** Settings `name=value` that hold for it, also such as name a program that checks signatures. */
  readonly settings?: readonly string[];
  /** Ends the command. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Git in a folder of a repository. Of the settings that could make a command that reads start a program,
 * `core.fsmonitor` is switched off, and a bare repository hidden in the tree is not used. No object is
 * replaced (git replace), so that a commit says the same in every clone. simple-git passes on none of the
 * `GIT_*` variables, so that a hook's do not lead elsewhere.
 */
export function quietGit(root: string, { input, settings = [], signal }: GitInput = {}): SimpleGit {
  const git = simpleGit({
    baseDir: root,
    abort: gitEnd,
    ...completion,
    config: [
      'core.fsmonitor=false',
      'safe.bareRepository=explicit',
      'core.useReplaceRefs=false',
      ...settings,
    ],
    unsafe: { allowUnsafeFsMonitor: true, allowUnsafeGpgProgram: settings.length > 0 },
    ...(input === undefined ? {} : { input: () => input }),
    ...(signal === undefined ? {} : { abort: signal }),
  });
  return withoutDelay(git);
}

/** What a command prints that fails only when the repository is damaged: then an EnvironmentError. */
export async function readRepository(root: string, command: string[]): Promise<string> {
  try {
    return await quietGit(root).raw(command);
  } catch {
    throw new EnvironmentError(
      'git cannot read a commit or its files; git fsck says what is wrong',
    );
  }
}

/** An EnvironmentError when git is not installed. To be asked once a command of git has failed: it starts git. */
export async function assertInstalled(root: string): Promise<void> {
  if ((await quietGit(root).version()).installed) return;
  throw new EnvironmentError('git is needed in a git work tree, and it is not installed');
}

/** True when a `.git`, folder or file, stands in root or around it. Holds without git too. */
export function isInWorkTree(root: string): boolean {
  let folder = existsSync(root) ? realpathSync(root) : root;
  for (;;) {
    if (existsSync(join(folder, '.git'))) return true;
    const parent = dirname(folder);
    if (parent === folder) return false;
    folder = parent;
  }
}

/** What git said first, for a message of ours. */
export function firstLine(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
}
