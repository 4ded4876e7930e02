import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finished } from '../run/run-in-process.ts';
import type { Seeded } from '../run/seeded.ts';
import { hasUnfinished, struckAt } from '../trees/killed.ts';
import type { Clone } from './clone.ts';
import type { Desk, Edit } from './edits.ts';
import type { Forge, Judged, PullRequest } from './forge.ts';
import { type Notes, TeamFault } from './notes.ts';
import { isRight, type Refusal, refusalOf } from './refusal.ts';
import { isInAll, isThere, sidesOf, take, takeBack } from './sides.ts';
import { oneOf, type Person } from './town.ts';
import { type TreeView, viewOf } from './view.ts';

/** How a branch comes to know what its target has got meanwhile. */
type Update = 'merge' | 'rebase';

/** A team at work. */
export interface Team {
  readonly forge: Forge;
  readonly random: Seeded;
  readonly notes: Notes;
}

/** What a clock that is behind is refused for: a promise of main may last too long for it. */
const ofClocks = ['DATE_EARLIER', 'PROMISE_TOO_LONG'];

/** How often an author tries to bring a pull request in order before the history fails. */
const mostRounds = 8;

/** An author: edits, synthesizes, commits, and follows the hints of leasehold. */
export class Author {
  readonly #team: Team;
  /** Who had a run that was killed. */
  readonly #killed = new Set<Person>();
  /** Who committed what a killed run had written. */
  readonly #half = new Set<Person>();
  #number = 100;

  constructor(team: Team) {
    this.#team = team;
  }

