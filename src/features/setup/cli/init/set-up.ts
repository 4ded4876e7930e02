import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { commitFields, dataText } from '../../../../core/cli/answer.ts';
import { type CliContext, exit, isData } from '../../../../core/cli/cli-context.ts';
import type { GlobalOptions } from '../../../../core/cli/command-line.ts';
import { reportProblems, UsageError } from '../../../../core/cli/failure.ts';
import type { Prompts } from '../../../../core/cli/prompts.ts';
import { recordedDay } from '../../../../core/cli/recording.ts';
import {
  type ActionResult,
  type LockedTree,
  runText,
  summaryOf,
  withTreeOf,
} from '../../../../core/cli/with-tree.ts';
import type { SourceTree } from '../../../../core/interfaces/tree.ts';
import type { Day } from '../../../../core/model/day.ts';
import type { Pools } from '../../../../core/model/pools.ts';
import { type Outcome, ok } from '../../../../core/model/problem.ts';
import { poolsPath } from '../../../../core/model/repository-paths.ts';
import { assignedEnds, blockEndCautions } from '../../../../core/run/plan/pool-changes.ts';
import { runCounts } from '../../../../core/run/synth/run-answer.ts';
import { sanitize } from '../../../../core/text/print/escape.ts';
import { failureText } from '../../../../core/text/print/failure-text.ts';
import { type ChangedTree, changedTree } from '../../../../core/tree/changed-tree.ts';
import { openForReading } from '../../../../core/world/disk/disk-tree.ts';
import { isInWorkTree } from '../../../../core/world/git/git.ts';
import { openRepository, type Repository } from '../../../../core/world/git/git-repository.ts';
import { shippedText } from '../../../../core/world/shipped-file.ts';
import type { DeclareFirst } from '../../../../lib/edit/cli/first-declaration.ts';
import { hasCI } from '../../init/forge-setup.ts';
import { planSetup, type SetupPlan, setUp, withAdopted } from '../../init/plan-setup.ts';
import type { SetupAnswers, SetupFile, ToolSource } from '../../init/setup.ts';
import { setupOf } from '../../init/setup-answer.ts';
import { diffText, nextSteps, nextText, setupText } from '../../init/setup-text.ts';
import { clusterServers } from '../cluster-servers.ts';
import type { LiveSite } from './live-site.ts';
import type { RawAnswers } from './raw-answers.ts';
import { type ExistingSetup, readAnswers } from './setup-answers.ts';

/** The answers and the other options of a set-up. */
export interface SetupOptions extends RawAnswers, GlobalOptions {
  readonly replace: readonly string[];
  readonly gitInit: boolean;
  readonly output: 'text' | 'json' | 'yaml';
  readonly today?: Day;
  readonly allowDateAhead?: true;
}

/** The folder of a new repository. */
export interface Site {
  readonly root: string;
  readonly existing: ExistingSetup;
  /** Absent with `--yes`. */
  readonly prompts?: Prompts;
  /** Asks for a first declaration. Absent in a program without such a feature. */
  readonly declareFirst?: DeclareFirst;
  /** The cluster that is taken over. */
  readonly live?: LiveSite;
}

/** A site whose cluster is taken over. */
export function siteWith(site: Site, live: LiveSite): Site {
  return { ...site, live, existing: live.existing };
}

