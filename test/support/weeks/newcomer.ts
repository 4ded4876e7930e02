import type { LeaseCheckout } from '../repositories/lease-checkout.ts';
import type { Finished } from '../run/run-in-process.ts';
import { toldIn, type Way, waysIn } from '../team/hints.ts';
import { type Refusal, refusalOf } from '../team/refusal.ts';

/** The refusals in which a job is to end in green. */
const mostSteps = 5;

/** What a newcomer does by hand where a hint asks for it in words: the words, and the edit. */
export type ByHand = readonly [words: RegExp, edit: () => void];

/** A job that did not end in green, with all that was typed and printed. */
export class StuckError extends Error {
  override readonly name = 'StuckError';
}

/**
 * Somebody who knows the four commands of the README, and otherwise does what is printed, as it is
 * printed: the first way of the first hint, and the next one when the same problem is there again.
 */
export class Newcomer {
  readonly #checkout: LeaseCheckout;
  readonly #today: string;
  readonly #byHand: readonly ByHand[];
  readonly #lines: string[] = [];
  readonly #tried = new Map<string, number>();
  #steps = 0;

  constructor(checkout: LeaseCheckout, today: string, byHand: readonly ByHand[] = []) {
    this.#checkout = checkout;
    this.#today = today;
    this.#byHand = byHand;
  }

  /** The refusals that were met so far. */
  get steps(): number {
    return this.#steps;
  }

  /** Runs a command of leasehold until it succeeds. Throws a StuckError. */
  async run(...typed: readonly string[]): Promise<Finished> {
    let argv = typed;
    for (;;) {
      const finished = await this.#once(argv);
      const refusal = refusalOf(finished);
      if (!refusal) return finished;
      const [, word, whole = ''] = /: (\S+) is ambiguous: write (\S+)/.exec(refusal.text) ?? [];
      if (word !== undefined) {
        this.#steps += 1;
        argv = argv.map((one) => (one === word ? whole : one));
        continue;
      }
      // A hint can name the same command with another option.
      const done = await this.#follow(refusal);
      if (done.includes(argv[0] ?? '')) return finished;
    }
  }

  /** Commits all there is, and brings it through the check of the pull request. */
  async land(message: string): Promise<void> {
    for (;;) {
      this.#checkout.commit(this.#today, message);
      const refusal = refusalOf(await this.#once(['check', '--base', 'main']));
      if (!refusal) return;
      await this.#follow(refusal);
    }
  }

  /** Merges a branch. Of declarations that both sides have changed, it takes those of the other side. */
  async merge(branch: string): Promise<void> {
    const { isDone, git } = this.#checkout.repository.on(this.#today);
    const isMerged = isDone('merge', '-q', '--no-edit', branch);
    this.#lines.push(`$ git merge ${branch}: ${isMerged ? 'merged' : 'conflicts'}`);
    // The same problem in the merge is another one.
    this.#tried.clear();
    if (isMerged) return;
    const changed = git('diff', '--name-only', `HEAD...${branch}`, '--', 'leases').split('\n');
    const unmerged = git('diff', '--name-only', '--diff-filter=U').split('\n');
    for (const path of unmerged.filter(isDeclaration)) {
      const isThere = isDone('cat-file', '-e', `${branch}:${path}`);
      this.#lines.push(`(takes ${path} of ${branch})`);
      git(...(isThere ? ['checkout', '-q', branch] : ['rm', '-q']), '--', path);
      // Git takes a file with another name for a renamed one: the other side has its edit in the former.
      const former = changed.find(
        (one) =>
          isDeclaration(one) &&
          isDone('cat-file', '-e', `${branch}:${one}`) &&
          !isDone('cat-file', '-e', `:${one}`),
      );
      if (!isThere && former) git('checkout', '-q', branch, '--', former);
    }
    await this.run('resolve');
  }

  async #once(argv: readonly string[]): Promise<Finished> {
    const isUndated = /^(?:check|list|who|explain|history|pin)$/.test(argv[0] ?? '');
    const finished = await this.#checkout.run(
      ...argv,
      ...(isUndated || argv.includes('--today') ? [] : ['--today', this.#today]),
    );
    this.#lines.push(`$ leasehold ${argv.join(' ')}\n${finished.out}${finished.err}`);
    return finished;
  }

  /** The commands of leasehold that succeeded. */
  async #follow(refusal: Refusal): Promise<readonly string[]> {
    this.#steps += 1;
    if (this.#steps > mostSteps) throw this.#stuck('no green after five refusals');
    const [told] = toldIn(refusal);
    const key = `${told?.code} ${told?.file}`;
    const index = this.#tried.get(key) ?? 0;
    this.#tried.set(key, index + 1);
    const file = told?.file ?? '';
    const handFor = (way: Way) =>
      this.#handFor(way) ?? this.#comment(way, file) ?? this.#pinless(way, file);
    const ways = waysIn(told?.hint ?? '').filter(
      (way) => way.commands.length > 0 || handFor(way) !== undefined,
    );
    const way = ways[index];
    if (way === undefined) throw this.#stuck('nothing is printed that can be done');
    const edit = handFor(way);
    if (edit) {
      this.#lines.push(`(edits by hand: ${way.words})`);
      edit();
    }
    return this.#do(way.commands);
  }

  /** Runs printed commands until one is refused, and then does what the refusal prints. */
  async #do(commands: Way['commands']): Promise<readonly string[]> {
    const done: string[] = [];
    for (const [program, ...argv] of commands) {
      if (program === 'git') {
        this.#lines.push(`$ git ${argv.join(' ')}`);
        this.#checkout.repository.git(...argv);
        continue;
      }
      const finished = await this.#once(argv);
      if (finished.status === 64) throw this.#stuck('a printed command is no command');
      const refusal = refusalOf(finished);
      if (refusal) {
        await this.#follow(refusal);
        if (!finished.out.includes('run the same command again')) return done;
        await this.run(...argv);
      }
      done.push(argv[0] ?? '');
    }
    return done;
  }

  #handFor({ words }: Way): (() => void) | undefined {
    return this.#byHand.find(([pattern]) => pattern.test(words))?.[1];
  }

  /** Adds the comment that a way asks for, to the file that it names or to that of the problem. */
  #comment({ words }: Way, place: string): (() => void) | undefined {
    const [asked, file = place] =
      /(?:add a comment line|explain the move in a comment)(?: in (\S+))?/.exec(words) ?? [];
    if (asked === undefined) return undefined;
    const text = `# The reason, on step ${this.#steps}.\n`;
    return () => this.#checkout.put(file, `${text}${this.#checkout.read(file)}`);
  }

  /** Removes the pin from a Service. */
  #pinless({ words }: Way, file: string): (() => void) | undefined {
    if (!/^remove the pin/.test(words) || !file.endsWith('.yaml')) return undefined;
    const text = this.#checkout.read(file);
    const left = text.replace(
      /(, )?ipam\.vitistack\.io\/addresses: (?:"[^"]*"|'[^']*'|[^,}]*)(?:, )?/,
      '$1',
    );
    if (left === text) return undefined;
    return () => this.#checkout.put(file, left.replace(/, *\}/, '}'));
  }

  #stuck(why: string): StuckError {
    return new StuckError(`${why}\n${this.#lines.join('\n')}`);
  }
}

function isDeclaration(path: string): boolean {
  return /^leases\/(?!(?:allocations|hostnames|proofs)\/)/.test(path);
}
