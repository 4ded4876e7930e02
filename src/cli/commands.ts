import { resolve } from 'node:path';
import { check } from '../app/check.ts';
import { listHolders } from '../app/list.ts';
import { heldCount, type PlannedRun } from '../app/planned-run.ts';
import { pruneReleased } from '../app/prune.ts';
import { synth } from '../app/synth.ts';
import { listYaml } from '../codec/list-yaml.ts';
import { openForReading, openForWriting } from '../io/disk-tree.ts';
import { gitHistory } from '../io/git-history.ts';
import type { Day } from '../model/day.ts';
import type { List } from '../model/list.ts';
import { changesText } from '../report/changes-text.ts';
import { codesText, explainText } from '../report/explain-text.ts';
import { listCsv, listJson, listTable } from '../report/list-text.ts';
import { paintOf } from '../report/paint.ts';
import { reportProblems, UsageError } from './failure.ts';
import { exit, type World } from './world.ts';

/** Options of every command. */
export interface CommonOptions {
  /** `-C`: the repository's folder, relative to the current one. */
  readonly directory: string;
}

/** Options of the commands that write. */
export interface WritingOptions extends CommonOptions {
  readonly today: Day | undefined;
}

/** `leasehold synth`. */
export async function runSynth(
  world: World,
  options: WritingOptions & {
    readonly frozen: boolean;
    readonly allowRelease: number | undefined;
  },
): Promise<number> {
  if (options.frozen) return runCheck(world, options);
  const root = resolve(world.cwd, options.directory);
  const tree = await openForWriting(root);
  try {
    const today = options.today ?? world.today();
    const outcome = await synth(tree, gitHistory(root), {
      today,
      allowRelease: options.allowRelease,
    });
    if (!outcome.ok) return reportProblems(world, outcome.problems);
    world.err(planText(world, outcome.value));
    return exit.fine;
  } finally {
    tree.close();
  }
}

/** `leasehold check`, and `synth --frozen`: uses no date, writes nothing. */
export async function runCheck(world: World, options: CommonOptions): Promise<number> {
  const root = resolve(world.cwd, options.directory);
  const outcome = await check(openForReading(root), gitHistory(root));
  if (!outcome.ok) return reportProblems(world, outcome.problems);
  world.err(planText(world, outcome.value));
  return exit.fine;
}

/** `leasehold prune`. */
export async function runPrune(world: World, options: WritingOptions): Promise<number> {
  const root = resolve(world.cwd, options.directory);
  const tree = await openForWriting(root);
  try {
    const outcome = await pruneReleased(tree, gitHistory(root), options.today ?? world.today());
    if (!outcome.ok) return reportProblems(world, outcome.problems);
    const { changes, held } = outcome.value;
    const summary = { changes, held, written: 0, removed: changes.length };
    world.err(changesText(summary, paintOf(world.color)));
    return exit.fine;
  } finally {
    tree.close();
  }
}

const listPrinters: Readonly<Record<string, (list: List) => string>> = {
  table: listTable,
  json: listJson,
  yaml: listYaml,
  csv: listCsv,
};

/** The formats of `leasehold list -o`. */
export const listFormats = Object.keys(listPrinters);

/** `leasehold list`. */
export async function runList(
  world: World,
  options: CommonOptions & { readonly output: string },
): Promise<number> {
  const root = resolve(world.cwd, options.directory);
  const outcome = await listHolders(openForReading(root), gitHistory(root));
  if (!outcome.ok) return reportProblems(world, outcome.problems);
  const { list, waiting } = outcome.value;
  const print = listPrinters[options.output] ?? listTable;
  world.out(print(list));
  if (waiting > 0) {
    const who = waiting === 1 ? 'holder has' : 'holders have';
    world.err(`${waiting} ${who} no address yet; run leasehold synth\n`);
  }
  return exit.fine;
}

/** `leasehold explain`. */
export function runExplain(world: World, code: string | undefined): number {
  const text = code === undefined ? codesText() : explainText(code.toUpperCase());
  if (text === undefined) {
    throw new UsageError(`there is no code ${code}; leasehold explain lists them all`);
  }
  world.out(text);
  return exit.fine;
}

function planText(world: World, plan: PlannedRun): string {
  const { writes, removes } = plan.files;
  const counts = { written: writes.size, removed: removes.length };
  const summary = { changes: plan.changes, held: heldCount(plan.table), ...counts };
  return changesText(summary, paintOf(world.color));
}
