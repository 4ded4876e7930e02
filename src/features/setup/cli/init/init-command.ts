import { resolve } from 'node:path';
import { reportOption } from '../../../../core/cli/answer.ts';
import { type CliContext, exit } from '../../../../core/cli/cli-context.ts';
import type { NewCommand, OptionsOf } from '../../../../core/cli/command-line.ts';
import { reportProblems, UsageError } from '../../../../core/cli/failure.ts';
import { type CommandLine, command } from '../../../../core/cli/feature.ts';
import { textsValue, todayOption } from '../../../../core/cli/option-values.ts';
import { dateAheadOption, recordedDay } from '../../../../core/cli/recording.ts';
import { tell } from '../../../../core/cli/tell.ts';
import { additionsTo } from '../../../../core/interfaces/extension.ts';
import { forgeNames, forgeOf } from '../../../../core/model/forges/forges.ts';
import { EnvironmentError, type Outcome, ok } from '../../../../core/model/problem.ts';
import { leasesFolder, policyPath, poolsPath } from '../../../../core/model/repository-paths.ts';
import { paintOf, problemsText } from '../../../../core/text/print/problems-text.ts';
import { readPoolFile } from '../../../../core/tree/declared.ts';
import { sourceLines } from '../../../../core/tree/source-line.ts';
import { openForReading } from '../../../../core/world/disk/disk-tree.ts';
import { isBareRepository, isInWorkTree } from '../../../../core/world/git/git.ts';
import { openRepository } from '../../../../core/world/git/git-repository.ts';
import { firstDeclaration } from '../../../../lib/edit/cli/first-declaration.ts';
import { adoption, type ReadCluster } from '../../../../lib/kubernetes/adoption.ts';
import {
  contextOption,
  kubeconfigOption,
} from '../../../../lib/kubernetes/cli/connection-options.ts';
import { parseTool, toolThere } from '../../init/tool.ts';
import {
  hasKubeconfig,
  type LiveOptions,
  type LiveSite,
  readLiveSite,
  withoutPools,
} from './live-site.ts';
import { defaultAnswers, type RawAnswers } from './raw-answers.ts';
import { type SetupOptions, type Site, setUpAs, siteWith } from './set-up.ts';
import type { ExistingSetup } from './setup-answers.ts';
import { askAnswers } from './setup-questions.ts';

/** `leasehold init`. */
export const initCommand = command(initOptions, (context, options, _, { features }) => {
  // A new repository is made in the folder itself, also below another workspace.
  const root = resolve(context.cwd, options.directory);
  const place = { root, isFound: true, searched: [root] };
  return runInit({ ...context, place }, features, options);
});

function initOptions(bare: NewCommand) {
  const plane = planeOptions(promptOptions(bare));
  return fileOptions(poolOptions(deliveryOptions(plane)));
}

/** Whether it prompts, and whether it reads a cluster. */
function promptOptions(command: NewCommand) {
  return command
    .option('--yes', 'do not prompt: use these options and defaults', false)
    .option('--advanced', 'prompt also for what has a default', false)
    .option('--from-cluster', 'declare the pools of a live cluster and the Services on them', false)
    .addOption(contextOption())
    .addOption(kubeconfigOption());
}

/** The provider, and the data plane. */
function planeOptions(command: ReturnType<typeof promptOptions>) {
  return command
    .option('--for <who>', 'akash: a provider of Akash; platform: without Akash')
    .option('--provider <address>', "the provider's address, akash1…")
    .option('--metallb <version>', `the MetalLB that runs; default: ${defaultAnswers.metallb}`)
    .option(
      '--metallb-namespace <name>',
      `the namespace of MetalLB; default: ${defaultAnswers.metallbNamespace}`,
    )
    .option('--cilium <version>', 'in place of MetalLB: the Cilium that runs')
    .option('--layout <layout>', "of MetalLB's pools, pool or lease; default: pool")
    .option('--shards <count>', 'of each cluster: 1, 16 or 256; fixed once it has leases');
}

/** The engine that applies the manifests, the forge whose CI checks them, and the leasehold that it installs. */
function deliveryOptions(command: ReturnType<typeof planeOptions>) {
  return command
    .option('--engine <name>', 'what applies dist/: argocd, flux or none; default: none')
    .option('--repo <url>', 'for the engine: the git repository of the leases, without credentials')
    .option('--secret <name>', 'for Flux: the Secret with the credentials of the repository')
    .option('--branch <name>', 'the branch that is applied; default: main')
    .option('--forge <name>', `whose CI checks: ${forgeNames.join(', ')} or none; default: none`)
    .option(
      '--leasehold <source>',
      'a release to install: a tarball, its URL, a folder, or a git address with #VERSION; default: that of package.json',
    );
}

/** The clusters and pools. */
function poolOptions(command: ReturnType<typeof deliveryOptions>) {
  return command
    .option(
      '--cluster <name>',
      'a cluster, the default one first; may be repeated; default: default',
      textsValue,
      none,
    )
    .option(
      '--pool <name=addresses>',
      'a pool, with a comma between two addresses; may be repeated',
      textsValue,
      none,
    )
    .option(
      '--reserved <name=addresses>',
      'addresses of a pool that are never given out',
      textsValue,
      none,
    )
    .option('--zone <name=zone>', 'the zone of a pool; default: default', textsValue, none)
    .option(
      '--bgp <name>',
      'a pool that is announced by BGP; by L2 when left out',
      textsValue,
      none,
    );
}

