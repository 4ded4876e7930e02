import { allocate } from '../../allocate/allocate.ts';
import { isManifestPath } from '../../manifests/paths.ts';
import type { AllocationTable } from '../../model/allocation.ts';
import type { Claim } from '../../model/claim.ts';
import type { Day } from '../../model/day.ts';
import type { Pools } from '../../model/pools.ts';
import { EnvironmentError, type Problem, placeText } from '../../model/problem.ts';
import { allocationsFolder, distFolder, leasesFolder } from '../../model/repository-paths.ts';
import type { Commit, Commits, CommittedTree } from '../../ports/commits.ts';
import type { SourceTree, TreeChanges, TreeEntry } from '../../ports/tree.ts';
import type { History } from '../../ports/work-tree.ts';
import { readAllocation } from '../../records/allocation-file.ts';
import { mergeTables } from '../../transitions/merge-tables.ts';
import { readDeclared, readRecords } from '../../workspace/declared.ts';
import { classifyLeaseFiles } from '../../workspace/lease-files.ts';
import { TreeReader, textIn } from '../../workspace/tree-reader.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { changesTo, recordTexts } from '../synth/generated-files.ts';
import type { PlannedRun } from '../synth/planned-run.ts';
import type { MergeWay } from './merge-ways.ts';

type Records = ReturnType<typeof readRecords>;

/** Reads the commits of a merge and the working tree, each once. */
export class MergeTrees {
  readonly #commits: Commits;
  readonly #disk: SourceTree;
  readonly #trees = new Map<string, CommittedTree>();
  readonly #records = new Map<string, Records>();

  constructor(commits: Commits, disk: SourceTree) {
    this.#commits = commits;
    this.#disk = disk;
  }

  async tree(commit: Commit): Promise<CommittedTree> {
    const cached = this.#trees.get(commit.id);
    if (cached) return cached;
    const tree = await this.#commits.tree(commit.id);
    this.#trees.set(commit.id, tree);
    return tree;
  }

