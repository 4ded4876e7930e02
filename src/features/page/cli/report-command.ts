import { resolve } from 'node:path';
import { dataText, valuesOption } from '../../../core/cli/answer.ts';
import { type CliContext, exit, isData, workingRoot } from '../../../core/cli/cli-context.ts';
import type { NewCommand, OptionsOf } from '../../../core/cli/command-line.ts';
import { UsageError } from '../../../core/cli/failure.ts';
import { command } from '../../../core/cli/feature.ts';
import { todayOption } from '../../../core/cli/option-values.ts';
import { compared } from '../../../core/cli/recording.ts';
import { noteProblems, reportProblemsAt } from '../../../core/cli/with-tree.ts';
import type { Commits } from '../../../core/interfaces/commits.ts';
import type { Day } from '../../../core/model/day.ts';
import { EnvironmentError, type Outcome, ok, type Problem } from '../../../core/model/problem.ts';
import { planOf } from '../../../core/run/plan/plan.ts';
import type { Plan } from '../../../core/run/plan/plan-answer.ts';
import { review } from '../../../core/run/review/review.ts';
import { sanitize } from '../../../core/text/print/escape.ts';
import { committedHistory } from '../../../core/tree/workspace.ts';
import { openForReading } from '../../../core/world/disk/disk-tree.ts';
import { replaceFile } from '../../../core/world/disk/named-file.ts';
import { openRepository, type Repository } from '../../../core/world/git/git-repository.ts';
import { shippedText } from '../../../core/world/shipped-file.ts';
import { forecastsOf } from '../../../lib/forecast/forecast.ts';
import { type HistoryPorts, ledgerOf } from '../../../lib/history/address-history.ts';
import {
  readWorkspaceSnapshot,
  type WorkspaceSnapshot,
} from '../../../lib/list/workspace-snapshot.ts';
import { pageHtml, pageScriptPath } from '../page-html.ts';
import { pictureOf, picturePast } from '../picture.ts';
import type { Picture, PictureRevision } from '../picture-answer.ts';

/** `leasehold report`. */
export const reportCommand = command(reportOptions, runReport);

function reportOptions(bare: NewCommand) {
  return bare
    .option('--out <file>', 'write it into this file instead of standard output')
    .option(
      '--base <ref>',
      'show before and after: the merge base of this ref and the head, and the head',
    )
    .option('--head <ref>', 'show this commit instead of the working tree')
    .option('--no-history', 'leave out past holders and the forecast')
    .addOption(valuesOption('html'))
    .addOption(todayOption());
}

type ReportOptions = OptionsOf<typeof reportOptions>;

async function runReport(context: CliContext, options: ReportOptions): Promise<number> {
  const { output } = options;
  if (output === 'html' && options.out === undefined && context.terminal) {
    throw new UsageError(
      'report prints a page for a browser: name a file, such as --out page.html',
    );
  }
  if (isData(output) && options.base !== undefined) {
    throw new UsageError(`-o ${output} shows one state: print each with --head`);
  }
  const repository = openRepository(workingRoot(context, options));
  const pictures = await picturesOf(context, repository, options);
  if (!pictures.ok) return reportProblemsAt(context, repository, options.head, pictures.problems);
  noteProblems(context, pictures.value.picture.problems);
  const text = isData(output)
    ? dataText(pictures.value.picture, output)
    : pageHtml({ script: shippedText(pageScriptPath), ...pictures.value });
  if (options.out === undefined) context.out(text);
  else replaceFile(resolve(context.cwd, options.out), new TextEncoder().encode(text));
  return exit.fine;
}

interface Pictures {
  readonly picture: Picture;
  readonly first?: Picture;
  readonly before?: Picture;
  /** The sentence of the plan from before to after. */
  readonly plan?: Pick<Plan, 'verdict' | 'summary'>;
}

