import { isHeld } from '../../../model/allocation.ts';
import { allocationsFolder } from '../../../model/folders.ts';
import type { CommitLog } from '../../../ports/commit-log.ts';
import type { PartedBranches } from '../../../ports/parted-branches.ts';
import { readAllocation } from '../../../records/allocation-file.ts';

/** The way of first parents that leads to a commit: what took effect there, one after the other. */
export interface TargetWay {
  readonly target: string;
  /** How many steps before the target a commit of the way is; 0 for the target. */
  readonly steps: ReadonlyMap<string, number>;
}

/** The way to a commit. */
export async function wayTo(branches: PartedBranches, target: string): Promise<TargetWay> {
  const commits = await branches.firstParents({ base: undefined, head: target });
  return { target, steps: new Map(commits.map((id, index) => [id, index])) };
}

/** True when the holder got the address of a path on the target after a commit of it. */
export type GivenSince = (base: string, path: string, holder: string) => boolean;

/** What the target gave since each of some commits that it has, in one walk from the first of them. */
export async function givenSince(
  { log, branches }: { readonly log: CommitLog; readonly branches: PartedBranches },
  { target, steps }: TargetWay,
  bases: readonly string[],
): Promise<GivenSince> {
  const after = new Map<string, number>();
  for (const base of new Set(bases)) {
    // A commit of a branch that was merged is not on the way itself.
    const own = steps.get(base) ?? (await branches.firstParents({ base, head: target })).length;
    after.set(base, own);
  }
  const most = [...after.values()].reduce((left, right) => Math.max(left, right), 0);
  const start = [...steps.keys()][most];
  const files = await log.folderVersions({ base: start, head: target }, allocationsFolder);
  const last = new Map<string, number>();
  for (const [path, versions] of files) {
    for (const { commit, content } of versions) {
      const record = content && readAllocation(path, content);
      const step = steps.get(commit.id);
      if (!record?.ok || !isHeld(record.value) || step === undefined) continue;
      last.set(`${path} ${record.value.holder}`, step);
    }
  }
  return (base, path, holder) => (last.get(`${path} ${holder}`) ?? most) < (after.get(base) ?? 0);
}
