import type { Move } from '../../core/allocate/move.ts';
import { PoolIndex } from '../../core/declarations/pools/pool-index.ts';
import type { SourceTree, TargetTree } from '../../core/interfaces/tree.ts';
import type { History } from '../../core/interfaces/work-tree.ts';
import {
  type Allocation,
  type AllocationTable,
  isHeld,
  recordsByHolder,
} from '../../core/model/allocation.ts';
import { type Claim, isLeaseClaim, wantsFamily } from '../../core/model/claim.ts';
import type { Day } from '../../core/model/day.ts';
import { sortedKeys } from '../../core/model/order.ts';
import { type Outcome, ok } from '../../core/model/problem.ts';
import { type Address, compareAddresses, formatAddress } from '../../core/net/address.ts';
import { rangeHas } from '../../core/net/range.ts';
import type { EditedRun } from '../../core/run/synth/edited-run.ts';
import { type PlannedRun, planRun } from '../../core/run/synth/planned-run.ts';
import { commitStaged, type SynthOptions } from '../../core/run/synth/synth.ts';
import { rebasedTable } from '../../core/transitions/rebase.ts';
import { type ChangedTree, changedTree } from '../../core/tree/changed-tree.ts';
import { textIn } from '../../core/tree/tree-reader.ts';
import type { Workspace } from '../../core/tree/workspace.ts';
import { leaseOf } from '../../core/tree/workspace.ts';
import {
  withOtherEndpointPin,
  withOtherServicePins,
  withReservationPins,
} from '../../lib/edit/declaration-edits.ts';
import { withheldOf } from '../../lib/list/list.ts';
import { cutClaim, type MoveAnswer, type MovedAddress } from './operation-answer.ts';

/** The run of a move with the pins that it rewrote, and its answer. */
interface MovedRun extends EditedRun {
  readonly answer: MoveAnswer;
}

/**
 * Gives holders other addresses and synthesizes, atomically. Declarations that pin the old
 * addresses get the new ones. Problems: those of {@link planMoves}; PIN_MOVED for a pin of a third
 * address.
 */
export async function moveWithPins(
  tree: SourceTree & TargetTree,
  history: History,
  asked: AskedMoves,
  options: SynthOptions,
): Promise<Outcome<MovedRun>> {
  const edited = changedTree(tree);
  const { workspace } = asked;
  const vacated = vacatedRecords(asked, begunTable(workspace, options));
  const moves = await rewritePins(edited, history, { ...asked, vacated }, options);
  if (!moves.ok) return moves;
  const { writes } = edited.changes();
  const run = await runOfMoves(edited, history, { ...asked, moves: moves.value }, options);
  if (!run.ok) return run;
  await edited.commit(run.value.files);
  const files = edited.changes();
  await commitStaged(tree, files, run.value);
  const answer = moveAnswer(run.value, { moves: moves.value, vacated }, options.today);
  return ok({ run: run.value, answer: { ...answer, edited: sortedKeys(writes) }, files });
}

/**
 * A run on the base can take back a move of the branch by itself, and refuses it as a move: the run
 * is made again without such moves.
 */
async function runOfMoves(
  tree: SourceTree,
  history: History,
  { moves, workspace }: AskedMoves,
  options: SynthOptions,
): Promise<Outcome<PlannedRun>> {
  const run = await planMoves(tree, history, moves, options);
  if (run.ok || !options.base || !run.problems.some(({ code }) => refusals.has(code))) return run;
  const { table } = options.base;
  const others = moves.filter((move) => !isTakenBack(move, table, workspace));
  return others.length < moves.length ? planMoves(tree, history, others, options) : run;
}

const refusals: ReadonlySet<string> = new Set(['MOVE_REFUSED', 'PIN_MOVED']);

/** True for a move to what the base has for the holder, when the branch has moved it away. */
function isTakenBack(move: Move, base: AllocationTable, workspace: Workspace): boolean {
  const has = (table: AllocationTable, address: Address): boolean => {
    const record = table.get(formatAddress(address));
    return record !== undefined && isHeld(record) && record.holder === move.holder;
  };
  const targets = targetsOf(move, workspace);
  return (
    targets.length > 0 &&
    targets.every((address) => has(base, address) && !has(workspace.table, address))
  );
}

/** The addresses that a move goes to: without any, those that its holder pins. */
function targetsOf({ holder: id, families, to }: Move, { holders }: Workspace): readonly Address[] {
  if (to.length > 0) return to;
  const pins = holders.find((holder) => holder.id === id)?.pins ?? [];
  return pins.flatMap(({ address }) => (families.includes(address.family) ? [address] : []));
}

/**
 * A run that gives holders other addresses, without writing. Releases other than those of the old
 * addresses are subject to MASS_RELEASE, as in `leasehold synth`.
 */
export async function planMoves(
  tree: SourceTree,
  history: History,
  moves: readonly Move[],
  { today, releases = {}, base, progress }: SynthOptions,
): Promise<Outcome<PlannedRun>> {
  return planRun(tree, history, today, { moves, base, progress, releases });
}

