import type { Move } from '../../allocate/move.ts';
import { heldCount, isHeld, recordsByHolder } from '../../model/allocation.ts';
import { wantsFamily } from '../../model/claim.ts';
import type { Day } from '../../model/day.ts';
import { fail, type Outcome, ok } from '../../model/problem.ts';
import { compareAddresses, formatAddress } from '../../net/address.ts';
import type { SourceTree, TargetTree } from '../../ports/tree.ts';
import type { History } from '../../ports/work-tree.ts';
import { allocationPath } from '../../records/allocation-file.ts';
import { formerHolder } from '../../records/succession.ts';
import { type PlannedRun, planRun, type RunOptions } from '../synth/planned-run.ts';
import { massRelease, stageRemoval } from '../synth/synth.ts';
import { cutClaim, type MoveAnswer, type MovedAddress } from './operation-answer.ts';

/** The run of a move, and its answer. */
export interface MovedRun {
  readonly run: PlannedRun;
  readonly answer: MoveAnswer;
}

/** Options of a run that moves holders. */
export interface MovingOptions extends Pick<RunOptions, 'base'> {
  readonly today: Day;
}

/**
 * Gives holders other addresses and synthesizes, atomically. Problems: those of {@link planMoves}.
 */
export async function moveHolders(
  tree: SourceTree & TargetTree,
  history: History,
  moves: readonly Move[],
  options: MovingOptions,
): Promise<Outcome<MovedRun>> {
  const planned = await planMoves(tree, history, moves, options);
  if (!planned.ok) return planned;
  const { files } = planned.value.run;
  await tree.commit(files);
  await stageRemoval(history, files);
  return planned;
}

/**
 * A run that gives holders other addresses, without writing. Releases other than those of the old addresses
 * are subject to MASS_RELEASE, as in `leasehold synth`.
 */
export async function planMoves(
  tree: SourceTree,
  history: History,
  moves: readonly Move[],
  { today, base }: MovingOptions,
): Promise<Outcome<MovedRun>> {
  const planned = await planRun(tree, history, today, { moves, base });
  if (!planned.ok) return planned;
  const run = planned.value;
  const answer = answerOf(run, moves, today);
  const left = new Set(answer.moved.map(({ from }) => from));
  const released = run.changes.filter(
    ({ kind, address }) => kind === 'released' && !left.has(formatAddress(address)),
  );
  const refused = massRelease(
    {
      held: heldCount(run.workspace.table),
      files: released.map(({ address }) => allocationPath(address)),
      allowed: [],
    },
    (count) => `leasehold synth --allow-release ${count}, before the move`,
  );
  return refused ? fail([refused]) : ok({ run, answer });
}

/** The old and new addresses of the moved holders. An old address that the target never had leaves no record. */
function answerOf(
  { workspace, table }: PlannedRun,
  moves: readonly Move[],
  today: Day,
): MoveAnswer {
  const claims = new Map(workspace.holders.map((holder) => [holder.id, holder.claims]));
  const held = recordsByHolder(workspace.table, isHeld);
  const now = recordsByHolder(table, isHeld);
  const moved = moves
    .flatMap(({ holder }) => {
      const own = claims.get(holder) ?? [];
      // Recorded for the holder, or for a Service alone that has joined it.
      const names = new Set([holder, ...own.flatMap((claim) => formerHolder(claim) ?? [])]);
      const old = [...names].flatMap((name) => held.get(name) ?? []);
      return old.flatMap(({ address: key }): (MovedAddress & { readonly key: typeof key })[] => {
        const record = now.get(holder)?.find(({ address }) => address.family === key.family);
        if (!record || compareAddresses(record.address, key) === 0) return [];
        const cut = own.filter((claim) => wantsFamily(claim, key.family));
        const from = formatAddress(key);
        const to = formatAddress(record.address);
        const freeFrom = table.get(from)?.released?.freeFrom ?? today;
        return [{ key, holder, from, to, pool: record.pool, freeFrom, claims: cut.map(cutClaim) }];
      });
    })
    .sort((left, right) => compareAddresses(left.key, right.key))
    .map(({ key: _, ...address }) => address);
  return { apiVersion: 'leasehold.dev/v1', kind: 'Move', moved, edited: [] };
}
