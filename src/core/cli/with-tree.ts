import type { SourceTree } from '../interfaces/tree.ts';
import { holderPath, servicePath } from '../manifests/paths.ts';
import { heldCount } from '../model/allocation.ts';
import { ifAvailable } from '../model/calls.ts';
import type { Cluster } from '../model/pools.ts';
import { type Outcome, type Problem, withMove } from '../model/problem.ts';
import { isRecordPath } from '../model/repository-paths.ts';
import { withoutAddress, withoutAddressText } from '../model/service.ts';
import { askingServices } from '../run/plan/objects/asking-services.ts';
import { lawfulRecords } from '../run/review/lawful-records.ts';
import { mergeNotice } from '../run/review/merge-notice.ts';
import { isExplained, redProblems, withoutRed } from '../run/review/red-problems.ts';
import { changesText, type RunSummary } from '../run/synth/changes-text.ts';
import type { PlannedRun } from '../run/synth/planned-run.ts';
import { unmovedCautions } from '../run/synth/run-base.ts';
import { sanitize } from '../text/print/escape.ts';
import { readDeclared } from '../tree/declared.ts';
import { sourceLines } from '../tree/source-line.ts';
import { readWorkspace, type Workspace } from '../tree/workspace.ts';
import {
  listedOnce,
  openForReading,
  openForWriting,
  type WritableTree,
} from '../world/disk/disk-tree.ts';
import { isInWorkTree } from '../world/git/git.ts';
import { openRepository, type Repository } from '../world/git/git-repository.ts';
import { commitFields, reportText } from './answer.ts';
import { type CliContext, exit, workingRoot } from './cli-context.ts';
import type { GlobalOptions } from './command-line.ts';
import { reportProblems } from './failure.ts';
import {
  followedOperations,
  followedTree,
  followedWritableTree,
} from './progress/followed-tree.ts';
import { tell, toldPaint } from './tell.ts';
import { shownCommands } from './workspace-place.ts';

/** The working tree of a run, and the git repository around it: one object for the whole run. */
export interface OpenTree {
  readonly tree: SourceTree;
  readonly repository: Repository;
}

/** A working tree that is locked for writing. */
export interface LockedTree extends OpenTree {
  readonly tree: WritableTree;
}

/** The exit status of an action, or the problems that it found. */
export type ActionResult = number | Extract<Outcome<unknown>, { readonly ok: false }>;

/** Opens the working tree for reading. Git is not started yet. */
export function openTree(context: CliContext, options: GlobalOptions): OpenTree {
  const root = workingRoot(context, options);
  const repository = openRepository(root);
  const tree = followedTree(listedOnce(openForReading(root, repository.files)), context.progress);
  return { tree, repository };
}

/**
 * Opens the working tree for writing, runs the action, and closes the tree again. Reports the
 * problems that the action returns, and returns the exit status.
 */
export function withTree(
  context: CliContext,
  options: GlobalOptions,
  action: (locked: LockedTree) => Promise<ActionResult>,
  report: typeof reportTreeProblems = reportTreeProblems,
): Promise<number> {
  return withTreeOf(context, openRepository(workingRoot(context, options)), action, report);
}

/** {@link withTree} of an opened repository, whose folder need not be in a workspace. */
export async function withTreeOf(
  context: CliContext,
  repository: Repository,
  action: (locked: LockedTree) => Promise<ActionResult>,
  report: typeof reportTreeProblems,
): Promise<number> {
  const { progress } = context;
  const tree = followedWritableTree(
    listedOnce(
      await openForWriting(
        repository.root,
        followedOperations(progress),
        repository.files,
        repository.addToIndex,
      ),
    ),
    progress,
  );
  tellOvertaken(context, tree.overtaken);
  try {
    const result = await action({ tree, repository });
    if (typeof result === 'number') return result;
    return await report(context, repository, result.problems);
  } finally {
    tree.close();
  }
}

function tellOvertaken(context: CliContext, { length }: readonly string[]): void {
  if (length === 0) return;
  const files = length === 1 ? '1 file' : `${length} files`;
  context.err(
    `leasehold: an earlier run was killed before it had written ${files}, and git has moved HEAD since: run its command again\n`,
  );
}

/** {@link withTree} for an action that needs the workspace without problems. */
export function withWorkspace(
  context: CliContext,
  options: GlobalOptions,
  action: (workspace: Workspace, locked: LockedTree) => Promise<ActionResult>,
): Promise<number> {
  return withTree(context, options, async (locked) => {
    const workspace = await readWorkspace(locked.tree, locked.repository.history);
    return workspace.ok ? action(workspace.value, locked) : workspace;
  });
}

type WrittenRun = Pick<PlannedRun, 'changes' | 'hostnames' | 'table' | 'files'> &
  Partial<Pick<PlannedRun, 'takenPromises' | 'rebasedOn' | 'workspace'>>;

/**
 * The summary of a run: changed addresses, held addresses, written files. Empty with
 * `--quiet`.
 */
export function runText(context: CliContext, run: WrittenRun): string {
  return context.quiet ? '' : changesText(summaryOf(run), toldPaint(context));
}

/** A run that has recorded, the files that it wrote, and its answer. */
interface Reported<Answer extends object> {
  readonly run: Omit<WrittenRun, 'files'>;
  readonly files: WrittenRun['files'];
  readonly answer: Answer;
}

/** Prints the summary of a run and its answer, with the commit. Returns the exit status. */
export async function reportRun<Answer extends object>(
  context: CliContext,
  { repository }: OpenTree,
  { run, files, answer }: Reported<Answer>,
  text: (answer: Answer) => string,
): Promise<number> {
  const output = context.output ?? 'text';
  const whole = { ...answer, ...(await commitFields(repository, output)) };
  tell(context, runText(context, { ...run, files }));
  context.out(reportText(whole, output, text));
  return exit.fine;
}

