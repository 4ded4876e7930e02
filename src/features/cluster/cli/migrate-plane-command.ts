import { Option } from '@commander-js/extra-typings';
import { reportText, stateFields } from '../../../core/cli/answer.ts';
import { type CliContext, exit } from '../../../core/cli/cli-context.ts';
import type { NewCommand, OptionsOf } from '../../../core/cli/command-line.ts';
import { declaredCluster } from '../../../core/cli/declared-names.ts';
import { UsageError } from '../../../core/cli/failure.ts';
import { command } from '../../../core/cli/feature.ts';
import { clusterOption } from '../../../core/cli/option-values.ts';
import { recordingOf, recordingOptions } from '../../../core/cli/recording.ts';
import { tell } from '../../../core/cli/tell.ts';
import { type LockedTree, runText, withTree } from '../../../core/cli/with-tree.ts';
import { isOn } from '../../../core/model/pools.ts';
import { poolsPath } from '../../../core/model/repository-paths.ts';
import { check } from '../../../core/run/synth/check.ts';
import { anyOperator, releaseOf } from '../../../lib/kubernetes/cilium-operator.ts';
import {
  connectionOf,
  contextOption,
  kubeconfigOption,
} from '../../../lib/kubernetes/cli/connection-options.ts';
import { DenialCollector } from '../../../lib/kubernetes/denial-collector.ts';
import { commandFor } from '../../../lib/kubernetes/kubectl-command.ts';
import { kubernetesCluster } from '../../../lib/kubernetes/world/kubernetes.ts';
import { type Desired, desiredState } from '../desired.ts';
import { movePlane } from '../plane-move/plane-move.ts';
import type { PlaneMove } from '../plane-move/plane-move-answer.ts';
import { planeMoveText } from '../plane-move/plane-move-text.ts';
import { type MovingCluster, readiness, scaling } from '../plane-move/readiness.ts';

/** `leasehold migrate-plane`. */
export const migratePlaneCommand = command(migrateOptions, (context, options) =>
  withTree(context, options, async (locked) => {
    const checked = await check(locked.tree, locked.repository.history, {
      progress: context.progress,
    });
    if (!checked.ok) return checked;
    const cluster = declaredCluster(checked.value.workspace.pools, options.cluster);
    const desired = desiredState(locked.tree, checked.value, cluster);
    if (!isOn(cluster, 'cilium')) return runMove(context, options, locked, desired);
    if (cluster.plane.movedFrom === undefined) {
      throw new UsageError(
        `cluster ${cluster.name} is on Cilium in leases/pools.yaml: leasehold moves live addresses from MetalLB to Cilium only`,
      );
    }
    return report(context, options, locked, {
      cluster: cluster.name,
      ready: true,
      steps: [],
      edited: [],
    });
  }),
);

function migrateOptions(bare: NewCommand) {
  return recordingOptions(
    bare
      .addOption(clusterOption('the declared cluster; the default one when left out'))
      .addOption(contextOption())
      .addOption(kubeconfigOption())
      .addOption(new Option('--dry-run', 'only say what must be true before').default(false)),
  );
}

type MigrateOptions = OptionsOf<typeof migrateOptions>;

async function runMove(
  context: CliContext,
  options: MigrateOptions,
  locked: LockedTree,
  desired: Desired,
) {
  const connection = connectionOf(options);
  const live = await readMoving(await kubernetesCluster(connection, context.cwd));
  const steps = readiness(desired, live).map((step) => ({
    ...step,
    commands: step.commands.map((one) => commandFor(one, connection)),
  }));
  const { name } = desired.cluster;
  const ready = steps.every(({ state }) => state === 'ok');
  const operator = anyOperator(live.deployments);
  const found = {
    cluster: name,
    ready,
    steps,
    ...(operator && { start: commandFor(scaling(operator, 1), connection) }),
  };
  if (!ready || options.dryRun || !operator) {
    return report(context, options, locked, { ...found, edited: [] });
  }
  const next = {
    version: releaseOf(operator) ?? '',
    namespace: operator.metadata.namespace ?? '',
  };
  const { tree, repository } = locked;
  const moved = { pools: desired.pools, cluster: desired.cluster, next };
  const recording = await recordingOf(context, locked, options);
  const outcome = await movePlane(tree, repository.history, moved, recording);
  if (!outcome.ok) return outcome;
  const { run, files } = outcome.value;
  tell(context, runText(context, { ...run, files }));
  return report(context, options, locked, { ...found, edited: [poolsPath] });
}

async function readMoving(
  cluster: Awaited<ReturnType<typeof kubernetesCluster>>,
): Promise<MovingCluster> {
  const asked = new DenialCollector(cluster);
  const services = (await asked.list('service')) ?? [];
  const deployments = (await asked.list('deployment')) ?? [];
  const ciliumPools = await asked.list('ciliumPool');
  asked.throwDenials();
  return { services, deployments, ciliumPools };
}

async function report(
  context: CliContext,
  options: MigrateOptions,
  { repository }: LockedTree,
  found: Pick<PlaneMove, 'cluster' | 'ready' | 'steps' | 'start' | 'edited'>,
): Promise<number> {
  const state = await stateFields(context, repository, options.output);
  const answer: PlaneMove = {
    apiVersion: 'leasehold.dev/v1',
    kind: 'PlaneMove',
    ...state,
    ...found,
  };
  context.out(reportText(answer, options.output, planeMoveText));
  return found.ready ? exit.fine : exit.problems;
}
