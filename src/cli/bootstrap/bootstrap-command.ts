import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { doctorAccess, verifyAccess } from '../../features/delivery/bootstrap/access.ts';
import {
  type KubesprayTarget,
  kubesprayGenerations,
  kubesprayVariables,
} from '../../features/delivery/bootstrap/kubespray.ts';
import {
  type MetalLBSource,
  monitoringProblems,
  placeOfMetalLB,
} from '../../features/delivery/bootstrap/metallb-install.ts';
import {
  metalLBNamespace,
  monitoringService,
} from '../../features/delivery/bootstrap/metallb-objects.ts';
import { usualDomain } from '../../features/delivery/bootstrap/serve.ts';
import { yamlText } from '../../manifests/yaml-text.ts';
import { poolsPath } from '../../model/folders.ts';
import { type Cluster, type Pools, poolsIn } from '../../model/pools.ts';
import type { Problem } from '../../model/problem.ts';
import type { SourceTree } from '../../ports/tree.ts';
import { readPoolFile } from '../../workspace/declared.ts';
import { openForReading } from '../../world/disk/disk-tree.ts';
import type { CommandLine, CommonOptions } from '../command-line.ts';
import { reportProblems, UsageError } from '../failure.ts';
import { branchValue, labelValue } from '../gitops-values.ts';
import { declaredCluster } from '../live-options.ts';
import { patternsValue, timeValue } from '../option-values.ts';
import { exit, type World } from '../world.ts';
import { addEditCommands } from './bootstrap-edits.ts';
import { addMetalLBCommand } from './bootstrap-metallb.ts';
import {
  domainValue,
  imageValue,
  providerNamespace,
  type ServeTerms,
  serveCautions,
  serveText,
} from './bootstrap-serve.ts';
import { accountValue } from './bootstrap-values.ts';

/** `leasehold bootstrap`: what a cluster needs before its first lease. Everything is printed, nothing is written. */
export function addBootstrapCommand({ world, command, take }: CommandLine): void {
  const group = command('bootstrap', 'print what a cluster needs before its first lease');
  const subcommand = (name: string, description: string): Command =>
    group
      .command(name)
      .description(description)
      .option('--cluster <name>', 'the cluster of leases/pools.yaml; the default one when left out')
      .allowExcessArguments(false);
  addMetalLBCommand(world, group, take);
  addEditCommands(world, group, take);
  subcommand(
    'namespace',
    "MetalLB's namespace, with the labels that let its speakers start",
  ).action((_, self) => take(printed(world, self.optsWithGlobals(), namespaceText)));
  subcommand('monitoring', "the Service by which the Akash IP operator finds MetalLB's metrics")
    .addOption(
      new Option('--installed-by <what>', "MetalLB's chart, or its manifest, as Kubespray does")
        .choices(['chart', 'manifest'])
        .default('chart'),
    )
    .action((_, self) => take(printed(world, self.optsWithGlobals(), monitoringText)));
  subcommand('kubespray', 'the variables by which Kubespray installs MetalLB')
    .addOption(
      new Option('--generation <which>', 'first: up to Kubespray 2.22; second: from 2.23 on')
        .choices(kubesprayGenerations)
        .default('second'),
    )
    .option('--pools', 'with the pools, for a cluster whose pools Kubespray makes', false)
    .action((_, self) => take(printed(world, self.optsWithGlobals(), kubesprayText)));
  subcommand('rbac', 'what leasehold verify may ask of the cluster')
    .option(
      '--account <namespace/name>',
      'the ServiceAccount that asks',
      accountValue,
      accountValue('leasehold/leasehold'),
    )
    .option('--doctor', 'what leasehold doctor may ask, too', false)
    .option(
      '--provider-namespace <name>',
      'the namespace of the Akash provider, for doctor',
      labelValue,
      providerNamespace,
    )
    .action((_, self) => take(printed(world, self.optsWithGlobals(), accessText)));
  subcommand('serve', "leasehold serve in the cluster, where Akash's IP operator stood")
    .requiredOption('--image <image>', 'an image with leasehold, git and a shell', imageValue)
    .requiredOption('--repo <url>', 'the repository of the leases, https or ssh')
    .option('--branch <name>', 'the branch that is served', branchValue, 'main')
    .option(
      '--secret <name>',
      'the Secret for git: identity and known_hosts (ssh), or username and password (https)',
      labelValue,
    )
    .option('--namespace <name>', 'where a provider looks for it', labelValue, providerNamespace)
    .option('--name <name>', 'of the Deployment and the Service', labelValue, 'operator-ip')
    .option(
      '--cluster-domain <name>',
      'the DNS domain of the cluster that it runs in',
      domainValue,
      usualDomain,
    )
    .option(
      '--pending-refs <pattern>',
      "count what open branches hold as in use, such as 'refs/pull/*/head'; may be repeated",
      patternsValue,
      [],
    )
    .option('--interval <time>', 'between two looks at the remote, such as 30s; else 5s', timeValue)
    .option('--monitor', 'with a ServiceMonitor, for the Prometheus Operator', false)
    .action((_, self) => take(printed(world, self.optsWithGlobals(), answererText)));
}