  /** Edits the checkout of a pull request, records it and commits. False where nothing came of it. */
  async work(request: PullRequest, edits: readonly Edit[]): Promise<boolean> {
    const { random, notes } = this.#team;
    const { person, clone } = whoseOf(request);
    this.#number += 1;
    const desk: Desk = { person, random, view: viewOf(clone.root), number: this.#number };
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
      if (!(await this.#ran(person, argv, finished))) return false;
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

  /** Runs a command of leasehold with the options that its hints ask for. False when it is refused with a reason. */
  async #ran(person: Person, argv: readonly string[], first?: Finished): Promise<boolean> {
    const { clone, clock } = person;
    const finished = first ?? (await this.#started(person, argv));
    if (finished === undefined) return this.#ran(person, argv);
    const refusal = refusalOf(finished);
    if (refusal === undefined) return true;
    if (clock.isWrong && refusal.codes.some((code) => ofClocks.includes(code))) {
      this.#corrected(person);
      return this.#ran(person, argv);
    }
    const merged = refusal.text.match(/on the branch, run git merge (\S+) first/)?.[1];
    if (merged !== undefined) return this.#isMerged(clone, merged) && this.#ran(person, argv);
    const count = refusal.text.match(/--allow-release (\d+)/)?.[1];
    if (count !== undefined && !argv.includes('--allow-release')) {
      this.#team.notes.count('told: --allow-release');
      return this.#ran(person, [...argv, '--allow-release', count]);
    }
    if (this.#half.delete(person)) {
      this.#team.notes.count(`told after half of a run was committed: ${refusal.codes}`);
      await followHints(clone, refusal);
      return this.#ran(person, argv);
    }
    // The run that was killed had done it.
    const isDone = refusal.codes.includes('exit 64') && isOnce(argv) && this.#killed.delete(person);
    if (isDone) return this.#ran(person, ['synth']);
    this.#judgeRefusal(clone, argv, refusal);
    return false;
  }

  /** Merges the target where base and head have several merge bases. False where git has a conflict. */
  #isMerged(clone: Clone, target: string): boolean {
    this.#team.notes.count('told: git merge');
    const isDone = clone.isDone('merge', '-q', '--no-edit', target);
    if (!isDone) clone.git('merge', '--abort');
    return isDone;
  }

  /** Somebody sees that the clock of a machine is wrong. */
  #corrected({ clock, clone, name }: Person): void {
    this.#team.notes.count('clocks corrected');
    this.#team.notes.tell(`${clone.today} ${name}: the clock is wrong`);
    clock.correct();
  }

  /** Throws when what a clone shows is no reason for a refusal. */
  #judgeRefusal(clone: Clone, argv: readonly string[], refusal: Refusal): void {
    const { forge, notes } = this.#team;
    const tree = viewOf(clone.root);
    notes.tell(`${clone.today}   leasehold ${argv.join(' ')}: ${refusal.text}`);
    const named = argv[argv.indexOf('--base') + 1 || argv.length];
    const base = named && forge.viewAt(forge.head(named.replace('origin/', '')));
    const evidence = { tree, main: forge.view, base: base || tree, today: clone.today };
    if (!isRight(refusal, evidence)) {
      throw new TeamFault(`leasehold ${argv.join(' ')} was refused for ${refusal.codes}`);
    }
    notes.count(`refused for people to decide: ${refusal.codes}`);
  }

  /** Brings a pull request in order until its check is green. Undefined where it is given up for a reason. */
  async readied(request: PullRequest, judge: () => Promise<Judged>): Promise<string | undefined> {
    const { forge, notes, random } = this.#team;
    for (let round = 0; round < mostRounds; round += 1) {
      const { commit, refusal } = await judge();
      if (commit !== undefined && refusal === undefined) return commit;
      notes.count(refusal ? `red: ${refusal.codes}` : 'red: git conflicts');
      notes.tell(`${forge.ci.today}   ${request.branch}: ${refusal?.text ?? 'git conflicts'}`);
      const isGoing =
        commit === undefined || refusal === undefined
          ? await this.update(request, random.chance(0.6) ? 'merge' : 'rebase')
          : await this.#followed(request, commit, refusal);
      if (!isGoing) {
        notes.count('pull requests given up');
        forge.close(request);
        return undefined;
      }
    }
    throw new TeamFault(`${request.branch} is not green after ${mostRounds} rounds`);
  }

  /** Follows the hints of a failed check on the branch. If that changes nothing, merges the target first. */
  async #followed(request: PullRequest, commit: string, refusal: Refusal): Promise<boolean> {
    const { forge, notes } = this.#team;
    // Of a merge on the branch, or of the one that the forge makes for the check.
    if (/(merge again with|run git merge \S+) -X find-renames=100%/.test(refusal.text)) {
      const before = forge.head(request.branch);
      const isMerged = await this.update(request, 'merge', ['-X', 'find-renames=100%']);
      const isStill = isMerged && forge.head(request.branch) === before;
      return isStill ? this.#meant(request, refusal) : isMerged;
    }
    const decided = await this.#decided(request, commit, refusal);
    if (decided !== undefined) return decided;
    const { clone, person } = whoseOf(request);
    // What explains these codes says so.
    if (refusal.codes.some((code) => code.startsWith('DATE_')) && person.clock.isWrong) {
      this.#corrected(person);
    }
    clone.fetch();
    clone.open(request.branch);
    const before = clone.head;
    for (const argv of hintedCommands(refusal.text)) {
      if (!(await this.#ran(person, argv))) return false;
    }
    clone.commit('As the check says');
    if (clone.head === before) {
      notes.count(`the hint alone changes nothing: ${refusal.codes}`);
      return this.#updatedAndResolved(request, before);
    }
    clone.push(request.branch);
    return true;
  }

  /** What people decide where a refusal is right: true when they go on. Undefined where hints are to be followed. */
  async #decided(
    request: PullRequest,
    commit: string,
    refusal: Refusal,
  ): Promise<boolean | undefined> {
    const { forge, notes, random } = this.#team;
    const tree = forge.viewAt(commit);
    const evidence = { tree, main: forge.view, base: tree, today: forge.ci.today };
    const isUnasked = refusal.codes.includes('MOVE_UNASKED') && hasLostReservation(request, tree);
    if (!isUnasked && !isRight(refusal, evidence)) return undefined;
    if (random.chance(0.5) && (await this.#gaveUpNames(request, refusal))) return true;
    notes.count(`refused for people to decide: ${refusal.codes}`);
    return false;
  }

  /** Removes the own declarations that HOSTNAME_TAKEN is about, as its hint says. False where there are none. */
  async #gaveUpNames(request: PullRequest, { text }: Refusal): Promise<boolean> {
    const { clone, person } = whoseOf(request);
    const taken = [...text.matchAll(/^(\S+):\d+:\d+ HOSTNAME_TAKEN /gm)].map(
      ([, file = '']) => file,
    );
    const own = taken.filter((file) => file.startsWith(`${person.folder}/hostname-`));
    if (own.length === 0 || !(await this.update(request, 'merge'))) return false;
    for (const file of own) clone.isDone('rm', '-q', '--', file);
    if (!(await this.#ran(person, ['synth']))) return false;
    if (!clone.commit('Another one has the hostname')) return false;
    clone.push(request.branch);
    this.#team.notes.count('hostnames given up for those of others');
    return true;
  }

  /** Says in a commit of its own that a blend of two edits of one file is meant. */
  #meant(request: PullRequest, { text }: Refusal): boolean {
    const { clone } = whoseOf(request);
    for (const path of blendedPaths(text)) {
      appendFileSync(join(clone.root, path), '# Both edits are meant.\n');
    }
    clone.commit('Both edits are meant');
    clone.push(request.branch);
    return true;
  }

  /** Merges the target and runs `resolve`, as docs/together.md describes. */
  async #updatedAndResolved(request: PullRequest, before: string): Promise<boolean> {
    const { clone, person } = whoseOf(request);
    if (!(await this.update(request, 'merge'))) return false;
    const onto = request.base === 'main' ? [] : ['--onto', `origin/${request.base}`];
    if (!(await this.#ran(person, ['resolve', ...onto]))) return false;
    clone.commit('Resolved');
    if (clone.head === before) throw new TeamFault(`nothing that is said helps ${request.branch}`);
    clone.push(request.branch);
    return true;
  }

  /** Brings what the target has into the branch. False where it is given up for a reason. */
  async update(
    request: PullRequest,
    how: Update,
    options: readonly string[] = [],
  ): Promise<boolean> {
    const { forge, notes } = this.#team;
    const { clone, person } = whoseOf(request);
    clone.fetch();
    clone.open(request.branch);
    notes.tell(`${clone.today} ${person.name}: ${how} ${options.join(' ')} of ${request.branch}`);
    const onto = `origin/${request.base}`;
    const isClean =
      how === 'merge'
        ? clone.isDone('merge', '-q', '--no-edit', ...options, onto)
        : clone.isDone('rebase', '-q', ...options, onto);
    notes.count(`${how} of the target into a branch${isClean ? '' : ', with conflicts'}`);
    const ended = isClean || (await this.settled(request, how, options.length > 0));
    if (ended === 'blended') {
      if (options.length > 0) throw new TeamFault(`${how} of ${onto} blends without renames`);
      return this.update(request, how, ['-X', 'find-renames=100%']);
    }
    if (!ended) return false;
    if (how === 'rebase') request.from = forge.dayOf(forge.main);
    clone.push(request.branch);
    return true;
  }

  /** Settles all stops of a merge, rebase, cherry-pick or revert: people decide about declarations, resolve does the rest. */
  async settled(
    request: PullRequest,
    under: Update | 'cherry-pick' | 'revert',
    isExact = false,
  ): Promise<boolean | 'blended'> {
    const { clone } = whoseOf(request);
    for (let stop = 0; stop < 30; stop += 1) {
      this.#decide(whoseOf(request));
      const ended = await this.#resolved(request, isExact);
      if (ended !== true) {
        clone.git(under, '--abort');
        return ended;
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

  /** With exact renames only, a blend of two edits of a file that all have is right: people take the target's. */
  async #resolved(request: PullRequest, isExact: boolean): Promise<boolean | 'blended'> {
    const { clone, person } = whoseOf(request);
    const onto = request.base === 'main' ? [] : ['--onto', `origin/${request.base}`];
    const finished =
      (await this.#started(person, ['resolve', ...onto])) ?? (await clone.run('resolve', ...onto));
    this.#team.notes.count('resolve');
    const refusal = refusalOf(finished);
    if (refusal?.codes.some((code) => code === 'MERGE_BLENDED' || code === 'YAML_CONFLICT')) {
      const paths = blendedPaths(refusal.text);
      if (!isExact || !paths.every((path) => isInAll(clone, path))) return 'blended';
      for (const path of paths) {
        this.#team.notes.count('declarations decided by people');
        take(clone, sidesOf(clone).target, path);
      }
    }
    return refusal === undefined || this.#ran(person, ['resolve', ...onto]);
  }

  /**
   * Takes one side of each declaration that git has not merged, as that side has it: the target's of what belongs to
   * somebody else, and either one of the own.
   */
  #decide({ person, clone }: { readonly person: Person; readonly clone: Clone }): void {
    const { random, notes } = this.#team;
    const { branch, target } = sidesOf(clone);
    const unmerged = clone
      .git('diff', '--name-only', '--diff-filter=U', '--', 'leases')
      .split('\n');
    for (const path of new Set(unmerged)) {
      if (path === '' || isRecord(path)) continue;
      notes.count('declarations decided by people');
      const sides = random.chance(0.5) ? [branch, target] : [target, branch];
      const isOwn = path.startsWith(person.folder);
      if (isThere(clone, target, path) || isThere(clone, branch, path)) {
        take(clone, (isOwn && sides[0]) || target, path);
      } else {
        // Git has put it into a folder that it takes for the new name of its own.
        clone.git('rm', '-q', '-f', '--', path);
        for (const side of [target, branch]) takeBack(clone, side, path);
      }
    }
  }
}

/** True when people took the pool file of the target, and a move has lost what asked for it. */
function hasLostReservation({ did }: PullRequest, { pools }: TreeView): boolean {
  return did.some((one) => {
    const address = one.match(/^reserve and move (.*)$/)?.[1];
    return address !== undefined && !pools.some((pool) => pool.reserved?.includes(address));
  });
}

/** Runs the commands that hints name, and does what is left to be done by hand. */
async function followHints(clone: Clone, { text }: Refusal): Promise<void> {
  for (const argv of hintedCommands(text)) {
    const left = refusalOf(await clone.run(...argv));
    if (left) removeNew(clone, left);
  }
}

/** Removes the records of HOLDER_SPLIT that are not on the target branch, as its hint says. */
function removeNew(clone: Clone, { text }: Refusal): void {
  if (!text.includes('or remove the one that is not on the target branch')) return;
  for (const [path] of text.matchAll(/leases\/allocations\/\S+?\.yaml/g)) {
    if (!isThere(clone, 'origin/main', path)) clone.isDone('rm', '-q', '-f', '--', path);
  }
}

function isRecord(path: string): boolean {
  return path.startsWith('leases/allocations/') || path.startsWith('leases/hostnames/');
}

/** The paths of each MERGE_BLENDED and YAML_CONFLICT in a text. */
function blendedPaths(text: string): readonly string[] {
  return [...text.matchAll(/^(\S+):\d+:\d+ (?:MERGE_BLENDED|YAML_CONFLICT) /gm)].map(
    ([, path = '']) => path,
  );
}

function whoseOf({ author }: PullRequest): { readonly person: Person; readonly clone: Clone } {
  return { person: author, clone: author.clone };
}

/** True for a command that cannot be done twice. */
function isOnce([command = '']: readonly string[]): boolean {
  return ['move', 'release', 'pin'].includes(command);
}

/** The command lines that hints name, each once. */
function hintedCommands(text: string): readonly (readonly string[])[] {
  const said = [
    ...[...text.matchAll(/in this pull request, pin (\S+) in /g)].map(([, pin]) => `pin ${pin}`),
    ...[...text.matchAll(/run leasehold ((?:resolve|synth).*?)(?=;| and commit|,|$)/gm)].map(
      ([, words]) => words,
    ),
  ];
  return [...new Set(said)].map((words = '') => words.split(' '));
}
