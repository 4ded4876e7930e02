import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { daysAfter } from '../allocations/naive-rules.ts';
import { gitRepository } from '../repositories/git-repository.ts';
import type { Seeded } from '../run/seeded.ts';
import { putFile } from '../trees/temp-tree.ts';
import type { Clock } from './clock.ts';
import { Clone } from './clone.ts';
import type { Host, MergeWay, Titled } from './hosts.ts';
import type { Notes } from './notes.ts';
import type { RecordFields } from './record-fields.ts';
import { type Refusal, refusalOf } from './refusal.ts';
import type { Person } from './town.ts';
import { type TreeView, viewOf } from './view.ts';

/** A team at work. */
export interface Team {
  readonly forge: Forge;
  readonly random: Seeded;
  readonly notes: Notes;
  /** A number that nothing of the team has yet. */
  readonly numbers: () => number;
  /** The clock of the forge. */
  readonly clock: { today: string };
}

/** A branch that asks to come into another one. */
export interface PullRequest {
  readonly branch: string;
  readonly author: Person;
  /** What it does, in words. */
  readonly did: string[];
  /** The holders that it asks to move. */
  readonly moves: Set<string>;
  /** The declarations in which its author has joined two edits. */
  readonly joined: Set<string>;
  /** Where it goes: `main`, or the branch of a pull request below it. */
  base: string;
  /** The day of the commit of main that it was cut from. */
  from: string;
  /** Nobody looks at it before. */
  readonly waitsUntil: string;
}

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

/** The merge that a forge makes for a check, or by the hand of an administrator. */
export const mergeRef: MergeWay = {
  name: 'merge ref',
  method: 'merge',
  message: ({ branch }) => `Merge ${branch}`,
};

/** A remote with a protected branch `main`: what comes into it has passed `leasehold check --base`, as the CI kit runs it. */
export class Forge {
  /** The folder that clones are of. */
  readonly remote: string;
  /** Where the checks run, and what lands is looked at. */
  readonly ci: Clone;
  /** The pull requests that are open. */
  readonly open: PullRequest[] = [];
  readonly landed: Landed[] = [];
  readonly host: Host;
  readonly #days = new Map<string, string>();
  readonly #merges = new Set<string>();
  readonly #merged = new Map<string, string | undefined>();
  readonly #verdicts = new Map<string, Judged & { readonly day: string }>();
  #view: TreeView | undefined;

  constructor(root: string, clock: Clock, host: Host) {
    this.host = host;
    this.remote = join(root, 'remote');
    mkdirSync(this.remote);
    const { git } = gitRepository(this.remote);
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

  /** The tree of main, where what is released is kept until its retention since the landing is over. */
  get landedView(): TreeView {
    const days = this.#landings();
    const late = <Kept extends RecordFields>(records: ReadonlyMap<string, Kept>) =>
      new Map(
        [...records].map(([name, record]) => {
          const landed = days.get(record.file);
          if (record.freeFrom === undefined || landed === undefined) return [name, record];
          const free = daysAfter(landed, Math.max(record.retain, 1));
          return [name, { ...record, freeFrom: free > record.freeFrom ? free : record.freeFrom }];
        }),
      );
    const { records, hostnameRecords } = this.view;
    return { ...this.view, records: late(records), hostnameRecords: late(hostnameRecords) };
  }

  /** By file, the day of the newest commit of main that changed it. */
  #landings(): ReadonlyMap<string, string> {
    const log = ['log', '--first-parent', '-m', '--name-only', '--format=@%cs', this.main];
    const days = new Map<string, string>();
    let day = '';
    for (const line of this.ci
      .git(...log, '--', 'leases/allocations', 'leases/hostnames')
      .split('\n')) {
      if (line.startsWith('@')) day = line.slice(1);
      else if (line !== '' && !days.has(line)) days.set(line, day);
    }
    return days;
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
    const day = this.ci.git('log', '-1', '--format=%cs', commit).trim();
    // A fast-forward brings in the day of its author's clock, which may be ahead.
    this.#days.set(commit, day < this.ci.today ? day : this.ci.today);
    this.#view = undefined;
  }

