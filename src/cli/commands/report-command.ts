import { resolve } from 'node:path';
import { Option } from 'commander';
import { forecastsOf } from '../../features/ask/capacity/forecast.ts';
import { ledgerOf } from '../../features/ask/history/address-history.ts';
import {
  readWorkspaceSnapshot,
  type WorkspaceSnapshot,
} from '../../features/ask/workspace-snapshot.ts';
import { pageHtml } from '../../features/picture/page-html.ts';
import { pictureOf, picturePast } from '../../features/picture/picture.ts';
import type { Picture, PictureRevision } from '../../features/picture/picture-answer.ts';
import { openComparison } from '../../features/review/comparison.ts';
import type { Day } from '../../model/day.ts';
import { EnvironmentError, type Outcome, type Problem } from '../../model/problem.ts';
import type { Commits } from '../../ports/commits.ts';
import { plain, plainJson } from '../../text/print/plain.ts';
import { committedHistory } from '../../workspace/workspace.ts';
import { openForReading } from '../../world/disk/disk-tree.ts';
import { replaceFile } from '../../world/disk/named-file.ts';
import { openRepository } from '../../world/git/git-repository.ts';
import { pageScriptPath, shippedText } from '../../world/shipped-file.ts';
import type { CommandLine, CommonOptions } from '../command-line.ts';
import { reportProblems, UsageError } from '../failure.ts';
import { todayOption } from '../option-values.ts';
import { reportTreeProblems } from '../tree-problems.ts';
import { exit, type World } from '../world.ts';

interface ReportOptions extends CommonOptions {
  readonly out: string | undefined;
  readonly base: string | undefined;
  readonly head: string | undefined;
  readonly history: boolean;
  readonly output: 'html' | 'json';
  readonly today: Day | undefined;
}

/** `leasehold report`. */
export function addReportCommand({ world, command, take }: CommandLine): void {
  command('report', 'write the address space as one page: pools, a map, a search, histories')
    .option('--out <file>', 'write it into this file instead of standard output')
    .option(
      '--base <ref>',
      'show before and after: what this ref and the head have in common, and the head',
    )
    .option('--head <ref>', 'show this commit instead of the working tree')
    .option('--no-history', 'leave out who had the addresses before, and the forecast')
    .addOption(new Option('-o, --output <format>').choices(['html', 'json']).default('html'))
    .addOption(todayOption())
    .action((_, self) => take(runReport(world, self.optsWithGlobals())));
}

async function runReport(world: World, options: ReportOptions): Promise<number> {
  if (options.output === 'json' && options.base !== undefined) {
    throw new UsageError('JSON is of one state: print each by --head');
  }
  const pictures = await picturesOf(world, options);
  if (!pictures.ok) {
    return options.head === undefined
      ? reportTreeProblems(world, resolve(world.cwd, options.directory), pictures.problems)
      : reportProblems(world, pictures.problems);
  }
  const { picture, before } = pictures.value;
  const script = shippedText(pageScriptPath);
  const text =
    options.output === 'json'
      ? plainJson(picture)
      : pageHtml({ picture, script, ...(before ? { before } : {}) });
  if (options.out === undefined) world.out(text);
  else replaceFile(resolve(world.cwd, options.out), new TextEncoder().encode(text));
  return exit.fine;
}

interface Pictures {
  readonly picture: Picture;
  readonly before?: Picture;
}

async function picturesOf(world: World, options: ReportOptions): Promise<Outcome<Pictures>> {
  const root = resolve(world.cwd, options.directory);
  const today = options.today ?? world.today();
  if (options.base !== undefined)
    return comparedPictures(world, today, { ...options, base: options.base });
  const shown = await shownTree(world, root, options.head);
  const known = await readWorkspaceSnapshot(shown.tree, shown.history);
  if (!known.ok) return known;
  const ofGit = shown.revision.commit !== undefined && options.history;
  const more = ofGit ? await fromGit(root, known.value, today, shown.revision.commit) : {};
  const picture = pictureOf(known.value, { revision: shown.revision, day: today, ...more });
  return { ok: true, value: { picture } };
}

/** The working tree, also where there is no git; or a commit. */
async function shownTree(world: World, root: string, head: string | undefined) {
  const { commits, history } = openRepository(root);
  if (head !== undefined) {
    const { id, day } = await commits.resolve(head);
    const tree = await commits.tree(id);
    const revision: PictureRevision = { commit: id, ref: head, at: day };
    return { tree, history: committedHistory(tree), revision };
  }
  const tree = openForReading(root);
  return { tree, history, revision: await workingRevision(world, commits) };
}

async function workingRevision(world: World, commits: Commits): Promise<PictureRevision> {
  try {
    const { id, day } = await commits.resolve('HEAD');
    const isDirty = await commits.isDirty();
    return { commit: id, at: day, ...(isDirty ? { uncommitted: true } : {}) };
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    world.err(`the page has no history: ${plain(error.message)}\n`);
    return {};
  }
}

async function fromGit(
  root: string,
  known: WorkspaceSnapshot,
  today: Day,
  ref: string | undefined,
) {
  const ledger = await ledgerOf(openRepository(root), ref);
  return {
    past: picturePast(ledger.histories, ledger.shallow),
    forecasts: forecastsOf(known, ledger, today),
  };
}

async function comparedPictures(
  world: World,
  today: Day,
  { directory, base, head, history }: ReportOptions & { readonly base: string },
): Promise<Outcome<Pictures>> {
  const root = resolve(world.cwd, directory);
  const repository = openRepository(root);
  const checkout = { tree: openForReading(root), history: repository.history, today };
  const comparison = await openComparison(repository.commits, checkout, {
    base,
    head,
    merged: [],
  });
  const { baseTree, headTree, headHistory, isUncommitted } = comparison;
  const was = await readWorkspaceSnapshot(baseTree, committedHistory(baseTree));
  if (!was.ok) world.err(noBefore(comparison.base.id, was.problems));
  const is = await readWorkspaceSnapshot(headTree, headHistory);
  if (!is.ok) return is;
  const revision = { commit: comparison.base.id, ref: base, at: comparison.base.day };
  const before = was.ok ? { before: pictureOf(was.value, { revision, day: today }) } : {};
  const { id, day } = comparison.head;
  const more = history ? await fromGit(root, is.value, today, id) : {};
  const picture = pictureOf(is.value, {
    revision: { commit: id, at: day, ...(isUncommitted ? { uncommitted: true } : {}) },
    day: today,
    ...more,
  });
  return { ok: true, value: { picture, ...before } };
}

/** A change that mends a broken tree has a page too: of what it comes to. */
function noBefore(commit: string, [first, ...others]: readonly Problem[]): string {
  const why = first && ` (${first.at.file}:${first.at.line} ${first.code} ${plain(first.message)})`;
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  return `the page has no before: ${commit.slice(0, 12)} cannot be read${why ?? ''}${more}\n`;
}
