import type { AllocationTable } from '../../model/allocation.ts';
import { type Claim, compareClaims } from '../../model/claim.ts';
import { allocationsFolder, leasesFolder, poolsPath } from '../../model/folders.ts';
import type { Pools } from '../../model/pools.ts';
import type { Outcome, Problem } from '../../model/problem.ts';
import type { History } from '../../ports/history.ts';
import type { SourceTree } from '../../ports/tree.ts';
import { readDeclared } from '../../workspace/declared.ts';
import { readWorkspace } from '../../workspace/workspace.ts';

/** What a question about addresses is answered from. */
export interface Known {
  readonly pools: Pools;
  readonly table: AllocationTable;
  /** By holder, each holder's in the order of {@link compareClaims}. */
  readonly claims: ReadonlyMap<string, readonly Claim[]>;
  /** What is wrong with declarations: claims may be missing. */
  readonly problems: readonly Problem[];
}

/**
 * Reads `leases/` for an answer. A declaration that is not sound keeps nobody from asking who has an
 * address; a pool file or an allocation file that is not does, since an address would seem free.
 */
export async function readKnown(tree: SourceTree, history: History): Promise<Outcome<Known>> {
  const workspace = await readWorkspace(tree, history);
  if (workspace.ok) {
    const { pools, table, holders } = workspace.value;
    const claims = new Map(holders.map((holder) => [holder.id, holder.claims]));
    return { ok: true, value: { pools, table, claims, problems: [] } };
  }
  const { problems } = workspace;
  const { pools, table, claims } = readDeclared(tree);
  if (!pools || problems.some(hidesAddresses)) return { ok: false, problems };
  return { ok: true, value: { pools, table, claims: byHolder(claims), problems } };
}

function hidesAddresses({ at: { file } }: Problem): boolean {
  return file === poolsPath || file === leasesFolder || file.startsWith(`${allocationsFolder}/`);
}

function byHolder(claims: readonly Claim[]): ReadonlyMap<string, readonly Claim[]> {
  const groups = new Map<string, Claim[]>();
  for (const claim of [...claims].sort(compareClaims)) {
    const group = groups.get(claim.holder);
    if (group) group.push(claim);
    else groups.set(claim.holder, [claim]);
  }
  return groups;
}
