import type { Finished } from '../run/run-in-process.ts';
import { hasUnfinished, struckAt } from '../trees/killed.ts';
import type { Clone } from './clone.ts';
import type { Desk, Edit } from './edits.ts';
import type { Judged, PullRequest, Team } from './forge.ts';
import { type Followed, HintFollower } from './hint-follower.ts';
import { toldIn } from './hints.ts';
import { TeamFault } from './notes.ts';
import { isRight, type Refusal, refusalOf } from './refusal.ts';
import { isThere, join, sidesOf, take, takeBack } from './sides.ts';
import { isOn } from './situations.ts';
import { oneOf, type Person } from './town.ts';
import { type TreeView, viewOf } from './view.ts';

/** How a branch comes to know what its target has got meanwhile. */
type Update = 'merge' | 'rebase';

/** What git has made of two declarations. */
const ofBlends = ['FIELD_MISSING', 'MERGE_BLENDED', 'YAML_CONFLICT'];

/** How often an author brings a pull request up to date or in order before the history fails. */
const mostRounds = 9;

/** An author: edits, synthesizes, commits, and follows the hints of leasehold. */
export class Author {
  readonly #team: Team;
  /** Who had a run that was killed. */
  readonly #killed = new Set<Person>();
  /** Who committed what a killed run had written. */
  readonly #half = new Set<Person>();

  constructor(team: Team) {
    this.#team = team;
  }

  /** Edits the checkout of a pull request, records it and commits. False where nothing came of it. */
  async work(request: PullRequest, edits: readonly Edit[]): Promise<boolean> {
    const { random, notes } = this.#team;
    const { person, clone } = whoseOf(request);
    const number = this.#team.numbers();
    const desk: Desk = { person, random, view: viewOf(clone.root), number };
    const edited = oneOf(random, edits)?.(desk);
    if (edited === undefined) return false;
    // What is gone from the disk alone is half a checkout, and no release.
    clone.git('add', '-A');
    const isRecorded = await this.#recorded(request, edited.command ?? ['synth']);
    notes.tell(`${clone.today} ${person.name}: ${edited.did} on ${request.branch}`);
    if (!isRecorded || !clone.commit(edited.did)) {
      clone.open(request.branch, 'HEAD');
      return false;
    }
    notes.count(`done: ${edited.did.replace(/[\d.:]+\d|leases\/\S+|'.*'/g, '…')}`);
    request.did.push(edited.did);
    if (edited.moves !== undefined) request.moves.add(edited.moves);
    return true;
  }

