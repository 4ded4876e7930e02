import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { today } from '../repositories/ci-checkout.ts';
import { type GitRepository, gitRepository } from '../repositories/git-repository.ts';
import type { BuiltProgram } from '../run/built-program.ts';
import { tempTree } from '../trees/temp-tree.ts';
import { programs, readKit, runShell } from './ci-kit.ts';

interface Job {
  readonly inherit?: { readonly default: readonly string[] };
  readonly needs?: readonly unknown[];
  readonly variables?: Readonly<Record<string, string>>;
  readonly before_script?: readonly string[];
  readonly script?: readonly string[];
}

export const gitlabKit = readKit<Record<string, Job>>('docs/ci/gitlab/leasehold.gitlab-ci.yml');

/** A merge request's repository with the commit that GitLab runs the pipeline for. */
export interface Requested {
  readonly root: string;
  readonly repository: GitRepository;
}

/** The folder of a job: a new clone without a working tree, which has the target's project as origin. */
export function jobFolder({ root, repository }: Requested, origin = originOf(repository)): string {
  const folder = join(tempTree(), 'project');
  const { git } = repository;
  git('clone', '-q', '--no-checkout', root, folder);
  git('-C', folder, 'remote', 'set-url', 'origin', origin);
  git('-C', folder, 'symbolic-ref', 'HEAD', 'refs/heads/none');
  return folder;
}

function originOf({ git }: GitRepository): string {
  return git('remote', 'get-url', 'origin').trim();
}

/** A repository with a version of leasehold, and an npm that builds it from the built program. */
export function versionOf({ build }: BuiltProgram) {
  const repository = gitRepository(tempTree({ 'package.json': '{}' }));
  repository.git('add', '-A');
  repository.git('commit', '-q', '-m', 'leasehold');
  repository.git('tag', 'v0.1.0');
  const npm = `test -e package.json && { [ "$1" = ci ] || ln -s ${build} build; }`;
  return {
    LEASEHOLD: `file://${repository.root}#v0.1.0`,
    PATH: `${programs({ npm })}:${process.env.PATH}`,
  };
}

/** The job that runs, and where. */
export interface JobPlace {
  readonly program: BuiltProgram;
  readonly name: string;
  readonly cwd: string;
  /** GitLab takes bash, and sh in an image without it. */
  readonly shell?: 'bash' | 'sh';
}

/** Runs the script of a job as the runner does: its lines in one file, which ends at the first failure. */
export function runGitlabJob(
  { program, name, cwd, shell = 'bash' }: JobPlace,
  env: Readonly<Record<string, string>>,
) {
  const lines = [gitlabKit['.leasehold']?.before_script, gitlabKit[name]?.script].flat();
  const home = tempTree();
  const script = join(tempTree(), 'script.sh');
  writeFileSync(script, `${lines.join('\n')}\n`);
  const variables = {
    GITLAB_CI: 'true',
    LEASEHOLD_TODAY: today,
    HOME: home,
    ...versionOf(program),
  };
  const options = shell === 'bash' ? ['--noprofile', '--norc', '-o', 'pipefail'] : [];
  return runShell(shell, [...options, '-e', script], { cwd, env: { ...variables, ...env } });
}
