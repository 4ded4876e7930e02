import { spawn, spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { type SimpleGit, type SimpleGitOptions, simpleGit } from 'simple-git';
import { EnvironmentError } from '../../model/problem.ts';
import { hasCode } from '../system-error.ts';
import {
  type GitObject,
  GitObjects,
  mostBytesTogether,
  objectsIn,
  tooLarge,
} from './git-objects.ts';
import { firstLineOf, linesOf, longestSilence } from './git-text.ts';

/** The environment variables of the process that runs leasehold. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Input of one git command, beside its arguments. */
export interface GitInput {
  /** Text for its standard input. */
  readonly input?: string;
  /** Settings `name=value` for this command; they may name the program that checks signatures. */
  readonly settings?: readonly string[];
  /** Ends the command. */
  readonly signal?: AbortSignal | undefined;
}

/** The most bytes that a command may print; one that prints more fails. */
interface OutputLimit {
  readonly most: number;
  isReached: boolean;
}

const ended = new AbortController();

/**
 * Ends the git commands of this thread that have no signal of their own, and starts no others.
 * Objects can still be read, which is short.
 */
export function endGit(): void {
  ended.abort();
}

/**
 * The largest output of {@link Git.readBounded} and of {@link Git.read}: a small tree can contain
 * itself many times over.
 */
const maxBytes = 16 * 1024 * 1024;
const maxBytesRead = 256 * 1024 * 1024;

const safeSettings = ['core.fsmonitor=false', 'safe.bareRepository=explicit'] as const;

/** Reads objects, and not what git replace puts in their place. */
const asCommitted = 'core.useReplaceRefs=false';

/**
 * Git in a folder of a repository, with one instance for each run. Facts that cannot change during
 * a run are asked once.
 *
 * Of the settings that could make a reading command start a program, `core.fsmonitor` is switched
 * off, and a bare repository hidden in the tree is not used. Objects are not replaced (git
 * replace), so a commit reads the same in every clone. Of the `GIT_*` variables only the user's settings
 * are passed on, such as `safe.directory`; those of a hook would lead to another repository.
 */
export class Git {
  /** The folder in which the commands run. */
  readonly root: string;
  /** The objects of the repository. */
  readonly objects = new GitObjects(() => this.#startBatch());
  readonly #facts = new Map<string, string>();
  readonly #index = new Map<string, Promise<string>>();

  constructor(root: string) {
    this.root = root;
  }

  /** The output of a command. */
  async run(command: readonly string[], input: GitInput = {}): Promise<string> {
    return this.#open(input).raw([...command]);
  }

  /** The output of a command without its last line break; undefined when the command fails. */
  async ask(command: readonly string[]): Promise<string | undefined> {
    try {
      return (await this.run(command)).replace(/\n$/, '');
    } catch {
      return undefined;
    }
  }

  /** The object name of a revision; undefined when there is none. */
  idOf(revision: string): Promise<string | undefined> {
    return this.ask(['rev-parse', '--verify', '--quiet', revision]);
  }

  /**
   * Like {@link run}, for a command that fails only in a damaged repository: an EnvironmentError. A
   * CommitProblem when it prints more than 256 MiB.
   */
  async read(command: readonly string[], input: GitInput = {}): Promise<string> {
    const limit = { most: maxBytesRead, isReached: false };
    try {
      return await this.#open(input, limit).raw([...command]);
    } catch {
      if (limit.isReached) throw tooLarge('256 MiB of paths');
      throw new EnvironmentError(
        'git cannot read a commit or its files; `git fsck` shows what is wrong',
      );
    }
  }

  /**
   * The output of a command that reads what others have pushed, given lines of standard input;
   * empty for no lines. An EnvironmentError when it exceeds 16 MiB, is too late, or git fails.
   */
  async readBounded(
    command: readonly string[],
    lines: readonly string[],
    signal?: AbortSignal,
  ): Promise<string> {
    if (lines.length === 0) return '';
    const limit = { most: maxBytes, isReached: false };
    try {
      return await this.#open({ input: linesOf(lines), signal }, limit).raw([...command]);
    } catch (error) {
      if (limit.isReached) throw new EnvironmentError('it is too large to be read');
      if (signal?.aborted) throw new EnvironmentError('it was not read in time');
      throw new EnvironmentError(`git cannot read it: ${firstLineOf(error)}`);
    }
  }

  /**
   * The output of a command that reads the index. The same command runs once, until
   * {@link changeIndex}.
   */
  readIndex(command: readonly string[]): Promise<string> {
    const key = command.join(' ');
    const output = this.#index.get(key) ?? this.run(command);
    this.#index.set(key, output);
    return output;
  }

  /** Runs a command that changes the index. */
  async changeIndex(command: readonly string[], input: GitInput = {}): Promise<void> {
    this.#index.clear();
    await this.run(command, input);
    this.#index.clear();
  }

  /** True for a clone that lacks older commits. */
  async isShallow(): Promise<boolean> {
    const own = join(folderAround(this.root) ?? '', '.git');
    // In a linked work tree, it is a file that leads to the repository.
    if (existsSync(join(own, 'HEAD')) && !existsSync(join(own, 'shallow'))) return false;
    return (await this.#fact(['rev-parse', '--is-shallow-repository'])) === 'true';
  }

  /**
   * The path of the folder in its repository with a slash at the end; empty for the top folder,
   * undefined when git cannot open the repository.
   */
  async prefix(): Promise<string | undefined> {
    return this.#fact(['rev-parse', '--show-prefix']);
  }

  /** The URL of the remote `origin`, which may have credentials; undefined without one. */
  async originUrl(): Promise<string | undefined> {
    return this.#fact(['remote', 'get-url', 'origin']);
  }

  /** Throws an EnvironmentError when git is not installed. Call it after a command has failed. */
  async assertInstalled(): Promise<void> {
    if ((await this.#open().version()).installed) return;
    throw new EnvironmentError('git is needed in a git work tree, and it is not installed');
  }

  /**
   * Throws an EnvironmentError when git is not installed or does not open the repository. Call it
   * after a command has failed.
   */
  async assertOpen(): Promise<void> {
    await this.assertInstalled();
    if ((await this.ask(['rev-parse', '--git-dir'])) !== undefined) return;
    throw new EnvironmentError(
      'git does not open this repository; `git status` shows why (it may belong to another user: `git config safe.directory`)',
    );
  }

  async #fact(command: readonly string[]): Promise<string | undefined> {
    const key = command.join(' ');
    const fact = this.#facts.get(key) ?? (await this.ask(command));
    if (fact !== undefined) this.#facts.set(key, fact);
    return fact;
  }

  /**
   * The objects of some names at once, as {@link GitObjects.read}: this process waits. An
   * EnvironmentError when git fails.
   */
  readNow(names: readonly string[]): readonly (GitObject | undefined)[] {
    if (names.length === 0) return [];
    const { command, options } = this.#batch();
    const input = linesOf(names);
    const { status, stdout, error } = spawnSync('git', command, {
      ...options,
      input,
      maxBuffer: mostBytesTogether,
    });
    if (hasCode(error, 'ENOBUFS')) throw tooLarge('2 GiB');
    if (error || status !== 0) {
      throw new EnvironmentError('git cannot read committed files; `git fsck` shows what is wrong');
    }
    return objectsIn(stdout, names);
  }

  #startBatch() {
    const { command, options } = this.#batch();
    return spawn('git', command, options);
  }

  #batch() {
    const settings = [...safeSettings, asCommitted].flatMap((setting) => ['-c', setting]);
    const env = readerEnvironment();
    const command = [...settings, 'cat-file', '--batch'];
    return { command, options: { cwd: this.root, env } };
  }

  #open({ input, settings = [], signal }: GitInput = {}, limit?: OutputLimit) {
    const users = settingVariables().map(([name]) => name);
    const git = simpleGit({
      baseDir: this.root,
      abort: signal ?? ended.signal,
      ...completion,
      config: [...safeSettings, asCommitted, ...settings],
      allowEnvironment: users,
      unsafe:
        users.length > 0
          ? usersOwn
          : { allowUnsafeFsMonitor: true, allowUnsafeGpgProgram: settings.length > 0 },
      ...(input === undefined ? {} : { input: () => input }),
    });
    return withoutDelay(git, limit);
  }
}

/**
 * The variables by which a user reaches a remote and signs: programs that ask for passwords, ssh,
 * proxies, certificates, settings, author and committer. Those that lead git to another repository,
 * index or object store, such as a hook's, are left out.
 */
const passedOn =
  /^(?:SSH_ASKPASS|GIT_(?:ASKPASS|SSH|SSH_COMMAND|SSH_VARIANT|PROXY_COMMAND|ALLOW_PROTOCOL|PROTOCOL_FROM_USER|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+)|(?:SSL|HTTP|AUTHOR|COMMITTER)_\w+))$/;

