import type { Commit, Commits } from '../../../src/core/interfaces/commits.ts';
import type { SourceTree, TargetTree, TreeChanges } from '../../../src/core/interfaces/tree.ts';
import { liveFacts } from '../../../src/core/manifests/live-facts.ts';
import type { AllocationTable } from '../../../src/core/model/allocation.ts';
import { EnvironmentError, type Problem, startOf } from '../../../src/core/model/problem.ts';
import { review } from '../../../src/core/run/review/review.ts';
import type { PlannedRun } from '../../../src/core/run/synth/planned-run.ts';
import { pruneReleased } from '../../../src/core/run/synth/prune.ts';
import { synth } from '../../../src/core/run/synth/synth.ts';
import { readRecords } from '../../../src/core/tree/declared.ts';
import { planMoves } from '../../../src/features/move/move-pins.ts';
import { noHistory } from '../trees/memory-tree.ts';
import type { SynthInput } from './ledger.ts';
import { dayOf, movesOf, type Planner } from './planner.ts';
import { filesOf, type PlaneWords } from './yaml-files.ts';

/**
 * All of leasehold but the disk: a step writes YAML, `synth` reads it, allocates, renders and writes, and
 * `check --base` judges what it wrote by what stood there before.
 */
export class WholePlanner implements Planner {
  readonly refusesAlso = [
    'FAMILY_CHANGED',
    'NAME_TAKEN',
    'POOL_CHANGED',
    'SHARING_STRANDED',
  ] as const;
  readonly #plane: PlaneWords | undefined;
  /** What a commit of the last step would have. */
  #tree = new MemoryTree(new Map());
  #before = new MemoryTree(new Map());
  #released = 0;

  /** With the plane of the clusters, or without. */
  constructor(plane?: PlaneWords) {
    this.#plane = plane;
  }

  /** What a commit of the last step has. */
  get tree(): SourceTree {
    return this.#tree;
  }

  get table(): AllocationTable {
    const { table, problems } = readRecords(this.#tree);
    if (problems.length > 0) throw new Error(problems[0]?.message);
    return table;
  }

  async synth({ workspace, today, mover }: SynthInput): Promise<readonly Problem[]> {
    const tree = this.#tree.declaring(filesOf(workspace, this.#plane));
    if (mover !== undefined) {
      const moved = await planMoves(tree, noHistory, movesOf(mover), {
        today: dayOf(today),
      });
      if (!moved.ok) return moved.problems;
      await tree.commit(moved.value.files);
      return this.#commit(tree, moved.value);
    }
    const first = await synth(tree, noHistory, { today: dayOf(today) });
    // A person would read the number in the message, look, and say it.
    const said = first.ok ? undefined : numberIn(first.problems);
    const outcome =
      said === undefined
        ? first
        : await synth(tree, noHistory, { today: dayOf(today), releases: { allowed: said } });
    return outcome.ok ? this.#commit(tree, outcome.value) : outcome.problems;
  }

  #commit(tree: MemoryTree, { changes }: PlannedRun): readonly Problem[] {
    this.#released = changes.filter(({ kind }) => kind === 'released').length;
    this.#before = this.#tree;
    this.#tree = tree;
    return [];
  }

  async check({ today }: SynthInput): Promise<readonly Problem[]> {
    const day = dayOf(today);
    const at = `${day}T00:00:00Z`;
    const commit: Commit = { id: '0'.repeat(40), day, at, parents: [], message: '' };
    const comparison = {
      base: commit,
      target: commit,
      targetRef: 'main',
      head: commit,
      isUncommitted: false,
      baseTree: this.#before,
      targetTree: this.#before,
      headTree: this.#tree,
      headHistory: noHistory,
      day: commit.day,
      today: commit.day,
      between: [],
      merged: [],
    };
    const judged = await review(noCommits, comparison, this.#released);
    return [
      ...judged.treeProblems,
      ...judged.changeProblems,
      ...changedKeys(this.#before, this.#tree),
    ];
  }

  async prune({ today }: SynthInput): Promise<void> {
    const tree = this.#tree.declaring(new Map());
    const outcome = await pruneReleased(tree, noHistory, { today: dayOf(today) });
    if (!outcome.ok) throw new Error(outcome.problems[0]?.message);
    this.#tree = tree;
  }
}

/** The Services that are on an address in both trees, and have another sharing key there. */
function changedKeys(before: SourceTree, after: SourceTree): readonly Problem[] {
  const live = keysIn(before);
  return [...keysIn(after)].flatMap(([place, key]) =>
    (live.get(place) ?? key) === key
      ? []
      : [{ code: 'SHARING_STRANDED', message: `${place} gets another key`, at: startOf('dist') }],
  );
}

/** By cluster, Service and address. */
function keysIn(tree: SourceTree): ReadonlyMap<string, string | undefined> {
  const files = tree.list('dist').map(({ path }) => [path, tree.read(path)] as const);
  return new Map(
    files.flatMap(([path, bytes]) =>
      [...liveFacts(Buffer.from(bytes).toString('utf8')).sharers].flatMap(
        ([name, { pins, sharingKey }]) =>
          pins.map((pin) => [`${path.split('/')[1]} ${name} ${pin}`, sharingKey] as const),
      ),
    ),
  );
}

function numberIn(problems: readonly Problem[]): number | undefined {
  const mass = problems.find(({ code }) => code === 'MASS_RELEASE');
  return mass && Number(/^\d+/.exec(mass.message)?.[0]);
}

/** No merge is looked at, so nothing is asked of git. */
const noCommits = {
  async tree() {
    throw new EnvironmentError('a life has no commits');
  },
  landings: async () => new Map(),
} as unknown as Commits;

/** A tree in memory. */
class MemoryTree implements SourceTree, TargetTree {
  readonly #files: Map<string, Uint8Array>;

  constructor(files: ReadonlyMap<string, Uint8Array>) {
    this.#files = new Map(files);
  }

  list(folder: string) {
    return [...this.#files]
      .filter(([path]) => path.startsWith(`${folder}/`))
      .map(([path, bytes]) => ({ path, kind: 'file' as const, size: bytes.length }));
  }

  read(path: string): Uint8Array {
    const bytes = this.#files.get(path);
    if (!bytes) throw new Error(`${path} is not there`);
    return bytes;
  }

  idOf(path: string): string | undefined {
    const bytes = this.#files.get(path);
    return bytes && Buffer.from(bytes).toString('latin1');
  }

  async commit({ writes, removes }: TreeChanges): Promise<void> {
    for (const [path, text] of writes) this.#files.set(path, Buffer.from(String(text)));
    for (const path of removes) this.#files.delete(path);
  }

  /** The same with other declarations and pools; without any, a copy. */
  declaring(declarations: ReadonlyMap<string, string>): MemoryTree {
    const copy = new MemoryTree(this.#files);
    if (declarations.size === 0) return copy;
    for (const path of this.#files.keys()) {
      const isDeclared = path.startsWith('leases/') && !path.startsWith('leases/allocations/');
      if (isDeclared) copy.#files.delete(path);
    }
    for (const [path, text] of declarations) copy.#files.set(path, Buffer.from(String(text)));
    return copy;
  }
}