  /** Runs a command that records, on top of what is staged. A pin is recorded by the run after it. */
  async #recorded(request: PullRequest, command: readonly string[]): Promise<boolean> {
    const { random, notes } = this.#team;
    const { person } = whoseOf(request);
    const isStacked = request.base !== 'main' && random.chance(0.7);
    const base = isStacked && command[0] !== 'prune' ? ['--base', `origin/${request.base}`] : [];
    const isPin = command[0] === 'pin';
    const commands = isPin ? [command, ['synth', ...base]] : [[...command, ...base]];
    for (const argv of commands) {
      const finished = await this.#started(person, argv);
      if (finished === undefined && random.chance(0.2)) return false;
      if (finished === undefined && random.chance(0.3)) {
        this.#half.add(person);
        notes.count('half of a run committed');
        return true;
      }
      if (!(await this.ran(request, argv, finished))) return false;
    }
    return true;
  }

  /** Starts a command; undefined when it is killed at one of its steps on the disk, as happens now and then. */
  async #started(person: Person, argv: readonly string[]): Promise<Finished | undefined> {
    const { random, notes } = this.#team;
    const { clone, name } = person;
    if (!random.chance(0.15)) return clone.run(...argv);
    const at = random.below(40);
    const { result, isKilled } = await struckAt(at, () => clone.run(...argv));
    if (!isKilled) return result;
    notes.count(hasUnfinished(clone.root) ? 'runs killed while they write' : 'runs killed before');
    notes.tell(`${clone.today} ${name}: leasehold ${argv.join(' ')} is killed at step ${at}`);
    this.#killed.add(person);
    return undefined;
  }

  /** Runs a command of leasehold, and follows what its refusals print until it is green. False where that comes to no end for a reason. */
  async ran(request: PullRequest, argv: readonly string[], first?: Finished): Promise<boolean> {
    const guide = this.guide(request);
    const refusal = refusalOf(first ?? (await this.#finished(request.author, argv)));
    if (refusal && this.#wasDone(request.author, argv, refusal)) {
      return this.ran(request, ['synth']);
    }
    if (refusal && !this.#half.delete(request.author)) this.#judgeRefusal(request, argv, refusal);
    const isGreen = refusal === undefined || (await this.#greened(guide, argv, refusal));
    guide.end(isGreen);
    return isGreen;
  }

  /** True once a run that was refused is green. */
  async #greened(guide: HintFollower, argv: readonly string[], refused: Refusal): Promise<boolean> {
    let refusal: Refusal | undefined = refused;
    while (refusal) {
      const { isLost, done } = await this.allFollowed(guide, refusal);
      if (done.includes(argv[0] ?? '')) return true;
      if (isLost) return false;
      refusal = refusalOf(await this.#finished(guide.person, argv));
      if (refusal && this.#wasDone(guide.person, argv, refusal)) return true;
    }
    return true;
  }

  /** Runs a command, again when it was killed. */
  async #finished(person: Person, argv: readonly string[]): Promise<Finished> {
    return (await this.#started(person, argv)) ?? person.clone.run(...argv);
  }

  /** True for a command that a run which was killed had done. */
  #wasDone(person: Person, argv: readonly string[], { codes }: Refusal): boolean {
    return codes.includes('exit 64') && isOnce(argv) && this.#killed.delete(person);
  }

  /** Follows a refusal, and those of the commands that it prints. */
  async allFollowed(guide: HintFollower, refusal: Refusal): Promise<Followed> {
    let followed = await guide.follow(refusal);
    while (followed.refusal && !followed.isLost) {
      followed = await guide.follow(followed.refusal);
    }
    return followed;
  }

  /** Who follows the hints about a pull request. */
  guide(request: PullRequest): HintFollower {
    return new HintFollower(request, this.#team, () => this.settled(request, 'merge'));
  }

  /** Throws when what a clone shows is no reason for a refusal. */
  #judgeRefusal(request: PullRequest, argv: readonly string[], refusal: Refusal): void {
    const { clone } = request.author;
    const { forge, notes } = this.#team;
    notes.tell(`${clone.today}   leasehold ${argv.join(' ')} is refused`);
    this.#judgeJoins(request, refusal);
    // Git has blended, which people have to see, and may have left a file that is no YAML.
    if (argv[0] === 'resolve' && refusal.codes.some((code) => ofBlends.includes(code))) return;
    const tree = viewOf(clone.root);
    const named = argv[argv.indexOf('--base') + 1 || argv.length];
    const base = named && forge.viewAt(forge.head(named.replace('origin/', '')));
    const moving = argv[0] === 'move' || argv.includes('--move') ? argv.length - 1 : 0;
    const evidence = {
      tree,
      main: forge.landedView,
      base: base || forge.viewAt(clone.git('merge-base', 'HEAD', 'origin/main').trim()),
      today: clone.today,
      moving,
    };
    if (!isRight(refusal, evidence)) {
      throw new TeamFault(`leasehold ${argv.join(' ')} was refused for ${refusal.codes}`);
    }
    notes.count(`refused for people to decide: ${refusal.codes}`);
  }

  /** What a person has joined is decided. */
  #judgeJoins({ joined, branch }: PullRequest, refusal: Refusal): void {
    const blended = toldIn(refusal).filter(({ code, file }) => {
      return code === 'MERGE_BLENDED' && joined.has(file);
    });
    if (blended.length === 0) return;
    this.#team.notes.count('joined edits refused');
    if (isOn('joins')) throw new TeamFault(`${branch}: what a person joins is refused`);
  }

  /** Brings a pull request in order until its check is green. Undefined where it is given up for a reason. */
  async readied(request: PullRequest, judge: () => Promise<Judged>): Promise<string | undefined> {
    const { forge, notes } = this.#team;
    const guide = this.guide(request);
    for (let round = 0; round < mostRounds; round += 1) {
      const judged = await judge();
      const { commit, refusal } = judged;
      if (commit !== undefined && refusal === undefined) {
        guide.end(true);
        return commit;
      }
      notes.count(`red: ${refusal?.codes ?? 'git conflicts, or an old base'}`);
      if (!refusal) notes.tell(`${forge.ci.today}   ${request.branch}: git conflicts`);
      if (refusal) this.#judgeJoins(request, refusal);
      if (!(await this.#wentOn(request, judged, guide))) break;
    }
    guide.end(false);
    notes.count('pull requests given up');
    forge.close(request);
    return undefined;
  }

  #wentOn(request: PullRequest, judged: Judged, guide: HintFollower): Promise<boolean> {
    const { commit, refusal } = judged;
    if (commit && refusal) return this.#followed(request, commit, { refusal, guide });
    guide.updated();
    return this.update(request, this.#team.random.chance(0.6) ? 'merge' : 'rebase');
  }

  /** Follows what a failed check prints, on the branch. False where that comes to no end for a reason. */
  async #followed(
    request: PullRequest,
    commit: string,
    { refusal, guide }: { readonly refusal: Refusal; readonly guide: HintFollower },
  ): Promise<boolean> {
    const { clone } = whoseOf(request);
    clone.fetch();
    clone.open(request.branch);
    const before = clone.head;
    const { isLost } = await this.allFollowed(guide, refusal);
    clone.commit('As the check says');
    if (clone.head !== before) clone.push(request.branch);
    if (!isLost && clone.head !== before) return true;
    this.#team.notes.count(`the hint alone changes nothing: ${refusal.codes}`);
    if (!isLost) return true;
    return this.#isRightRed(request, commit, refusal)
      ? false
      : this.#updatedAndResolved(request, before, guide);
  }

  /** True for a refusal of a check that people have to decide about. */
  #isRightRed(request: PullRequest, commit: string, refusal: Refusal): boolean {
    const { forge, notes } = this.#team;
    const tree = forge.viewAt(commit);
    const evidence = { tree, main: forge.landedView, base: tree, today: forge.ci.today };
    const isUnasked = refusal.codes.includes('MOVE_UNASKED') && hasLostReservation(request, tree);
    if (!isUnasked && !isRight(refusal, evidence)) return false;
    notes.count(`refused for people to decide: ${refusal.codes}`);
    return true;
  }

  /** Merges the target and runs `resolve`, as docs/together.md describes, which no hint says. */
  async #updatedAndResolved(
    request: PullRequest,
    before: string,
    guide: HintFollower,
  ): Promise<boolean> {
    const { clone } = whoseOf(request);
    guide.help();
    if (!(await this.update(request, 'merge'))) return false;
    const onto = request.base === 'main' ? [] : ['--onto', `origin/${request.base}`];
    if (!(await this.ran(request, ['resolve', ...onto]))) return false;
    clone.commit('Resolved');
    if (clone.head === before) return false;
    clone.push(request.branch);
    return true;
  }

  /** Brings what the target has into the branch. False where it is given up for a reason. */
  async update(request: PullRequest, how: Update): Promise<boolean> {
    const { forge, notes } = this.#team;
    const { clone, person } = whoseOf(request);
    clone.fetch();
    clone.open(request.branch);
    notes.tell(`${clone.today} ${person.name}: ${how} of ${request.branch}`);
    const onto = `origin/${request.base}`;
    const isClean =
      how === 'merge'
        ? clone.isDone('merge', '-q', '--no-edit', onto)
        : clone.isDone('rebase', '-q', onto);
    notes.count(`${how} of the target into a branch${isClean ? '' : ', with conflicts'}`);
    if (!isClean && !(await this.settled(request, how))) return false;
    if (how === 'rebase') request.from = forge.dayOf(forge.main);
    clone.push(request.branch);
    return true;
  }

  /** Settles all stops of a merge, rebase, cherry-pick or revert: people decide about declarations, resolve does the rest. */
  async settled(request: PullRequest, under: Update | 'cherry-pick' | 'revert'): Promise<boolean> {
    const { clone } = whoseOf(request);
    for (let stop = 0; stop < 30; stop += 1) {
      this.#decide(request);
      if (!(await this.#resolved(request))) {
        clone.isDone(under, '--abort');
        return false;
      }
      if (this.#goesOn(clone, under)) return true;
    }
    throw new TeamFault(`${under} of ${request.branch} does not come to an end`);
  }

  #goesOn(clone: Clone, under: Update | 'cherry-pick' | 'revert'): boolean {
    if (under === 'merge') return clone.isDone('commit', '-q', '--no-edit');
    if (clone.isDone('-c', 'core.editor=true', under, '--continue')) return true;
    // A commit of which nothing is left.
    if (!clone.isDone('diff', '--quiet', 'HEAD')) return false;
    const isSkipped = clone.isDone(under, '--skip');
    // Git ends an empty revert or cherry-pick of one commit by itself.
    return isSkipped || under !== 'rebase';
  }

  async #resolved(request: PullRequest): Promise<boolean> {
    const argv = [
      'resolve',
      ...(request.base === 'main' ? [] : ['--onto', `origin/${request.base}`]),
    ];
    this.#team.notes.count('resolve');
    return this.ran(request, argv);
  }

  /**
   * Takes one side of each declaration that git has not merged, as that side has it: the target's of what belongs to
   * somebody else, and either one of the own.
   */
  #decide(request: PullRequest): void {
    const { random, notes } = this.#team;
    const { person, clone } = whoseOf(request);
    const { branch, target } = sidesOf(clone);
    const unmerged = clone
      .git('diff', '--name-only', '--diff-filter=U', '--', 'leases')
      .split('\n');
    for (const path of new Set(unmerged)) {
      if (path === '' || isRecord(path)) continue;
      const isOwn = path.startsWith(person.folder);
      if (isOwn && random.chance(0.5) && join(clone, path)) {
        notes.count('two edits joined by people');
        request.joined.add(path);
      } else this.#takeOne(clone, path, isOwn && random.chance(0.5) ? branch : target);
    }
  }

  #takeOne(clone: Clone, path: string, side: string): void {
    const { branch, target } = sidesOf(clone);
    this.#team.notes.count('declarations decided by people');
    if ([branch, target].some((one) => isThere(clone, one, path))) {
      take(clone, side, path);
      return;
    }
    // Git has put it into a folder that it takes for the new name of its own.
    clone.git('rm', '-q', '-f', '--', path);
    for (const one of [target, branch]) takeBack(clone, one, path);
  }
}

/** True when people took the pool file of the target, and a move has lost what asked for it. */
function hasLostReservation({ did }: PullRequest, { pools }: TreeView): boolean {
  return did.some((one) => {
    const address = one.match(/^reserve and move (.*)$/)?.[1];
    return address !== undefined && !pools.some((pool) => pool.reserved?.includes(address));
  });
}

function isRecord(path: string): boolean {
  return path.startsWith('leases/allocations/') || path.startsWith('leases/hostnames/');
}

function whoseOf({ author }: PullRequest): { readonly person: Person; readonly clone: Clone } {
  return { person: author, clone: author.clone };
}

/** True for a command that cannot be done twice. */
function isOnce([command = '']: readonly string[]): boolean {
  return ['move', 'release', 'pin'].includes(command);
}
