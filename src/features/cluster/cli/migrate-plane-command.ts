import { Argument } from '@commander-js/extra-typings';
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
import { type Plane, planeNames } from '../../../core/model/planes.ts';
import { poolsPath } from '../../../core/model/repository-paths.ts';
import { check } from '../../../core/run/synth/check.ts';
import type { AnsweredState } from '../../../core/text/answer.ts';
import {
  connectionOf,
  contextOption,
  kubeconfigOption,
} from '../../../lib/kubernetes/cli/connection-options.ts';
import { DenialCollector } from '../../../lib/kubernetes/denial-collector.ts';
import { listed } from '../../../lib/kubernetes/doctor-checks.ts';
import { type Connection, commandFor } from '../../../lib/kubernetes/kubectl-command.ts';
import { checkingCommand } from '../../../lib/kubernetes/metallb-webhooks.ts';
import { kubernetesCluster } from '../../../lib/kubernetes/world/kubernetes.ts';
import { type Desired, desiredState } from '../desired.ts';
import type { CiliumFacts } from '../plane-move/cilium-readiness.ts';
import { movePlane, type NextPlane } from '../plane-move/plane-move.ts';
import type { PlaneMove } from '../plane-move/plane-move-answer.ts';
import { planeMoveText } from '../plane-move/plane-move-text.ts';
import {
  giverIn,
  type MovingCluster,
  nextPlane,
  readiness,
  scaling,
} from '../plane-move/readiness.ts';
import { settingsOf } from '../planes/cilium/doctor.ts';

/** `leasehold migrate-plane`. */
export const migratePlaneCommand = command(migrateOptions, (context, options, [to]) =>
  withTree(context, options, async (locked) => {
    const checked = await check(locked.tree, locked.repository.history, {
      progress: context.progress,
    });
    if (!checked.ok) return checked;
    const cluster = declaredCluster(checked.value.workspace.pools, options.cluster);
    const desired = desiredState(locked.tree, checked.value, cluster);
    const connection = connectionOf(options);
    const live = await readMoving(await kubernetesCluster(connection, context.cwd), to);
    const move = moveOf(desired, live, to, connection);
    const next = nextPlane(live.deployments, to);
    if (!move.ready || options.dryRun || !next || cluster.plane.kind === to) {
      return report(context, options, locked, { ...move, edited: [] });
    }
    const { tree, repository } = locked;
    const moved = { pools: desired.pools, cluster, next };
    const recording = await recordingOf(context, locked, options);
    const outcome = await movePlane(tree, repository.history, moved, recording);
    if (!outcome.ok) return outcome;
    const { run, files } = outcome.value;
    tell(context, runText(context, { ...run, files }));
    return report(context, options, locked, { ...move, edited: [poolsPath] });
  }),
);

function migrateOptions(bare: NewCommand) {
  return recordingOptions(
    bare
      .addArgument(
        new Argument('<plane>', 'the data plane after the move').choices(
          Object.keys(planeNames) as Plane['kind'][],
        ),
      )
      .addOption(clusterOption('the declared cluster; the default one when left out'))
      .addOption(contextOption())
      .addOption(kubeconfigOption())
      .option('--dry-run', 'only say what must be true before', false),
  );
}

type MigrateOptions = OptionsOf<typeof migrateOptions>;

/** What the move needs, and what comes after it. A cluster that has the plane needs nothing more. */
function moveOf(
  desired: Desired,
  live: MovingCluster,
  to: Plane['kind'],
  connection: Connection,
): Omit<PlaneMove, 'apiVersion' | 'kind' | 'edited' | keyof AnsweredState> {
  const { name, plane } = desired.cluster;
  const shown = (text: string) => commandFor(text, connection);
  if (plane.kind === to && plane.movedFrom === undefined) {
    throw new UsageError(`cluster ${name} is on ${planeNames[to]} in leases/pools.yaml already`);
  }
  const steps = plane.kind === to ? [] : readiness(desired, live, to);
  const giver = giverIn(live.deployments, to);
  return {
    cluster: name,
    to,
    ready: steps.every(({ state }) => state === 'ok'),
    steps: steps.map((step) => ({ ...step, commands: step.commands.map(shown) })),
    after: [
      ...(giver ? [shown(scaling(giver, 1))] : []),
      ...(to === 'metallb' ? [shown(checkingCommand())] : []),
    ],
  };
}

async function readMoving(
  cluster: Awaited<ReturnType<typeof kubernetesCluster>>,
  to: Plane['kind'],
): Promise<MovingCluster> {
  const asked = new DenialCollector(cluster);
  const services = (await asked.list('service')) ?? [];
  const deployments = (await asked.list('deployment')) ?? [];
  const webhooks = (await asked.list('webhook')) ?? [];
  const pools = await asked.list(to === 'metallb' ? 'addressPool' : 'ciliumPool');
  const next = nextPlane(deployments, to);
  const cilium = to === 'cilium' && next ? await ciliumFactsOf(asked, next) : undefined;
  asked.throwDenials();
  return { services, deployments, webhooks, pools, cilium };
}

async function ciliumFactsOf(
  asked: DenialCollector,
  { namespace }: NextPlane,
): Promise<CiliumFacts> {
  return {
    settings: await settingsOf(asked, namespace),
    nodes: await listed(asked, 'node'),
    peerConfigs: (await asked.list('ciliumBGPPeerConfig')) ?? [],
  };
}

async function report(
  context: CliContext,
  options: MigrateOptions,
  { repository }: LockedTree,
  found: Omit<PlaneMove, 'apiVersion' | 'kind' | keyof AnsweredState>,
): Promise<number> {
  const state = await stateFields(context, repository, options.output);
  const answer: PlaneMove = {
    apiVersion: 'leasehold.dev/v1',
    kind: 'PlaneMove',
    ...state,
    ...found,
  };
  const connection = connectionOf(options);
  context.out(reportText(answer, options.output, (one) => planeMoveText(one, connection)));
  return found.ready ? exit.fine : exit.problems;
}
