import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { type CliContext, exit, workingRoot } from '../../../../core/cli/cli-context.ts';
import type { NewCommand, OptionsOf } from '../../../../core/cli/command-line.ts';
import { declaredCluster, metallbCluster } from '../../../../core/cli/declared-names.ts';
import { reportProblems, UsageError } from '../../../../core/cli/failure.ts';
import { type CommandLine, group, subcommand } from '../../../../core/cli/feature.ts';
import { clusterOption, labelOption } from '../../../../core/cli/option-values.ts';
import { additionsTo } from '../../../../core/interfaces/extension.ts';
import type { SourceTree } from '../../../../core/interfaces/tree.ts';
import { yamlText } from '../../../../core/manifests/yaml-text.ts';
import { type Cluster, type Pools, poolsIn } from '../../../../core/model/pools.ts';
import type { Problem } from '../../../../core/model/problem.ts';
import { poolsPath } from '../../../../core/model/repository-paths.ts';
import { dnsLabel, objectName } from '../../../../core/text/common-fields.ts';
import { readPoolFile } from '../../../../core/tree/declared.ts';
import { sourceLines } from '../../../../core/tree/source-line.ts';
import { openForReading } from '../../../../core/world/disk/disk-tree.ts';
import { type DoctorChecks, doctorChecks } from '../../../../lib/kubernetes/doctor-checks.ts';
import { type Account, doctorAccess, verifyAccess } from '../../bootstrap/access.ts';
import { kubesprayGenerations, kubesprayVariables } from '../../bootstrap/kubespray.ts';
import { monitoringProblems, placeOfMetalLB } from '../../bootstrap/metallb-install.ts';
import { metalLBNamespace, monitoringService } from '../../bootstrap/metallb-objects.ts';
import { editCommands } from './bootstrap-edits.ts';
import { metalLBOptions, runMetalLB } from './bootstrap-metallb.ts';
import {
  bootstrapServeOptions,
  providerNamespace,
  serveCautions,
  serveText,
} from './bootstrap-serve.ts';
import { bootstrapVerifyOptions, verifyJobText } from './bootstrap-verify.ts';
import { podCautions } from './pod-options.ts';

/**
 * `leasehold bootstrap`: what a cluster needs before its first lease. All of it is printed, none of
 * it written.
 */
export const bootstrapCommands = group(
  subcommand(
    'metallb',
    'MetalLB in the declared version and namespace',
    metalLBOptions,
    runMetalLB,
  ),
  editCommands,
  subcommand(
    'namespace',
    "MetalLB's namespace, with the labels that let its speakers start",
    namespaceOptions,
    forCluster(namespaceText),
  ),
  subcommand(
    'monitoring',
    "the Service by which the Akash IP operator finds MetalLB's metrics",
    monitoringOptions,
    forCluster(monitoringText),
  ),
  subcommand(
    'kubespray',
    'the variables by which Kubespray installs MetalLB',
    kubesprayOptions,
    forCluster(kubesprayText),
  ),
  subcommand(
    'rbac',
    'the permissions that leasehold verify needs',
    rbacOptions,
    forCluster(rbacText, declaredCluster),
  ),
  subcommand(
    'serve',
    "leasehold serve in the cluster, in place of Akash's IP operator",
    bootstrapServeOptions,
    forCluster(serveObjectsText, declaredCluster),
  ),
  subcommand(
    'verify',
    'a CronJob that runs leasehold verify in the cluster',
    bootstrapVerifyOptions,
    forCluster(verifyObjectsText, declaredCluster),
  ),
);

/** The text for one cluster, or the problems that prevent it. */
type ClusterText = string | readonly Problem[] | Promise<string | readonly Problem[]>;

/** The inputs of a text for one cluster. */
interface ClusterInput<Options> {
  readonly tree: SourceTree;
  readonly pools: Pools;
  readonly cluster: Cluster;
  readonly options: Options;
  readonly context: CliContext;
  readonly features: CommandLine['features'];
}

/** Prints a text for the cluster that the options name. */
function forCluster<Options extends OptionsOf<typeof namespaceOptions>>(
  textOf: (input: ClusterInput<Options>) => ClusterText,
  clusterOf: (pools: Pools, name: string | undefined) => Cluster = metallbCluster,
) {
  return async (
    context: CliContext,
    options: Options,
    _: unknown,
    { features }: CommandLine,
  ): Promise<number> => {
    const tree = openForReading(workingRoot(context, options));
    const pools = readPoolFile(tree);
    if (!pools.ok) return reportProblems(context, pools.problems, sourceLines(tree));
    const cluster = clusterOf(pools.value, options.cluster);
    const text = await textOf({ tree, pools: pools.value, cluster, options, context, features });
    if (typeof text !== 'string') return reportProblems(context, text, sourceLines(tree));
    context.out(text);
    return exit.fine;
  };
}