/** The counts of a run. */
export function summaryOf(run: WrittenRun): RunSummary {
  const { writes, removes } = run.files;
  const counts = { written: writes.size, removed: removes.length };
  const { changes, takenPromises } = run;
  const rebasedOn = run.rebasedOn?.commit.id;
  const held = heldCount(run.table);
  const hostnameChanges = run.hostnames.changes;
  const cautions = writtenCautions(run);
  return { changes, hostnameChanges, held, ...counts, takenPromises, cautions, rebasedOn };
}

/** What to know of the Services whose manifests a run has written. */
function writtenCautions({ workspace, table, files, rebasedOn }: WrittenRun): readonly string[] {
  if (!workspace) return [];
  const isWritten = (name: string, pathOf: (cluster: Cluster) => string): boolean => {
    const cluster = workspace.pools.clusters.find((one) => one.name === name);
    return cluster !== undefined && files.writes.has(pathOf(cluster));
  };
  return [
    ...unmovedCautions(workspace.table, rebasedOn),
    ...withoutAddress(workspace.services)
      .filter(({ cluster, namespace, name }) =>
        isWritten(cluster, (own) => servicePath(own, namespace, name)),
      )
      .map(withoutAddressText),
    ...askingServices(workspace.holders, table)
      .filter(({ service, holder }) => isWritten(service.cluster, (own) => holderPath(own, holder)))
      .map(({ text }) => text),
  ];
}

/**
 * Prints the problems of the repository's working tree and returns their exit status. When a merge,
 * a rebase or the like is under way and may be the cause, prints that first. Otherwise adds the
 * command that takes back edits of files that only leasehold may write. Runs git, so it is for a
 * run that has failed.
 */
export async function reportTreeProblems(
  context: CliContext,
  repository: Repository,
  problems: readonly Problem[],
): Promise<number> {
  const isMerging = await tellMerge(context, repository, problems);
  const own = isMerging
    ? problems.map((problem) => withMove(problem, { merge: '' }))
    : await withRestoreHint(repository, await withRedTarget(context, repository, problems));
  return reportProblems(context, own, sourceLines(openForReading(repository.root)));
}

/** Prints the problems of a commit, or without one those of the working tree, and returns their exit status. */
export async function reportProblemsAt(
  context: CliContext,
  repository: Repository,
  ref: string | undefined,
  problems: readonly Problem[],
): Promise<number> {
  if (ref === undefined) return reportTreeProblems(context, repository, problems);
  const { commits } = repository;
  const { id } = await commits.resolve(ref);
  return reportProblems(context, problems, sourceLines(await commits.tree(id)));
}

/** On the target branch: the problems that {@link redProblems} finds, in place of what they explain. */
async function withRedTarget(
  context: CliContext,
  { root, files, commits, checkedOut, defaultRef }: Repository,
  problems: readonly Problem[],
): Promise<readonly Problem[]> {
  if (!isInWorkTree(root) || !problems.some(isExplained)) return problems;
  const red = await ifAvailable(async () => {
    const ref = await defaultRef();
    if (ref === undefined) return [];
    const { branch } = await checkedOut();
    if (!`/${ref}`.endsWith(`/${branch ?? ref}`)) return [];
    const commit = await commits.resolve('HEAD');
    const lawful = await lawfulRecords(commits, commit, context.today());
    const base = readDeclared(await commits.tree(commit.id));
    const head = readDeclared(openForReading(root, files));
    return redProblems({ lawful, base, head }, branch);
  });
  return red ? [...withoutRed(problems, red), ...red] : problems;
}

/**
 * Names the command that ends a merge, a rebase or the like that may cause the problems. Prints
 * nothing and returns false when none is under way, or when git fails.
 */
export async function tellMerge(
  context: CliContext,
  { root, merging }: Repository,
  problems: readonly Problem[],
): Promise<boolean> {
  if (!isInWorkTree(root)) return false;
  const state = await merging.state().catch(() => undefined);
  const notice = state && mergeNotice(state, problems);
  if (notice === undefined) return false;
  tell(context, `leasehold: ${sanitize(shownCommands(context, notice))}\n`);
  return true;
}

/** Adds a hint to the problems that a hand-made edit of a generated file explains. */
async function withRestoreHint(
  repository: Repository,
  problems: readonly Problem[],
): Promise<readonly Problem[]> {
  if (!isInWorkTree(repository.root) || !problems.some(isWrittenByHand)) return problems;
  const hint = await restoreHint(repository);
  if (hint === undefined) return problems;
  return problems.map((problem) => (isWrittenByHand(problem) ? { ...problem, hint } : problem));
}

/** True for a record that cannot be read, or that differs from the manifests. */
function isWrittenByHand({ code, at, hint }: Problem): boolean {
  if (hint !== undefined) return false;
  if (code === 'ALLOCATION_LOST') return true;
  return isRecordPath(at.file) && /^(?:ALLOCATION_INVALID|FIELD_|YAML_)/.test(code);
}

async function restoreHint(repository: Repository): Promise<string | undefined> {
  try {
    const sound = await repository.soundState();
    if (sound === undefined) return undefined;
    const command = `git restore --source=${sound.commit} --staged --worktree ${sound.folders.join(' ')}`;
    return `take back what was not written by leasehold: \`${command}\`, then run \`leasehold synth\``;
  } catch {
    return undefined;
  }
}

/** Remarks beside an answer that its claims may be incomplete. */
export function noteProblems(context: CliContext, count: number): void {
  if (count === 0) return;
  const many = count === 1 ? 'a problem' : `${count} problems`;
  context.err(
    `declarations have ${many}, so claims may be missing here; \`leasehold check\` names them\n`,
  );
}
