import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommitContext } from '../features/bots/branch-commit.ts';
import type { BotContext } from '../features/bots/branch-run.ts';
import { isBranchName } from '../model/branch-name.ts';
import type { Day } from '../model/day.ts';
import { plain } from '../text/print/plain.ts';
import { assertReady, remoteBranch } from '../world/git/git-remote-branch.ts';
import { openRepository } from '../world/git/git-repository.ts';
import { clock, random } from '../world/machine.ts';
import type { CommonOptions } from './command-line.ts';
import type { World } from './world.ts';

/** Options of the commands that commit to a branch of a remote. */
export interface BranchOptions extends CommonOptions {
  readonly branch: string;
  readonly remote: string;
}

/** Adds `--branch` and `--remote` to a command. */
export function branchCommand(command: Command): Command {
  return command
    .addOption(
      new Option('--branch <name>', 'the branch to commit to')
        .default('main')
        .argParser(branchValue),
    )
    .option('--remote <name>', 'the remote that has it', 'origin');
}

/** What a bot works with, once it is sure that it can. */
export async function openDesk(
  world: World,
  { directory, branch, remote }: BranchOptions,
  today: Day | undefined,
): Promise<BotContext> {
  const root = resolve(world.cwd, directory);
  const clone = { root, remote, environment: world.env };
  await assertReady(clone);
  return {
    branch: remoteBranch(clone, branch),
    commits: openRepository(root).commits,
    waiting: clock,
    chance: random,
    reportWait: waitTeller(world),
    today: today === undefined ? world.today : () => today,
  };
}

/** Says on standard error why a branch is waited for. */
export function waitTeller(world: World): CommitContext['reportWait'] {
  return (line) => world.err(`${plain(line)}\n`);
}

/** Says how the checkout gets a commit that was pushed past it, when that is simple. */
export async function tellPull(world: World, desk: BotContext, commit: string): Promise<void> {
  if (!(await desk.branch.isBehind(commit)) || (await desk.commits.isDirty())) return;
  world.err('git pull brings it into this checkout\n');
}

/** A name that git allows for a branch. */
export function branchValue(text: string): string {
  if (isBranchName(text)) return text;
  throw new InvalidArgumentError('It is not a name that git allows for a branch.');
}
