import { Option } from '@commander-js/extra-typings';
import { type CliContext, workingRoot } from '../../../core/cli/cli-context.ts';
import type { GlobalOptions } from '../../../core/cli/command-line.ts';
import { branchValue } from '../../../core/cli/option-values.ts';
import type { Day } from '../../../core/model/day.ts';
import { sanitize } from '../../../core/text/print/escape.ts';
import { openRepository } from '../../../core/world/git/git-repository.ts';
import { clock, random } from '../../../core/world/machine.ts';
import type { CommitContext } from '../branch-commit.ts';
import type { BotContext } from '../branch-run.ts';
import { assertReady, remoteBranch } from '../world/git-remote-branch.ts';

/** `--branch` of a command that commits to a branch of a remote. */
export function branchOption() {
  return new Option('--branch <name>', 'the branch to commit to')
    .default('main')
    .argParser(branchValue);
}

/** `--remote` of such a command. */
export function remoteOption() {
  return new Option('--remote <name>', 'the remote that has it').default('origin');
}

/**
 * The ports of a bot that commits to a branch of a remote. An EnvironmentError when it cannot push.
 */
export async function branchContext(
  context: CliContext,
  options: GlobalOptions & { readonly branch: string; readonly remote: string },
  today: Day | undefined,
): Promise<BotContext> {
  const root = workingRoot(context, options);
  const clone = { root, remote: options.remote, environment: context.env };
  await assertReady(clone);
  return {
    branch: remoteBranch(clone, options.branch),
    commits: openRepository(root).commits,
    waiting: clock,
    chance: random,
    reportWait: waitReporter(context),
    today: today === undefined ? context.today : () => today,
  };
}

/** Reports on standard error why a bot waits for a branch. */
export function waitReporter(context: CliContext): CommitContext['reportWait'] {
  return (line) => context.err(`${sanitize(line)}\n`);
}

/** Notes that git pull gets the pushed commit, when the checkout can be fast-forwarded to it. */
export async function notePull(
  context: CliContext,
  bot: BotContext,
  commit: string,
): Promise<void> {
  if (!(await bot.branch.isBehind(commit)) || (await bot.commits.isDirty())) return;
  context.err('`git pull` brings it into this checkout\n');
}
