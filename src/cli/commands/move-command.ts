import { resolve } from 'node:path';
import { Option } from 'commander';
import type { Move } from '../../allocate/move.ts';
import { moveHolders } from '../../features/operate/move-holders.ts';
import { joinedTable, namedHolders } from '../../features/operate/named-holders.ts';
import { movesAskedText, moveText } from '../../features/operate/operation-text.ts';
import { unaskedMoves } from '../../features/review/unasked-moves.ts';
import { type AllocationTable, isHeld } from '../../model/allocation.ts';
import type { Holder } from '../../model/claim.ts';
import { type Address, type Family, formatAddress } from '../../net/address.ts';
import { plainJson } from '../../text/print/plain.ts';
import { readWorkspace, type Workspace } from '../../workspace/workspace.ts';
import { openForWriting } from '../../world/disk/disk-tree.ts';
import { openRepository } from '../../world/git/git-repository.ts';
import type { CommandLine, CommonOptions } from '../command-line.ts';
import { UsageError } from '../failure.ts';
import { addressesValue, dateAheadOption, todayOption } from '../option-values.ts';
import { type DayOptions, recordedDay } from '../recorded-day.ts';
import { addBaseOptions, type BaseOptions, baseOf } from '../run-base.ts';
import { reportTreeProblems } from '../tree-problems.ts';
import { exit, type World } from '../world.ts';
import { runText } from './check-command.ts';

/** `leasehold move`. */
export function addMoveCommand({ world, command, take }: CommandLine): void {
  addBaseOptions(command('move', 'give a holder another address: the only way an address changes'))
    .argument('<what...>', 'an address, a block, a holder, or a Service as namespace/name')
    .option(
      '--to <address>',
      'the new address; may be given once for each family',
      addressesValue,
      [],
    )
    .option('--pool <name>', 'the pool that the new address comes from')
    .addOption(new Option('--family <family>', 'only this one of two').choices(['ipv4', 'ipv6']))
    .addOption(todayOption())
    .addOption(dateAheadOption())
    .addOption(new Option('-o, --output <format>').choices(['text', 'json']).default('text'))
    .action((what: string[], _, self) => take(runMove(world, what, self.optsWithGlobals())));
}

interface MoveOptions extends CommonOptions, BaseOptions, DayOptions {
  readonly output: 'text' | 'json';
  readonly to: readonly Address[];
  readonly pool: string | undefined;
  readonly family: Family | undefined;
}

async function runMove(
  world: World,
  what: readonly string[],
  options: MoveOptions,
): Promise<number> {
  const root = resolve(world.cwd, options.directory);
  const tree = await openForWriting(root);
  try {
    const history = openRepository(root).history;
    const workspace = await readWorkspace(tree, history);
    if (!workspace.ok) return reportTreeProblems(world, root, workspace.problems);
    const moves = movesOf(what, options, workspace.value);
    const today = recordedDay(world, options);
    const base = await baseOf({ world, root, tree, today }, options);
    const outcome = await moveHolders(tree, history, moves, { today, base });
    if (!outcome.ok) return reportTreeProblems(world, root, outcome.problems);
    const { run, answer } = outcome.value;
    world.err(`${runText(world, run)}${askedText(workspace.value, run.table)}`);
    world.out(options.output === 'json' ? plainJson(answer) : moveText(answer));
    return exit.fine;
  } finally {
    tree.close();
  }
}

/** What else the pull request needs under the policy. */
function askedText(workspace: Workspace, table: AllocationTable): string {
  const { policy } = workspace;
  if (!policy) return '';
  const claims = workspace.holders.flatMap((holder) => holder.claims);
  const base = { ...workspace, claims };
  const moves = unaskedMoves({ policy, base, head: { ...base, table }, changedFiles: () => [] });
  return movesAskedText(moves);
}

function movesOf(what: readonly string[], options: MoveOptions, workspace: Workspace): Move[] {
  const { to, pool } = options;
  if (pool !== undefined && workspace.pools.pools.every(({ name }) => name !== pool)) {
    throw new UsageError(`leases/pools.yaml declares no pool ${pool}`);
  }
  const named = namedHolders(what, workspace);
  if (!named.ok) throw new UsageError(named.reason);
  if (to.length > 0 && named.holders.length > 1) {
    throw new UsageError('--to is for one holder: name one, or leave it out');
  }
  return named.holders.map((holder) => ({
    holder: holder.id,
    families: familiesToMove(holder, options, workspace),
    to,
    pool,
  }));
}

function familiesToMove(
  { id, families }: Holder,
  { family, to }: MoveOptions,
  workspace: Workspace,
): readonly Family[] {
  const held = [...joinedTable(workspace).values()].filter(
    (record) => record.holder === id && isHeld(record),
  );
  const moved = families.filter(
    (own) =>
      (family === undefined || own === family) &&
      held.some(({ address }) => address.family === own),
  );
  if (moved.length === 0) {
    throw new UsageError(`${id} has no such address yet; run leasehold synth`);
  }
  const stray = to.find((address) => !moved.includes(address.family));
  if (stray)
    throw new UsageError(`${id} has no ${stray.family} address to move to ${formatAddress(stray)}`);
  return moved;
}
