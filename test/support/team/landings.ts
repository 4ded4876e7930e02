import type { Author } from './author.ts';
import { daysBetween } from './book.ts';
import { unexplained } from './explanations.ts';
import { type Judged, mergeRef, type PullRequest, type Team } from './forge.ts';
import type { MergeWay } from './hosts.ts';
import { type Landing, Ledger } from './ledger.ts';
import { TeamFault } from './notes.ts';
import { passagesBetween } from './passages.ts';
import { type Refusal, refusalOf } from './refusal.ts';
import { isOn } from './situations.ts';
import { oneOf, type Person } from './town.ts';
import type { TreeView } from './view.ts';

/** What comes into main, and the proof of each time that main keeps all promises. */
export class Landings {
  readonly #team: Team;
  readonly #author: Author;
  readonly #operator: Person;
  readonly #ledger = new Ledger();
  #before: TreeView | undefined;

  constructor(team: Team, author: Author, operator: Person) {
    this.#team = team;
    this.#author = author;
    this.#operator = operator;
  }

  /** Main as the team starts with it. */
  async begin(): Promise<void> {
    const { today } = this.#team.forge.ci;
    await this.prove(this.#team.forge.main, { from: today, moves: new Set() });
  }

  /** One pull request that nobody waits for lands. */
  async one(): Promise<boolean> {
    const { forge, random } = this.#team;
    const { today } = forge.ci;
    const ready = forge.open.filter(
      ({ base, waitsUntil }) => base === 'main' && waitsUntil <= today,
    );
    const request = oneOf(random, ready);
    if (request) await this.land(request);
    return request !== undefined;
  }

  /** A pull request lands, once its check is green, in one of the forge's ways. */
  async land(request: PullRequest): Promise<void> {
    const { forge, random, notes } = this.#team;
    const commit = await this.#author.readied(request, () => forge.judge(request));
    if (commit === undefined) return;
    const days = daysBetween(forge.verdictDay(request), forge.ci.today);
    if (days > 3) notes.count(`landed by a verdict of ${days > 14 ? 'weeks' : 'days'} ago`);
    const [first = mergeRef, ...others] = random.shuffled(forge.host.ways);
    for (const way of [first, ...others, mergeRef]) {
      const made = forge.made(way, request.branch, forge.main);
      if (made !== undefined) return this.#landed(request, made, way);
    }
  }

  /** A merge queue: several on top of each other, each judged by what is to land. */
  async queue(): Promise<boolean> {
    const { forge, random } = this.#team;
    const way = oneOf(random, forge.host.queue);
    if (way === undefined) return this.one();
    const ready = forge.open.filter(({ base }) => base === 'main');
    for (const request of random.shuffled(ready).slice(0, 3)) {
      const judge = async (): Promise<Judged> => {
        const commit = forge.made(way, request.branch, forge.main);
        const refusal = commit ? await forge.checked(commit, forge.main) : undefined;
        const isMass = refusal?.codes.includes('MASS_RELEASE') ?? false;
        if (isMass && forge.confirms(request.branch)) this.#confirmed(request, way, refusal);
        return { commit, refusal };
      };
      const commit = await this.#author.readied(request, judge);
      if (commit !== undefined) await this.#landed(request, commit, way, 'in a queue');
    }
    return ready.length > 0;
  }

  /** `leasehold history` tells of every address and hostname what happened on main, and by which commit. */
  async explained(): Promise<void> {
    const { forge, notes } = this.#team;
    const { addresses, hostnames } = this.#ledger;
    for (const [what, book] of Object.entries({ addresses, hostnames })) {
      for (const name of book.names) {
        const wrong = await unexplained(forge, name, book.statesOf(name));
        if (wrong.length > 0) throw new TeamFault(`history ${name}: ${wrong.join('\n')}`);
        notes.count(`${what} explained`);
      }
    }
  }

  async #landed(request: PullRequest, commit: string, way: MergeWay, where = ''): Promise<void> {
    const { forge, notes } = this.#team;
    const isConfirmed = forge.confirms(request.branch);
    const before = forge.main;
    forge.land(request, commit);
    notes.count(`landed by ${way.name}${where && ' '}${where}`);
    notes.tell(
      `${forge.ci.today} lands ${request.branch} (${request.did}) by ${way.name} as ${commit}`,
    );
    const refusal = await forge.checked(commit, before);
    if (isConfirmed) this.#confirmed(request, way, refusal);
    if (refusal) {
      notes.count(`red on the target after ${way.name}: ${refusal.codes}`);
      await this.repaired(refusal, request);
    }
    await this.prove(forge.main, request);
  }

