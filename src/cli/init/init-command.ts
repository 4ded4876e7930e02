import { resolve } from 'node:path';
import { planSetup, type SetupPlan, setUp } from '../../features/delivery/init/plan-setup.ts';
import type { SetupAnswers, SetupFile } from '../../features/delivery/init/setup.ts';
import { diffText, nextSteps, setupText } from '../../features/delivery/init/setup-text.ts';
import { toolThere } from '../../features/delivery/init/tool.ts';
import { EnvironmentError, type Outcome, ok } from '../../model/problem.ts';
import { leasesFolder, policyPath, poolsPath } from '../../model/repository-paths.ts';
import { sanitize } from '../../text/print/escape.ts';
import { readPoolFile } from '../../workspace/declared.ts';
import { openForReading } from '../../world/disk/disk-tree.ts';
import { isBareRepository, isInWorkTree } from '../../world/git/git.ts';
import { openRepository, type Repository } from '../../world/git/git-repository.ts';
import { shippedText } from '../../world/shipped-file.ts';
import { type CliContext, exit } from '../cli-context.ts';
import type { CommandLine, OptionsOf } from '../command-line.ts';
import { clusterServers } from '../declared-names.ts';
import { reportProblems, UsageError } from '../failure.ts';
import { textsValue, todayOption } from '../option-values.ts';
import { dateAheadOption, recordedDay } from '../recording.ts';
import { type LockedTree, runText, withTreeAt } from '../with-tree.ts';
import type { Prompts } from './prompts.ts';
import type { RawAnswers } from './raw-answers.ts';
import { type ExistingSetup, readAnswers } from './setup-answers.ts';
import { askAnswers } from './setup-questions.ts';

/** `leasehold init`. */
export function addInitCommand(line: CommandLine): void {
  initCommand(line).action((_, self) => {
    const options = self.optsWithGlobals();
    // A new repository is made in the folder itself, also below another workspace.
    const root = resolve(line.context.cwd, options.directory);
    const place = { root, isFound: true, searched: [root] };
    return line.exitWith(runInit({ ...line.context, place }, options));
  });
}

function initCommand({ command }: CommandLine) {
  return command
    .option('--yes', 'do not prompt: use these options and defaults', false)
    .option('--for <who>', 'akash: a provider of Akash; platform: MetalLB without Akash')
    .option('--provider <address>', "the provider's address, akash1…")
    .option('--metallb <version>', 'the MetalLB that runs; default: 0.14.9')
    .option('--metallb-namespace <name>', 'the namespace of MetalLB; default: metallb-system')
    .option('--layout <layout>', "of MetalLB's pools, pool or lease; default: pool")
    .option('--shards <count>', 'of each cluster: 1, 16 or 256; fixed once it has leases')
    .option('--engine <name>', 'what applies dist/: argocd, flux or none; default: none')
    .option('--repo <url>', 'for the engine: the git repository of the leases, without credentials')
    .option('--secret <name>', 'for Flux: the Secret with the credentials of the repository')
    .option('--branch <name>', 'the branch that is applied; default: main')
    .option('--forge <name>', 'whose CI checks: github, gitlab or none; default: none')
    .option(
      '--leasehold <url#commit>',
      'your copy of leasehold, and the commit to run; default: that of package.json',
    )
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
    )
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
    .addOption(dateAheadOption());
}

const none: readonly string[] = [];

type InitOptions = OptionsOf<typeof initCommand>;

async function runInit(context: CliContext, given: InitOptions): Promise<number> {
  const { root } = context.place;
  if (isBareRepository(root)) {
    throw new EnvironmentError('this is a bare repository: clone it, and run init in the clone');
  }
  const existing = existingSetup(root);
  if (!existing.ok) return reportProblems(context, existing.problems);
  const options = { ...given, leasehold: given.leasehold ?? toolThere(openForReading(root)) };
  if (options.yes) return setUpAs(context, options, { root, existing: existing.value });
  if (context.asking === undefined) {
    throw new UsageError(
      'init needs a terminal for its prompts: use --yes and the options that leasehold init --help lists',
    );
  }
  const { promptsAt, Stopped } = await import('./prompts.ts');
  const prompts = promptsAt(context.asking);
  try {
    const raw = await askAnswers(prompts, options, existing.value);
    const gitInit = isInWorkTree(root)
      ? false
      : options.gitInit ||
        (await prompts.confirm('This folder is not in a git repository. Create one here?', true));
    const asked = { ...options, ...raw, gitInit };
    return await setUpAs(context, asked, { root, existing: existing.value, prompts });
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    context.err('leasehold: stopped; nothing is written\n');
    return exit.stopped;
  }
}