/** The variables that simple-git withholds from git unless they are allowed by name. */
const guarded = /^(?:GIT_.*|EDITOR|PAGER|PREFIX|SSH_ASKPASS|VISUAL)$/i;

/** The variables of this process by which the user gives git settings, such as `safe.directory`. */
function settingVariables() {
  const isSetting = /^GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+)$/;
  return Object.entries(process.env).filter(([name]) => isSetting.test(name));
}

/** The variables of this process without {@link guarded} ones. */
function ownEnvironment() {
  return Object.entries(process.env).filter(([name]) => !guarded.test(name));
}

/** The environment of a git that reads: settings of the user, and none that leads elsewhere. */
export function readerEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries([...ownEnvironment(), ...settingVariables()]);
}

/**
 * Git as the user runs it to fetch, commit and push: with the user's settings, identity and
 * credentials. It never asks at the terminal. It prints English, because its answers are parsed.
 */
export function userGit(
  root: string,
  environment: Environment,
  { input, settings = [], signal }: GitInput = {},
): SimpleGit {
  const users = Object.entries(environment).filter(
    (entry): entry is [string, string] => passedOn.test(entry[0]) && entry[1] !== undefined,
  );
  const fixed = { GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
  const git = simpleGit({
    baseDir: root,
    abort: signal ?? ended.signal,
    ...completion,
    config: [...safeSettings, ...settings],
    allowEnvironment: [...users.map(([name]) => name), ...Object.keys(fixed)],
    unsafe: usersOwn,
    timeout: { block: longestSilence },
    ...(input === undefined ? {} : { input: () => input }),
  });
  return withoutDelay(git).env({
    ...Object.fromEntries(ownEnvironment()),
    ...Object.fromEntries(users),
    ...fixed,
  });
}

/**
 * Options that simple-git refuses in text of others. Here they come from the user's environment.
 */
const usersOwn = {
  allowUnsafeAskPass: true,
  allowUnsafeSshCommand: true,
  allowUnsafeGitProxy: true,
  allowUnsafeConfigPaths: true,
  allowUnsafeConfigEnvCount: true,
  allowUnsafeCredentialHelper: true,
  allowUnsafeUrlRewrite: true,
  allowUnsafeInclude: true,
  allowUnsafeProtocolOverride: true,
  allowUnsafeGpgProgram: true,
  allowUnsafeHooksPath: true,
  allowUnsafeFsMonitor: true,
  // Otherwise the hooks of a remote on this machine could not abbreviate options either.
  allowAbbreviatedOptions: true,
} as const;

/** When simple-git considers a command ended, and when failed. */
const completion = {
  // The default cuts off output that arrives more than 50 ms after git has exited.
  completion: { onClose: true, onExit: false },
  // The default takes a command that fails without output for a successful one.
  errors: (error, { exitCode }) =>
    error ?? (exitCode === 0 ? undefined : new Error(`git ended with status ${exitCode}`)),
} as const satisfies Partial<SimpleGitOptions>;

/**
 * Makes a command without output end when git ends. simple-git would wait another 50 ms for output;
 * an empty chunk at the end of the stream shows that everything has arrived.
 */
function withoutDelay(git: SimpleGit, limit?: OutputLimit): SimpleGit {
  return git.outputHandler((_command, stdout) => {
    let size = 0;
    stdout.on('data', (chunk: Uint8Array) => {
      size += chunk.length;
      if (limit === undefined || size <= limit.most) return;
      limit.isReached = true;
      // Git ends when nothing reads what it prints.
      (stdout as Readable).destroy();
    });
    stdout.once('end', () => stdout.emit('data', Buffer.alloc(0)));
  });
}

/** True when root or a folder above it has a `.git` folder or file. Works without git. */
export function isInWorkTree(root: string): boolean {
  return pathInWorkTree(root) !== undefined;
}

/**
 * The path of root in its work tree, with a slash at the end; empty for the top folder, undefined
 * when there is none. Works without git, and starts no process: {@link Git.prefix} asks git.
 */
export function pathInWorkTree(root: string): string | undefined {
  const start = realPath(root);
  const folder = folderAround(start);
  if (folder === undefined) return undefined;
  return relative(folder, start)
    .split(sep)
    .map((name) => (name === '' ? '' : `${name}/`))
    .join('');
}

/** The folder around root that has `.git`. */
function folderAround(root: string): string | undefined {
  for (let folder = realPath(root); ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

function realPath(root: string): string {
  return existsSync(root) ? realpathSync(root) : root;
}

/** True for a bare repository, and for the `.git` folder of a clone. */
export function isBareRepository(root: string): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(root, name)));
}