/**
 * The old and new addresses of the moved holders. An old address that the target branch never had
 * leaves no record.
 */
function moveAnswer(
  { workspace, table }: PlannedRun,
  { moves, vacated }: Pick<LeavingMoves, 'moves' | 'vacated'>,
  today: Day,
): MoveAnswer {
  const holders = new Map(workspace.holders.map((holder) => [holder.id, holder]));
  const now = recordsByHolder(table, isHeld);
  const index = new PoolIndex(workspace.pools);
  const moved = moves
    .flatMap(({ holder }) => {
      const { claims: own = [], formerly = [] } = holders.get(holder) ?? {};
      const names = new Set([holder, ...formerly.map(({ id }) => id)]);
      const old = [...names].flatMap((name) => vacated.get(name) ?? []);
      return old.flatMap(({ address: key }): (MovedAddress & { readonly key: typeof key })[] => {
        const record = now.get(holder)?.find(({ address }) => address.family === key.family);
        if (!record || compareAddresses(record.address, key) === 0) return [];
        const cut = own.filter((claim) => wantsFamily(claim, key.family));
        const from = formatAddress(key);
        const to = formatAddress(record.address);
        const freeFrom = table.get(from)?.released?.freeFrom ?? today;
        const withheld = withheldOf(index, [{ address: key }]);
        const claims = cut.map(cutClaim);
        return [{ key, holder, from, to, pool: record.pool, freeFrom, ...withheld, claims }];
      });
    })
    .sort((left, right) => compareAddresses(left.key, right.key))
    .map(({ key: _, ...address }) => address);
  return {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Move',
    day: today,
    moved,
    hostnames: [],
    edited: [],
  };
}

/** The moves that were asked for, and the workspace before them. */
interface AskedMoves {
  readonly moves: readonly Move[];
  readonly workspace: Workspace;
}

interface LeavingMoves extends AskedMoves {
  /** See {@link vacatedRecords}. */
  readonly vacated: ReadonlyMap<string, readonly Allocation[]>;
}

/**
 * Returns the records that each holder may leave: those that it has when the run starts, and those
 * that only the branch has, in the ranges of the move.
 */
function vacatedRecords(
  { moves, workspace }: AskedMoves,
  begun: AllocationTable,
): LeavingMoves['vacated'] {
  const outOf = new Map(moves.map((move) => [move.holder, move.outOf ?? []]));
  const own = [...workspace.table].filter(
    ([text, { holder, address }]) =>
      !begun.has(text) && outOf.get(holder)?.some((range) => rangeHas(range, address)),
  );
  return recordsByHolder(new Map([...begun, ...own]), isHeld);
}

/**
 * Returns the records that a run starts from. With a base, these are the records of the base: after
 * the revert of a move, the holder still has the address that it has there.
 */
export function begunTable(
  { pools, holders, table }: Workspace,
  { base, today }: Pick<SynthOptions, 'base' | 'today'>,
): AllocationTable {
  return base ? rebasedTable(base, pools, { holders, table }, today) : table;
}

/**
 * Writes the new addresses of holders over the pins of their old ones. Returns the moves, to these
 * addresses when there are pins.
 */
async function rewritePins(
  tree: ChangedTree,
  history: History,
  { moves, workspace, vacated }: LeavingMoves,
  { today, base }: SynthOptions,
): Promise<Outcome<readonly Move[]>> {
  const pinned = pinnedClaims(moves, workspace, vacated);
  if (pinned.length === 0) return ok(moves);
  const leaving = moves.map((move) => ({ ...move, leavesPins: true }));
  const onBase = base && (await planRun(tree, history, today, { moves: leaving, base }));
  // The base can take back a move of the branch, and refuses it as a move: see {@link runOfMoves}.
  const trial = onBase?.ok ? onBase : await planRun(tree, history, today, { moves: leaving });
  if (!trial.ok) return trial;
  const held = recordsByHolder(trial.value.table, isHeld);
  const news = (holder: string): readonly Address[] =>
    (held.get(holder) ?? []).map(({ address }) => address);
  await tree.commit({ writes: textsWith(tree, pinned, workspace, news), removes: [] });
  const settled = moves.map((move) => ({
    ...move,
    to: news(move.holder).filter(({ family }) => move.families.includes(family)),
  }));
  return ok(settled);
}

/** The claims that pin an address which their holder leaves. */
function pinnedClaims(
  moves: readonly Move[],
  { holders }: Workspace,
  vacated: LeavingMoves['vacated'],
): readonly Claim[] {
  const addresses = new Set(
    moves.flatMap(({ holder, families }) =>
      (vacated.get(holder) ?? [])
        .filter(({ address }) => families.includes(address.family))
        .map(({ address }) => formatAddress(address)),
    ),
  );
  return holders
    .flatMap(({ claims }) => claims)
    .filter(({ pins }) => pins.some(({ address }) => addresses.has(formatAddress(address))));
}

/** The declarations of the claims, with pins of the new addresses of their holders. */
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
