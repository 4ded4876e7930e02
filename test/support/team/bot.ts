import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { daysAfter } from '../allocations/naive-rules.ts';
import { botEnvironment } from '../repositories/bot-remote.ts';
import { type GitRepository, gitRepository } from '../repositories/git-repository.ts';
import { type Finished, runInProcess } from '../run/run-in-process.ts';
import type { Clock } from './clock.ts';
import type { Team } from './forge.ts';
import type { Landings } from './landings.ts';
import { TeamFault } from './notes.ts';
import { isRight, refusalOf } from './refusal.ts';
import { oneOf, type Person } from './town.ts';
import { type ClaimView, isServed, type TreeView } from './view.ts';

/** A claim that the bot makes, and the words for it. */
interface Wish {
  readonly words: readonly string[];
  readonly claim: ClaimView;
}

/** A bot with a clone of its own, which leases for the tenants and ends their leases on main, and may do so. */
export class Bot {
  readonly #team: Team;
  readonly #landings: Landings;
  readonly #clock: Clock;
  readonly #repository: GitRepository;
  readonly #remote: string;
  #number = 9000;

  constructor(team: Team, landings: Landings, { root, clock }: { root: string; clock: Clock }) {
    this.#team = team;
    this.#landings = landings;
    this.#clock = clock;
    this.#remote = join(team.forge.remote, '.git');
    mkdirSync(root);
    this.#repository = gitRepository(root);
    this.#repository.git('remote', 'add', 'origin', this.#remote);
  }

  /** Clones main. */
  begin(): void {
    this.#repository.git('pull', '-q', 'origin', 'main');
    this.#repository.git('branch', '-q', '--set-upstream-to=origin/main');
  }

  /** Leases or ends a lease; now and then the remote is away, and the bot tries again once it is back. */
  async act(people: readonly Person[]): Promise<boolean> {
    const { random, notes } = this.#team;
    const own = this.#team.forge.view.claims.filter(
      (claim) => isServed(claim) && claim.file.startsWith('leases/akash1'),
    );
    const ended = random.chance(0.4) ? oneOf(random, own) : undefined;
    const person = oneOf(random, people);
    if (person === undefined) return false;
    const promise = random.chance(0.3) ? this.#promise(person) : undefined;
    const wish = ended === undefined ? (promise ?? this.#wish(person)) : undefined;
    const words = wish?.words ?? ['purge', leaseOf(ended)];
    if (random.chance(0.3)) await this.#unreached(words);
    notes.count(`a bot: ${words[0]}${wish && wish === promise ? ' --promise' : ''}`);
    notes.tell(`${this.#clock.today} the bot: ${words.join(' ')}`);
    await this.#done(words, wish?.claim);
    return true;
  }

  #wish({ account }: Person): Wish {
    const { random } = this.#team;
    this.#number += 1;
    const endpoint = oneOf(random, ['front', 'api', 'mail', 'game', 'bot']) ?? 'bot';
    const port = oneOf(random, [80, 443, 8080]) ?? 80;
    const named = ['--endpoint', endpoint, '--external-port', `${port}`];
    const words = ['declare', `${account}/${this.#number}/1/1`, 'web', '8080/tcp', ...named];
    const claim: ClaimView = {
      ...{ holder: `default/akash/${account}-ip-${endpoint}`, owner: account, file: '' },
      ...{ declares: `lease ${account} ${this.#number}`, families: ['ipv4'], zone: undefined },
      ...{ pins: [], retain: 0, port: `${port}/TCP` },
    };
    return { words, claim };
  }

  /** A promise for an endpoint that has no address. */
  #promise({ account }: Person): Wish | undefined {
    const { random, forge } = this.#team;
    const held = new Set(forge.view.claims.map(({ holder }) => holder));
    const names = ['front', 'api', 'mail', 'game', 'bot'];
    const endpoint = oneOf(
      random,
      names.filter((name) => !held.has(`default/akash/${account}-ip-${name}`)),
    );
    if (endpoint === undefined) return undefined;
    const until = daysAfter(this.#clock.today, random.below(31));
    const words = ['declare', '--promise', account, '--endpoint', endpoint, '--until', until];
    const holder = `default/akash/${account}-ip-${endpoint}`;
    const claim: ClaimView = {
      ...{ holder, owner: account, file: '', declares: `promise ${account} ${endpoint}` },
      ...{ families: ['ipv4'], zone: undefined, pins: [], retain: 0, port: 'promise' },
    };
    return { words, claim };
  }

  /** With the remote away, a run ends with 74, and leaves everything as it was. */
  async #unreached(words: readonly string[]): Promise<void> {
    const before = this.#team.forge.main;
    renameSync(this.#remote, `${this.#remote}-away`);
    const { status, out, err } = await this.#run(words);
    renameSync(`${this.#remote}-away`, this.#remote);
    this.#team.notes.count('remotes that vanish');
    if (status !== 74 || out !== '')
      throw new TeamFault(`without a remote: ${status} ${out}${err}`);
    this.#assertClean();
    if (this.#team.forge.main !== before) throw new TeamFault('main has moved without a remote');
  }

  async #done(words: readonly string[], claim: ClaimView | undefined): Promise<void> {
    const { forge, notes } = this.#team;
    const before = forge.main;
    const refusal = refusalOf(await this.#run(words));
    this.#assertClean();
    if (refusal !== undefined) {
      const main = forge.landedView;
      const tree: TreeView = claim ? { ...main, claims: [...main.claims, claim] } : main;
      notes.tell(`  ${refusal.text}`);
      if (!isRight(refusal, { tree, main, base: main, today: this.#clock.today })) {
        throw new TeamFault(`leasehold ${words.join(' ')} was refused for ${refusal.codes}`);
      }
      notes.count(`a bot is refused for people to decide: ${refusal.codes}`);
      if (forge.main !== before) throw new TeamFault('a refused bot has pushed');
      return;
    }
    const { main } = forge;
    if (main === before) throw new TeamFault(`leasehold ${words.join(' ')} did nothing`);
    const from = forge.dayOf(before);
    forge.advance(main);
    await this.#landings.prove(main, { from, moves: new Set() });
    const wrong = await forge.checked(main, before);
    if (wrong !== undefined) throw new TeamFault(`a bot's commit ${main}: ${wrong.text}`);
  }

  /** Nothing of the work tree, the index and the branches of the clone is touched. */
  #assertClean(): void {
    const left = this.#repository.git('status', '--porcelain');
    if (left !== '') throw new TeamFault(`the bot leaves ${left}`);
  }

  #run(words: readonly string[]): Promise<Finished> {
    const { today } = this.#clock;
    const time = `${today}T12:00:00Z`;
    const env = { ...botEnvironment, GIT_AUTHOR_DATE: time, GIT_COMMITTER_DATE: time };
    return runInProcess([...words, '--today', today], this.#repository.root, env);
  }
}

/** `OWNER/DSEQ/1/1` of a claim. */
function leaseOf(claim: ClaimView | undefined): string {
  const [, owner, dseq] = claim?.declares.split(' ') ?? [];
  return `${owner}/${dseq}/1/1`;
}