async function picturesOf(
  context: CliContext,
  repository: Repository,
  options: ReportOptions,
): Promise<Outcome<Pictures>> {
  const { base, today = context.today() } = options;
  if (base !== undefined) return comparedPictures(context, repository, options, { today, base });
  const shown = await shownTree(context, repository, options.head);
  const known = await readWorkspaceSnapshot(shown.tree, shown.history);
  if (!known.ok) return known;
  const ofGit = shown.revision.commit !== undefined && options.history;
  const more = ofGit ? await fromGit(repository, known.value, today, shown.revision.commit) : {};
  const { revision } = shown;
  const repositoryName = await repository.log.repositoryName();
  const named = { repository: repositoryName, revision, day: today };
  const picture = pictureOf(known.value, { ...named, ...more });
  const first = pictureOf(known.value, { ...named, isFirst: true });
  return ok({ picture, ...(first.partial && { first }) });
}

/** A commit, or the working tree, which need not be in git. */
async function shownTree(context: CliContext, repository: Repository, head: string | undefined) {
  const { root, commits, history } = repository;
  if (head !== undefined) {
    const { id, day } = await commits.resolve(head);
    const tree = await commits.tree(id);
    const revision: PictureRevision = { commit: id, ref: head, at: day };
    return { tree, history: committedHistory(tree), revision };
  }
  const tree = openForReading(root);
  return { tree, history, revision: await workingRevision(context, commits) };
}

async function workingRevision(context: CliContext, commits: Commits): Promise<PictureRevision> {
  try {
    const { id, day } = await commits.resolve('HEAD');
    const isDirty = await commits.isDirty();
    return { commit: id, at: day, ...(isDirty ? { uncommitted: true } : {}) };
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    context.err(`the page has no history: ${sanitize(error.message)}\n`);
    return {};
  }
}

async function fromGit(
  ports: HistoryPorts,
  known: WorkspaceSnapshot,
  today: Day,
  ref: string | undefined,
) {
  const ledger = await ledgerOf(ports, ref);
  return {
    past: picturePast(ledger),
    forecasts: forecastsOf(known, ledger, today),
  };
}

async function comparedPictures(
  context: CliContext,
  repository: Repository,
  options: ReportOptions,
  { today, base }: { readonly today: Day; readonly base: string },
): Promise<Outcome<Pictures>> {
  const { root, commits, history } = repository;
  const checkout = { tree: openForReading(root), history, today };
  const refs = { base, head: options.head, merged: [] };
  const comparison = await compared(context, repository, checkout, refs);
  const { baseTree, headTree, headHistory, isUncommitted } = comparison;
  const was = await readWorkspaceSnapshot(baseTree, committedHistory(baseTree));
  if (!was.ok) context.err(noBefore(comparison.base.id, was.problems));
  const is = await readWorkspaceSnapshot(headTree, headHistory);
  if (!is.ok) return is;
  const revision = { commit: comparison.base.id, ref: base, at: comparison.base.day };
  const before = was.ok ? { before: pictureOf(was.value, { revision, day: today }) } : {};
  const { id, day } = comparison.head;
  const more = options.history ? await fromGit(repository, is.value, today, id) : {};
  const picture = pictureOf(is.value, {
    repository: await repository.log.repositoryName(),
    revision: { commit: id, at: day, ...(isUncommitted ? { uncommitted: true } : {}) },
    day: today,
    ...more,
  });
  const { verdict, summary } = planOf(await review(commits, comparison, undefined));
  return ok({ picture, ...before, plan: { verdict, summary } });
}

/** A change that repairs a broken tree has a page without the state before it. */
function noBefore(commit: string, [first, ...others]: readonly Problem[]): string {
  const why =
    first && ` (${first.at.file}:${first.at.line} ${first.code} ${sanitize(first.message)})`;
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  return `the page has no earlier state: ${commit.slice(0, 12)} cannot be read${why ?? ''}${more}\n`;
}