  /** Puts a change of one file that nothing else follows from into main, or the branch that a pull request goes to. */
  change(
    branch: string,
    message: string,
    { file, changed }: { readonly file: string; readonly changed: (text: string) => string },
  ): void {
    this.#checkOut(this.head(branch));
    putFile(this.ci.root, file, changed(readFileSync(join(this.ci.root, file), 'utf8')));
    this.ci.commit(message);
    if (branch === 'main') this.advance(this.ci.head);
    else this.ci.push(branch);
  }

  /**
   * What the required check says of a pull request. It runs again when the branch or its target has changed, and not because days
   * have passed. A branch that has to be up to date and is not counts as one with a conflict.
   */
  async judge({ branch, base }: PullRequest): Promise<Judged> {
    const pair = this.#pairOf({ branch, base });
    const known = this.#verdicts.get(pair);
    if (known) return known;
    const isBranch = this.host.checks === 'branch';
    const commit = isBranch
      ? this.#upToDate(branch, this.head(base))
      : this.made(mergeRef, branch, this.head(base));
    const refusal = commit && (await this.checked(commit, `refs/remotes/origin/${base}`));
    const judged = { commit, refusal: refusal || undefined, day: this.ci.today };
    this.#verdicts.set(pair, judged);
    return judged;
  }

  /** The day of the verdict by which a pull request may land. */
  verdictDay(request: PullRequest): string {
    return this.#verdicts.get(this.#pairOf(request))?.day ?? this.ci.today;
  }

  #pairOf({ branch, base }: Pick<PullRequest, 'base' | 'branch'>): string {
    return `${this.head(branch)} ${this.head(base)}`;
  }

  /** What `check --base` has against a commit. */
  async checked(commit: string, base: string): Promise<Refusal | undefined> {
    return refusalOf(await this.ci.run('check', '--base', base, '--head', commit));
  }

  /** The commit that a way to merge makes of a branch on top of another commit; undefined where it cannot. */
  made({ method, message }: MergeWay, branch: string, onto: string): string | undefined {
    if (method === 'fast-forward') return this.#upToDate(branch, onto);
    const head = this.head(branch);
    const tree = this.#mergedTree(branch, onto);
    if (tree === undefined) return undefined;
    const text = message(this.#titled(branch, onto));
    if (method === 'merge') return this.#commit(tree, text, onto, head);
    if (method === 'squash') return this.#commit(tree, text, onto);
    if (method === 'squash-merge') {
      const start = this.ci.git('merge-base', onto, head).trim();
      const squashed = this.#commit(`${head}^{tree}`, this.#titled(branch, onto).title, start);
      return this.#commit(tree, text, onto, squashed);
    }
    const rebased = this.#rebased(branch, onto, tree);
    if (method === 'rebase' || rebased === undefined) return rebased;
    return this.#commit(tree, text, onto, rebased);
  }

  /** True for a branch that confirms releases. */
  confirms(branch: string): boolean {
    const range = `${this.main}...${this.head(branch)}`;
    const records = ['leases/allocations', 'leases/hostnames'];
    return /^\+ +confirmed: /m.test(this.ci.git('diff', range, '--', ...records));
  }

  #titled(branch: string, onto: string): Titled {
    const range = `${onto}..${this.head(branch)}`;
    const log = this.ci.git('log', '--reverse', '--no-merges', '--format=%B%x00', range);
    const messages = log.split('\0').map((text) => text.trim());
    const [title = branch] = (messages[0] ?? '').split('\n');
    return { branch, number: branch.replace(/\D/g, ''), title, messages: messages.slice(0, -1) };
  }

  /** The head of a branch that has all of a commit; undefined for any other. */
  #upToDate(branch: string, onto: string): string | undefined {
    const head = this.head(branch);
    return this.ci.isDone('merge-base', '--is-ancestor', onto, head) ? head : undefined;
  }

  /** The commits of a branch made anew. A forge does not rebase what conflicts, nor what would end otherwise than the merge that was checked. */
  #rebased(branch: string, onto: string, tree: string): string | undefined {
    this.#checkOut(this.head(branch));
    if (!this.ci.isDone('rebase', '-q', '--force-rebase', onto)) {
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
