import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { daysAfter } from '../allocations/naive-rules.ts';
import { accountOf } from '../declarations/lease-text.ts';
import { type Seeded, seeded } from '../run/seeded.ts';
import { Author } from './author.ts';
import { Bot } from './bot.ts';
import { cheats, hasEffect } from './cheats.ts';
import { MachineClock, someDaysAhead } from './clock.ts';
import { Clone } from './clone.ts';
import { addressEdits, type Edit } from './edits.ts';
import { Forge, type PullRequest, type Team } from './forge.ts';
import { hostnameEdits } from './hostname-edits.ts';
import { hosts } from './hosts.ts';
import { Incidents } from './incidents.ts';
import { Landings } from './landings.ts';
import { type Notes, TeamFault } from './notes.ts';
import { operatorEdits } from './operator-edits.ts';
import { refusalOf } from './refusal.ts';
import { namesOf, oneOf, type Person, writeTown } from './town.ts';
import { operatorUpheavals, upheavals } from './upheavals.ts';

/** What tenants do: in every other team mostly with hostnames, so that many want one. */
function tenantEdits(random: Seeded): readonly Edit[] {
  const isOfNames = random.chance(0.5);
  return [
    ...addressEdits,
    ...upheavals,
    ...(isOfNames ? [...hostnameEdits, ...hostnameEdits] : hostnameEdits),
  ];
}

/** Acts of a history, before all that is open lands. */
const steps = 20;

/** Plays the history of one team. A TeamFault has the seed, the story and the commits; with `keeps`, these stay to be looked at. */
export async function playTeam(seed: number, notes: Notes, keeps = false): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'leasehold-team-'));
  notes.begin(`team ${seed}`);
  try {
    const history = new TeamHistory(root, seeded(seed), notes);
    await history.play();
  } catch (error) {
    const { stack = '' } = error as Error;
    const where = keeps ? `, in ${root}` : `; TEAM=${seed} plays it alone`;
    if (!keeps) rmSync(root, { recursive: true });
    throw new TeamFault(`team ${seed}${where}: ${stack}\n${notes.story}`, { cause: error });
  }
  rmSync(root, { recursive: true });
}

/** One team: its people, its forge, and what it does day by day. */
class TeamHistory {
  readonly #clock = { today: '2026-01-02' };
  readonly #team: Team;
  readonly #author: Author;
  readonly #people: readonly Person[];
  readonly #landings: Landings;
  readonly #bot: Bot;
  readonly #incidents: Incidents;
  readonly #tenantEdits: readonly Edit[];
  #opened = 0;

  constructor(root: string, random: Seeded, notes: Notes) {
    const host = oneOf(random, hosts);
    if (host === undefined) throw new Error('there are forges');
    notes.count(`forge: ${host.name}`);
    const forge = new Forge(root, this.#clock, host);
    let number = 100;
    const numbers = () => {
      number += 1;
      return number;
    };
    this.#team = { forge, random, notes, numbers, clock: this.#clock };
    this.#author = new Author(this.#team);
    this.#tenantEdits = tenantEdits(random);
    const names = namesOf(random);
    writeTown(forge.ci.root, names, random);
    this.#people = names.map((name, index) => {
      const clock = new MachineClock(this.#clock, someDaysAhead(random));
      return {
        ...{ name, account: accountOf(name), folder: `leases/${name}`, isOperator: index === 0 },
        clock,
        clone: new Clone(forge.remote, join(root, name), clock),
      };
    });
    const operator = this.#operator;
    const [team, author] = [this.#team, this.#author];
    this.#landings = new Landings(team, author, operator);
    this.#incidents = new Incidents(team, { landings: this.#landings, author, operator });
    this.#bot = new Bot(team, this.#landings, { root: join(root, 'bot'), clock: this.#clock });
  }

  get #operator(): Person {
    const operator = this.#people.find(({ isOperator }) => isOperator);
    if (operator === undefined) throw new Error('a team has an operator');
    return operator;
  }

  async play(): Promise<void> {
    const { forge, random } = this.#team;
    await forge.ci.run('synth');
    forge.ci.commit('The beginning');
    forge.advance(forge.ci.head);
    await this.#landings.begin();
    this.#bot.begin();
    for (let step = 0; step < steps; step += 1) {
      this.#passDays(random.chance(0.1) ? 12 : random.below(3));
      await this.#act();
    }
    this.#passDays(40);
    while (forge.open.length > 0) {
      const below = forge.open.find(({ base }) => base === 'main');
      if (below === undefined) break;
      await this.#landings.land(below);
    }
    await this.#landings.explained();
  }

