import { spawnSync } from 'node:child_process';
import { type GitRepository, gitRepository } from './git-repository.ts';

/** One commit of a made-up history. */
export interface DatedCommit {
  /** `2026-01-02T10:00:00Z`. */
  readonly at: string;
  readonly message: string;
  readonly author?: string;
  /** Path to text; undefined removes the file. */
  readonly files?: Readonly<Record<string, string | undefined>>;
  /** Positions in the list of the parents, the first one first; without it the commit before. */
  readonly parents?: readonly number[];
}

/** A repository in an empty folder with these commits, the last one on `main` and checked out. */
export function datedHistory(root: string, commits: readonly DatedCommit[]): GitRepository {
  const repository = gitRepository(root);
  const stream = commits.map(streamOf).join('');
  const { status, stderr } = spawnSync('git', ['fast-import', '--quiet', '--force'], {
    cwd: root,
    input: `${stream}reset refs/heads/main\nfrom :${commits.length}\n\n`,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`git fast-import: ${stderr}`);
  repository.git('reset', '-q', '--hard');
  return repository;
}

function streamOf(commit: DatedCommit, index: number): string {
  const { at, message, author = 'Test', files = {} } = commit;
  const [first, ...others] = commit.parents ?? (index === 0 ? [] : [index - 1]);
  const seconds = Date.parse(at) / 1000;
  return [
    `commit refs/made-up/${index}\nmark :${index + 1}\n`,
    `author ${author} <test@example.com> ${seconds - 3600} +0200\n`,
    `committer Forge <forge@example.com> ${seconds} +0200\n`,
    data(message),
    first === undefined ? '' : `from :${first + 1}\n`,
    ...others.map((parent) => `merge :${parent + 1}\n`),
    ...Object.entries(files).map(([path, text]) =>
      text === undefined ? `D ${path}\n` : `M 100644 inline ${path}\n${data(text)}`,
    ),
  ].join('');
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}
