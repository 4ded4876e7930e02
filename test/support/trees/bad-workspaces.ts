import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { gitEnvironment } from '../repositories/git-environment.ts';
import { runInProcess } from '../run/run-in-process.ts';
import { type BadCase, badFolder } from './bad-corpus.ts';
import { fileStates } from './file-states.ts';
import { lay, type Overlay } from './overlay.ts';

const today = '2026-03-03';

/** The sound workspace of the corpus with its manifests, and copies of it with something wrong. */
export class BadWorkspaces {
  private readonly folders: string[] = [];
  private sound = '';

  /** Makes the sound workspace. */
  async open(): Promise<void> {
    this.sound = this.newFolder();
    cpSync(join(badFolder, 'base'), this.sound, { recursive: true });
    const { status } = await runInProcess(['synth', '--today', today], this.sound);
    if (status !== 0) throw new Error('the workspace that the cases build on is not sound');
    rmSync(join(this.sound, '.leasehold'), { recursive: true });
  }

  /** The folder of a case. */
  of(one: Pick<BadCase, 'files' | 'git' | 'committed' | 'theirs'>): string {
    const root = this.newFolder();
    cpSync(this.sound, root, { recursive: true });
    lay(root, one.committed ?? {});
    const isCommitted = one.git === 'commit' || one.git === 'merge';
    if (one.git === 'before' || isCommitted) addToGit(root);
    if (isCommitted) commitIn(root);
    lay(root, one.files);
    if (one.git === 'after' || one.git === 'commit') addToGit(root);
    if (one.git === 'branch') makeBranch(root);
    if (one.git === 'merge') makeMerge(root, one.theirs ?? {});
    return root;
  }

  close(): void {
    for (const folder of this.folders) rmSync(folder, { recursive: true, force: true });
  }

  private newFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'leasehold-bad-'));
    this.folders.push(folder);
    return folder;
  }
}

function addToGit(root: string): void {
  execFileSync('git', ['init', '-q'], { cwd: root, env: gitEnvironment });
  execFileSync('git', ['add', '-A'], { cwd: root, env: gitEnvironment });
}

/** Commits what is there on top of the sound workspace, and begins to merge a branch that conflicts. */
function makeMerge(root: string, theirs: Overlay): void {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, env: gitEnvironment, stdio: 'pipe' });
  git('stash', '-q', '--include-untracked');
  git('checkout', '-q', '-b', 'theirs');
  lay(root, theirs);
  addToGit(root);
  commitIn(root);
  git('checkout', '-q', '-b', 'ours', 'HEAD~1');
  git('stash', 'pop', '-q');
  addToGit(root);
  commitIn(root);
  expect(() => git('merge', '-q', 'theirs')).toThrow();
}

function commitIn(root: string): void {
  const time = `${today}T12:00:00Z`;
  const env = { ...gitEnvironment, GIT_AUTHOR_DATE: time, GIT_COMMITTER_DATE: time };
  execFileSync('git', ['commit', '-q', '-m', 'Sound'], { cwd: root, env });
}

/** Commits what stands there, and makes the repository its own remote. */
function makeBranch(root: string): void {
  addToGit(root);
  commitIn(root);
  for (const command of [
    ['branch', '-q', '-M', 'main'],
    ['remote', 'add', 'origin', '.'],
    ['config', 'user.name', 'Bot'],
    ['config', 'user.email', 'bot@example.com'],
  ]) {
    execFileSync('git', command, { cwd: root, env: gitEnvironment });
  }
}

/** The command line of a case. */
export function commandLine({ run = ['synth'], today: day = today }: BadCase): readonly string[] {
  const takesNoDay =
    run.join() === 'check' || ['bootstrap', 'codeowners', 'pin', 'sdl'].includes(run[0] ?? '');
  return takesNoDay ? run : [...run, '--today', day];
}

/** What a run printed of problems, which is all that it printed: a command that prints a document or addresses has them on standard error. */
export function reportOf(
  { run: [command = 'synth'] = [] }: BadCase,
  { out, err }: Printed,
): string {
  const printsDocument = ['bootstrap', 'codeowners', 'declare', 'purge', 'sdl'].includes(command);
  expect(printsDocument ? out : err).toBe('');
  return printsDocument ? err : out;
}

type Printed = { readonly out: string; readonly err: string };

/**
 * Each problem of a report as `CODE file:line:column`, and what is counted as `24 more CODE` or `24 more that are the same`. Every line has to be a problem's own, its
 * line of the file with the mark, one of its other places, or a hint, which each problem has or shares with the next one of its code; the last one counts the problems.
 */
export function problemsIn(report: string): readonly string[] {
  const lines = report.split('\n');
  const count = lines.splice(-2);
  const problems = lines.filter((line) => !belowProblem.test(line)).map(problemIn);
  const shown = problems.filter((text) => !/^\d/.test(text)).length;
  const all = problems.reduce((sum, text) => sum + Number(/^\d+/.exec(text) ?? 0), shown);
  const total = all === 1 ? '1 problem' : `${all} problems`;
  expect(count[0]).toMatch(
    new RegExp(`^${total}; see \`leasehold explain [A-Z_]+(?: [A-Z_]+)*\`$`),
  );
  expect(count.slice(1)).toEqual(['']);
  expect(unhelped(lines)).toEqual([]);
  return problems;
}

/** The line of the file, the mark under its place, another place, or a hint. */
const belowProblem =
  /^ {2}(?:also \S.*:[1-9]\d*:[1-9]\d*|[1-9]\d* \| .*\S| +\| +\^+|hint: \S.*[^.])$/;

function problemIn(line: string): string {
  const [, count, counted] =
    /^and ([1-9]\d*) more ([A-Z][A-Z_]+) in [1-9]\d* files?$/.exec(line) ?? [];
  if (count) return `${count} more ${counted}`;
  const [, equal] =
    /^ {2}and the same ([1-9]\d*) times more, in [1-9]\d* files?(?: below \S+\/)?$/.exec(line) ??
    [];
  if (equal) return `${equal} more that are the same`;
  const [, place, code] = /^(\S.*:[1-9]\d*:[1-9]\d*) ([A-Z][A-Z_]+) \S.*[^.]$/.exec(line) ?? [];
  return place ? `${code} ${place}` : `no line of a report: ${line}`;
}

/** The problems without a next step: without a hint of their own or of the next problem of their code. */
function unhelped(lines: readonly string[]): readonly string[] {
  const steps = lines.flatMap((line) => {
    const [code] = / [A-Z][A-Z_]+ /.exec(/^\S/.test(line) ? line : '') ?? [];
    if (/^and [1-9]/.test(line)) return [];
    return code === undefined ? (/^ {2}hint: /.test(line) ? ['hint'] : []) : [code];
  });
  return steps.filter(
    (step, index) => step !== 'hint' && ![step, 'hint'].includes(steps[index + 1] ?? ''),
  );
}

/** All that stands below a folder but leasehold's lock, which git is told to ignore. */
export function statesWithoutLock(root: string): Readonly<Record<string, string>> {
  const own = /^\.leasehold(?:$|\/\.gitignore$|\/lock(?:$|\/))/;
  return Object.fromEntries(Object.entries(fileStates(root)).filter(([path]) => !own.test(path)));
}