  #passDays(count: number): void {
    this.#clock.today = daysAfter(this.#clock.today, count);
  }

  /** Something that somebody does; where there is nothing to do it with, a pull request more. */
  async #act(): Promise<void> {
    const request = () => this.#request('main');
    const acts: readonly (() => Promise<boolean>)[] = [
      ...[request, request, request, request, () => this.#stacked()],
      ...[() => this.#reviewed(), () => this.#reviewed(), () => this.#updated()],
      ...[() => this.#reverted(), () => this.#cherryPicked()],
      ...[() => this.#cheated(), () => this.#cheated()],
      () => this.#request('main', this.#operator, operatorUpheavals),
      ...[() => this.#incidents.forced(), () => this.#incidents.reverted()],
      ...[() => this.#bot.act(this.#people), () => this.#bot.act(this.#people)],
      ...[() => this.#landings.one(), () => this.#landings.one(), () => this.#landings.queue()],
    ];
    const act = oneOf(this.#team.random, acts) ?? request;
    if (!(await act())) await request();
  }

  #someone(): Person {
    const person = oneOf(this.#team.random, this.#people);
    if (person === undefined) throw new Error('a team has people');
    return person;
  }

  #editsOf({ isOperator }: Person): readonly Edit[] {
    const isOperating = isOperator && this.#team.random.chance(0.3);
    return isOperating ? operatorEdits : this.#tenantEdits;
  }

  /** A branch of somebody's clone, which may not know yet what main has got. */
  #branched(author: Person, base: string): PullRequest {
    const { forge, random } = this.#team;
    const { clone } = author;
    if (clone.known(base) === undefined || random.chance(0.8)) clone.fetch();
    this.#opened += 1;
    const branch = `pr-${this.#opened}`;
    clone.open(branch, `origin/${base}`);
    const waits = [0, 0, 0, 1, 4, 15, 40][random.below(7)] ?? 0;
    const main = clone.known('main') ?? forge.main;
    const days = { from: forge.dayOf(main), waitsUntil: daysAfter(clone.today, waits) };
    return { branch, author, base, did: [], moves: new Set(), joined: new Set(), ...days };
  }

  /** Its check runs at the push: what waits lands by that verdict, unless something has changed. */
  async #publish(request: PullRequest): Promise<void> {
    const { forge, notes } = this.#team;
    request.author.clone.push(request.branch);
    forge.open.push(request);
    notes.count('pull requests');
    if (request.base === 'main' && request.waitsUntil > forge.ci.today) await forge.judge(request);
  }

  async #request(base: string, author = this.#someone(), edits = this.#editsOf(author)) {
    const { random } = this.#team;
    const request = this.#branched(author, base);
    const count = [1, 1, 1, 2, 3][random.below(5)] ?? 1;
    for (let edit = 0; edit < count; edit += 1) await this.#author.work(request, edits);
    if (request.did.length > 0) await this.#publish(request);
    return true;
  }

  /** A pull request on top of another one, which has its own check. */
  async #stacked(): Promise<boolean> {
    const { forge, random, notes } = this.#team;
    const below = oneOf(random, forge.open);
    if (below === undefined) return false;
    await this.#request(below.branch);
    const request = forge.open.at(-1);
    if (request?.base !== below.branch) return false;
    request.from = request.from < below.from ? request.from : below.from;
    for (const holder of below.moves) request.moves.add(holder);
    notes.count('stacked');
    await this.#author.readied(request, () => forge.judge(request));
    return true;
  }

  /** Another commit in a pull request that is open. */
  async #reviewed(): Promise<boolean> {
    const { forge, random, notes } = this.#team;
    const request = oneOf(random, forge.open);
    if (request === undefined) return false;
    const { clone } = request.author;
    clone.fetch();
    clone.open(request.branch);
    if (!(await this.#author.work(request, this.#editsOf(request.author)))) return false;
    if (random.chance(0.3)) {
      clone.git('reset', '-q', '--soft', 'HEAD~2');
      clone.commit(request.did.join(', '));
      notes.count('review changes pushed by force');
    }
    clone.push(request.branch);
    notes.count('review changes');
    return true;
  }

  async #updated(): Promise<boolean> {
    const { forge, random } = this.#team;
    const request = oneOf(random, forge.open);
    if (request === undefined) return false;
    const how = random.chance(0.5) ? 'merge' : 'rebase';
    if (!(await this.#author.update(request, how))) forge.close(request);
    return true;
  }

  /** Reverts a landed change: with the button of the forge, or in a clone as docs/day-two.md describes. */
  async #reverted(): Promise<boolean> {
    const { forge, random, notes } = this.#team;
    const landed = oneOf(random, forge.landed.slice(-6));
    if (landed === undefined) return false;
    const isButton = random.chance(0.6);
    const request = this.#branched(isButton ? landed.request.author : this.#someone(), 'main');
    const { clone } = request.author;
    request.did.push(`revert ${landed.request.branch}`);
    notes.tell(`${clone.today} ${request.author.name}: revert ${landed.request.branch}`);
    const mainline = landed.isMerge ? ['-m', '1'] : [];
    if (clone.head !== forge.main) clone.open(request.branch, forge.main);
    if (!clone.isDone('revert', '--no-edit', ...mainline, landed.commit)) {
      if (isButton) notes.count('reverts that the forge cannot make');
      const isSettled = !isButton && (await this.#author.settled(request, 'revert'));
      if (isSettled !== true) return false;
    }
    if (clone.head === forge.main) return false;
    notes.count(isButton ? 'reverts by the button' : 'reverts in a clone');
    await this.#publish(request);
    return true;
  }

  /** Brings the last commit of one pull request into another one of the same person. */
  async #cherryPicked(): Promise<boolean> {
    const { forge, random, notes } = this.#team;
    const from = oneOf(random, forge.open);
    if (from === undefined) return false;
    const picked = forge.head(from.branch);
    const others = forge.open.filter((one) => one !== from && one.author === from.author);
    const into = random.chance(0.5) ? oneOf(random, others) : undefined;
    const { clone } = from.author;
    clone.fetch();
    const request = into ?? this.#branched(from.author, 'main');
    if (into) clone.open(into.branch);
    notes.tell(`${clone.today} ${from.author.name}: pick ${from.branch} into ${request.branch}`);
    const before = clone.head;
    if (!clone.isDone('cherry-pick', picked)) {
      // A merge, or what is there already: nothing to pick.
      const isStopped = clone.hasHead('CHERRY_PICK_HEAD');
      if (!isStopped || (await this.#author.settled(request, 'cherry-pick')) !== true) return false;
    }
    if (clone.head === before) return false;
    notes.count('cherry-picks');
    request.did.push(`pick of ${from.branch}`);
    for (const holder of from.moves) request.moves.add(holder);
    if (into) clone.push(into.branch);
    else await this.#publish(request);
    return true;
  }

  /** Somebody cheats, with a tree that passes `check` where that can be had. No cheat may pass `check --base`. */
  async #cheated(): Promise<boolean> {
    const { forge, random, notes } = this.#team;
    const [person, victim] = random.shuffled(this.#people.slice(1));
    const kind = oneOf(random, Object.keys(cheats)) ?? '';
    if (!person || !victim) return false;
    const request = this.#branched(person, 'main');
    const { clone } = person;
    if (clone.head !== forge.main) clone.open(request.branch, forge.main);
    this.#opened += 1;
    const den = { person, victim, random, view: forge.view, number: 5000 + this.#opened };
    if (!(await cheats[kind]?.(den))) return false;
    clone.git('add', '-A');
    // Some leave it as it is written by hand.
    const isSound =
      random.chance(0.8) && refusalOf(await clone.run('synth', '--no-base')) === undefined;
    clone.commit(kind);
    if (!hasEffect(person, forge.main)) return false;
    clone.push(request.branch);
    notes.tell(`${clone.today} ${person.name} cheats: ${kind}, ${clone.head}`);
    const { commit, refusal } = await forge.judge(request);
    notes.count(`cheat that ${kind}: tried`);
    if (refusal === undefined) {
      throw new TeamFault(`the cheat that ${kind} passes: ${commit}\n${clone.git('show', 'HEAD')}`);
    }
    notes.count(`cheat${isSound ? ', sound in itself,' : ''} refused for ${refusal.codes}`);
    return true;
  }
}
