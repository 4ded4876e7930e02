import { isAddress, parseAddress } from '../../../src/core/net/address.ts';
import { isRange, parseRange, rangeHas } from '../../../src/core/net/range.ts';
import { didByHand, isByHand } from './by-hand.ts';
import type { PullRequest, Team } from './forge.ts';
import { type Told, toldIn, type Way, waysIn } from './hints.ts';
import { TeamFault } from './notes.ts';
import { type Refusal, refusalOf } from './refusal.ts';
import { mustEnd } from './situations.ts';
import type { Person } from './town.ts';
import { type RecordView, viewOf } from './view.ts';

/** What came of following a refusal. */
export interface Followed {
  /** True when nothing that is printed can be done, or nothing of it is left to try. */
  readonly isLost: boolean;
  /** Why one of the printed commands was refused in turn. */
  readonly refusal: Refusal | undefined;
  /** The commands of leasehold that succeeded. */
  readonly done: readonly string[];
}

/** The steps in which what is printed is to end in green. */
const mostSteps = 5;

/** Goes on with a merge that has stopped in the clone of the person. */
type Settle = () => Promise<unknown>;

/**
 * One person who brings one change in order, and does only what refusals print: the first way that a hint names, and the next
 * one when the same problem is there again. Behind the ways of the hint are those of `leasehold explain`, which the refusal names.
 */
export class HintFollower {
  /** Who follows. */
  readonly person: Person;
  readonly #request: PullRequest;
  readonly #moves: Set<string>;
  readonly #team: Team;
  readonly #settle: Settle;
  readonly #tried = new Map<string, number>();
  readonly #seen = new Map<string, boolean>();
  readonly #where: string;
  #isHelped = false;
  /** The last command that was refused, which is run again once the files are in order by hand. */
  #refused: { readonly argv: readonly string[]; readonly refusal: Refusal } | undefined;
  #steps = 0;
  /** The line of the history from which on it is about this change. */
  readonly #from: number;

  constructor(request: PullRequest, team: Team, settle: Settle) {
    const { author, branch, moves } = request;
    this.#request = request;
    this.person = author;
    this.#where = branch;
    this.#from = team.notes.lines;
    this.#moves = moves;
    this.#team = team;
    this.#settle = settle;
  }

