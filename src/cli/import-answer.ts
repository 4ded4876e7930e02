import type { ImportedRun } from '../app/import/import-pools.ts';
import { importText } from '../report/import-text.ts';
import { plainJson } from '../report/plain.ts';
import { runText } from './check-command.ts';
import { exit, type World } from './world.ts';

/** Tells what an import took and what the run with it did, and gives the exit status. */
export function tellImport(
  world: World,
  { answer, run, files: written }: ImportedRun,
  output: string,
): number {
  world.out(output === 'json' ? plainJson(answer) : importText(answer));
  world.err(runText(world, { ...run, files: written }));
  return exit.fine;
}
