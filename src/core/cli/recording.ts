import { type Command, Option, type OptionValues } from '@commander-js/extra-typings';
import { PoolIndex } from '../declarations/pools/pool-index.ts';
import type { Commits } from '../interfaces/commits.ts';
import type { SourceTree } from '../interfaces/tree.ts';
import { ifAvailable } from '../model/calls.ts';
import type { Day } from '../model/day.ts';
import { allForges } from '../model/forges/forges.ts';
import { EnvironmentError, type Problem, withMove } from '../model/problem.ts';
import {
  type Checkout,
  type Compared,
  type Comparison,
  judgedBase,
  openComparison,
  severalBases,
  shownRef,
  staleBase,
} from '../run/review/comparison.ts';
import { lawfulRecords } from '../run/review/lawful-records.ts';
import { check } from '../run/synth/check.ts';
import { type RunBase, runBase } from '../run/synth/run-base.ts';
import { sanitize } from '../text/print/escape.ts';
import { readPoolFile } from '../tree/declared.ts';
import { committedHistory } from '../tree/workspace.ts';
import type { Repository } from '../world/git/git-repository.ts';
import { reportOption } from './answer.ts';
import type { CliContext } from './cli-context.ts';
import type { GlobalOptions } from './command-line.ts';
import { UsageError } from './failure.ts';
import { todayOption } from './option-values.ts';
import type { OpenTree } from './with-tree.ts';

/** `--allow-date-ahead`, beside `--today`, of every command that records addresses. */
export function dateAheadOption() {
  return new Option('--allow-date-ahead', 'let --today be days ahead of the clock').env(
    'LEASEHOLD_ALLOW_DATE_AHEAD',
  );
}

/** `--base`, of every command that records addresses. {@link noBaseOption} must follow it. */
function baseOption() {
  return new Option(
    '--base <ref>',
    'the branch to merge into; the target of the pull request when left out, or the default branch',
  );
}

/** `--no-base`. */
function noBaseOption() {
  return new Option('--no-base', 'compare with no branch: use all recorded addresses as they are');
}

/** The options of a command that records addresses, after its own. */
export function recordingOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options, GlobalOptions>,
) {
  return command
    .addOption(baseOption())
    .addOption(noBaseOption())
    .addOption(todayOption())
    .addOption(dateAheadOption())
    .addOption(reportOption());
}

interface DayOptions {
  readonly today?: Day;
  readonly allowDateAhead?: boolean;
}

interface BaseOptions {
  /** Undefined for the target of the pull request, false for none. */
  readonly base?: string | boolean;
}

/** The settings of a run that records: the day, the commit that its branch starts from, and who follows it. */
export async function recordingOf(
  context: CliContext,
  { tree, repository }: OpenTree,
  options: DayOptions & BaseOptions,
) {
  const today = recordedDay(context, options);
  const base = await baseOf({ context, tree, repository, today }, options);
  return { today, base, progress: context.progress };
}

/** The day that a run records: the one of `--today`, else the clock's. */
export function recordedDay(context: CliContext, options: DayOptions): Day {
  return givenDay(context, options) ?? context.today();
}

/**
 * The day of `--today`. A UsageError when it is ahead of the clock and `--allow-date-ahead` is
 * missing: what is free on a later day is not free yet, and once a day is recorded, no run records
 * an earlier one.
 */
export function givenDay(
  context: CliContext,
  { today, allowDateAhead }: DayOptions,
): Day | undefined {
  const clock = context.today();
  if (today === undefined || today <= clock || allowDateAhead) return today;
  throw new UsageError(
    `today is ${clock} by the clock (UTC), and --today or LEASEHOLD_TODAY is ${today}: what is free by then is not free yet, and once that day is recorded, no run can record an earlier one; use --allow-date-ahead (or LEASEHOLD_ALLOW_DATE_AHEAD=1) if this is intended; check then refuses the commit until that day (DATE_AHEAD)`,
  );
}

interface RunPlace extends OpenTree {
  readonly context: CliContext;
  readonly today: Day;
}

/**
 * The commit that the branch of a checkout starts from. Undefined without git or a target, in a
 * clone that is too shallow, after a criss-cross merge, and on the target itself while it has all
 * records of HEAD. For a branch that engines apply, the target is its upstream. An EnvironmentError
 * when `--base` names a ref that gives no merge base.
 */
async function baseOf(place: RunPlace, { base }: BaseOptions): Promise<RunBase | undefined> {
  if (base === false) return undefined;
  if (typeof base === 'string') {
    const named = await readBase(place, await branchState(place.repository, base));
    if (named) return named;
    throw new EnvironmentError(severalBases(base));
  }
  return ifAvailable(() => foundBase(place));
}

async function foundBase(place: RunPlace): Promise<RunBase | undefined> {
  const ref = await targetRef(place.context, place.repository);
  const state = await branchState(place.repository, ref);
  const { branch } = state;
  if (branch === undefined || `/${ref}`.endsWith(`/${branch}`)) return baseOnTarget(place, state);
  if (appliedBranches(place.tree).includes(branch)) {
    return baseOnTarget(place, await branchState(place.repository, `${branch}@{upstream}`));
  }
  // A new branch without commits of its own is not the target.
  return readBase(place, state);
}

