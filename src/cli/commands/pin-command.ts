import { resolve } from 'node:path';
import { Option } from 'commander';
import { namedHolders } from '../../features/operate/named-holders.ts';
import { pinText } from '../../features/operate/operation-text.ts';
import { pinHolders } from '../../features/operate/pin.ts';
import { plainJson } from '../../text/print/plain.ts';
import { readWorkspace } from '../../workspace/workspace.ts';
import { openForWriting } from '../../world/disk/disk-tree.ts';
import { openRepository } from '../../world/git/git-repository.ts';
import type { CommandLine, CommonOptions } from '../command-line.ts';
import { UsageError } from '../failure.ts';
import { reportTreeProblems } from '../tree-problems.ts';
import { exit, type World } from '../world.ts';

interface PinOptions extends CommonOptions {
  readonly output: 'text' | 'json';
}

/** `leasehold pin`. */
export function addPinCommand({ world, command, take }: CommandLine): void {
  command('pin', 'write the addresses that holders have into their declarations')
    .argument('<what...>', 'an address, a block, a holder, or a Service as namespace/name')
    .addOption(new Option('-o, --output <format>').choices(['text', 'json']).default('text'))
    .action((what: string[], _, self) => take(runPin(world, what, self.optsWithGlobals())));
}

async function runPin(world: World, what: readonly string[], options: PinOptions): Promise<number> {
  const root = resolve(world.cwd, options.directory);
  const tree = await openForWriting(root);
  try {
    const history = openRepository(root).history;
    const workspace = await readWorkspace(tree, history);
    if (!workspace.ok) return reportTreeProblems(world, root, workspace.problems);
    const named = namedHolders(what, workspace.value);
    if (!named.ok) throw new UsageError(named.reason);
    const outcome = await pinHolders(tree, history, named.holders, workspace.value);
    if (!outcome.ok) return reportTreeProblems(world, root, outcome.problems);
    world.out(options.output === 'json' ? plainJson(outcome.value) : pinText(outcome.value));
    return exit.fine;
  } finally {
    tree.close();
  }
}