/** The reviewers, the API servers, and the files that it may write. */
function fileOptions(command: ReturnType<typeof poolOptions>) {
  return command
    .option(
      '--reviewer <who>',
      'who approves changes of pools and policy: @user, @org/team or mail',
      textsValue,
      none,
    )
    .option(
      '--server <name=url>',
      'for Argo CD: the API server of a cluster, where there are several',
      textsValue,
      none,
    )
    .option(
      '--replace <file>',
      'overwrite a file that exists with other content; may be repeated',
      textsValue,
      none,
    )
    .option('--git-init', 'create a git repository if the folder is not in one', false)
    .addOption(todayOption())
    .addOption(dateAheadOption())
    .addOption(reportOption());
}

const none: readonly string[] = [];

type InitOptions = OptionsOf<typeof initOptions>;

async function runInit(
  context: CliContext,
  features: CommandLine['features'],
  given: InitOptions,
): Promise<number> {
  const { root } = context.place;
  if (isBareRepository(root)) {
    throw new EnvironmentError('this is a bare repository: clone it, and run init in the clone');
  }
  const existing = existingSetup(root);
  if (!existing.ok) {
    return reportProblems(context, existing.problems, sourceLines(openForReading(root)));
  }
  const leasehold =
    given.leasehold ?? toolThere(openForReading(root)) ?? (await ownTool(context, given.forge));
  const options: InitOptions & RawAnswers =
    leasehold === undefined ? given : { ...given, leasehold };
  const [read] = await additionsTo(adoption, features);
  const [declareFirst] = await additionsTo(firstDeclaration, features);
  const found = { ...(read && { read }), ...(declareFirst && { declareFirst }) };
  const site = { root, existing: existing.value, ...found };
  return options.yes ? runUnasked(context, options, site) : runAsked(context, options, site);
}

async function runUnasked(
  context: CliContext,
  options: InitOptions & RawAnswers,
  site: Adopting,
): Promise<number> {
  if (!options.fromCluster) return setUpAs(context, options, site);
  const live = await liveSite(context, options, site);
  if (!live.ok) return reportProblems(context, live.problems);
  tell(context, `${live.value.text}\n\n`);
  const others = { ...options, ...withoutPools(options) };
  return setUpAs(context, others, siteWith(site, live.value));
}

async function runAsked(
  context: CliContext,
  options: InitOptions & RawAnswers,
  site: Adopting,
): Promise<number> {
  const { root, existing } = site;
  if (context.asking === undefined) {
    throw new UsageError(
      'init needs a terminal for its prompts: use --yes and the options that `leasehold init --help` lists',
    );
  }
  const { promptsAt, Stopped } = await import('../../../../core/cli/prompts.ts');
  const prompts = promptsAt(context.asking);
  try {
    const { raw, live } = await askAnswers(prompts, options, {
      existing,
      repo: (await openRepository(root).origin())?.url,
      isAdvanced: options.advanced,
      readCluster: clusterReader(context, options, site),
      isClusterRead: options.fromCluster,
    });
    const gitInit = isInWorkTree(root)
      ? false
      : options.gitInit ||
        (await prompts.confirm('This folder is not in a git repository. Create one here?', true));
    const asked = { ...options, ...raw, gitInit };
    const asking = { ...site, prompts };
    return await setUpAs(context, asked, live ? siteWith(asking, live) : asking);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    context.err('leasehold: stopped; nothing is written\n');
    return exit.stopped;
  }
}

/** The clone of leasehold that runs, as `URL#REF`, when its `origin` has the commit. */
async function ownTool({ program }: CliContext, forge?: string): Promise<string | undefined> {
  const { url, ref } = (program && (await openRepository(program).origin())) || {};
  if (url === undefined || ref === undefined) return undefined;
  const text = `${url}#${ref}`;
  return typeof parseTool(text, forgeOf(forge)) === 'string' ? undefined : text;
}

/** Where it sets up, and what reads a live cluster, if there is a feature that does. */
interface Adopting extends Site {
  readonly read?: ReadCluster;
}

/** The live cluster of `--from-cluster`. A UsageError when it has no pools. */
async function liveSite(
  context: CliContext,
  options: SetupOptions & LiveOptions,
  { root, existing: { hasPolicy }, read }: Adopting,
): Promise<Outcome<LiveSite>> {
  if (!read) throw new UsageError('--from-cluster needs the feature import, which is not here');
  const { history } = openRepository(root);
  const place = { read, tree: openForReading(root), history, hasPolicy };
  const today = recordedDay(context, options);
  const live = await readLiveSite(context, options, options, { ...place, today });
  if (!live.ok) return live;
  if (live.value) return ok(live.value);
  throw new UsageError('the cluster has no pools of MetalLB: name the first one with --pool');
}

/** Reads the cluster for the prompts. */
function clusterReader(context: CliContext, options: InitOptions, site: Adopting) {
  const isThere = site.read !== undefined && hasKubeconfig(context, options);
  if (!options.fromCluster && !isThere) return undefined;
  return async (raw: RawAnswers): Promise<LiveSite | string> => {
    try {
      const live = await liveSite(context, { ...options, ...raw }, site);
      return live.ok ? live.value : problemsText(live.problems, paintOf(false));
    } catch (error) {
      if (error instanceof UsageError || error instanceof EnvironmentError) return error.message;
      throw error;
    }
  };
}

/** The leasehold files of a folder before init. Problems: those of an existing pool file. */
function existingSetup(root: string): Outcome<ExistingSetup> {
  const tree = openForReading(root);
  const present = new Set(tree.list(leasesFolder).map(({ path }) => path));
  const hasPolicy = present.has(policyPath);
  if (!present.has(poolsPath)) return ok({ pools: undefined, hasPolicy });
  const pools = readPoolFile(tree);
  return pools.ok ? ok({ pools: pools.value, hasPolicy }) : pools;
}
