import type { LoggedCommit } from '../../interfaces/commit-log.ts';
import { EnvironmentError } from '../../model/problem.ts';
import { type RawDifference, rawDifferences } from './git-differences.ts';

const objectName = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Options by which `git log` prints what {@link loggedCommits} parses, on every machine. */
export const logFormat = [
  '-z',
  '--no-show-signature',
  '--encoding=UTF-8',
  '--format=%H%x00%ct%x00%P%x00%an%x00%B',
] as const;

/** The commits of a log in its order. An EnvironmentError for a commit without a date. */
export function loggedCommits(output: string): LoggedCommit[] {
  const fields = output.split('\0');
  const commits: LoggedCommit[] = [];
  for (let index = 0; index + 4 < fields.length; index += 5) {
    commits.push(loggedCommit(fields.slice(index, index + 5)));
  }
  return commits;
}

/** A commit by its five fields of the log. */
function loggedCommit(fields: readonly string[]): LoggedCommit {
  const [id = '', seconds, parents = '', author = '', message = ''] = fields;
  // A message in an unusual encoding can contain the NUL that ends a field.
  if (!objectName.test(id)) {
    throw new EnvironmentError('git log prints a commit without an object name');
  }
  const parentIds = parents.split(' ').filter(Boolean);
  return { id, at: timeOf(id, seconds), parents: parentIds, author, message };
}

/** The time of a commit from seconds since 1970, UTC. */
export function timeOf(id: string, seconds: string | undefined): string {
  const time = new Date(Number(seconds) * 1000);
  if (Number.isNaN(time.getTime())) {
    throw new EnvironmentError(`commit ${id} has no readable date`);
  }
  return time.toISOString().replace('.000Z', 'Z');
}

/** A commit and the files in which it differs from its first parent. */
interface LoggedDifferences {
  readonly commit: LoggedCommit;
  readonly files: readonly RawDifference[];
}

/** The commits of a log with {@link rawFormat}, in its order. Neither a commit's fields nor paths contain NUL. */
export function loggedDifferences(output: string): LoggedDifferences[] {
  const fields = output.split('\0');
  const found: LoggedDifferences[] = [];
  for (let index = 0; index + 4 < fields.length; ) {
    const commit = loggedCommit(fields.slice(index, index + 5));
    const { files, end } = rawDifferences(fields, index + 5);
    found.push({ commit, files });
    index = end;
  }
  return found;
}
