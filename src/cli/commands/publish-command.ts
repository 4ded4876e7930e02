import { resolve } from 'node:path';
import { type Published, publishable, publishCluster } from '../../features/bots/publish.ts';
import { isBranchName } from '../../model/branch-name.ts';
import { plain } from '../../text/print/plain.ts';
import { assertReady, remoteBranch } from '../../world/git/git-remote-branch.ts';
import { openRepository } from '../../world/git/git-repository.ts';
import { clock, random } from '../../world/machine.ts';
import { waitTeller } from '../branch-options.ts';
import type { CommandLine, CommonOptions } from '../command-line.ts';
import { reportProblems, UsageError } from '../failure.ts';
import { exit, type World } from '../world.ts';

interface PublishOptions extends CommonOptions {
  readonly branch: string;
  readonly source: string;
  readonly remote: string;
}

/** What stands for the cluster's name in `--branch`. */
const placeholder = '{cluster}';

/** `leasehold publish`. */
export function addPublishCommand({ world, command, take }: CommandLine): void {
  command('publish', "put each cluster's manifests on a branch of their own; push what changed")
    .requiredOption('--branch <pattern>', 'such as deploy/{cluster}')
    .option('--source <ref>', 'the commit whose manifests are published', 'HEAD')
    .option('--remote <name>', 'the remote to push to', 'origin')
    .action((_, self) => take(runPublish(world, self.optsWithGlobals())));
}

async function runPublish(world: World, options: PublishOptions): Promise<number> {
  const root = resolve(world.cwd, options.directory);
  const branchOf = (cluster: string): string => options.branch.replaceAll(placeholder, cluster);
  assertBranch(branchOf('cluster'));
  const clone = { root, remote: options.remote, environment: world.env };
  await assertReady(clone);
  const commits = openRepository(root).commits;
  const source = await commits.resolve(options.source);
  const clusters = await publishable(commits, source);
  if (!clusters.ok) return reportProblems(world, clusters.problems);
  if (clusters.value.length > 1 && !options.branch.includes(placeholder)) {
    throw new UsageError(`there is more than one cluster: write ${placeholder} into --branch`);
  }
  const branchFor = (cluster: string) => remoteBranch(clone, branchOf(cluster));
  const desk = { waiting: clock, chance: random, reportWait: waitTeller(world) };
  const publishing = { ...desk, commits, branchFor };
  let status: number = exit.fine;
  for (const cluster of clusters.value) {
    const published = await publishCluster(publishing, source, cluster);
    if (published.commit !== undefined) world.out(`${branchOf(cluster)} ${published.commit}\n`);
    world.err(`${plain(publishedText(published, source.id))}\n`);
    if (published.result === 'refused') status = exit.problems;
  }
  return status;
}

function assertBranch(name: string): void {
  if (isBranchName(name)) return;
  throw new UsageError('--branch is not a name that git allows for a branch');
}

function publishedText({ branch, result, reason }: Published, source: string): string {
  switch (result) {
    case 'pushed':
      return `${branch} has the manifests of ${source.slice(0, 12)}`;
    case 'unchanged':
      return `${branch} has these manifests already; nothing to push`;
    case 'refused':
      return `${branch} is left alone: ${reason}`;
  }
}