/**
 * On a target with unpushed commits, what is pushed. Else HEAD, when the working tree has lost or
 * changed a record of it, as after git revert --no-commit. Undefined when it has not, when HEAD has
 * lost records itself, which are restored from an older commit, and when no pool has an address of
 * HEAD any more: the workspace begins anew.
 */
async function baseOnTarget(place: RunPlace, state: BranchState): Promise<RunBase | undefined> {
  const { commits, head, target } = state;
  const found = target.id === head.id ? undefined : await readBase(place, state);
  if (found && found.commit.id !== head.id) return found;
  if (!(await commits.hasChangedRecords())) return undefined;
  const tree = await commits.tree(head.id);
  const sound = await check(tree, committedHistory(tree));
  if (!sound.ok && sound.problems.some(({ code }) => code === 'ALLOCATION_LOST')) return undefined;
  const base = found ?? (await readBase(place, { ...state, target: head, merged: [] }));
  const pools = readPoolFile(place.tree);
  const index = pools.ok ? new PoolIndex(pools.value) : undefined;
  const isKnown = [...(base?.table.values() ?? [])].some(({ address }) => index?.of(address));
  return isKnown ? base : undefined;
}

/** The branches that engines apply beside the default one; none when the pool file has problems. */
function appliedBranches(tree: SourceTree): readonly string[] {
  const pools = readPoolFile(tree);
  return pools.ok ? pools.value.branches : [];
}

type BranchState = Awaited<ReturnType<typeof branchState>>;

async function branchState({ commits, checkedOut }: Repository, ref: string) {
  const [head, target] = await commits.resolveEach(['HEAD', ref]);
  return { commits, head, target, ...(await checkedOut()) };
}

async function readBase(
  { today }: RunPlace,
  { commits, head, target, merged }: BranchState,
): Promise<RunBase | undefined> {
  const base = await runBase(commits, { target, heads: [head.id, ...merged] }, today);
  return base && { ...base, lawful: () => lawfulBase(commits, base, today) };
}

async function lawfulBase(
  commits: Commits,
  base: RunBase,
  today: Day,
): Promise<RunBase | undefined> {
  const lawful = await lawfulRecords(commits, base.commit, today);
  if (!lawful) return undefined;
  const { table, hostnameTable, addresses } = lawful;
  const hostnames = { ...base.hostnames, table: hostnameTable };
  return { ...base, table, hostnames, restored: addresses };
}

/** Adds the `--base` or `--onto` of the run to the moves that hints advise. */
export function withMoveOption(
  problems: readonly Problem[],
  option: '--base' | '--onto',
  ref: string | false | undefined,
): readonly Problem[] {
  const name = ref ? shownRef(ref) : undefined;
  if (name === undefined) return problems;
  return problems.map((problem) => withMove(problem, { option: ` ${option} ${name}` }));
}

/**
 * The ref that a pull request is compared with without `--base`: the target that the environment of
 * a forge's CI names, else the default branch.
 */
export async function targetRef({ env }: CliContext, { defaultRef }: Repository): Promise<string> {
  const target = allForges.map((forge) => forge.targetOf(env)).find(Boolean);
  // In full: a branch or tag could have the short name too.
  if (target) return `refs/remotes/origin/${target}`;
  const ref = await defaultRef();
  if (ref !== undefined) return ref;
  throw new EnvironmentError(
    'there is no branch to compare with: neither the default branch of a remote, nor main; name one with --base',
  );
}

/**
 * {@link openComparison}. A base that is given as a commit, and not by the name of a branch, is judged
 * by {@link judgedBase}, and hints name the {@link targetRef}. The base of a merge queue or train is
 * not in the target yet. A branch is judged by {@link staleBase}.
 */
export async function compared(
  context: CliContext,
  repository: Repository,
  checkout: Checkout,
  refs: Compared,
): Promise<Comparison> {
  const { commits } = repository;
  const comparison = await openComparison(commits, checkout, refs);
  if (shownRef(refs.base) !== undefined) {
    const stale = await staleBase(commits, comparison);
    if (stale !== undefined) context.err(`caution: ${stale}\n`);
    return comparison;
  }
  const target = await knownTarget(context, repository);
  if (!target) return comparison;
  const { caution, hasLanded } = await judgedBase(commits, comparison, target);
  const isQueued = allForges.some((forge) => forge.isQueued(context.env));
  if (caution && !isQueued) context.err(`caution: ${sanitize(caution)}\n`);
  const hinted = hasLanded ? comparison.targetRef : target.ref;
  return { ...comparison, hasLanded, targetRef: hinted, isByCommit: true };
}

/** The {@link targetRef} and its commit; undefined for a clone without it. */
function knownTarget(context: CliContext, repository: Repository) {
  return ifAvailable(async () => {
    const ref = await targetRef(context, repository);
    return { ref, commit: await repository.commits.resolve(ref) };
  });
}
