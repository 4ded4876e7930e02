import type { ImportedRun } from '../../features/import/import-pools.ts';
import { importText } from '../../features/import/import-text.ts';
import { plainJson } from '../../text/print/plain.ts';
import { runText } from '../commands/check-command.ts';
import { exit, type World } from '../world.ts';

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
