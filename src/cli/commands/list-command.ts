import { resolve } from 'node:path';
import { allChartValues, chartValuesYaml } from '../../features/ask/chart-values.ts';
import { listCsv, listHolders, listJson, listTable, listYaml } from '../../features/ask/list.ts';
import type { List } from '../../features/ask/list-answer.ts';
import { plain } from '../../text/print/plain.ts';
import { openForReading } from '../../world/disk/disk-tree.ts';
import { openRepository } from '../../world/git/git-repository.ts';
import type { CommonOptions } from '../command-line.ts';
import { UsageError } from '../failure.ts';
import { reportTreeProblems } from '../tree-problems.ts';
import { exit, type World } from '../world.ts';

const listPrinters: Readonly<Record<string, (list: List, width?: number) => string>> = {
  table: listTable,
  json: (list) => listJson(list),
  yaml: (list) => listYaml(list),
  csv: (list) => listCsv(list),
};

/** What `-o` of `leasehold list` takes; `values` is for charts. */
export const listFormats: readonly string[] = [...Object.keys(listPrinters), 'values'];

interface ListOptions extends CommonOptions {
  readonly output: string;
}

/** `leasehold list`. */
export async function runList(
  world: World,
  what: string | undefined,
  options: ListOptions,
): Promise<number> {
  if (options.output === 'values') return runValues(world, what, options);
  if (what !== undefined) {
    throw new UsageError('list takes a name only with -o values; leasehold who answers for one');
  }
  const root = resolve(world.cwd, options.directory);
  const outcome = await listHolders(openForReading(root), openRepository(root).history);
  if (!outcome.ok) return reportTreeProblems(world, root, outcome.problems);
  const { list, waiting } = outcome.value;
  const print = listPrinters[options.output] ?? listTable;
  world.out(print(list, world.columns));
  if (waiting > 0) {
    const who = waiting === 1 ? 'holder has' : 'holders have';
    world.err(`${waiting} ${who} no address yet; run leasehold synth\n`);
  }
  return exit.fine;
}

/** `leasehold list -o values`: fails when what was asked for has no address. */
async function runValues(
  world: World,
  what: string | undefined,
  options: ListOptions,
): Promise<number> {
  const root = resolve(world.cwd, options.directory);
  const outcome = await allChartValues(openForReading(root), openRepository(root).history, what);
  if (!outcome.ok) return reportTreeProblems(world, root, outcome.problems);
  const { values, waiting } = outcome.value;
  for (const name of waiting) {
    world.err(`the Reservation ${plain(name)} has no address yet; run leasehold synth\n`);
  }
  if (what !== undefined && values.length === 0) {
    if (waiting.length === 0)
      world.err(`no Reservation has the name or the holder ${plain(what)}\n`);
    return exit.problems;
  }
  world.out(chartValuesYaml(values));
  return exit.fine;
}
