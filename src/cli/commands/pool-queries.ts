import { Option } from '@commander-js/extra-typings';
import { type AddressMap, addressMap } from '../../features/ask/address-map.ts';
import { addressMapCsv, addressMapText } from '../../features/ask/address-map-text.ts';
import { ownerUsageCsv, ownerUsages, ownerUsageTable } from '../../features/ask/owner-usage.ts';
import { poolUsageCsv, poolUsages, poolUsageTable } from '../../features/ask/pool-usage.ts';
import { readWorkspaceSnapshot } from '../../features/ask/workspace-snapshot.ts';
import { paintOf } from '../../text/print/problems-text.ts';
import { answerOption, answerText } from '../answer.ts';
import { type CliContext, exit } from '../cli-context.ts';
import type { CommandLine, OptionsOf } from '../command-line.ts';
import { declaredPool } from '../declared-names.ts';
import { UsageError } from '../failure.ts';
import { todayOption } from '../option-values.ts';
import { openTree, reportTreeProblems } from '../with-tree.ts';

/** `leasehold pools`. */
export function addPoolsCommand(line: CommandLine): void {
  poolsCommand(line).action((pools, _, self) =>
    line.exitWith(runPools(line.context, pools, self.optsWithGlobals())),
  );
}

function poolsCommand({ command }: CommandLine) {
  return command
    .argument('[pool...]', 'only these pools')
    .option('--owners', 'what each owner has, and what its quota leaves', false)
    .addOption(todayOption())
    .addOption(answerOption());
}

async function runPools(
  context: CliContext,
  names: readonly string[],
  options: OptionsOf<typeof poolsCommand>,
): Promise<number> {
  const { owners, output, today = context.today() } = options;
  if (owners && names.length > 0) {
    throw new UsageError('--owners counts all pools together and takes no pool names');
  }
  const { tree, repository } = openTree(context, options);
  const known = await readWorkspaceSnapshot(tree, repository.history);
  if (!known.ok) return reportTreeProblems(context, repository, known.problems);
  if (owners) {
    const printers = { table: ownerUsageTable, csv: ownerUsageCsv };
    context.out(answerText(ownerUsages(known.value, today), output, printers));
    return exit.fine;
  }
  for (const name of names) declaredPool(known.value.pools, name);
  const all = poolUsages(known.value, today);
  const items = all.items.filter(({ pool }) => names.length === 0 || names.includes(pool));
  const terminal = context.terminal
    ? { paint: paintOf(!context.env.NO_COLOR), width: context.columns }
    : undefined;
  const table = (answer: typeof all) => poolUsageTable(answer, terminal);
  context.out(answerText({ ...all, items }, output, { table, csv: poolUsageCsv }));
  return exit.fine;
}

/** `leasehold map`. */
export function addMapCommand(line: CommandLine): void {
  mapCommand(line).action((pool, _, self) =>
    line.exitWith(runMap(line.context, pool, self.optsWithGlobals())),
  );
}

function mapCommand({ command }: CommandLine) {
  return command
    .argument('<pool>', 'the pool')
    .addOption(new Option('--family <family>', 'only this family').choices(['ipv4', 'ipv6']))
    .option('--ascii', 'draw with ASCII characters only', false)
    .addOption(todayOption())
    .addOption(answerOption());
}

async function runMap(
  context: CliContext,
  name: string,
  options: OptionsOf<typeof mapCommand>,
): Promise<number> {
  const { family, ascii, output, today = context.today() } = options;
  const { tree, repository } = openTree(context, options);
  const known = await readWorkspaceSnapshot(tree, repository.history);
  if (!known.ok) return reportTreeProblems(context, repository, known.problems);
  const { pools, table } = known.value;
  const map = addressMap(declaredPool(pools, name), table, { day: today, family });
  const paint = paintOf(context.terminal && !context.env.NO_COLOR);
  const style = { paint, ascii, width: context.columns };
  const drawn = (answer: AddressMap) => addressMapText(answer, style);
  context.out(answerText(map, output, { table: drawn, csv: addressMapCsv }));
  return exit.fine;
}
