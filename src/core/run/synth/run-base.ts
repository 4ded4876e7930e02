import type { Commit, Commits, CommittedTree } from '../../interfaces/commits.ts';
import type { SourceTree } from '../../interfaces/tree.ts';
import { type AllocationTable, isHeld, type Tenure } from '../../model/allocation.ts';
import { type Day, earlierDay } from '../../model/day.ts';
import type { Former, Holder } from '../../model/holder.ts';
import { startOf } from '../../model/problem.ts';
import { distFolder, leasesFolder, recordFolders } from '../../model/repository-paths.ts';
import { formatAddress } from '../../net/address.ts';
import type { HostnameBase } from '../../transitions/hostnames.ts';
import type { Landings } from '../../transitions/landings.ts';
import { revertedMoves } from '../../transitions/moves.ts';
import type { Base } from '../../transitions/rebase.ts';
import { hostnameHolders, withRenamesTakenBack } from '../../transitions/renames.ts';
import { readRecords, readRenames } from '../../tree/declared.ts';
import { textIn } from '../../tree/tree-reader.ts';
import type { Workspace } from '../../tree/workspace.ts';
import type { LiveRecords } from './live-changes.ts';

/** The merge base that a run on a branch starts from. */
export interface RunBase extends Base {
  readonly commit: Commit;
  readonly hostnames: HostnameBase;
  readonly landings: Landings;
  /** See {@link LiveRecords}. */
  readonly restored?: LiveRecords['restored'];
  /** The same with the lawful records of a red commit; undefined if it is not red. */
  lawful?(): Promise<RunBase | undefined>;
  /** Reads `dist/` of the commit. */
  manifests(): Promise<CommittedTree>;
  /** Reads the whole tree of the commit. */
  tree(): Promise<SourceTree>;
}

/** The commits that decide the base of a run on a branch. */
interface RunRefs {
  /** The newest commit of the branch that this one is to be merged into. */
  readonly target: Commit;
  /** HEAD, and the commits that are being merged into it. */
  readonly heads: readonly string[];
}

/**
 * Returns the merge base of the target and the next commit. Undefined when there is not exactly
 * one, or when its records cannot be read: what the target never had is then unknown.
 */
export async function runBase(
  commits: Commits,
  { target, heads }: RunRefs,
  today: Day,
): Promise<RunBase | undefined> {
  const [commit, ...others] = await commits.mergeBases(target.id, ...heads);
  if (commit === undefined || others.length > 0) return undefined;
  const own = readRecords(await commits.tree(commit.id, recordFolders));
  if (own.problems.length > 0) return undefined;
  const targetDay = earlierDay(target.day, today);
  return {
    commit,
    table: own.table,
    target: targetDay,
    hostnames: { table: own.hostnameTable, target: targetDay },
    landings: (days) => commits.landings(target.id, days),
    manifests: () => commits.tree(commit.id, [distFolder]),
    tree: () => commits.tree(commit.id),
  };
}

/** A caution for each move of the base that a branch reverts: the holder keeps what the base has. */
export function unmovedCautions(
  before: AllocationTable,
  base: Pick<RunBase, 'table'> | undefined,
): readonly string[] {
  if (!base) return [];
  return revertedMoves(base.table, before).map(({ kept: { holder, address }, former }) => {
    const [text, to] = [address, former.address].map(formatAddress);
    return `a revert moves no address: ${holder} keeps ${text}; to move it back, run \`leasehold move ${text} --to ${to}\``;
  });
}

/** Returns the workspace with the renames that count on a base: see the two functions below. */
export async function withRenamesOn(
  base: RunBase | undefined,
  workspace: Workspace,
  tree: SourceTree,
): Promise<Workspace> {
  if (!base) return workspace;
  const current = await withoutOldRenames(workspace, tree, base);
  return isReplaced(current, base)
    ? withRenamesTakenBack(current, readRenames(await base.tree()))
    : current;
}

/** True when a holder of the base is no longer declared, and a declared one is new. */
function isReplaced({ holders, hostnames }: Workspace, base: RunBase): boolean {
  const replaced = (table: ReadonlyMap<string, Tenure>, ids: readonly string[]): boolean => {
    const held = new Set([...table.values()].filter(isHeld).map(({ holder }) => holder));
    const declared = new Set(ids);
    return [...declared].some((id) => !held.has(id)) && [...held].some((id) => !declared.has(id));
  };
  const ids = holders.map(({ id }) => id);
  return (
    replaced(base.table, ids) || replaced(base.hostnames.table, hostnameHolders({ hostnames }))
  );
}

/**
 * Returns the workspace without old renames. A rename is old when the base has the same file and
 * holds no address under either of its names: the new holder was renamed again, or has ended.
 */
async function withoutOldRenames(
  workspace: Workspace,
  tree: SourceTree,
  base: RunBase,
): Promise<Workspace> {
  const held = new Set([...base.table.values()].filter(isHeld).map(({ holder }) => holder));
  const isVoid = (holder: Holder, { id, renamedAt }: Former): boolean =>
    renamedAt !== undefined && !held.has(id) && !held.has(holder.id);
  const { holders } = workspace;
  if (!holders.some((holder) => holder.formerly.some((former) => isVoid(holder, former)))) {
    return workspace;
  }
  const before = await base.tree();
  const paths = new Set(before.list(leasesFolder).map(({ path }) => path));
  const isOld = ({ renamedAt: { file } = startOf('') }: Former): boolean =>
    paths.has(file) && textIn(before, file) === textIn(tree, file);
  const kept = holders.map((holder) => {
    const formerly = holder.formerly.filter((one) => !isVoid(holder, one) || !isOld(one));
    return { ...holder, formerly };
  });
  return { ...workspace, holders: kept };
}
