import type { Commits } from '../../interfaces/commits.ts';
import { type Day, type DaySpan, parseDay } from '../../model/day.ts';
import { recordFolders } from '../../model/repository-paths.ts';
import type { Git } from './git.ts';
import { rawFormat } from './git-differences.ts';
import { logFormat, loggedDifferences, timeOf } from './git-log-format.ts';
import { linesIn, literal } from './git-text.ts';

/** The days of {@link Commits.landings}. */
export async function landings(
  git: Git,
  commit: string,
  span: DaySpan,
): Promise<ReadonlyMap<string, Day>> {
  const days = new Map<string, Day>();
  const { landed, before } = await landingDays(git, commit, span);
  const options = ['--first-parent', '-m', ...rawFormat, '--relative'];
  const which = [commit, ...(before ? [`^${before}`] : []), '--', ...recordFolders.map(literal)];
  const logged = loggedDifferences(await git.read(['log', ...logFormat, ...options, ...which]));
  for (const { commit, files } of logged) {
    const day = commit.parents.length > 0 ? landed.get(commit.id) : undefined;
    if (day === undefined) continue;
    for (const { path } of files) if (!days.has(path)) days.set(path, day);
  }
  return days;
}

/**
 * Returns the days on which the first parents of a commit landed, by object name. A commit landed on
 * the newest day up to it: the author of a fast-forward chooses the days of its commits. `before` is
 * the newest commit that landed before the span of days.
 */
async function landingDays(git: Git, commit: string, { from, until }: DaySpan) {
  const command = ['log', '--first-parent', '--no-show-signature', '--format=%H %ct', commit, '--'];
  const landed = new Map<string, Day>();
  let day: Day | undefined;
  let before: string | undefined;
  for (const line of linesIn(await git.read(command)).reverse()) {
    const [id = '', seconds] = line.split(' ');
    const own = parseDay(timeOf(id, seconds).slice(0, 10));
    if (own !== undefined && own <= until && own > (day ?? '')) day = own;
    if (day === undefined || day < from) before = id;
    else landed.set(id, day);
  }
  return { landed, before };
}