type SetupOptions = RawAnswers & Omit<InitOptions, keyof RawAnswers>;

/** The folder of a new repository. */
interface Site {
  readonly root: string;
  readonly existing: ExistingSetup;
  /** Absent with `--yes`. */
  readonly prompts?: Prompts;
}

async function setUpAs(context: CliContext, options: SetupOptions, site: Site): Promise<number> {
  const { root, existing, prompts } = site;
  const read = readAnswers(options, existing);
  if (!read.ok) return reportInvalid(context, read);
  const { answers } = read;
  const repository = openRepository(root);
  const folder = await repository.folder();
  if (folder !== '' && answers.forge !== undefined) {
    throw new UsageError(
      `the CI files of a forge belong at the top of its repository, and this is ${folder}: run init there, or use --forge none`,
    );
  }
  const chosen = new Set(options.replace);
  const settings = {
    folder,
    shipped: shippedText,
    serversOf: (clusters: Parameters<typeof clusterServers>[0]) =>
      clusterServers(clusters, options.server),
  };
  const { history } = repository;
  const plan = await planSetup(openForReading(root), history, answers, {
    ...settings,
    replaces: async (file) => {
      if (prompts && !chosen.has(file.path) && (await isReplacing(prompts, file))) {
        chosen.add(file.path);
      }
      return chosen.has(file.path);
    },
  });
  if (!plan.ok) return reportProblems(context, plan.problems);
  assertKnown(options.replace, plan.value);
  if (prompts && !(await isMeant(prompts, plan.value))) {
    context.err('leasehold: nothing is written\n');
    return exit.fine;
  }
  // The lock is not held during the prompts, so the tree and the index are read again under it.
  const write = async ({ tree, repository: locked }: LockedTree) => {
    const replaces = async ({ path }: SetupFile): Promise<boolean> => chosen.has(path);
    const again = await planSetup(tree, locked.history, answers, { ...settings, replaces });
    if (!again.ok) return again;
    const today = recordedDay(context, options);
    const done = await setUp(tree, locked.history, again.value, { today, allowRelease: undefined });
    if (!done.ok) return done;
    if (options.gitInit && !isInWorkTree(root)) await locked.make(answers.branch);
    context.out(setupText(again.value.files));
    context.err(runText(context, { ...done.value.run, files: done.value.files }));
    context.out(await nextText(locked, answers, again.value));
    return exit.fine;
  };
  return withTreeAt(context, root, write, async (_, __, problems) =>
    reportProblems(context, problems),
  );
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

function reportInvalid(
  context: CliContext,
  { missing, faults }: { readonly missing: readonly string[]; readonly faults: readonly string[] },
): number {
  const lines = [
    ...(missing.length > 0 ? [`init --yes needs ${missing.join(', ')}`] : []),
    ...faults,
  ];
  context.err(lines.map((line) => `leasehold: ${sanitize(line)}\n`).join(''));
  return exit.usage;
}

function assertKnown(replace: readonly string[], { files }: SetupPlan): void {
  const unknown = replace.filter(
    (path) => !files.some((file) => file.path === path && file.state !== 'old'),
  );
  if (unknown.length === 0) return;
  throw new UsageError(`--replace names ${unknown.join(', ')}, which this init does not write`);
}

async function isReplacing(prompts: Prompts, file: SetupFile): Promise<boolean> {
  prompts.show(diffText(file));
  return prompts.confirm(`${file.path} exists with other content. Replace it?`);
}

function isMeant(prompts: Prompts, { files, writes }: SetupPlan): Promise<boolean> {
  prompts.show(setupText(files.map((file) => ({ ...file, before: '', after: '' }))));
  return prompts.confirm(`Write ${writes.size} files, and synthesize?`, true);
}

/**
 * Without leasehold in package.json, npx would look for it elsewhere; without .gitignore, git would
 * take node_modules.
 */
const needed = ['package.json', '.gitignore'];

async function nextText(
  { root, start }: Repository,
  answers: SetupAnswers,
  { files }: SetupPlan,
): Promise<string> {
  const paths = files.map(({ path }) => path);
  return nextSteps(answers, {
    repository: isInWorkTree(root) ? await start() : undefined,
    hasCodeowners: paths.some((path) => path.endsWith('CODEOWNERS')),
    hasNewPools: files.some(
      ({ path, state }) => path === poolsPath && (state === 'new' || state === 'replaced'),
    ),
    lacking: needed.filter((path) =>
      files.some((file) => file.path === path && file.state === 'differs'),
    ),
    enginePaths: paths.filter((path) => path.startsWith('gitops/')),
  });
}
