import { desiredState, writtenPools } from '../../features/cluster/desired.ts';
import { diagnose } from '../../features/cluster/diagnose.ts';
import { diagnosisTable } from '../../features/cluster/diagnosis-text.ts';
import type { Verification } from '../../features/cluster/verification-answer.ts';
import { countsText, verificationTable } from '../../features/cluster/verification-text.ts';
import { verifyUntilOk } from '../../features/cluster/verify.ts';
import { check } from '../../features/synth/check.ts';
import { EnvironmentError } from '../../model/problem.ts';
import { sanitize } from '../../text/print/escape.ts';
import { readPoolFile } from '../../workspace/declared.ts';
import { kubernetesCluster } from '../../world/kubernetes/kubernetes.ts';
import { clock } from '../../world/machine.ts';
import { reportText, stateFields, tableOption, tableStyle } from '../answer.ts';
import { type CliContext, exit } from '../cli-context.ts';
import type { CommandLine, OptionsOf } from '../command-line.ts';
import { declaredCluster } from '../declared-names.ts';
import {
  clusterOption,
  connectionOf,
  contextOption,
  kubeconfigOption,
  timeValue,
} from '../option-values.ts';
import { openTree, reportTreeProblems } from '../with-tree.ts';

/** `leasehold doctor`. */
export function addDoctorCommand(line: CommandLine): void {
  doctorCommand(line).action((_, self) =>
    line.exitWith(runDoctor(line.context, self.optsWithGlobals())),
  );
}

function doctorCommand({ command }: CommandLine) {
  return command
    .addOption(clusterOption())
    .addOption(contextOption())
    .addOption(kubeconfigOption())
    .addOption(tableOption());
}

/** Reads the pool file, and from `dist/` which pools it has. */
async function runDoctor(
  context: CliContext,
  options: OptionsOf<typeof doctorCommand>,
): Promise<number> {
  const { tree, repository } = openTree(context, options);
  const pools = readPoolFile(tree);
  if (!pools.ok) return reportTreeProblems(context, repository, pools.problems);
  const declared = declaredCluster(pools.value, options.cluster);
  const cluster = await kubernetesCluster(connectionOf(options), context.cwd);
  const diagnosis = await diagnose(cluster, pools.value, declared, writtenPools(tree, declared));
  const style = tableStyle(context, options.output);
  const answer = { ...diagnosis, ...(await stateFields(context, repository, options.output)) };
  context.out(reportText(answer, options.output, (shown) => diagnosisTable(shown, style)));
  return diagnosis.ok ? exit.fine : exit.problems;
}

/** `leasehold verify`. */
export function addVerifyCommand(line: CommandLine): void {
  verifyCommand(line).action((_, self) =>
    line.exitWith(runVerify(line.context, self.optsWithGlobals())),
  );
}

function verifyCommand({ command }: CommandLine) {
  return command
    .addOption(clusterOption())
    .addOption(contextOption())
    .addOption(kubeconfigOption())
    .addOption(tableOption())
    .option(
      '--timeout <time>',
      'how long to wait until all is well, such as 90s or 5m',
      timeValue,
      0,
    );
}

/** Checks the tree first: a cluster is not compared with a tree that has problems. */
async function runVerify(
  context: CliContext,
  options: OptionsOf<typeof verifyCommand>,
): Promise<number> {
  const { tree, repository } = openTree(context, options);
  const outcome = await check(tree, repository.history, context.progress);
  if (!outcome.ok) return reportTreeProblems(context, repository, outcome.problems);
  const declared = declaredCluster(outcome.value.workspace.pools, options.cluster);
  const desired = desiredState(tree, outcome.value, declared);
  const cluster = await kubernetesCluster(connectionOf(options), context.cwd);
  const verification = await verifyUntilOk(desired, cluster, {
    waiting: clock,
    timeout: options.timeout,
    onWait: (found) => context.err(waitText(found, options.timeout)),
  });
  const style = tableStyle(context, options.output);
  const answer = { ...verification, ...(await stateFields(context, repository, options.output)) };
  context.out(reportText(answer, options.output, (shown) => verificationTable(shown, style)));
  if (isNothingApplied(verification)) {
    context.err(`no claim is applied: is ${sanitize(verification.asked)} the right cluster?\n`);
  }
  return verification.ok ? exit.fine : exit.problems;
}

/** True when the cluster has no Service of any claim: the tree was never applied to it. */
function isNothingApplied({ claims }: Verification): boolean {
  return (
    claims.length > 0 &&
    claims.every(({ object: own, details }) =>
      details.some(({ state, object }) => state === 'not applied' && object === own),
    )
  );
}

function waitText(found: Verification | EnvironmentError, timeout: number): string {
  const reason = found instanceof EnvironmentError ? sanitize(found.message) : countsText(found);
  return `waiting up to ${timeout / 1000} s: ${reason}\n`;
}
