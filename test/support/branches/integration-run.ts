import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GitRepository } from '../repositories/git-repository.ts';
import type { Seeded } from '../run/seeded.ts';
import { makeBranches } from './branches.ts';
import { integrate, type Method, methods } from './integration.ts';
import { branchesByName } from './longer-branches.ts';

/** A repository with all branches, in which some come together again and again. */
export class TogetherRun {
  /** How branches came into main. */
  readonly tally = { clean: 0, resolved: 0, refused: 0, blended: 0 };
  readonly #repository: GitRepository;
  readonly #branches: ReadonlyMap<string, string>;

  private constructor(repository: GitRepository, branches: ReadonlyMap<string, string>) {
    this.#repository = repository;
    this.#branches = branches;
  }

  /** Makes the repository in a temporary folder. */
  static async start(): Promise<TogetherRun> {
    const made = await makeBranches(mkdtempSync(join(tmpdir(), 'leasehold-together-')));
    return new TogetherRun(made.repository, await branchesByName(made));
  }

  remove(): void {
    rmSync(this.#repository.root, { recursive: true, force: true });
  }

  /** The names of all branches. */
  get names(): readonly string[] {
    return [...this.#branches.keys()];
  }

  /** The first branch is main; the others come into it one after the other. */
  async bringTogether(
    [first = '', ...others]: readonly string[],
    methodOf: () => Method,
    random: Seeded,
  ): Promise<void> {
    const { git } = this.#repository;
    git('checkout', '-q', '-f', '-B', 'main', this.#commitOf(first));
    git('clean', '-q', '-f', '-d', 'leases', 'dist');
    const done = [first];
    for (const name of others) {
      const method = methodOf();
      done.push(`${method} ${name}`);
      try {
        const incoming = { ref: this.#commitOf(name), method };
        const ended = await integrate(this.#repository, incoming, random);
        this.tally[ended.how] += 1;
        if (ended.isBlended) this.tally.blended += 1;
      } catch (error) {
        throw new Error(`${done.join(', ')}: ${(error as Error).message}`, { cause: error });
      }
    }
  }

  #commitOf(name: string): string {
    const commit = this.#branches.get(name);
    if (commit === undefined) throw new Error(`there is no branch ${name}`);
    return commit;
  }
}

/** Any of the methods. */
export function anyMethod(random: Seeded): Method {
  return methods[random.below(methods.length)] ?? 'merge';
}