  /** Does what a refusal prints: edits by hand first, then the commands, each once. After five times, the person is lost. */
  async follow(refusal: Refusal): Promise<Followed> {
    this.#steps += 1;
    const problems = toldIn(refusal);
    this.#team.notes.tell(`${this.person.clone.today}   ${this.#where}: ${refusal.text}`);
    const commands = new Map<string, readonly string[]>();
    let isLost = true;
    let isEdited = false;
    const isTooLate = this.#steps > mostSteps;
    const begun = new Map(problems.map((told) => [keyOf(told), this.#tried.get(keyOf(told)) ?? 0]));
    for (const told of problems) {
      const way = isTooLate ? undefined : await this.#way(told, begun);
      this.#count(told, way);
      if (way === undefined) continue;
      isLost = false;
      isEdited ||= way.commands.length === 0;
      for (const argv of way.commands) commands.set(argv.join(' '), argv);
    }
    const isRepinned = problems.some(({ code }) => code.startsWith('PIN_') && code !== 'PIN_MOVED');
    const again = this.#refused?.refusal === refusal && !isRepinned ? this.#refused.argv : [];
    if (!isLost && again.length > 0 && ![...commands.values()].some(isLeasehold)) {
      commands.set(again.join(' '), again);
    }
    const followed = await this.#run({ isLost, isEdited }, [...commands.values()]);
    // What was refused for another reason is to be tried again once that is in order.
    if (followed.refusal && followed.refusal.text !== refusal.text) {
      for (const [key, count] of begun) this.#tried.set(key, count);
    }
    return followed;
  }

  /** The branch has got the target: what was tried before may be undone by that, and is worth another try. */
  updated(): void {
    this.#tried.clear();
  }

  /** The person has done what the docs say, and no hint. */
  help(): void {
    this.#isHelped = true;
  }

  /** Counts how it ended, for each code that was refused on the way. */
  end(isEnded: boolean): void {
    const isGreen = isEnded && !this.#isHelped;
    for (const [code, isFollowed] of this.#seen) {
      const failed = isFollowed ? 'not green' : 'nothing to follow';
      const how = isGreen ? 'green' : isEnded ? 'green by the docs alone' : failed;
      this.#team.notes.count(`hint ${code}: ${how}`);
      if (!isGreen) this.#team.notes.example(`${code}: ${how}`, this.#from);
    }
    if (!isGreen && this.#seen.size > 0 && mustEnd(this.#seen.keys())) {
      throw new TeamFault(`nothing that is printed ends for ${this.#where}`);
    }
    this.#seen.clear();
  }

  /** The next way that has a command, or that has changed something by hand. */
  async #way(told: Told, begun: ReadonlyMap<string, number>): Promise<Way | undefined> {
    const key = keyOf(told);
    const ways = [...followable(told.hint)];
    const hinted = ways.length;
    for (let index = begun.get(key) ?? 0; ; index += 1) {
      if (index >= hinted && ways.length === hinted) ways.push(...(await this.#explained(told)));
      const way = ways[index];
      if (way === undefined) return undefined;
      this.#tried.set(key, index + 1);
      const { base } = this.#request;
      const hand = { person: this.person, told, team: this.#team, base };
      const isDone = didByHand(hand, way.words) || (await this.#mergedAgain(told, way.words));
      if (isDone || way.commands.length > 0) return way;
    }
  }

  async #explained({ code }: Told): Promise<readonly Way[]> {
    if (!/^[A-Z_]+$/.test(code)) return [];
    const [, , ...advice] = (await this.person.clone.run('explain', code)).out.split('\n');
    return followable(advice.join(' '));
  }

  #count({ code }: Told, way: Way | undefined): void {
    const isFirst = !this.#seen.has(code);
    this.#seen.set(code, (this.#seen.get(code) ?? false) || way !== undefined);
    if (!isFirst) return;
    const what = way === undefined ? 'nothing' : way.commands.length > 0 ? 'a command' : 'words';
    this.#team.notes.count(`hint ${code}: refused`);
    this.#team.notes.count(`hint ${code}: prints ${what}`);
  }

  async #run(
    { isLost, isEdited }: { readonly isLost: boolean; readonly isEdited: boolean },
    commands: readonly (readonly string[])[],
  ): Promise<Followed> {
    const done: string[] = [];
    for (const [program = '', ...argv] of commands) {
      this.#team.notes.tell(
        `${this.person.clone.today}     as it says: ${program} ${argv.join(' ')}`,
      );
      const refusal = program === 'git' ? await this.#git(argv) : await this.#leasehold(argv);
      // What was done before has settled it.
      const isBefore = isEdited || done.length > 0;
      if (refusal && isBefore && / is not held$/m.test(refusal.text)) continue;
      const isAgain = this.#refused?.argv.join(' ') === [program, ...argv].join(' ');
      if (refusal?.codes.includes('exit 64') && isAgain) continue;
      if (refusal) {
        this.#refused = { argv: [program, ...argv], refusal };
        return { isLost, refusal, done };
      }
      if (program === 'leasehold') done.push(argv[0] ?? '');
    }
    return { isLost, refusal: undefined, done };
  }

  async #leasehold(argv: readonly string[]): Promise<Refusal | undefined> {
    const { clone } = this.person;
    const isMove = argv[0] === 'move' || argv[1] === '--move';
    const views = isMove ? [this.#team.forge.view] : [];
    if (argv[0] === 'move') views.push(viewOf(clone.root));
    for (const word of argv) {
      for (const { records } of views) {
        for (const record of recordsIn(records, word)) this.#moves.add(record.holder);
      }
    }
    return refusalOf(await clone.run(...argv));
  }

  /** A merge can stop, and a person then goes on as with any other. */
  async #git([name = '', ...rest]: readonly string[]): Promise<undefined> {
    const { clone } = this.person;
    if (name === 'fetch') clone.fetch();
    else if (name !== 'merge' || rest[0] === '--abort') clone.isDone(name, ...rest);
    else {
      clone.commit('Before the merge');
      if (!clone.isDone(name, '-q', '--no-edit', ...rest)) await this.#settle();
    }
    return undefined;
  }

  /** Makes the merge that a message names again, where it is the newest commit. */
  async #mergedAgain({ message }: Told, words: string): Promise<boolean> {
    const { clone } = this.person;
    const [, merge] = message.match(/the merge ([0-9a-f]{12})\b/) ?? [];
    const [, option] = words.match(/merge again with -X (\S+?)[,;]?(?: |$)/) ?? [];
    if (merge === undefined || option === undefined || !clone.head.startsWith(merge)) return false;
    const before = clone.git('rev-parse', `${merge}^{tree}`);
    const other = clone.git('rev-parse', `${merge}^2`).trim();
    clone.git('reset', '-q', '--hard', `${merge}^1`);
    await this.#git(['merge', '-X', option, other]);
    return clone.git('rev-parse', 'HEAD^{tree}') !== before;
  }
}

function isLeasehold([program]: readonly string[]): boolean {
  return program === 'leasehold';
}

/** The records of an address, a block or a range. */
function recordsIn(records: ReadonlyMap<string, RecordView>, word: string): readonly RecordView[] {
  const range = parseRange(word);
  if (!isRange(range)) return [];
  return [...records.values()].filter(({ address }) => {
    const parsed = parseAddress(address);
    return isAddress(parsed) && rangeHas(range, parsed);
  });
}

/** Problems of one key have one way at a time. */
function keyOf({ code, file }: Told): string {
  return `${code} ${file}`;
}

function followable(text: string): readonly Way[] {
  return waysIn(text).filter(
    ({ commands, words }) =>
      commands.length > 0 || isByHand(words) || words.includes('merge again with'),
  );
}