/** Validates the answers, shows what is written on request, and writes all of it or nothing. */
export async function setUpAs(
  context: CliContext,
  options: SetupOptions,
  site: Site,
): Promise<number> {
  const { root, existing, prompts, live, declareFirst } = site;
  const read = readAnswers(options, existing);
  if (!read.ok) return reportInvalid(context, read);
  const { answers } = read;
  if (answers.pools && options.replace.includes(poolsPath)) assertFences(existing);
  const repository = openRepository(root);
  const folder = await repository.folder();
  assertTop(folder, answers);
  const chosen = new Set(options.replace);
  const settings: SetupSettings = {
    folder,
    shipped: shippedText,
    serversOf: (clusters) => clusterServers(clusters, options.server),
  };
  const plan = await planWith(live, openForReading(root), repository.history, answers, {
    ...settings,
    replaces: async (file) => {
      if (prompts && !chosen.has(file.path) && (await isReplacing(prompts, file))) {
        chosen.add(file.path);
      }
      return chosen.has(file.path);
    },
  });
  if (!plan.ok) return reportProblems(context, plan.problems);
  assertKnown(options.replace, plan.value.plan);
  if (prompts && !(await isConfirmed(prompts, plan.value.plan))) {
    context.err('leasehold: nothing is written\n');
    return exit.fine;
  }
  const status = await withTreeOf(
    context,
    openRepository(root),
    (locked) => writeSetup(context, options, locked, { answers, live, settings, chosen }),
    async (_, __, problems) => reportProblems(context, problems),
  );
  const isNew = existing.pools === undefined && live === undefined && !isData(options.output);
  if (status !== exit.fine || !prompts || !isNew || !declareFirst) return status;
  const kind = answers.pools?.provider === undefined ? 'Service' : 'Lease';
  // Everything is written: Ctrl-C is an answer here.
  const isWanted = await prompts.confirm(`Declare a first ${kind} now?`).catch(() => false);
  const { cluster: _, ...own } = options;
  return isWanted ? declareFirst(context, kind, own) : status;
}

/** A set-up that has passed its prompts. */
interface ConfirmedSetup {
  readonly answers: SetupAnswers;
  readonly live: LiveSite | undefined;
  readonly settings: SetupSettings;
  /** The paths of the files to replace. */
  readonly chosen: ReadonlySet<string>;
}

/**
 * Writes a set-up and prints the result. The lock is not held during the prompts, so the tree and
 * the index are read again under it.
 */
async function writeSetup(
  context: CliContext,
  options: SetupOptions,
  { tree, repository }: LockedTree,
  setup: ConfirmedSetup,
): Promise<ActionResult> {
  const { answers, live, settings, chosen } = setup;
  const replaces = async ({ path }: SetupFile): Promise<boolean> => chosen.has(path);
  const planned = await planWith(live, tree, repository.history, answers, {
    ...settings,
    replaces,
  });
  if (!planned.ok) return planned;
  const { plan, edited } = planned.value;
  const today = recordedDay(context, options);
  const done = await setUp(edited, repository.history, plan, {
    today,
    progress: context.progress,
  });
  if (!done.ok) return done;
  const files = edited.changes();
  await tree.commit(files);
  if (options.gitInit && !isInWorkTree(repository.root)) await repository.make(answers.branch);
  const written = { ...done.value.run, files };
  const { pools } = done.value.run.workspace;
  const next = await nextOf(context.cwd, repository, setup, { plan, pools });
  if (isData(options.output)) {
    const about = await commitFields(repository, options.output);
    const counts = { ...runCounts(today, summaryOf(written)), ...about };
    context.out(dataText(setupOf(plan.files, next, counts), options.output));
  } else {
    const steps = nextText(next, context.columns);
    context.out(`${setupText(plan.files)}${runText(context, written)}${steps}`);
  }
  return exit.fine;
}

/**
 * Throws a UsageError for a pool file with an open fence: the pools of a new one are closed, which
 * takes the addresses of Services that are not declared.
 */
function assertFences({ pools }: ExistingSetup): void {
  const open = (pools?.pools ?? []).filter(({ fence }) => fence === 'open');
  if (open.length === 0) return;
  const names = open.map(({ name }) => name).join(', ');
  throw new UsageError(
    `--replace leases/pools.yaml would close the fence of ${names}, and Services that are not declared would lose their addresses: edit leases/pools.yaml, or remove fence: open first (node_modules/leasehold/docs/pools.md)`,
  );
}

/** Throws a UsageError for the CI files of a forge below the top of its repository. */
function assertTop(folder: string, { forge }: SetupAnswers): void {
  if (folder === '' || forge === undefined) return;
  throw new UsageError(
    `the CI files of a forge belong at the top of its repository, and this is ${folder}: run init there, or use --forge none`,
  );
}

