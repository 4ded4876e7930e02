import type { Move } from '../../allocate/move.ts';
import {
  withOtherEndpointPin,
  withOtherServicePins,
  withReservationPins,
} from '../../declarations/declaration-edits.ts';
import { type AllocationTable, isHeld, recordsByHolder } from '../../model/allocation.ts';
import { type Claim, isLeaseClaim } from '../../model/claim.ts';
import { sortedKeys } from '../../model/order.ts';
import { type Outcome, ok } from '../../model/problem.ts';
import { type Address, compareAddresses, formatAddress } from '../../net/address.ts';
import type { SourceTree, TargetTree } from '../../ports/tree.ts';
import type { History } from '../../ports/work-tree.ts';
import { changedTree } from '../../workspace/changed-tree.ts';
import { leaseOf } from '../../workspace/lease-edits.ts';
import { textIn } from '../../workspace/tree-reader.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { planRun } from '../synth/planned-run.ts';
import { stageRemoval } from '../synth/synth.ts';
import type { EditedRun } from './edited-run.ts';
import { type MovedRun, type MovingOptions, moveHolders, planMoves } from './move-holders.ts';

/** The run of a move with the pins that it rewrote. */
type RepinnedRun = MovedRun & EditedRun;

/**
 * Moves holders like {@link moveHolders}, and writes the new addresses into the declarations that
 * pin the old ones, atomically. PIN_MOVED for a pin of a third address.
 */
export async function moveWithPins(
  tree: SourceTree & TargetTree,
  history: History,
  { moves, workspace }: { readonly moves: readonly Move[]; readonly workspace: Workspace },
  options: MovingOptions,
): Promise<Outcome<RepinnedRun>> {
  const pinned = pinnedClaims(moves, workspace);
  if (pinned.length === 0) {
    const moved = await moveHolders(tree, history, moves, options);
    return moved.ok ? ok({ ...moved.value, files: moved.value.run.files }) : moved;
  }
  const leaving = moves.map((move) => ({ ...move, leavesPins: true }));
  // Only the addresses of this run count, so the base of the branch does not matter.
  const trial = await planRun(tree, history, options.today, { moves: leaving });
  if (!trial.ok) return trial;
  const held = recordsByHolder(trial.value.table, isHeld);
  const news = (holder: string): readonly Address[] =>
    (held.get(holder) ?? []).map(({ address }) => address);
  const edited = changedTree(tree);
  await edited.commit({ writes: textsWith(tree, pinned, workspace, news), removes: [] });
  const settled = moves.map((move) => ({
    ...move,
    to: news(move.holder).filter(({ family }) => move.families.includes(family)),
  }));
  const { writes } = edited.changes();
  const planned = await planMoves(edited, history, settled, options);
  if (!planned.ok) return planned;
  await edited.commit(planned.value.run.files);
  const files = edited.changes();
  await tree.commit(files);
  await stageRemoval(history, files);
  const answer = { ...planned.value.answer, edited: sortedKeys(writes) };
  return ok({ ...planned.value, answer, files });
}

/** The claims that pin an address which their holder leaves. */
function pinnedClaims(moves: readonly Move[], { holders, table }: Workspace): readonly Claim[] {
  const left = leftAddresses(moves, table);
  return holders
    .flatMap(({ claims }) => claims)
    .filter(({ pins }) => pins.some(({ address }) => left.has(formatAddress(address))));
}

function leftAddresses(moves: readonly Move[], table: AllocationTable): ReadonlySet<string> {
  const held = recordsByHolder(table, isHeld);
  return new Set(
    moves.flatMap(({ holder, families }) =>
      (held.get(holder) ?? [])
        .filter(({ address }) => families.includes(address.family))
        .map(({ address }) => formatAddress(address)),
    ),
  );
}

/** The declarations of the claims with the new addresses of their holders in place of their pins. */
function textsWith(
  tree: SourceTree,
  claims: readonly Claim[],
  workspace: Workspace,
  news: (holder: string) => readonly Address[],
): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const claim of claims) {
    const own = claim.pins.map(
      ({ address: old }) => news(claim.holder).find(({ family }) => family === old.family) ?? old,
    );
    const pins = [...own].sort(compareAddresses);
    const file = isLeaseClaim(claim) ? leaseOf(workspace, claim).at.file : claim.declared.at.file;
    const before = texts.get(file) ?? textIn(tree, file);
    texts.set(file, withPins(before, claim, pins, workspace));
  }
  return texts;
}

function withPins(
  text: string,
  claim: Claim,
  pins: readonly Address[],
  workspace: Workspace,
): string {
  if (!isLeaseClaim(claim)) {
    return claim.declared.kind === 'Service'
      ? withOtherServicePins(text, pins)
      : withReservationPins(text, pins);
  }
  const [pin] = pins;
  const index = leaseOf(workspace, claim).endpoints.findIndex(({ at }) => at === claim.at);
  return pin ? withOtherEndpointPin(text, index, pin) : text;
}
