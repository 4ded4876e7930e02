import { resolve } from 'node:path';
import { planSetup, type SetupPlan, setUp } from '../../features/delivery/init/plan-setup.ts';
import type { SetupAnswers, SetupFile } from '../../features/delivery/init/setup.ts';
import { diffText, nextSteps, setupText } from '../../features/delivery/init/setup-text.ts';
import { toolThere } from '../../features/delivery/init/tool.ts';
import { leasesFolder, policyPath, poolsPath } from '../../model/folders.ts';
import { EnvironmentError, type Outcome } from '../../model/problem.ts';
import { plain } from '../../text/print/plain.ts';
import { readPoolFile } from '../../workspace/declared.ts';
import { openForReading, openForWriting } from '../../world/disk/disk-tree.ts';
import { isBareRepository, isInWorkTree } from '../../world/git/git.ts';
import { openRepository } from '../../world/git/git-repository.ts';
import { shippedText } from '../../world/shipped-file.ts';
import type { CommandLine, CommonOptions } from '../command-line.ts';
import { runText } from '../commands/check-command.ts';
import { reportProblems, UsageError } from '../failure.ts';
import { clusterServers } from '../gitops-values.ts';
import { dateAheadOption, refsValue, todayOption } from '../option-values.ts';
import { type DayOptions, recordedDay } from '../recorded-day.ts';
import { exit, type World } from '../world.ts';
import type { Prompts } from './prompts.ts';
import { readAnswers, type SetupGround } from './setup-answers.ts';
import { askWords } from './setup-questions.ts';
import type { SetupWords } from './setup-words.ts';

interface InitOptions extends CommonOptions, SetupWords, DayOptions {
  readonly yes: boolean;
  readonly gitInit: boolean;
  readonly replace: readonly string[];
}

/** `leasehold init`: a repository that leases addresses, in a folder. */
export function addInitCommand({ world, command, take }: CommandLine): void {
  const init = command('init', 'make a repository that leases addresses, or complete one')
    .option('--yes', 'ask nothing: take what is said here, and defaults', false)
    .option('--for <who>', 'akash: a provider of Akash; platform: MetalLB without Akash')
    .option('--provider <address>', "the provider's address, akash1…")
    .option('--metallb <version>', 'the MetalLB that runs; default: 0.14.9')
    .option('--metallb-namespace <name>', 'the namespace of MetalLB; default: metallb-system')
    .option('--layout <layout>', "of MetalLB's pools, pool or lease; default: pool")
    .option('--shards <count>', 'of each cluster, 1, 16 or 256; stays once it has leases')
    .option('--engine <name>', 'what applies dist/: argocd, flux or none; default: none')
    .option('--repo <url>', 'for the engine: the git repository of the leases, without credentials')
    .option('--secret <name>', 'for Flux: the Secret with what opens the repository')
    .option('--branch <name>', 'the branch that is applied; default: main')
    .option('--forge <name>', 'whose CI checks: github, gitlab or none; default: none')
    .option(
      '--leasehold <url#commit>',
      'your copy of leasehold, and the commit of it to run; default: that of package.json',
    );
  for (const [flags, description] of repeated) init.option(flags, description, refsValue, []);
  init
    .option('--git-init', 'make a git repository where the folder is in none', false)
    .addOption(todayOption())
    .addOption(dateAheadOption())
    .action((_, self) => take(runInit(world, self.optsWithGlobals())));
}

const repeated = [
  ['--cluster <name>', 'a cluster, the default one first; may be repeated; default: default'],
  ['--pool <name=addresses>', 'a pool, with a comma between two addresses; may be repeated'],
  ['--reserved <name=addresses>', 'addresses of a pool that are never given out'],
  ['--zone <name=zone>', 'the zone of a pool; default: default'],
  ['--bgp <name>', 'a pool that is announced by BGP; by L2 when left out'],
  ['--reviewer <who>', 'who approves changes of pools and policy: @user, @org/team or mail'],
  ['--server <name=url>', 'for Argo CD: the API server of a cluster, where there are several'],
  ['--replace <file>', 'write a file anew that is there with other content; may be repeated'],
] as const;

