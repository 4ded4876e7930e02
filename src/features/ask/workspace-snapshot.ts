import type { AllocationTable } from '../../model/allocation.ts';
import { type Claim, compareClaims } from '../../model/claim.ts';
import { groupBy } from '../../model/order.ts';
import type { Pools } from '../../model/pools.ts';
import { fail, type Outcome, ok, type Problem } from '../../model/problem.ts';
import { allocationsFolder, leasesFolder, poolsPath } from '../../model/repository-paths.ts';
import type { SourceTree } from '../../ports/tree.ts';
import type { History } from '../../ports/work-tree.ts';
import { readDeclared } from '../../workspace/declared.ts';
import { readWorkspace } from '../../workspace/workspace.ts';

/** The pools, records and claims of one state of a tree: the input of every query. */
export interface WorkspaceSnapshot {
  readonly pools: Pools;
  readonly table: AllocationTable;
  /** By holder id. The claims of a holder are in the order of {@link compareClaims}. */
  readonly claims: ReadonlyMap<string, readonly Claim[]>;
  /** Problems of declarations. Claims of those files may be missing. */
  readonly problems: readonly Problem[];
}

/**
 * Reads `leases/`. An invalid declaration does not fail the read: its problems are part of the
 * snapshot. An invalid pool file or allocation file does, because an address in use could appear
 * free.
 */
export async function readWorkspaceSnapshot(
  tree: SourceTree,
  history: History,
): Promise<Outcome<WorkspaceSnapshot>> {
  const workspace = await readWorkspace(tree, history);
  if (workspace.ok) {
    const { pools, table, holders } = workspace.value;
    const claims = new Map(holders.map((holder) => [holder.id, holder.claims]));
    return ok({ pools, table, claims, problems: [] });
  }
  const { problems } = workspace;
  const { pools, table, claims } = readDeclared(tree);
  if (!pools || problems.some(hidesAddresses)) return fail(problems);
  return ok({ pools, table, claims: byHolder(claims), problems });
}

function hidesAddresses({ at: { file } }: Problem): boolean {
  return file === poolsPath || file === leasesFolder || file.startsWith(`${allocationsFolder}/`);
}

function byHolder(claims: readonly Claim[]): ReadonlyMap<string, readonly Claim[]> {
  const groups = groupBy([...claims].sort(compareClaims), ({ holder }) => holder);
  return groups;
}