function namespaceOptions(bare: NewCommand) {
  return bare.addOption(clusterOption());
}

function namespaceText({ cluster }: ClusterInput<unknown>): ClusterText {
  return yamlText([metalLBNamespace(cluster.plane.namespace)]);
}

function monitoringOptions(bare: NewCommand) {
  return bare
    .addOption(clusterOption())
    .addOption(
      new Option('--installed-by <what>', "MetalLB's chart, or its manifest, as Kubespray does")
        .choices(['chart', 'manifest'])
        .default('chart'),
    );
}

function monitoringText({
  tree,
  cluster,
  options,
}: ClusterInput<OptionsOf<typeof monitoringOptions>>): ClusterText {
  const problems = monitoringProblems(tree, cluster);
  if (problems.length > 0) return problems;
  return yamlText([monitoringService(cluster.plane.namespace, options.installedBy)]);
}

function kubesprayOptions(bare: NewCommand) {
  return bare
    .addOption(clusterOption())
    .addOption(
      new Option('--generation <which>', 'first: up to Kubespray 2.22; second: from 2.23 on')
        .choices(kubesprayGenerations)
        .default('second'),
    )
    .option('--pools', 'with the pools, for a cluster whose pools Kubespray creates', false);
}

function kubesprayText({
  tree,
  pools,
  cluster,
  options,
  context,
}: ClusterInput<OptionsOf<typeof kubesprayOptions>>): ClusterText {
  const { generation } = options;
  if (generation === 'first' && !options.pools) {
    throw new UsageError(
      'Kubespray 2.22 and earlier installs MetalLB only with a pool: use --pools',
    );
  }
  const variables = kubesprayVariables({
    generation,
    metallb: cluster.plane,
    namespaceAt: placeOfMetalLB(poolsPath, tree.read(poolsPath), {
      cluster: cluster.name,
      field: 'namespace',
    }),
    pools: options.pools ? poolsIn(pools, cluster.name) : undefined,
  });
  if (!variables.ok) return variables.problems;
  reportCautions(context, variables.value.cautions);
  return variables.value.text;
}

function rbacOptions(bare: NewCommand) {
  return bare
    .addOption(clusterOption())
    .option(
      '--account <namespace/name>',
      'the ServiceAccount that gets them',
      accountValue,
      accountValue('leasehold/leasehold'),
    )
    .option('--doctor', 'with the permissions that leasehold doctor needs', false)
    .option(
      '--provider-namespace <name>',
      'the namespace of the Akash provider, for doctor',
      labelOption,
      providerNamespace,
    );
}

async function rbacText({
  tree,
  pools,
  cluster,
  options,
  features,
}: ClusterInput<OptionsOf<typeof rbacOptions>>): Promise<string | readonly Problem[]> {
  const added: DoctorChecks['access'][] = [];
  for (const checks of await additionsTo(doctorChecks, features)) {
    const check = checks.of(tree, pools, cluster);
    if (!check.ok) return check.problems;
    if (check.value) added.push(checks.access);
  }
  const { account, doctor } = options;
  const target = { account, plane: cluster.plane };
  const provider = cluster.provider === undefined ? undefined : options.providerNamespace;
  return yamlText([
    ...verifyAccess(target),
    ...(doctor ? doctorAccess(target, { provider, added }) : []),
  ]);
}

function serveObjectsText({
  cluster,
  options,
  context,
}: ClusterInput<OptionsOf<typeof bootstrapServeOptions>>): ClusterText {
  const text = serveText(cluster.name, options);
  reportCautions(context, serveCautions(cluster, options));
  return text;
}

function verifyObjectsText({
  cluster,
  options,
  context,
}: ClusterInput<OptionsOf<typeof bootstrapVerifyOptions>>): ClusterText {
  const text = verifyJobText(cluster, options);
  reportCautions(context, podCautions(options));
  return text;
}

function reportCautions(context: CliContext, cautions: readonly string[]): void {
  context.err(cautions.map((caution) => `caution: ${caution}\n`).join(''));
}

/** `NAMESPACE/NAME` of a ServiceAccount. */
function accountValue(text: string): Account {
  const [namespace = '', name = '', ...more] = text.split('/');
  const isAccount = dnsLabel.safeParse(namespace).success && objectName.safeParse(name).success;
  if (isAccount && more.length === 0) return { namespace, name };
  throw new InvalidArgumentError('It is not NAMESPACE/NAME of a ServiceAccount.');
}