async function runInit(world: World, said: InitOptions): Promise<number> {
  const root = resolve(world.cwd, said.directory);
  if (isBareRepository(root)) {
    throw new EnvironmentError('this is a bare repository: clone it, and run init in the clone');
  }
  const ground = groundOf(root);
  if (!ground.ok) return reportProblems(world, ground.problems);
  const options = { ...said, leasehold: said.leasehold ?? toolThere(openForReading(root)) };
  if (options.yes) return setUpAs(world, options, { root, ground: ground.value });
  if (world.asking === undefined) {
    throw new UsageError(
      'init asks at a terminal, and there is none here: say --yes, and the options that leasehold init --help lists',
    );
  }
  const { promptsAt, Stopped } = await import('./prompts.ts');
  const prompts = promptsAt(world.asking);
  try {
    const words = await askWords(prompts, options, ground.value);
    const gitInit = isInWorkTree(root)
      ? false
      : options.gitInit ||
        (await prompts.confirm('This folder is in no git repository. Make one here?', true));
    const asked = { ...options, ...words, gitInit };
    return await setUpAs(world, asked, { root, ground: ground.value, prompts });
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    world.err('leasehold: stopped; nothing is written\n');
    return exit.stopped;
  }
}

/** Where a repository is set up, and who can be asked. */
interface Site {
  readonly root: string;
  readonly ground: SetupGround;
  readonly prompts?: Prompts;
}

async function setUpAs(world: World, options: InitOptions, site: Site): Promise<number> {
  const { root, ground, prompts } = site;
  const read = readAnswers(options, ground);
  if (!read.ok) return reportWords(world, read);
  const { answers } = read;
  const folder = await openRepository(root).folder();
  if (folder !== '' && answers.forge !== undefined) {
    throw new UsageError(
      `the CI of a forge stands at the top of its repository, and this is ${folder}: run init there, or say --forge none`,
    );
  }
  const chosen = new Set(options.replace);
  const context = {
    folder,
    shipped: shippedText,
    serversOf: (clusters: Parameters<typeof clusterServers>[0]) =>
      clusterServers(clusters, options.server),
  };
  const history = openRepository(root).history;
  const plan = await planSetup(openForReading(root), history, answers, {
    ...context,
    replaces: async (file) => {
      if (prompts && !chosen.has(file.path) && (await isReplacing(prompts, file))) {
        chosen.add(file.path);
      }
      return chosen.has(file.path);
    },
  });
  if (!plan.ok) return reportProblems(world, plan.problems);
  assertKnown(options.replace, plan.value);
  if (prompts && !(await isMeant(prompts, plan.value))) {
    world.err('leasehold: nothing is written\n');
    return exit.fine;
  }
  // Nobody waits for the lock while somebody thinks: what was there meanwhile is looked at again.
  const tree = await openForWriting(root);
  try {
    const replaces = async ({ path }: SetupFile): Promise<boolean> => chosen.has(path);
    const again = await planSetup(tree, history, answers, { ...context, replaces });
    if (!again.ok) return reportProblems(world, again.problems);
    const today = recordedDay(world, options);
    const done = await setUp(tree, history, again.value, { today, allowRelease: undefined });
    if (!done.ok) return reportProblems(world, done.problems);
    if (options.gitInit && !isInWorkTree(root)) await openRepository(root).make(answers.branch);
    world.out(setupText(again.value.files));
    world.err(runText(world, { ...done.value.run, files: done.value.files }));
    world.out(await nextText(root, answers, again.value));
    return exit.fine;
  } finally {
    tree.close();
  }
}

/** What of leasehold is in a folder before. Problems: those of a pool file that is there. */
function groundOf(root: string): Outcome<SetupGround> {
  const tree = openForReading(root);
  const present = new Set(tree.list(leasesFolder).map(({ path }) => path));
  const hasPolicy = present.has(policyPath);
  if (!present.has(poolsPath)) return { ok: true, value: { pools: undefined, hasPolicy } };
  const pools = readPoolFile(tree);
  return pools.ok ? { ok: true, value: { pools: pools.value, hasPolicy } } : pools;
}

function reportWords(
  world: World,
  { missing, faults }: { readonly missing: readonly string[]; readonly faults: readonly string[] },
): number {
  const lines = [
    ...(missing.length > 0 ? [`init --yes needs ${missing.join(', ')}`] : []),
    ...faults,
  ];
  world.err(lines.map((line) => `leasehold: ${plain(line)}\n`).join(''));
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
  return prompts.confirm(`${file.path} is there with other content. Replace it?`);
}

function isMeant(prompts: Prompts, { files, writes }: SetupPlan): Promise<boolean> {
  prompts.show(setupText(files.map((file) => ({ ...file, before: '', after: '' }))));
  return prompts.confirm(`Write ${writes.size} files, and synthesize?`, true);
}

/** Without leasehold in package.json, npx would look for it elsewhere; without .gitignore, git would take node_modules. */
const needed = ['package.json', '.gitignore'];

async function nextText(
  root: string,
  answers: SetupAnswers,
  { files }: SetupPlan,
): Promise<string> {
  const paths = files.map(({ path }) => path);
  return nextSteps(answers, {
    repository: isInWorkTree(root) ? await openRepository(root).start() : undefined,
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
