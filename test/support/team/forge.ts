import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { gitRepository } from '../repositories/git-repository.ts';
import { startInShell } from '../repositories/git-shell.ts';
import type { Clock } from './clock.ts';
import { Clone } from './clone.ts';
import { type Refusal, refusalOf } from './refusal.ts';
import type { Person } from './town.ts';
import { type TreeView, viewOf } from './view.ts';

/** A branch that asks to come into another one. */
export interface PullRequest {
  readonly branch: string;
  readonly author: Person;
  /** What it does, in words. */
  readonly did: string[];
  /** The holders that it asks to move. */
  readonly moves: Set<string>;
  /** Where it goes: `main`, or the branch of a pull request below it. */
  base: string;
  /** The day of the commit of main that it was cut from. */
  from: string;
  /** Nobody looks at it before. */
  readonly waitsUntil: string;
}

/** How a forge brings a pull request into main. */
export const methods = ['merge', 'squash', 'rebase'] as const;
export type Method = (typeof methods)[number];

/** What comes out of a pull request's check: the commit that was judged, unless git has a conflict. */
export interface Judged {
  readonly commit: string | undefined;
  readonly refusal: Refusal | undefined;
}

/** A pull request that is in main. */
interface Landed {
  readonly request: PullRequest;
  readonly commit: string;
  readonly isMerge: boolean;
}

/** A remote with a protected branch `main`: what comes into it has passed `leasehold check --base`, as the CI kit runs it. */
export class Forge {
  /** The folder that clones are of. */
  readonly remote: string;
  /** Where the checks run, and what lands is looked at. */
  readonly ci: Clone;
  /** The pull requests that are open. */
  readonly open: PullRequest[] = [];
  readonly landed: Landed[] = [];
  readonly #days = new Map<string, string>();
  readonly #merges = new Set<string>();
  readonly #merged = new Map<string, string | undefined>();
  #view: TreeView | undefined;

  constructor(root: string, clock: Clock) {
    this.remote = join(root, 'remote');
    mkdirSync(this.remote);
    const { git } = gitRepository(this.remote, startInShell());
    // A clone pushes to main, which git takes for the branch of a work tree that nobody has.
    git('config', 'receive.denyCurrentBranch', 'ignore');
    this.ci = new Clone(this.remote, join(root, 'ci'), clock);
  }

  /** The newest commit of main. */
  get main(): string {
    return this.head('main');
  }

  /** The tree of main. */
  get view(): TreeView {
    this.#view ??= this.viewAt(this.main);
    return this.#view;
  }

  /** The newest commit of a branch. */
  head(branch: string): string {
    this.ci.fetch();
    const head = this.ci.known(branch);
    if (head === undefined) throw new Error(`there is no branch ${branch}`);
    return head;
  }

  /** The tree of a commit, which is checked out in the clone of the CI. Nothing but git writes there. */
  viewAt(commit: string): TreeView {
    this.#checkOut(commit);
    return viewOf(this.ci.root);
  }

  /**
   * The day of a commit that is or was main, as git has it: branches count from it. A rebase onto the commit where a branch starts
   * already keeps its commits and their days, and then git has the day of the landing nowhere.
   */
  dayOf(commit: string): string {
    return this.#days.get(commit) ?? '';
  }

  /** Makes a commit the new main, whatever the rules. */
  advance(commit: string): void {
    this.#checkOut(commit);
    this.ci.push('main');
    this.#days.set(commit, this.ci.git('log', '-1', '--format=%cs', commit).trim());
    this.#view = undefined;
  }

  /** Judges the merge of a pull request and where it goes to, which every forge makes for the check. */
  async judge({ branch, base }: PullRequest): Promise<Judged> {
    const commit = this.mergeOf(branch, this.head(base));
    const refusal = commit && (await this.checked(commit, `refs/remotes/origin/${base}`));
    return { commit, refusal: refusal || undefined };
  }

  /** What `check --base` has against a commit. */
  async checked(commit: string, base: string): Promise<Refusal | undefined> {
    return refusalOf(await this.ci.run('check', '--base', base, '--head', commit));
  }

  /** The merge of a branch into a commit; undefined where git has a conflict. */
  mergeOf(branch: string, onto: string): string | undefined {
    const tree = this.#mergedTree(branch, onto);
    return tree && this.#commit(tree, `Merge ${branch}`, onto, this.head(branch));
  }

  /** The commit that a method makes of a branch on top of another commit; undefined where it cannot. */
  made(method: Method, branch: string, onto: string): string | undefined {
    if (method === 'merge') return this.mergeOf(branch, onto);
    const tree = this.#mergedTree(branch, onto);
    if (tree === undefined) return undefined;
    if (method === 'squash') return this.#commit(tree, `Squash ${branch}`, onto);
    return this.#rebased(branch, onto, tree);
  }

  /** A forge does not rebase what conflicts, nor what would end otherwise than the merge that was checked. */
  #rebased(branch: string, onto: string, tree: string): string | undefined {
    this.#checkOut(this.head(branch));
    if (!this.ci.isDone('rebase', '-q', onto)) {
      this.ci.git('rebase', '--abort');
      return undefined;
    }
    const isSame = this.ci.isDone('diff', '--quiet', 'HEAD', tree);
    return isSame && this.ci.head !== onto ? this.ci.head : undefined;
  }

  #checkOut(commit: string): void {
    if (this.ci.head !== commit) this.ci.git('checkout', '-q', '-f', '--detach', commit);
  }

  /** The same two commits are merged once. */
  #mergedTree(branch: string, onto: string): string | undefined {
    const pair = [onto, this.head(branch)];
    const key = pair.join(' ');
    if (!this.#merged.has(key)) {
      const { status, stdout } = this.ci.tried('merge-tree', '--write-tree', ...pair);
      if (status !== 0 && status !== 1) throw new Error(`git merge-tree ends with ${status}`);
      this.#merged.set(key, status === 0 ? stdout.trim() : undefined);
    }
    return this.#merged.get(key);
  }

  #commit(tree: string, message: string, ...parents: readonly string[]): string {
    const options = parents.flatMap((parent) => ['-p', parent]);
    const commit = this.ci.git('commit-tree', tree, ...options, '-m', message).trim();
    if (parents.length > 1) this.#merges.add(commit);
    return commit;
  }

  /** Puts a commit of a pull request into main, and those that stand on its branch onto main. */
  land(request: PullRequest, commit: string): void {
    this.advance(commit);
    this.close(request);
    this.landed.push({ request, commit, isMerge: this.#merges.has(commit) });
    for (const other of this.open) {
      if (other.base !== request.branch) continue;
      other.base = 'main';
      for (const holder of request.moves) other.moves.add(holder);
    }
  }

  /** Takes a pull request from the list. */
  close(request: PullRequest): void {
    const index = this.open.indexOf(request);
    if (index >= 0) this.open.splice(index, 1);
  }
}
