import { claimText } from '../../model/claim.ts';
import type { Day } from '../../model/day.ts';
import type { Problem } from '../../model/problem.ts';
import type { Commit, Commits } from '../../ports/commits.ts';
import type { SourceTree } from '../../ports/tree.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { blendedClaims } from '../review/blended.ts';
import { mergeProblems } from '../review/merge-problems.ts';
import type { MergeTrees } from './merge-trees.ts';
import type { MergeWay } from './merge-ways.ts';

/** The merge whose result is looked at. */
export interface BlendingMerge {
  readonly head: Commit;
  /** The commits that a merge under way puts together; none when none is. */
  readonly sides: readonly Commit[];
  readonly way: MergeWay;
}

/**
 * MERGE_BLENDED for every claim of the working tree that neither side of the merge under way declares,
 * and for what the merges below it have blended since the commit that is live.
 */
export async function blendProblems(
  commits: Commits,
  trees: MergeTrees,
  { head, sides, way }: BlendingMerge,
  result: { readonly workspace: Workspace; readonly tree: SourceTree; readonly day: Day },
): Promise<readonly Problem[]> {
  const { pools, holders } = result.workspace;
  const claims = holders.flatMap((holder) => holder.claims);
  const before = await mergeProblems(
    commits,
    {
      base: way.floor,
      headTree: result.tree,
      between: await commits.between(way.floor.id, head.id),
      merged: [],
    },
    claims,
  );
  if (sides.length === 0) return before;
  const declared = [];
  for (const side of sides) declared.push(await trees.claims(side, pools));
  const now = blendedClaims(claims, declared).map((claim): Problem => {
    return {
      code: 'MERGE_BLENDED',
      message: `the merge has ${claimText(claim)} of ${claim.holder} as neither side declares it`,
      at: claim.at,
      hint: 'take the file from one side; or give the merge up, and merge again with -X find-renames=100%',
    };
  });
  return [...before, ...now];
}
