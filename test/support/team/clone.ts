import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type GitRepository, gitRepository } from '../repositories/git-repository.ts';
import { type Finished, runInProcess } from '../run/run-in-process.ts';
import type { Clock } from './clock.ts';

/** The commands of leasehold that ask which day it is. */
const dated = ['synth', 'resolve', 'move', 'release', 'prune'];

/**
 * A clone of a team's remote: real git, with refs, an index and a working tree of its own. The objects are the remote's, so
 * that a fetch and a push are refs that are written, and no processes.
 */
export class Clone {
  readonly root: string;
  readonly #remote: string;
  readonly #repository: GitRepository;
  readonly #clock: Clock;

  /** In a new folder; of the repository in the folder `remote`. */
  constructor(remote: string, root: string, clock: Clock) {
    this.root = root;
    this.#remote = join(remote, '.git');
    this.#clock = clock;
    mkdirSync(root);
    this.#repository = gitRepository(root);
    mkdirSync(join(root, '.git/refs/remotes/origin'), { recursive: true });
    rmSync(join(root, '.git/objects'), { recursive: true });
    symlinkSync(join(this.#remote, 'objects'), join(root, '.git/objects'));
    const refs = 'fetch = +refs/heads/*:refs/remotes/origin/*';
    appendFileSync(join(root, '.git/config'), `[remote "origin"]\n\turl = ${remote}\n\t${refs}\n`);
  }

  get today(): string {
    return this.#clock.today;
  }

  /** Runs git on the clone's day; throws when it fails. */
  git(...args: readonly string[]): string {
    return this.#repository.on(this.today).git(...args);
  }

  /** Runs git. Returns true when it succeeds. */
  isDone(...args: readonly string[]): boolean {
    return this.#repository.on(this.today).isDone(...args);
  }

  /** Runs git and gives how it ended, and what it printed. */
  tried(...args: readonly string[]): ReturnType<GitRepository['tried']> {
    return this.#repository.on(this.today).tried(...args);
  }

  /** True for a commit that git keeps in its folder while it stops: `MERGE_HEAD`, `REBASE_HEAD` and the like. */
  hasHead(name: string): boolean {
    return existsSync(join(this.root, '.git', name));
  }

  /** Runs `leasehold` here on the clone's day. */
  run(...argv: readonly string[]): Promise<Finished> {
    const [command = ''] = argv;
    const isDated = dated.includes(command) || argv.includes('--base');
    return runInProcess(isDated ? [...argv, '--today', this.today] : argv, this.root);
  }

  /** Takes over the branches of the remote, as `git fetch --prune` does. */
  fetch(): void {
    const here = join(this.root, '.git/refs/remotes/origin');
    const branches = readdirSync(join(this.#remote, 'refs/heads'));
    const known = new Set(readdirSync(here));
    for (const name of branches) {
      const head = readFileSync(join(this.#remote, 'refs/heads', name), 'utf8');
      const isSame = known.delete(name) && readFileSync(join(here, name), 'utf8') === head;
      if (!isSame) writeFileSync(join(here, name), head);
    }
    if (!known.delete('HEAD')) {
      writeFileSync(join(here, 'HEAD'), 'ref: refs/remotes/origin/main\n');
    }
    for (const name of known) rmSync(join(here, name));
  }

  /** Makes HEAD the branch of the remote, whatever that was, as `git push --force` does. */
  push(branch: string): void {
    writeFileSync(join(this.#remote, 'refs/heads', branch), `${this.head}\n`);
    writeFileSync(join(this.root, '.git/refs/remotes/origin', branch), `${this.head}\n`);
  }

  /** Puts a clean checkout of the remote's branch into the place of all that is here. */
  open(branch: string, start = `origin/${branch}`): void {
    this.git('checkout', '-q', '-f', '-B', branch, start);
    // What a refused run or an unfinished merge has left would be taken for work of this branch.
    this.git('clean', '-q', '-f', '-d');
  }

  /** Commits all there is; false when that is nothing. */
  commit(message: string): boolean {
    this.git('add', '-A');
    return this.isDone('commit', '-q', '-m', message);
  }

  /** The commit that is checked out. */
  get head(): string {
    const head = this.#ref('HEAD');
    return head.startsWith('ref: ') ? this.#ref(head.slice('ref: '.length)) : head;
  }

  /** What the remote's branch was at the last fetch; undefined when there was none. */
  known(branch: string): string | undefined {
    const ref = `refs/remotes/origin/${branch}`;
    return existsSync(join(this.root, '.git', ref)) ? this.#ref(ref) : undefined;
  }

  #ref(name: string): string {
    return readFileSync(join(this.root, '.git', name), 'utf8').trim();
  }
}
