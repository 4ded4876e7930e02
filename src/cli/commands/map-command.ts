import { resolve } from 'node:path';
import { Option } from 'commander';
import { type AddressMap, addressMap } from '../../features/ask/address-map.ts';
import { addressMapCsv, addressMapText } from '../../features/ask/address-map-text.ts';
import { readWorkspaceSnapshot } from '../../features/ask/workspace-snapshot.ts';
import type { Day } from '../../model/day.ts';
import type { Family } from '../../net/address.ts';
import { paintOf } from '../../text/print/paint.ts';
import { openForReading } from '../../world/disk/disk-tree.ts';
import { openRepository } from '../../world/git/git-repository.ts';
import { answerOption, answerText } from '../answer.ts';
import type { CommandLine, CommonOptions } from '../command-line.ts';
import { UsageError } from '../failure.ts';
import { todayOption } from '../option-values.ts';
import { reportTreeProblems } from '../tree-problems.ts';
import { exit, type World } from '../world.ts';

interface MapOptions extends CommonOptions {
  readonly family?: Family;
  readonly ascii: boolean;
  readonly today: Day | undefined;
  readonly output: string;
}

/** `leasehold map`. */
export function addMapCommand({ world, command, take }: CommandLine): void {
  command('map', 'show a pool as blocks: held, retained, reserved, free')
    .argument('<pool>', 'the pool')
    .addOption(new Option('--family <family>', 'only of this family').choices(['ipv4', 'ipv6']))
    .option('--ascii', 'draw with letters and signs that every terminal has', false)
    .addOption(todayOption())
    .addOption(answerOption())
    .action((pool: string, _, self) => take(runMap(world, pool, self.optsWithGlobals())));
}

async function runMap(world: World, name: string, options: MapOptions): Promise<number> {
  const root = resolve(world.cwd, options.directory);
  const known = await readWorkspaceSnapshot(openForReading(root), openRepository(root).history);
  if (!known.ok) return reportTreeProblems(world, root, known.problems);
  const { pools, table } = known.value;
  const pool = pools.pools.find((one) => one.name === name);
  if (pool === undefined) {
    const declared = pools.pools.map((one) => one.name).join(', ');
    throw new UsageError(`leases/pools.yaml declares no pool ${name}; it declares ${declared}`);
  }
  const day = options.today ?? world.today();
  const map = addressMap(pool, table, { day, family: options.family });
  const paint = paintOf(world.terminal && !world.env.NO_COLOR);
  const style = { paint, ascii: options.ascii, width: world.columns };
  const drawn = (answer: AddressMap) => addressMapText(answer, style);
  world.out(answerText(map, options.output, { table: drawn, csv: addressMapCsv }));
  return exit.fine;
}
