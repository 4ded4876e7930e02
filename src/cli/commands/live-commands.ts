import { resolve } from 'node:path';
import { desiredState } from '../../features/cluster/desired.ts';
import type { Verification } from '../../features/cluster/verification-answer.ts';
import {
  countsText,
  verificationJson,
  verificationTable,
} from '../../features/cluster/verification-text.ts';
import { verifyUntilOk } from '../../features/cluster/verify.ts';
import { check } from '../../features/synth/check.ts';
import { EnvironmentError } from '../../model/problem.ts';
import { plain } from '../../text/print/plain.ts';
import { openForReading } from '../../world/disk/disk-tree.ts';
import { openRepository } from '../../world/git/git-repository.ts';
import { kubernetesCluster } from '../../world/kubernetes/kubernetes.ts';
import { clock } from '../../world/machine.ts';
import type { CommandLine } from '../command-line.ts';
import { declaredCluster, type LiveOptions, liveCommand } from '../live-options.ts';
import { timeValue } from '../option-values.ts';
import { reportTreeProblems } from '../tree-problems.ts';
import { exit, type World } from '../world.ts';
import { runDoctor } from './doctor-command.ts';

/** The commands that ask a live cluster. */
export function addLiveCommands({ world, command, take }: CommandLine): void {
  liveCommand(
    command('doctor', 'say whether a live cluster can do the job; change nothing'),
  ).action((_, self) => take(runDoctor(world, self.optsWithGlobals())));
  liveCommand(command('verify', 'compare a live cluster with what is committed; change nothing'))
    .option('--timeout <time>', 'wait so long until all is well, such as 90s or 5m', timeValue, 0)
    .action((_, self) => take(runVerify(world, self.optsWithGlobals())));
}

/** `leasehold verify`: the tree first; a cluster is not asked what a tree with problems wants of it. */
async function runVerify(
  world: World,
  options: LiveOptions & { readonly timeout: number },
): Promise<number> {
  const root = resolve(world.cwd, options.directory);
  const tree = openForReading(root);
  const outcome = await check(tree, openRepository(root).history);
  if (!outcome.ok) return reportTreeProblems(world, root, outcome.problems);
  const declared = declaredCluster(outcome.value.workspace.pools, options.cluster);
  const desired = desiredState(tree, outcome.value, declared);
  const cluster = await kubernetesCluster(options, world.cwd);
  const verification = await verifyUntilOk(desired, cluster, {
    waiting: clock,
    timeout: options.timeout,
    onWait: (found) => world.err(waitText(found, options.timeout)),
  });
  const print = options.output === 'json' ? verificationJson : verificationTable;
  world.out(print(verification));
  if (isNothingApplied(verification)) {
    world.err(`no claim is applied: is ${plain(verification.asked)} the right cluster?\n`);
  }
  return verification.ok ? exit.fine : exit.problems;
}

/** True where no Service of a claim is there: one that lacks something else was applied to this cluster. */
function isNothingApplied({ claims }: Verification): boolean {
  return (
    claims.length > 0 &&
    claims.every(({ object: own, details }) =>
      details.some(({ state, object }) => state === 'not applied' && object === own),
    )
  );
}

function waitText(found: Verification | EnvironmentError, timeout: number): string {
  const reason = found instanceof EnvironmentError ? plain(found.message) : countsText(found);
  return `waiting up to ${timeout / 1000} s: ${reason}\n`;
}
