import { resolve } from 'node:path';
import { Option } from 'commander';
import { planOf } from '../../features/plan/plan.ts';
import type { Plan } from '../../features/plan/plan-answer.ts';
import { planGithub, planGitlab } from '../../features/plan/print/plan-findings.ts';
import { planHtml } from '../../features/plan/print/plan-html.ts';
import { forgeLinks } from '../../features/plan/print/plan-links.ts';
import { planMarkdown } from '../../features/plan/print/plan-markdown.ts';
import { planSarif } from '../../features/plan/print/plan-sarif.ts';
import { planText } from '../../features/plan/print/plan-text.ts';
import { openComparison } from '../../features/review/comparison.ts';
import { review } from '../../features/review/review.ts';
import type { Day } from '../../model/day.ts';
import { type Paint, paintOf } from '../../text/print/paint.ts';
import { plainJson } from '../../text/print/plain.ts';
import { openForReading } from '../../world/disk/disk-tree.ts';
import { openRepository } from '../../world/git/git-repository.ts';
import { baseRefOf } from '../base-ref.ts';
import type { CommandLine, CommonOptions } from '../command-line.ts';
import { forgePages } from '../forge-pages.ts';
import { countValue, refsValue, todayOption } from '../option-values.ts';
import { readPlan } from '../plan-input.ts';
import { version } from '../version.ts';
import { exit, planExit, type World } from '../world.ts';

interface PlanOptions extends CommonOptions {
  readonly base: string | undefined;
  readonly head: string | undefined;
  readonly merged: readonly string[];
  readonly from: string | undefined;
  readonly output: string;
  readonly manifests: boolean;
  readonly maxChars: number;
  readonly detailedExitcode: boolean;
  readonly allowRelease: number | undefined;
  readonly today: Day | undefined;
}

/** `leasehold plan`. */
export function addPlanCommand({ world, command, take }: CommandLine): void {
  command('plan', 'show what a pull request does: to addresses, pools and manifests; write nothing')
    .option(
      '--base <ref>',
      'compare with what this ref and the head have in common; the target of the pull request when left out, or the default branch',
    )
    .option('--head <ref>', 'plan this commit instead of the working tree')
    .option(
      '--merged <ref>',
      'a branch that a squash or a rebase brought into the head; may be repeated',
      refsValue,
      [],
    )
    .addOption(
      new Option(
        '--from <file>',
        'print what plan -o json printed into this file, and ask no repository; - is standard input',
      ).conflicts(['base', 'head', 'merged', 'allowRelease']),
    )
    .addOption(new Option('-o, --output <format>').choices(Object.keys(printers)).default('text'))
    .option('--manifests', 'with text: show how the manifests change', false)
    .option(
      '--max-chars <count>',
      'with markdown: no more characters than this',
      countValue,
      65_000,
    )
    .option('--detailed-exitcode', 'exit 2 when something changes, instead of 0', false)
    .option('--allow-release <count>', 'let it release exactly this many addresses', countValue)
    .addOption(todayOption())
    .action((_, self) => take(runPlan(world, self.optsWithGlobals())));
}

async function runPlan(world: World, options: PlanOptions): Promise<number> {
  const plan =
    options.from === undefined
      ? await makePlan(world, options)
      : await readPlan(world, options.from);
  if (plan === undefined) return exit.problems;
  const print = printers[options.output as keyof typeof printers];
  const pages = forgePages(world.env);
  const linkOf = pages ? forgeLinks(pages, plan) : () => undefined;
  world.out(print(plan, { paint: paintOf(world.color), linkOf, options }));
  return statusOf(plan, options);
}

async function makePlan(world: World, options: PlanOptions): Promise<Plan> {
  const root = resolve(world.cwd, options.directory);
  const tree = openForReading(root);
  const { commits, history } = openRepository(root);
  // HEAD first, so that a folder that is no clone gets its own sentence.
  const found = async (): Promise<string> =>
    commits.resolve('HEAD').then(() => baseRefOf(world, root));
  const base = options.base ?? (await found());
  const checkout = { tree, history, today: options.today ?? world.today() };
  const comparison = await openComparison(commits, checkout, { ...options, base });
  return planOf(await review(commits, comparison, options.allowRelease));
}

interface Printing {
  readonly paint: Paint;
  readonly linkOf: ReturnType<typeof forgeLinks>;
  readonly options: PlanOptions;
}

const printers = {
  text: (plan: Plan, { paint, options }: Printing) => planText(plan, paint, options),
  markdown: (plan: Plan, { linkOf, options }: Printing) =>
    planMarkdown(plan, { maxChars: options.maxChars, linkOf }),
  json: (plan: Plan, _: Printing) => plainJson(plan),
  sarif: (plan: Plan, _: Printing) => planSarif(plan, version),
  github: (plan: Plan, _: Printing) => planGithub(plan),
  gitlab: (plan: Plan, _: Printing) => planGitlab(plan),
  html: (plan: Plan, { linkOf }: Printing) => planHtml(plan, { linkOf }),
} as const;

/** The head is wrong in itself: 1. It may not follow from the base: 3. */
function statusOf({ verdict, problems }: Plan, { detailedExitcode }: PlanOptions): number {
  if (problems.some((problem) => problem.of === 'tree')) return exit.problems;
  if (problems.length > 0) return planExit.blocked;
  return detailedExitcode && verdict !== 'no change' ? planExit.changes : exit.fine;
}
