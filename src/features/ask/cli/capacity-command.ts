import { Option } from '@commander-js/extra-typings';
import { answerOption, answerText } from '../../../core/cli/answer.ts';
import { type CliContext, capacityExit, exit } from '../../../core/cli/cli-context.ts';
import type { NewCommand, OptionsOf } from '../../../core/cli/command-line.ts';
import { declaredCluster, declaredZone, knownOwner } from '../../../core/cli/declared-names.ts';
import { command } from '../../../core/cli/feature.ts';
import {
  clusterOption,
  countValue,
  labelsValue,
  ownerValue,
  timeValue,
  todayOption,
} from '../../../core/cli/option-values.ts';
import { openTree, reportTreeProblems } from '../../../core/cli/with-tree.ts';
import { ifAvailable } from '../../../core/model/calls.ts';
import type { Day } from '../../../core/model/day.ts';
import { ipFamilies } from '../../../core/model/lease.ts';
import { isInWorkTree } from '../../../core/world/git/git.ts';
import type { Repository } from '../../../core/world/git/git-repository.ts';
import {
  type CapacityRevision,
  capacityOf,
  nothingPending,
} from '../../../lib/forecast/capacity.ts';
import {
  type Capacity,
  capacityCsv,
  capacityNotes,
  capacityTable,
} from '../../../lib/forecast/capacity-answer.ts';
import { pendingRefsOption } from '../../../lib/forecast/cli/pending-option.ts';
import { pendingPorts } from '../../../lib/forecast/cli/pending-ports.ts';
import { type Pending, pendingOf } from '../../../lib/forecast/pending.ts';
import {
  readWorkspaceSnapshot,
  type WorkspaceSnapshot,
} from '../../../lib/list/workspace-snapshot.ts';

/** `leasehold capacity`. */
export const capacityCommand = command(capacityOptions, runCapacity);

function capacityOptions(bare: NewCommand) {
  return bare
    .addOption(clusterOption('only for this cluster'))
    .option('--zone <name>', 'only in this zone; may be repeated', labelsValue, [])
    .addOption(new Option('--family <family>', 'only this family').choices(ipFamilies))
    .option('--owner <owner>', 'at most what the quota of this owner leaves', ownerValue)
    .addOption(pendingRefsOption('subtract what open branches hold'))
    .option('--pending-days <days>', 'leave out branches older than this', countValue, 30)
    .addOption(
      new Option('--pending-timeout <time>', 'for the remote, and again for reading its branches')
        .argParser(timeValue)
        .default(60_000, '60s'),
    )
    .option('--remote <name>', 'the remote that has the branches', 'origin')
    .option(
      '--at-least <count>',
      'exit with status 3 where fewer may be promised, or 4 when a branch could not be counted',
      countValue,
    )
    .addOption(todayOption())
    .addOption(answerOption());
}

type CapacityOptions = OptionsOf<typeof capacityOptions>;

async function runCapacity(context: CliContext, options: CapacityOptions): Promise<number> {
  const { tree, repository } = openTree(context, options);
  const outcome = await readWorkspaceSnapshot(tree, repository.history);
  if (!outcome.ok) return reportTreeProblems(context, repository, outcome.problems);
  const known = outcome.value;
  assertDeclared(known, options);
  const { today: day = context.today() } = options;
  const pending = await pendingIn(context, repository, options, day);
  const { cluster, zone: zones, family } = options;
  const holders = [...known.table.values()].map(({ holder }) => holder);
  const owner = options.owner && knownOwner(options.owner, [...holders, ...known.claims.keys()]);
  const state = await stateOf(repository);
  const question = { day, cluster, zones, family, owner, state };
  const capacity = capacityOf(known, question, pending);
  if (known.problems.length > 0) {
    context.err(
      'declarations have problems, so waiting holders may be missing; run `leasehold check`\n',
    );
  }
  context.err(capacityNotes(capacity));
  const printers = { table: capacityTable, csv: capacityCsv };
  context.out(answerText(context, capacity, options.output, printers));
  return statusOf(context, capacity, options);
}

function assertDeclared({ pools }: WorkspaceSnapshot, { cluster, zone }: CapacityOptions): void {
  if (cluster !== undefined) declaredCluster(pools, cluster);
  for (const name of zone) declaredZone(pools, name);
}

async function pendingIn(
  context: CliContext,
  repository: Repository,
  options: CapacityOptions,
  day: Day,
): Promise<Pending> {
  const { pendingRefs: patterns, pendingDays: days, pendingTimeout: timeout, remote } = options;
  if (patterns.length === 0) return nothingPending;
  const ports = pendingPorts({ repository, remote, timeout }, context.env);
  const pending = await pendingOf(ports, { patterns, target: 'HEAD', day, days });
  if (pending.isNone) context.err(`${remote} has no ref that matches ${patterns.join(', ')}\n`);
  return pending;
}

/** Undefined for a folder outside of a repository, or in a repository without commits. */
async function stateOf({ root, commits }: Repository): Promise<CapacityRevision | undefined> {
  if (!isInWorkTree(root)) return undefined;
  return ifAvailable(async () => {
    const { id } = await commits.resolve('HEAD');
    return { commit: id, isUncommitted: await commits.isDirty() };
  });
}

/** Dual-stack pairs count only with `--family dual`: a zone may have no pairs. */
function statusOf(
  context: CliContext,
  { items, complete }: Capacity,
  { atLeast, family }: Pick<CapacityOptions, 'atLeast' | 'family'>,
): number {
  if (atLeast === undefined) return exit.fine;
  const judged = items.filter((item) => item.family !== 'dual' || family === 'dual');
  const low = judged.filter(({ promisable }) => BigInt(promisable) < BigInt(atLeast));
  for (const { cluster, zone, family: short, promisable } of low) {
    context.err(
      `${cluster} ${zone} ${short}: ${promisable} may be promised, fewer than ${atLeast}\n`,
    );
  }
  if (low.length > 0 || judged.length === 0) return capacityExit.short;
  if (complete) return exit.fine;
  context.err('open branches may take more than is counted\n');
  return capacityExit.unknown;
}
