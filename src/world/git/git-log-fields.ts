import { EnvironmentError } from '../../model/problem.ts';
import type { LoggedCommit } from '../../ports/commit-log.ts';

/** How `git log` tells what {@link loggedCommits} reads, whatever the settings of the machine are. */
export const logFormat = [
  '-z',
  '--no-show-signature',
  '--encoding=UTF-8',
  '--format=%H%x00%ct%x00%P%x00%an%x00%B',
] as const;

/** The commits of a log, in its order. An EnvironmentError for one that has no date. */
export function loggedCommits(output: string): LoggedCommit[] {
  const fields = output.split('\0');
  const commits: LoggedCommit[] = [];
  for (let index = 0; index + 4 < fields.length; index += 5) {
    commits.push(loggedCommit(fields.slice(index, index + 5)));
  }
  return commits;
}

/** A commit by its five fields. An EnvironmentError for one that has no date. */
export function loggedCommit(fields: readonly string[]): LoggedCommit {
  const [id = '', seconds, parents = '', author = '', message = ''] = fields;
  return { id, at: timeOf(id, seconds), parents: words(parents), author, message };
}

/** The time of a commit by its seconds. An EnvironmentError when they are none. */
export function timeOf(id: string, seconds: string | undefined): string {
  const time = new Date(Number(seconds) * 1000);
  if (Number.isNaN(time.getTime())) {
    throw new EnvironmentError(`commit ${id} has no readable date`);
  }
  return time.toISOString().replace('.000Z', 'Z');
}

function words(text: string): string[] {
  return text.split(' ').filter((word) => word !== '');
}
