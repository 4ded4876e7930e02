import type { Move } from '../../allocate/move.ts';
import { formerHolder } from '../../allocate/successor.ts';
import { allocationPath } from '../../codec/allocation-file.ts';
import { isHeld } from '../../model/allocation.ts';
import { wantsFamily } from '../../model/claim.ts';
import type { Day } from '../../model/day.ts';
import type { MoveAnswer, MovedAddress } from '../../model/operation-answer.ts';
import type { Outcome } from '../../model/problem.ts';
import { compareAddresses, formatAddress } from '../../net/address.ts';
import type { History } from '../ports/history.ts';
import type { SourceTree, TargetTree } from '../ports/tree.ts';
import { massRelease } from '../synth/mass-release.ts';
import { heldCount, type PlannedRun, planRun } from '../synth/planned-run.ts';
import { cutClaim } from './cut-claim.ts';

/** What a moving run did, and what to answer. */
export interface MovedRun {
  readonly run: PlannedRun;
  readonly answer: MoveAnswer;
}

/**
 * Gives holders other addresses and synthesizes, in one run: all of it, or nothing. What the run
 * releases beside the addresses that are left stands under MASS_RELEASE, as in `leasehold synth`.
 */
export async function moveHolders(
  tree: SourceTree & TargetTree,
  history: History,
  moves: readonly Move[],
  today: Day,
): Promise<Outcome<MovedRun>> {
  const planned = await planRun(tree, history, today, moves);
  if (!planned.ok) return planned;
  const run = planned.value;
  const answer = answerOf(run, moves);
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
  if (refused) return { ok: false, problems: [refused] };
  await tree.commit(run.files);
  return { ok: true, value: { run, answer } };
}

function answerOf({ workspace, table }: PlannedRun, moves: readonly Move[]): MoveAnswer {
  const movers = new Set(moves.map(({ holder }) => holder));
  const claims = new Map(workspace.holders.map((holder) => [holder.id, holder.claims]));
  const moved = [...table.values()]
    .filter((record) => isHeld(record) && movers.has(record.holder) && record.movedFrom)
    .flatMap((record): (MovedAddress & { readonly key: typeof record.address })[] => {
      const { movedFrom: key, holder, address, pool } = record;
      const old = key && workspace.table.get(formatAddress(key));
      const freeFrom = key && table.get(formatAddress(key))?.released?.freeFrom;
      // A move of long ago: the holder did not have the old address before this run.
      const own = claims.get(holder) ?? [];
      // Recorded for the holder, or for a Service alone that has joined it.
      const names = new Set([holder, ...own.map(formerHolder)]);
      if (!key || !old || !isHeld(old) || !names.has(old.holder) || !freeFrom) return [];
      const cut = own.filter((claim) => wantsFamily(claim, key.family));
      const from = formatAddress(key);
      const to = formatAddress(address);
      return [{ key, holder, from, to, pool, freeFrom, claims: cut.map(cutClaim) }];
    })
    .sort((left, right) => compareAddresses(left.key, right.key))
    .map(({ key: _, ...address }) => address);
  return { apiVersion: 'leasehold.dev/v1', kind: 'Move', moved };
}
