import { Option } from '@commander-js/extra-typings';
import { forgeOfCI, forges } from '../../model/forges/forges.ts';
import { planOf } from '../../run/plan/plan.ts';
import type { Plan } from '../../run/plan/plan-answer.ts';
import { planGithub, planGitlab } from '../../run/plan/print/plan-findings.ts';
import { planHtml } from '../../run/plan/print/plan-html.ts';
import { type ForgePages, forgeLinks } from '../../run/plan/print/plan-links.ts';
import { planMarkdown } from '../../run/plan/print/plan-markdown.ts';
import { planSarif } from '../../run/plan/print/plan-sarif.ts';
import { planText } from '../../run/plan/print/plan-text.ts';
import { review } from '../../run/review/review.ts';
import type { TableStyle } from '../../text/print/table.ts';
import type { Repository } from '../../world/git/git-repository.ts';
import { dataText, tableStyle } from '../answer.ts';
import { type CliContext, exit, planExit, version } from '../cli-context.ts';
import type { NewCommand, OptionsOf } from '../command-line.ts';
import { reportRefusal } from '../failure.ts';
import { command } from '../feature.ts';
import { readPlan } from '../input-files.ts';
import { allowReleaseOption, countValue, textsValue, todayOption } from '../option-values.ts';
import { compared, targetRef } from '../recording.ts';
import { openTree, tellMerge } from '../with-tree.ts';

/** `leasehold plan`. */
export const planCommand = command(planOptions, runPlan);

function planOptions(bare: NewCommand) {
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
    .addOption(new Option('-o, --output <format>').choices(planFormats).default('text'))
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

const planFormats = [
  'text',
  'markdown',
  'json',
  'yaml',
  'sarif',
  'github',
  'gitlab',
  'html',
] as const;

type PlanOptions = OptionsOf<typeof planOptions>;

async function runPlan(context: CliContext, options: PlanOptions): Promise<number> {
  const read =
    options.from === undefined
      ? { ok: true as const, value: await makePlan(context, options) }
      : await readPlan(context, options.from);
  if (!read.ok) return reportRefusal(context, read.messages);
  const plan = read.value;
  const pages = forgePages(context.env);
  const linkOf = pages ? forgeLinks(pages, plan) : () => undefined;
  context.out(printedPlan(plan, options, { table: tableStyle(context, options.output), linkOf }));
  return statusOf(plan, options);
}

async function makePlan(context: CliContext, options: PlanOptions): Promise<Plan> {
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
  return planOf(reviewed, repository.path);
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

interface PlanStyle {
  readonly table: TableStyle;
  readonly linkOf: ReturnType<typeof forgeLinks>;
}

function printedPlan(plan: Plan, options: PlanOptions, { table, linkOf }: PlanStyle): string {
  switch (options.output) {
    case 'text':
      return planText(plan, table, options);
    case 'markdown':
      return planMarkdown(plan, { maxChars: options.maxChars, linkOf });
    case 'json':
    case 'yaml':
      return dataText(plan, options.output);
    case 'sarif':
      return planSarif(plan, version);
    case 'github':
      return planGithub(plan);
    case 'gitlab':
      return planGitlab(plan);
    case 'html':
      return planHtml(plan, { linkOf });
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
