import type { Author } from './author.ts';
import { mergeRef, type PullRequest, type Team } from './forge.ts';
import type { Landings } from './landings.ts';
import { TeamFault } from './notes.ts';
import { isRight, type Refusal, refusalOf } from './refusal.ts';
import { isOn } from './situations.ts';
import type { Person } from './town.ts';

/** What an administrator does with main, past the rules. */
export class Incidents {
  readonly #team: Team;
  readonly #landings: Landings;
  readonly #author: Author;
  readonly #operator: Person;

  constructor(
    team: Team,
    { landings, author, operator }: { landings: Landings; author: Author; operator: Person },
  ) {
    this.#team = team;
    this.#landings = landings;
    this.#author = author;
    this.#operator = operator;
  }

  /** A pull request whose check is red is forced in, and main is repaired with what its check prints; else main is put back. */
  async forced(): Promise<boolean> {
    const { forge, random, notes } = this.#team;
    for (const request of random.shuffled(forge.open.filter(({ base }) => base === 'main'))) {
      const before = forge.main;
      const { refusal: red } = await forge.judge(request);
      const commit = red && forge.made(mergeRef, request.branch, before);
      if (commit === undefined) continue;
      notes.tell(`${forge.ci.today} ${request.branch} (${request.did}) is forced in as ${commit}`);
      notes.count(`forced in: ${red?.codes}`);
      forge.land(request, commit);
      await this.#recovered(before, request, refusalOf(await forge.ci.run('check')));
      return true;
    }
    return false;
  }

  /** Main is repaired and keeps all promises, or is put back. */
  async #recovered(before: string, request: PullRequest, refusal?: Refusal): Promise<void> {
    const { forge, notes } = this.#team;
    const isGreen = refusal === undefined || (await this.#landings.repaired(refusal, request));
    const broken = isGreen ? await this.#landings.brokenBy(forge.main, request) : ['not repaired'];
    if (broken.length === 0) return;
    notes.count(`a forced ${refusal?.codes ?? 'green'} breaks promises`);
    notes.tell(`  with ${request.branch}: ${broken}`);
    notes.example(`forced ${refusal?.codes}`, notes.lines - 6);
    // Two names that overlap have the days of their branches, and main's own check does not know which has landed first.
    const isOfNames = refusal?.codes.every((code) => code === 'HOSTNAME_TAKEN') ?? false;
    if (refusal && !isOfNames && isOn('target'))
      throw new TeamFault(`what was forced in breaks ${broken}`);
    forge.advance(before);
  }

  /** The operator takes back the newest landing on main itself, and pushes what `synth` and `check` accept. */
  async reverted(): Promise<boolean> {
    const { forge, notes } = this.#team;
    const { clone, clock } = this.#operator;
    const landed = forge.landed.at(-1);
    if (landed?.commit !== forge.main) return false;
    clock.correct();
    clone.fetch();
    clone.open('main', 'origin/main');
    const before = clone.head;
    const request = this.#ofMain(landed.request);
    const mainline = landed.isMerge ? ['-m', '1'] : [];
    if (!clone.isDone('revert', '--no-commit', ...mainline, 'HEAD')) {
      clone.isDone('revert', '--abort');
      return false;
    }
    for (const command of ['synth', 'check']) {
      if (!(await this.#author.ran(request, [command]))) return false;
    }
    if (!clone.commit(`Revert ${landed.request.branch}`)) return false;
    const refusal = await forge.checked(clone.head, before);
    notes.count(`reverted on the target: ${refusal?.codes ?? 'green'}`);
    notes.tell(`${clone.today} reverted on main: ${landed.commit} by ${clone.head}`);
    const tree = forge.viewAt(clone.head);
    const evidence = { tree, main: forge.view, base: forge.view, today: forge.ci.today };
    if (refusal && !isRight(refusal, evidence) && isOn('reverts')) {
      throw new TeamFault(`a revert on main passes check, and is red there: ${refusal.text}`);
    }
    if (refusal) return true;
    forge.advance(clone.head);
    await this.#landings.prove(forge.main, request);
    return true;
  }

  #ofMain({ moves }: PullRequest): PullRequest {
    const { forge } = this.#team;
    const days = { from: forge.dayOf(forge.main), waitsUntil: forge.ci.today };
    const author = this.#operator;
    return {
      branch: 'main',
      author,
      base: 'main',
      did: ['revert'],
      moves: new Set(moves),
      joined: new Set(),
      ...days,
    };
  }
}
