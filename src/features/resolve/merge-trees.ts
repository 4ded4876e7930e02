import { allocate } from '../../core/allocate/allocate.ts';
import { allocateHostnames } from '../../core/allocate/hostnames.ts';
import type { Commit, Commits, CommittedTree } from '../../core/interfaces/commits.ts';
import type { SourceTree } from '../../core/interfaces/tree.ts';
import type { AllocationTable } from '../../core/model/allocation.ts';
import { type Day, earlierDay } from '../../core/model/day.ts';
import type { HostnameTable } from '../../core/model/hostname.ts';
import type { Pools } from '../../core/model/pools.ts';
import { EnvironmentError, placeText } from '../../core/model/problem.ts';
import { distFolder, recordFolders } from '../../core/model/repository-paths.ts';
import { allocationPath } from '../../core/records/allocation-file.ts';
import { hostnamePath } from '../../core/records/hostname-file.ts';
import { type MergedItem, mergedItems } from '../../core/run/review/merged-items.ts';
import { type HostnameBase, mergeHostnames } from '../../core/transitions/hostnames.ts';
import { mergeTables } from '../../core/transitions/merge-tables.ts';
import { readDeclared, readRecords } from '../../core/tree/declared.ts';
import type { Workspace } from '../../core/tree/workspace.ts';
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
   * False when the records of a commit are inconsistent: two addresses for one holder, one that its
   * claims may not have, a hostname of two holders, or a record that cannot be read.
   */
  async isSound(commit: Commit): Promise<boolean> {
    const declared = readDeclared(await this.tree(commit));
    const { pools, holders, table, hostnames, hostnameTable, problems } = declared;
    if ((await this.#read(commit)).problems.length > 0) return false;
    if (problems.some(({ code }) => code === 'HOSTNAME_TAKEN')) return false;
    if (!pools || !holders) return true;
    const frozen = { today: undefined, ...pools.hostnames };
    const runs = [
      allocate(pools, holders, table, frozen),
      allocateHostnames(hostnames, hostnameTable, frozen),
    ];
    return runs.every((run) => run.ok || run.problems.every(({ code }) => code === 'STALE'));
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
  async keptTable(way: MergeWay): Promise<AllocationTable> {
    return (await this.#kept(way)).table;
  }

  /** Returns the table of the upstream commit, which is live. */
  async floorTable({ floor }: MergeWay): Promise<AllocationTable> {
    return (await this.#whole(floor)).table;
  }

  /** Returns the merged records of hostnames. */
  async mergedHostnames(way: MergeWay, today: Day): Promise<HostnameTable> {
    const { other, base } = way;
    const before = base ? (await this.#read(base)).hostnameTable : new Map();
    const sides = {
      kept: (await this.#kept(way)).hostnameTable,
      other: (await this.#read(other)).hostnameTable,
      base: before,
    };
    return mergeHostnames(sides, today);
  }

  /** The records of hostnames of the upstream commit, which a run starts from. */
  async hostnameBase({ floor }: MergeWay, today: Day): Promise<HostnameBase> {
    const { hostnameTable: table } = await this.#whole(floor);
    return { table, target: earlierDay(floor.day, today) };
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

  /** Returns the paths of all records and manifests of HEAD and of the merged commits. */
  async writtenPaths(head: Commit, way: MergeWay): Promise<ReadonlySet<string>> {
    const commits = [head, way.kept, way.floor, way.other, way.base];
    const paths = new Set<string>();
    for (const commit of commits) {
      if (!commit) continue;
      const tree = await this.tree(commit);
      for (const folder of [...recordFolders, distFolder]) {
        for (const { path } of tree.list(folder)) paths.add(path);
      }
    }
    return paths;
  }

  /**
   * The records of the side that keeps its addresses. One that cannot be read is as in the upstream
   * commit: a rebase can join two changes of a record into nonsense without a conflict.
   */
  async #kept({ kept, floor }: MergeWay): Promise<Records> {
    const { problems, ...own } = await this.#read(kept);
    if (kept.id === floor.id || problems.length === 0) return this.#whole(kept);
    const upstream = await this.#whole(floor);
    const unread = new Set(problems.map(({ at }) => at.file));
    const table = new Map(own.table);
    for (const [address, record] of upstream.table) {
      if (unread.delete(allocationPath(record.address))) table.set(address, record);
    }
    const hostnameTable = new Map(own.hostnameTable);
    for (const [name, record] of upstream.hostnameTable) {
      if (unread.delete(hostnamePath(name))) hostnameTable.set(name, record);
    }
    if (unread.size > 0) return this.#whole(kept);
    return { table, hostnameTable, problems: [] };
  }

  /** Throws when a record of the commit cannot be read. */
  async #whole(commit: Commit): Promise<Records> {
    const records = await this.#read(commit);
    const [first] = records.problems;
    if (!first) return records;
    throw new EnvironmentError(
      `commit ${commit.id.slice(0, 12)}, which keeps its addresses, has an unreadable record, ${placeText(first.at)} (${first.code}); name an older commit with --onto`,
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
