import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { leaseText } from '../declarations/lease-text.ts';
import type { GitRepository } from '../repositories/git-repository.ts';
import type { Seeded } from '../run/seeded.ts';
import type { FileTexts } from '../trees/tree-bytes.ts';
import { baseDeclarations } from './branch-kinds.ts';
import { type Branch, type Branches, branchDay, commitState, makeBranches } from './branches.ts';
import { integrate, type Method, methods } from './integration.ts';

const web = { name: 'front', service: 'web', port: 8080, externalPort: 80 };

/** Branches of several commits, and of a holder that comes back: the declarations after each commit. */
function moreBranches(base: FileTexts): ReadonlyMap<string, readonly FileTexts[]> {
  const put = (files: FileTexts, owner: string, dseq: number, zone: string): FileTexts =>
    new Map([
      ...files,
      [`leases/${owner}/${dseq}.yaml`, leaseText(owner, dseq, [{ ...web, zone }])],
    ]);
  const without = (files: FileTexts, path: string): FileTexts =>
    new Map([...files].filter(([other]) => other !== path));
  const back = put(base, 'old', 1999, 'tiny');
  const low = put(base, 'pam', 2200, 'rack');
  const ended = without(base, 'leases/max/1013.yaml');
  return new Map([
    ['a former holder comes back', [back]],
    ['take two of the lowest, one after the other', [low, put(low, 'pat', 2201, 'rack')]],
    ['end a lease, then lease', [ended, put(ended, 'pip', 2202, 'rack')]],
  ]);
}

/** All branches of a repository by what they do: those of its kinds, with their side, and some more. */
async function branchesByName(made: Branches): Promise<ReadonlyMap<string, string>> {
  const named = made.branches.map(({ kind, side, commit }: Branch) => {
    return [`${kind.name} ${side}`, commit] as const;
  });
  const { repository } = made;
  const { base } = baseDeclarations();
  const more: (readonly [string, string])[] = [];
  for (const [name, states] of moreBranches(base)) {
    repository.git('checkout', '-q', '--detach', '-f', made.base);
    let before = base;
    for (const files of states) {
      await commitState(repository, before, { files, today: branchDay });
      before = files;
    }
    more.push([name, repository.git('rev-parse', 'HEAD').trim()]);
  }
  return new Map([...named, ...more]);
}

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