  /** Counts whether what a pull request confirms is confirmed by what a forge makes of it. */
  #confirmed({ branch }: PullRequest, { name }: MergeWay, refusal: Refusal | undefined): void {
    const isLost = refusal?.codes.includes('MASS_RELEASE') ?? false;
    this.#team.notes.count(`confirmation ${isLost ? 'lost' : 'kept'} by ${name}`);
    if (isLost && isOn('confirmations')) {
      throw new TeamFault(`${name} loses what ${branch} confirms: ${refusal?.text}`);
    }
  }

  /** The operator repairs a red target with what its check prints. False where that comes to no end. */
  async repaired(red: Refusal, { moves, from }: Pick<Landing, 'from' | 'moves'>): Promise<boolean> {
    const { forge, notes, numbers } = this.#team;
    const { clone, clock } = this.#operator;
    clock.correct();
    const request: PullRequest = {
      ...{ branch: `repair-${numbers()}`, author: this.#operator, base: 'main', did: ['repair'] },
      ...{ moves: moves as Set<string>, joined: new Set(), from, waitsUntil: clone.today },
    };
    const guide = this.#author.guide(request);
    notes.tell(`${clone.today}   the target is red`);
    clone.fetch();
    clone.open(request.branch, 'origin/main');
    const target = forge.main;
    let refusal: Refusal | undefined = red;
    while (refusal) {
      const { isLost, done } = await this.#author.allFollowed(guide, refusal);
      clone.commit('The target is repaired');
      if (done.includes('check')) refusal = undefined;
      else if (isLost) break;
      else if (clone.head !== target) {
        clone.push(request.branch);
        refusal = await this.#redAfter(request);
      }
    }
    guide.end(refusal === undefined);
    notes.count(`red target ${refusal ? 'not repaired' : 'repaired'}: ${red.codes}`);
    if (refusal && isOn('target')) throw new TeamFault(`no hint repairs the target: ${red.text}`);
    return refusal === undefined;
  }

  /** What is still red once a repair has landed, or at its own check. */
  async #redAfter(request: PullRequest): Promise<Refusal | undefined> {
    const { forge } = this.#team;
    const { refusal } = await forge.judge(request);
    if (refusal) return refusal;
    const before = forge.main;
    forge.advance(forge.made(mergeRef, request.branch, before) ?? before);
    return forge.checked(forge.main, before);
  }

  /** Main keeps all promises, and is what synth gives. */
  async prove(commit: string, landing: Pick<Landing, 'from' | 'moves'>): Promise<void> {
    const wrong = await this.brokenBy(commit, landing);
    if (wrong.length > 0) throw new TeamFault(`${commit} breaks: ${wrong.join('\n')}`);
  }

  /** The promises that main would break with a commit. Without any, the commit is in the books. */
  async brokenBy(
    commit: string,
    landing: Pick<Landing, 'from' | 'moves'>,
  ): Promise<readonly string[]> {
    const { forge, notes } = this.#team;
    const { ci, view } = forge;
    const broken = this.#ledger.brokenBy({ ...landing, commit, today: ci.today, view });
    if (broken.length > 0) return broken;
    for (const passage of passagesBetween(this.#before ?? view, view)) notes.count(passage);
    this.#before = view;
    const { early, short } = this.#ledger;
    for (const days of short) {
      notes.count(
        `kept ${days > 7 ? 'more than 7' : days} days less than its retention since the landing`,
      );
    }
    for (const one of early) {
      notes.count('free before its retention since the landing');
      notes.tell(`${ci.today}   ${one}`);
      notes.example('early');
    }
    return [
      ...(isOn('retentions') ? early : []),
      ...(refusalOf(await ci.run('check'))?.codes ?? []),
    ];
  }
}
