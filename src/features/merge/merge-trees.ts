import { allocate } from '../../allocate/allocate.ts';
import type { AllocationTable } from '../../model/allocation.ts';
import type { Day } from '../../model/day.ts';
import type { Pools } from '../../model/pools.ts';
import { EnvironmentError, placeText } from '../../model/problem.ts';
import { allocationsFolder, distFolder } from '../../model/repository-paths.ts';
import type { Commit, Commits, CommittedTree } from '../../ports/commits.ts';
import type { SourceTree } from '../../ports/tree.ts';
import { mergeTables } from '../../transitions/merge-tables.ts';
import { readDeclared, readRecords } from '../../workspace/declared.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { type MergedItem, mergedItems } from '../review/merged-items.ts';
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

  /** Returns the claims, promises and hostnames of a commit, with the defaults of these pools. */
  async items(commit: Commit, pools: Pools): Promise<readonly MergedItem[]> {
    return mergedItems(readDeclared(await this.tree(commit), pools));
  }

  /** Returns the table of the side that gets new addresses where needed. */
  async otherTable({ other }: MergeWay): Promise<AllocationTable> {
    return (await this.#read(other)).table;
  }

  /** Returns the table of the side that keeps its addresses. */
  keptTable({ kept }: MergeWay): Promise<AllocationTable> {
    return this.#whole(kept);
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
    const sides = { kept: await this.keptTable(way), other: await this.otherTable(way), base };
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
