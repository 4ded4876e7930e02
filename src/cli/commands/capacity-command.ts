import { resolve } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { isQuotaOwner } from '../../declarations/pools/pools-schema.ts';
import {
  type CapacityQuery,
  type CapacityRevision,
  capacityOf,
  nothingPending,
} from '../../features/ask/capacity/capacity.ts';
import {
  type Capacity,
  capacityCsv,
  capacityFamilies,
  capacityNotes,
  capacityTable,
} from '../../features/ask/capacity/capacity-answer.ts';
import { type Pending, pendingOf } from '../../features/ask/capacity/pending.ts';
import {
  readWorkspaceSnapshot,
  type WorkspaceSnapshot,
} from '../../features/ask/workspace-snapshot.ts';
import type { Day } from '../../model/day.ts';
import { EnvironmentError } from '../../model/problem.ts';
import { openForReading } from '../../world/disk/disk-tree.ts';
import { isInWorkTree } from '../../world/git/git.ts';
import { openRepository } from '../../world/git/git-repository.ts';
import { answerOption, answerText } from '../answer.ts';
import type { CommandLine, CommonOptions } from '../command-line.ts';
import { UsageError } from '../failure.ts';
import { countValue, labelValue, patternsValue, timeValue, todayOption } from '../option-values.ts';
import { pendingPorts } from '../serve/pending-ports.ts';
import { reportTreeProblems } from '../tree-problems.ts';
import { capacityExit, exit, type World } from '../world.ts';

interface CapacityOptions extends CommonOptions {
  readonly cluster?: string;
  readonly zone: readonly string[];
  readonly family?: CapacityQuery['family'];
  readonly owner?: string;
  readonly pendingRefs: readonly string[];
  readonly pendingDays: number;
  readonly pendingTimeout: number;
  readonly remote: string;
  readonly atLeast?: number;
  readonly today: Day | undefined;
  readonly output: string;
}

/** `leasehold capacity`. */
export function addCapacityCommand({ world, command, take }: CommandLine): void {
  command('capacity', 'say how many addresses may still be promised')
    .option('--cluster <name>', 'only for this cluster')
    .option('--zone <name>', 'only in this zone; may be repeated', zonesValue, [])
    .addOption(new Option('--family <family>', 'only of this family').choices(capacityFamilies))
    .option('--owner <owner>', 'no more than the quota of this owner leaves', ownerValue)
    .option(
      '--pending-refs <pattern>',
      "take off what open branches hold, such as 'refs/pull/*/head'; may be repeated",
      patternsValue,
      [],
    )
    .option('--pending-days <days>', 'leave out branches older than this', countValue, 30)
    .addOption(
      new Option('--pending-timeout <time>', 'for the remote, and again for reading what it gave')
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
    .addOption(answerOption())
    .action((_, self) => take(runCapacity(world, self.optsWithGlobals())));
}

function ownerValue(text: string): string {
  if (isQuotaOwner(text)) return text;
  throw new InvalidArgumentError('It is not an account akash1… or <cluster>/<namespace>.');
}

function zonesValue(text: string, before: readonly string[]): readonly string[] {
  return [...before, labelValue(text)];
}

async function runCapacity(world: World, options: CapacityOptions): Promise<number> {
  const root = resolve(world.cwd, options.directory);
  const outcome = await readWorkspaceSnapshot(openForReading(root), openRepository(root).history);
  if (!outcome.ok) return reportTreeProblems(world, root, outcome.problems);
  const known = outcome.value;
  assertDeclared(known, options);
  const day = options.today ?? world.today();
  const pending = await pendingIn(world, options, day);
  const { cluster, zone: zones, family, owner } = options;
  const state = await stateOf(root);
  const question = { day, cluster, zones, family, owner, state };
  const capacity = capacityOf(known, question, pending);
  if (known.problems.length > 0) {
    world.err('declarations have problems, so holders that wait may be missing; leasehold check\n');
  }
  world.err(capacityNotes(capacity));
  const printers = { table: capacityTable, csv: capacityCsv };
  world.out(answerText(capacity, options.output, printers));
  return statusOf(world, capacity, options);
}

function assertDeclared({ pools }: WorkspaceSnapshot, { cluster, zone }: CapacityOptions): void {
  const clusters = pools.clusters.map(({ name }) => name);
  if (cluster !== undefined && !clusters.includes(cluster)) {
    throw new UsageError(`there is no cluster ${cluster}; declared are ${clusters.join(', ')}`);
  }
  const zones = new Set(pools.pools.map((pool) => pool.zone));
  const unknown = zone.find((name) => !zones.has(name));
  if (unknown !== undefined) {
    throw new UsageError(`no pool is in zone ${unknown}; zones are ${[...zones].join(', ')}`);
  }
}

async function pendingIn(world: World, options: CapacityOptions, day: Day): Promise<Pending> {
  const { pendingRefs: patterns, pendingDays: days, pendingTimeout: timeout, remote } = options;
  if (patterns.length === 0) return nothingPending;
  const root = resolve(world.cwd, options.directory);
  const ports = pendingPorts({ root, remote, timeout }, world.env);
  const pending = await pendingOf(ports, { patterns, target: 'HEAD', day, days });
  if (pending.isNone) world.err(`${remote} has no ref that matches ${patterns.join(', ')}\n`);
  return pending;
}

/** Undefined for a folder that is in no repository, or in one without a commit. */
async function stateOf(root: string): Promise<CapacityRevision | undefined> {
  if (!isInWorkTree(root)) return undefined;
  const commits = openRepository(root).commits;
  try {
    const { id } = await commits.resolve('HEAD');
    return { commit: id, isUncommitted: await commits.isDirty() };
  } catch (error) {
    if (error instanceof EnvironmentError) return undefined;
    throw error;
  }
}

/** Pairs are judged only where they are asked for: a zone without them is no lack. */
function statusOf(
  world: World,
  { items, complete }: Capacity,
  { atLeast, family }: Pick<CapacityOptions, 'atLeast' | 'family'>,
): number {
  if (atLeast === undefined) return exit.fine;
  const judged = items.filter((item) => item.family !== 'dual' || family === 'dual');
  const low = judged.filter(({ promisable }) => BigInt(promisable) < BigInt(atLeast));
  for (const { cluster, zone, family: short, promisable } of low) {
    world.err(
      `${cluster} ${zone} ${short}: ${promisable} may be promised, fewer than ${atLeast}\n`,
    );
  }
  if (low.length > 0 || judged.length === 0) return capacityExit.short;
  if (complete) return exit.fine;
  world.err('open branches may take more than is counted\n');
  return capacityExit.unknown;
}