  /**
   * False when the addresses of a commit are inconsistent: two for one holder, one that its claims
   * may not have, or an allocation file that cannot be read.
   */
  async isSound(commit: Commit): Promise<boolean> {
    const { pools, holders, table } = readDeclared(await this.tree(commit));
    if ((await this.#read(commit)).problems.length > 0) return false;
    if (!pools || !holders) return true;
    const frozen = allocate(pools, holders, table, { today: undefined });
    return frozen.ok || frozen.problems.every(({ code }) => code === 'STALE');
  }

  /** Returns the claims of a commit, with the defaults of these pools. */
  async claims(commit: Commit, pools: Pools): Promise<readonly Claim[]> {
    return readDeclared(await this.tree(commit), pools).claims;
  }

  /** Returns the table of the side that gets new addresses where needed. */
  async otherTable({ other }: MergeWay): Promise<AllocationTable> {
    return (await this.#read(other)).table;
  }

  /** Returns the table of the upstream commit, which is live. */
  floorTable({ floor }: MergeWay): Promise<AllocationTable> {
    return this.#whole(floor);
  }

  /** Returns the merged table. */
  async mergedTable(
    way: MergeWay,
    { pools, holders }: Workspace,
    today: Day,
  ): Promise<AllocationTable> {
    const base = way.base ? (await this.#read(way.base)).table : new Map();
    const sides = { kept: await this.#whole(way.kept), other: await this.otherTable(way), base };
    const merged = mergeTables(sides, pools, holders, today);
    const floor = await this.floorTable(way);
    return mergeTables({ kept: floor, other: merged, base: floor }, pools, holders, today);
  }

  /** Returns the paths of all allocation files and manifests of HEAD and of the merged commits. */
  async writtenPaths(head: Commit, way: MergeWay): Promise<ReadonlySet<string>> {
    const commits = [head, way.kept, way.floor, way.other, way.base];
    const paths = new Set<string>();
    for (const commit of commits) {
      if (!commit) continue;
      const tree = await this.tree(commit);
      for (const folder of [allocationsFolder, distFolder]) {
        for (const { path } of tree.list(folder)) paths.add(path);
      }
    }
    return paths;
  }

  async #whole(commit: Commit): Promise<AllocationTable> {
    const { table, problems } = await this.#read(commit);
    const [first] = problems;
    if (!first) return table;
    throw new EnvironmentError(
      `commit ${commit.id.slice(0, 12)}, which keeps its addresses, has an unreadable allocation file, ${placeText(first.at)} (${first.code}); name an older commit with --onto`,
    );
  }

  async #read(commit: Commit | undefined): Promise<Records> {
    const cached = this.#records.get(commit?.id ?? '');
    if (cached) return cached;
    const records = readRecords(commit ? await this.tree(commit) : this.#disk);
    this.#records.set(commit?.id ?? '', records);
    return records;
  }
}

/** The inputs of {@link resolvedTree}. */
export interface ResolvedFrom {
  /** The working tree, with the declarations. */
  readonly disk: SourceTree;
  readonly table: AllocationTable;
  /** The tree with the live manifests. */
  readonly live: SourceTree;
}

/** Returns the tree for synth: declarations of the working tree, merged records, live manifests. */
export function resolvedTree({ disk, table, live }: ResolvedFrom): SourceTree {
  const texts = recordTexts(table);
  const records = [...texts].map(([path, text]): TreeEntry => {
    return { path, kind: 'file', size: Buffer.byteLength(text, 'utf8') };
  });
  return {
    list(folder) {
      if (folder === allocationsFolder) return records;
      if (folder === leasesFolder) return [...declarationEntries(disk), ...records];
      return folder === distFolder ? manifestEntries(live) : disk.list(folder);
    },
    read(path) {
      const text = texts.get(path);
      if (text !== undefined) return Buffer.from(text, 'utf8');
      return path.startsWith(`${distFolder}/`) ? live.read(path) : disk.read(path);
    },
  };
}

/** The hand-written files below `leases/`. */
function declarationEntries(tree: SourceTree): TreeEntry[] {
  const entries = tree.list(leasesFolder);
  return entries.filter(({ path }) => !path.startsWith(`${allocationsFolder}/`));
}

/** The manifests of a tree, without files of other tools. */
function manifestEntries(tree: SourceTree): TreeEntry[] {
  return tree.list(distFolder).filter(({ path, kind }) => kind === 'file' && isManifestPath(path));
}

/** Returns the changes of the disk for a run over the {@link resolvedTree}. */
export function diskChanges(disk: SourceTree, live: SourceTree, run: PlannedRun): TreeChanges {
  const wanted = new Map(recordTexts(run.table));
  const removed = new Set(run.files.removes);
  for (const { path } of manifestEntries(live)) {
    if (!removed.has(path)) wanted.set(path, textIn(live, path));
  }
  for (const [path, text] of run.files.writes) wanted.set(path, text);
  const entries = [allocationsFolder, distFolder].flatMap((folder) => disk.list(folder));
  return changesTo(wanted, disk, entries);
}

/**
 * Problems for files among the allocation files that leasehold did not write and must not remove:
 * they are not allocations, and no commit has them (`known` paths).
 */
export function strayRecords(disk: SourceTree, known: ReadonlySet<string>): readonly Problem[] {
  const { allocations, problems } = classifyLeaseFiles(disk.list(allocationsFolder));
  const reading = new TreeReader(disk);
  const unread = allocations.filter(({ path }) => !known.has(path));
  return [
    ...problems,
    ...unread.flatMap((entry) => {
      const allocation = reading.read(entry, (bytes) => readAllocation(entry.path, bytes));
      return allocation.ok ? [] : allocation.problems;
    }),
  ];
}

/** Returns the history without allocation files, which may be missing in a merge. Asks git once. */
export function declarationHistory(history: History): History {
  const answers = new Map<string, ReturnType<History['tracked']>>();
  return {
    ...history,
    async tracked(folders) {
      const answer = answers.get(folders.join('\n')) ?? history.tracked(folders);
      answers.set(folders.join('\n'), answer);
      return (await answer)?.filter((path) => !path.startsWith(`${allocationsFolder}/`));
    },
  };
}
