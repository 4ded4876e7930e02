import { Option } from '@commander-js/extra-typings';
import { forgeOfCI, forges } from '../../model/forges/forges.ts';
import { InternalError } from '../../model/problem.ts';
import { planOf } from '../../run/plan/plan.ts';
import type { Plan } from '../../run/plan/plan-answer.ts';
import type { ForgePages, PlanFormats } from '../../run/plan/print/plan-format.ts';
import { planText } from '../../run/plan/print/plan-text.ts';
import { review } from '../../run/review/review.ts';
import { sourceLines } from '../../tree/source-line.ts';
import type { Repository } from '../../world/git/git-repository.ts';
import { dataText, tableStyle } from '../answer.ts';
import { type CliContext, exit, planExit, version } from '../cli-context.ts';
import type { NewCommand, OptionsOf } from '../command-line.ts';
import { reportRefusal } from '../failure.ts';
import { type AddCommand, command, type Feature } from '../feature.ts';
import { readPlan } from '../input-files.ts';
import { allowReleaseOption, countValue, textsValue, todayOption } from '../option-values.ts';
import { compared, targetRef } from '../recording.ts';
import { openTree, tellMerge } from '../with-tree.ts';

/** `leasehold plan`. */
export const planCommand: AddCommand = (line) => {
  const formats = planFormats(line.features);
  const options = (bare: NewCommand) => planOptions(bare, Object.keys(formats));
  command(options, (context, given) => runPlan(context, given, formats))(line);
};

/** The formats of core and of features, by name. */
function planFormats(features: readonly Feature[]): PlanFormats {
  return Object.assign({}, ownFormats, ...features.map((feature) => feature.planFormats));
}

const ownFormats: PlanFormats = {
  text: async () => (plan, style) => planText(plan, style.table, style),
  json: async () => (plan) => dataText(plan, 'json'),
  yaml: async () => (plan) => dataText(plan, 'yaml'),
};

function planOptions(bare: NewCommand, formats: readonly string[]) {
  return bare
    .option(
      '--base <ref>',
      'compare with the merge base of this ref and the head; the target of the pull request when left out, or the default branch',
    )
    .option('--head <ref>', 'plan this commit instead of the working tree')
    .option(
      '--merged <ref>',
      'a branch that a squash or a rebase brought into the head; may be repeated',
      textsValue,
      [],
    )
    .addOption(
      new Option(
        '--from <file>',
        'print the plan in this file of plan -o json, without a repository; - is standard input',
      ).conflicts(['base', 'head', 'merged', 'allowRelease']),
    )
    .addOption(new Option('-o, --output <format>').choices(formats).default('text'))
    .option('--all', 'with text: list equal addresses and problems one by one', false)
    .option('--manifests', 'with text: show how the manifests change', false)
    .option(
      '--max-chars <count>',
      'with markdown: no more characters than this',
      countValue,
      65_000,
    )
    .option('--detailed-exitcode', 'exit 2 when something changes, instead of 0', false)
    .addOption(allowReleaseOption('allow the release of exactly this many addresses and hostnames'))
    .addOption(todayOption());
}

type PlanOptions = OptionsOf<typeof planOptions>;

async function runPlan(
  context: CliContext,
  options: PlanOptions,
  formats: PlanFormats,
): Promise<number> {
  const read =
    options.from === undefined
      ? { ok: true as const, ...(await makePlan(context, options)) }
      : { ...(await readPlan(context, options.from)), lineAt: undefined };
  if (!read.ok) return reportRefusal(context, read.messages);
  const plan = read.value;
  const print = await formats[options.output]?.();
  if (print === undefined) throw new InternalError(`plan has no format ${options.output}`);
  const table = tableStyle(context, options.output);
  const pages = forgePages(context.env);
  const { lineAt } = read;
  context.out(print(plan, { ...options, table, pages, version, lineAt }));
  return statusOf(plan, options);
}

/** The plan, and the lines of the reviewed files. */
async function makePlan(context: CliContext, options: PlanOptions) {
  const { head, merged, today = context.today() } = options;
  const { tree, repository } = openTree(context, options);
  const { commits, history } = repository;
  const base = options.base ?? (await foundBase(context, repository));
  const checkout = { tree, history, today };
  const comparison = await compared(context, repository, checkout, { base, head, merged });
  const reviewed = await review(commits, comparison, options.allowRelease, context.progress);
  const { treeProblems } = reviewed;
  if (head === undefined && treeProblems.length > 0) {
    await tellMerge(context, repository, treeProblems);
  }
  const value = await planOf(reviewed, repository.path);
  return { value, lineAt: sourceLines(comparison.headTree) };
}

/** The target of the pull request. Explains why there is none outside of a clone. */
async function foundBase(context: CliContext, repository: Repository): Promise<string> {
  try {
    return await targetRef(context, repository);
  } catch (error) {
    // Throws for a folder that is not a clone, and for a repository without a commit.
    await repository.commits.resolve('HEAD');
    throw error;
  }
}

/** 1 when the head has problems, 3 when its changes are not allowed on top of the base. */
function statusOf({ verdict, problems }: Plan, { detailedExitcode }: PlanOptions): number {
  if (problems.some((problem) => problem.of === 'tree')) return exit.problems;
  if (problems.length > 0) return planExit.blocked;
  return detailedExitcode && verdict !== 'no change' ? planExit.changes : exit.fine;
}

/** The web pages of the repository on the forge whose CI runs this; undefined outside of CI. */
function forgePages(env: CliContext['env']): ForgePages | undefined {
  const forge = forgeOfCI(env);
  const repository = forge && forges[forge].webOf(env);
  return forge && repository ? { forge, repository } : undefined;
}
