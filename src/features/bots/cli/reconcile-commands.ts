import { Option } from '@commander-js/extra-typings';
import { dataText, valuesOption } from '../../../core/cli/answer.ts';
import { type CliContext, exit, isData, workingRoot } from '../../../core/cli/cli-context.ts';
import { reportProblems, UsageError } from '../../../core/cli/failure.ts';
import { command } from '../../../core/cli/feature.ts';
import { timeValue } from '../../../core/cli/option-values.ts';
import { isBranchName } from '../../../core/model/repository-address.ts';
import { sanitize } from '../../../core/text/print/escape.ts';
import { paintOf, problemsText } from '../../../core/text/print/problems-text.ts';
import { sourceLines } from '../../../core/tree/source-line.ts';
import { openRepository } from '../../../core/world/git/git-repository.ts';
import { clock, random, stopSignal } from '../../../core/world/machine.ts';
import {
  branchContext,
  branchOption,
  remoteOption,
  waitReporter,
} from '../../../lib/branch/cli/branch-options.ts';
import { assertReady, remoteBranch } from '../../../lib/branch/world/git-remote-branch.ts';
import type { Publication, PublishedBranch } from '../bot-answer.ts';
import { publishedNote, publishedText, pushedText } from '../bot-text.ts';
import { publishable, publishCluster } from '../publish.ts';
import { type ReconcileEvent, reconcile, reconcileOnce } from '../reconcile.ts';

/** `leasehold reconcile`. */
export const reconcileCommand = command(
  (bare) =>
    bare
      .addOption(branchOption())
      .addOption(remoteOption())
      .addOption(
        new Option('--interval <time>', 'the time between two polls, such as 30s or 5m')
          .default(30_000, '30s')
          .argParser(timeValue),
      )
      .option('--once', 'poll once', false),
  async (context, options) => {
    const bot = await branchContext(context, options, undefined);
    const report = (event: ReconcileEvent): void => {
      context.err(eventText(context, event, bot.branch.name));
    };
    if (options.once) {
      const { isBroken } = await reconcileOnce(bot, report);
      return isBroken ? exit.problems : exit.fine;
    }
    const stop = stopSignal();
    try {
      await reconcile(bot, { interval: options.interval, isStopped: stop.isStopped, report });
      return exit.fine;
    } finally {
      stop.close();
    }
  },
);

function eventText(context: CliContext, event: ReconcileEvent, branch: string): string {
  switch (event.kind) {
    case 'current':
      return `${sanitize(`${branch} is at ${short(event.head)}: all files up to date`)}\n`;
    case 'pushed':
      return pushedText(event.head, branch, event.changes);
    case 'rewritten':
      return `${sanitize(`${branch} was rewritten: ${short(event.head)} does not come from ${short(event.from)}`)}\n`;
    case 'broken':
      return `${sanitize(`${branch} at ${short(event.head)} has problems; nothing is pushed until they are fixed`)}\n${problemsText(event.problems, paintOf(context.color))}`;
    case 'failed':
      return `${sanitize(`${event.reason}; trying again`)}\n`;
    case 'recovered':
      return `${sanitize(`${branch} is reachable again`)}\n`;
  }
}

function short(commit: string): string {
  return commit.slice(0, 12);
}

/** The placeholder of the cluster's name in `--branch`. */
const placeholder = '{cluster}';

/** `leasehold publish`. */
export const publishCommand = command(
  (bare) =>
    bare
      .requiredOption('--branch <pattern>', 'such as deploy/{cluster}')
      .option('--source <ref>', 'the commit whose manifests are published', 'HEAD')
      .option('--remote <name>', 'the remote to push to', 'origin')
      .addOption(valuesOption('branches')),
  async (context, options) => {
    const root = workingRoot(context, options);
    const branchOf = (cluster: string): string => options.branch.replaceAll(placeholder, cluster);
    assertBranch(branchOf('cluster'));
    const clone = { root, remote: options.remote, environment: context.env };
    await assertReady(clone);
    const commits = openRepository(root).commits;
    const source = await commits.resolve(options.source);
    const clusters = await publishable(commits, source);
    if (!clusters.ok) {
      const tree = await commits.tree(source.id);
      return reportProblems(context, clusters.problems, sourceLines(tree));
    }
    if (clusters.value.length > 1 && !options.branch.includes(placeholder)) {
      throw new UsageError(`there is more than one cluster: write ${placeholder} into --branch`);
    }
    const branchFor = (cluster: string) => remoteBranch(clone, branchOf(cluster));
    const waiting = { waiting: clock, chance: random, reportWait: waitReporter(context) };
    const publishing = { ...waiting, commits, branchFor };
    const about = { day: context.today(), commit: source.id, remote: options.remote };
    const branches: PublishedBranch[] = [];
    for (const cluster of clusters.value) {
      const published = await publishCluster(publishing, source, cluster);
      const branch = { cluster, branch: branchOf(cluster), ...published };
      branches.push(branch);
      // At once: a later branch may fail.
      if (!isData(options.output)) context.out(publishedText(branch));
      context.err(publishedNote(branch, about));
    }
    if (isData(options.output)) {
      const answer: Publication = {
        ...{ apiVersion: 'leasehold.dev/v1', kind: 'Publication', ...about },
        branches,
      };
      context.out(dataText(answer, options.output));
    }
    return branches.some(({ result }) => result === 'refused') ? exit.problems : exit.fine;
  },
);

function assertBranch(name: string): void {
  if (isBranchName(name)) return;
  throw new UsageError('--branch is not a name that git allows for a branch');
}
