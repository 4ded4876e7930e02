import { allocationPath } from '../codec/allocation-file.ts';
import type { Day } from '../model/day.ts';
import { type Outcome, type Problem, startOf } from '../model/problem.ts';
import { heldCount, type PlannedRun, planRun } from './planned-run.ts';
import type { History } from './ports/history.ts';
import type { SourceTree, TargetTree } from './ports/tree.ts';

/** What a writing run is told. */
export interface SynthOptions {
  readonly today: Day;
  /** The exact number of releases that is meant, when it is more than the guard lets through. */
  readonly allowRelease: number | undefined;
}

/** Allocates, renders and writes what differs: all of it, or nothing. */
export async function synth(
  tree: SourceTree & TargetTree,
  history: History,
  options: SynthOptions,
): Promise<Outcome<PlannedRun>> {
  const plan = await planRun(tree, history, options.today);
  if (!plan.ok) return plan;
  const refused = massRelease(plan.value, options.allowRelease);
  if (refused) return { ok: false, problems: [refused] };
  await tree.commit(plan.value.files);
  return plan;
}

/** How many addresses a run may release without being told to: 10 % of the held ones, at least 3. */
function releaseLimit(held: number): number {
  return Math.max(3, Math.floor(held / 10));
}

function massRelease(plan: PlannedRun, allowed: number | undefined): Problem | undefined {
  const released = plan.changes.filter((change) => change.kind === 'released');
  const [first] = released;
  const held = heldCount(plan.workspace.table);
  if (!first || released.length <= releaseLimit(held) || released.length === allowed) {
    return undefined;
  }
  return {
    code: 'MASS_RELEASE',
    message: `the run would release ${released.length} of ${held} held addresses, this one first`,
    at: startOf(allocationPath(first.address)),
    hint: `if it is meant: leasehold synth --allow-release ${released.length}`,
  };
}
