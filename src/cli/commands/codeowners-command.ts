import { resolve } from 'node:path';
import { codeownersOf, withCodeowners } from '../../features/delivery/codeowners.ts';
import { plain } from '../../text/print/plain.ts';
import { openForReading } from '../../world/disk/disk-tree.ts';
import { readNamedFile, replaceFile } from '../../world/disk/named-file.ts';
import { openRepository } from '../../world/git/git-repository.ts';
import type { CommandLine, CommonOptions } from '../command-line.ts';
import { reportProblems } from '../failure.ts';
import { reportTreeProblems } from '../tree-problems.ts';
import { exit, type World } from '../world.ts';

/** `leasehold codeowners`. */
export function addCodeownersCommand({ world, command, take }: CommandLine): void {
  command('codeowners', 'print the lines of CODEOWNERS that say what leases/policy.yaml says')
    .option('--write <file>', 'put them into this file instead, and leave all else in it alone')
    .action((_, self) => take(runCodeowners(world, self.optsWithGlobals())));
}

async function runCodeowners(
  world: World,
  options: CommonOptions & { readonly write?: string },
): Promise<number> {
  const root = resolve(world.cwd, options.directory);
  const lines = codeownersOf(openForReading(root), await openRepository(root).folder());
  if (!lines.ok) return reportTreeProblems(world, root, lines.problems);
  if (options.write === undefined) {
    world.out(lines.value);
    return exit.fine;
  }
  const path = resolve(world.cwd, options.write);
  const bytes = readNamedFile(path);
  // Byte by byte, whatever encoding the rest of the file is in: our own lines are ASCII.
  const text = Buffer.from(bytes ?? []).toString('latin1');
  const written = withCodeowners(options.write, text, lines.value);
  if (!written.ok) return reportProblems(world, written.problems);
  const isSame = bytes !== undefined && written.value === text;
  if (!isSame) replaceFile(path, Buffer.from(written.value, 'latin1'));
  world.err(`${plain(options.write)} ${isSame ? 'is up to date' : 'is written'}\n`);
  return exit.fine;
}