/** What is printed for one cluster, or why it cannot be. */
type Printed = string | readonly Problem[];

interface ClusterOptions extends CommonOptions {
  readonly cluster: string | undefined;
}

/** What there is to print from. */
interface Asked<Options> {
  readonly tree: SourceTree;
  readonly pools: Pools;
  readonly cluster: Cluster;
  readonly options: Options;
  readonly world: World;
}

async function printed<Options extends ClusterOptions>(
  world: World,
  options: Options,
  textOf: (asked: Asked<Options>) => Printed,
): Promise<number> {
  const tree = openForReading(resolve(world.cwd, options.directory));
  const pools = readPoolFile(tree);
  if (!pools.ok) return reportProblems(world, pools.problems);
  const cluster = declaredCluster(pools.value, options.cluster);
  const text = textOf({ tree, pools: pools.value, cluster, options, world });
  if (typeof text !== 'string') return reportProblems(world, text);
  world.out(text);
  return exit.fine;
}

function namespaceText({ cluster }: Asked<ClusterOptions>): Printed {
  return yamlText([metalLBNamespace(cluster.metallb.namespace)]);
}

function monitoringText({
  tree,
  cluster,
  options,
}: Asked<ClusterOptions & { readonly installedBy: MetalLBSource }>): Printed {
  const problems = monitoringProblems(tree, cluster);
  if (problems.length > 0) return problems;
  return yamlText([monitoringService(cluster.metallb.namespace, options.installedBy)]);
}

function kubesprayText({
  tree,
  pools,
  cluster,
  options,
  world,
}: Asked<
  ClusterOptions & {
    readonly generation: KubesprayTarget['generation'];
    readonly pools: boolean;
  }
>): Printed {
  const { generation } = options;
  if (generation === 'first' && !options.pools) {
    throw new UsageError(
      'Kubespray 2.22 and before installs no MetalLB without a pool: say --pools',
    );
  }
  const variables = kubesprayVariables({
    generation,
    metallb: cluster.metallb,
    namespaceAt: placeOfMetalLB(poolsPath, tree.read(poolsPath), {
      cluster: cluster.name,
      field: 'namespace',
    }),
    pools: options.pools ? poolsIn(pools, cluster.name) : undefined,
  });
  if (!variables.ok) return variables.problems;
  world.err(variables.value.cautions.map((caution) => `caution: ${caution}\n`).join(''));
  return variables.value.text;
}

function accessText({
  cluster,
  options,
}: Asked<
  ClusterOptions & {
    readonly account: { readonly namespace: string; readonly name: string };
    readonly doctor: boolean;
    readonly providerNamespace: string;
  }
>): Printed {
  const target = { account: options.account, metallb: cluster.metallb.namespace };
  const provider = cluster.provider === undefined ? undefined : options.providerNamespace;
  return yamlText([
    ...verifyAccess(target),
    ...(options.doctor ? doctorAccess(target, provider) : []),
  ]);
}

function answererText({ cluster, options, world }: Asked<ClusterOptions & ServeTerms>): Printed {
  const text = serveText(cluster.name, options);
  world.err(
    serveCautions(cluster, options)
      .map((one) => `caution: ${one}\n`)
      .join(''),
  );
  return text;
}
