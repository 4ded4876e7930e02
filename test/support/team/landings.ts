import type { Author, Team } from './author.ts';
import { unexplained } from './explanations.ts';
import { type Judged, type Method, methods, type PullRequest } from './forge.ts';
import { type Landing, Ledger } from './ledger.ts';
import { TeamFault } from './notes.ts';
import { passagesBetween } from './passages.ts';
import { refusalOf } from './refusal.ts';
import { oneOf } from './town.ts';
import type { TreeView } from './view.ts';

/** What comes into main, and the proof of each time that main keeps all promises. */
export class Landings {
  readonly #team: Team;
  readonly #author: Author;
  readonly #ledger = new Ledger();
  #before: TreeView | undefined;

  constructor(team: Team, author: Author) {
    this.#team = team;
    this.#author = author;
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

  /** A pull request lands, once its check is green, by one of the forge's methods. */
  async land(request: PullRequest): Promise<void> {
    const { forge, random, notes } = this.#team;
    const commit = await this.#author.readied(request, () => forge.judge(request));
    if (commit === undefined) return;
    const method = oneOf(random, methods) ?? 'merge';
    const made = method === 'merge' ? commit : forge.made(method, request.branch, forge.main);
    notes.count(`landed by ${made === undefined ? 'merge' : method}`);
    await this.#proven(request, made ?? commit);
  }

  /** A merge queue: several on top of each other, each judged by what is to land. */
  async queue(): Promise<boolean> {
    const { forge, random, notes } = this.#team;
    const ready = forge.open.filter(({ base }) => base === 'main');
    const method: Method = random.chance(0.6) ? 'merge' : 'squash';
    for (const request of random.shuffled(ready).slice(0, 3)) {
      const judge = async (): Promise<Judged> => {
        const commit = forge.made(method, request.branch, forge.main);
        return { commit, refusal: commit ? await forge.checked(commit, forge.main) : undefined };
      };
      const commit = await this.#author.readied(request, judge);
      if (commit === undefined) continue;
      notes.count(`landed by a queue that makes a ${method}`);
      await this.#proven(request, commit);
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

  async #proven(request: PullRequest, commit: string): Promise<void> {
    const { forge, notes } = this.#team;
    forge.land(request, commit);
    notes.count('landings');
    notes.tell(`${forge.ci.today} lands ${request.branch} (${request.did}) as ${commit}`);
    await this.prove(commit, request);
  }

  /** Main keeps all promises, and is what synth gives. */
  async prove(commit: string, landing: Pick<Landing, 'from' | 'moves'>): Promise<void> {
    const { forge, notes } = this.#team;
    const { ci, view } = forge;
    for (const passage of passagesBetween(this.#before ?? view, view)) notes.count(passage);
    this.#before = view;
    const broken = this.#ledger.brokenBy({ ...landing, commit, today: ci.today, view });
    const refused = refusalOf(await ci.run('check'))?.codes ?? [];
    if (broken.length + refused.length > 0) {
      throw new TeamFault(`${commit} breaks: ${[...broken, ...refused].join('\n')}`);
    }
  }
}