/** A planned set-up, and the tree in memory that it is planned in. */
interface PlannedSite {
  readonly plan: SetupPlan;
  readonly edited: ChangedTree;
}

/** Plans a set-up, with the declarations of the cluster that is taken over. */
async function planWith(
  live: LiveSite | undefined,
  tree: SourceTree,
  ...[history, answers, settings]: PlanInputs
): Promise<Outcome<PlannedSite>> {
  const adopted = await live?.adopt(tree);
  if (adopted && !adopted.ok) return adopted;
  const edited = adopted?.value.tree ?? changedTree(tree);
  const plan = await planSetup(edited, history, answers, settings);
  if (!plan.ok) return plan;
  return ok({ plan: adopted ? withAdopted(plan.value, adopted.value.tree) : plan.value, edited });
}

type PlanInputs = Parameters<typeof planSetup> extends [unknown, ...infer Rest] ? Rest : never;
type SetupSettings = Omit<PlanInputs[2], 'replaces'>;

function reportInvalid(
  context: CliContext,
  { missing, faults }: { readonly missing: readonly string[]; readonly faults: readonly string[] },
): number {
  const lines = [
    ...(missing.length > 0 ? [`init --yes needs ${missing.join(', ')}`] : []),
    ...faults,
  ];
  if (isData(context.output)) context.out(failureText(exit.usage, lines.join('; ')));
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
  return prompts.confirm(
    `${file.path} exists with other content. Replace it?`,
    needed.includes(file.path),
  );
}

function isConfirmed(prompts: Prompts, { files, writes }: SetupPlan): Promise<boolean> {
  prompts.show(setupText(files.map((file) => ({ ...file, before: '', after: '' }))));
  return prompts.confirm(`Write ${writes.size} files, and synthesize?`, true);
}

/**
 * Without leasehold in package.json, npx would look for it elsewhere; without .gitignore, git would
 * take node_modules.
 */
const needed = ['package.json', '.gitignore'];

async function nextOf(
  cwd: string,
  { root, start }: Repository,
  { answers, live }: ConfirmedSetup,
  {
    plan: { files },
    pools: { clusters, pools },
  }: { readonly plan: SetupPlan; readonly pools: Pools },
): Promise<readonly string[]> {
  const paths = files.map(({ path }) => path);
  const hasNewPools =
    live === undefined &&
    files.some(
      ({ path, state }) => path === poolsPath && (state === 'new' || state === 'replaced'),
    );
  const ends = pools.flatMap((pool) =>
    pool.ranges.flatMap((range) => {
      const them = assignedEnds(pool, range).length === 1 ? 'it' : 'them';
      const step = `if that is a network of its own, add ${them} to reserved in leases/pools.yaml`;
      return blockEndCautions(pool, range).map(({ message }) => `${message}: ${step}`);
    }),
  );
  return nextSteps(answers, {
    repository: isInWorkTree(root) ? await start() : undefined,
    hasCodeowners: paths.some((path) => path.endsWith('CODEOWNERS')),
    hasNewPools,
    blockEnds: hasNewPools ? ends : [],
    lacking: needed.filter((path) =>
      files.some((file) => file.path === path && file.state === 'differs'),
    ),
    clusters: clusters.map(({ name }) => name),
    hasCI: hasCI(openForReading(root)),
    enginePaths: files
      .filter(({ path, state }) => path.startsWith('gitops/') && state !== 'old')
      .map(({ path }) => path),
    folder: relative(cwd, root),
    isTarballHere: isOnlyHere(cwd, root, answers.tool),
  });
}

/** True when the path of a tarball leads to it from the current folder, and not from the new one. */
function isOnlyHere(cwd: string, root: string, tool: ToolSource): boolean {
  if (tool.kind !== 'path' || !tool.path.endsWith('.tgz')) return false;
  return existsSync(resolve(cwd, tool.path)) && !existsSync(resolve(root, tool.path));
}
