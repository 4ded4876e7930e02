import type { GitStart } from '../../../ports/history.ts';
import { columns } from '../../../text/print/columns.ts';
import { plain } from '../../../text/print/plain.ts';
import { unifiedDiff } from '../../../text/print/unified-diff.ts';
import type { SetupAnswers, SetupFile, SetupState } from './setup.ts';

const told: Readonly<Record<SetupState, string>> = {
  new: '',
  same: '',
  kept: 'stays as it is',
  differs: 'stays as it is, see below',
  replaced: '',
  old: 'of another set-up: no longer written; whoever deletes it in a cluster deletes what it applied',
};

/** The files of a set-up, a line each, and for those that differ and stay what they lack. Ends in a line break. */
export function setupText(files: readonly SetupFile[]): string {
  const rows = files.map(({ path, state }) => [state, path, told[state]]);
  const different = files.filter(({ state }) => state === 'differs');
  return [columns(rows), ...different.map(differenceText)].join('');
}

/** What init would change in a file that differs, as a diff; what to say so that it does. */
function differenceText(file: SetupFile): string {
  const { path } = file;
  return `\n${diffText(file)}leasehold init --replace ${path} writes it so\n`;
}

/** How the two texts of a file differ. */
export function diffText({ path, before, after }: SetupFile): string {
  const { text } = unifiedDiff(before, after);
  const lines = text.split('\n').map((line) => line.split('\t').map(plain).join('\t'));
  return `--- ${path}, as it is\n+++ ${path}, as init writes it\n${lines.join('\n')}`;
}

/** What is there once a repository is set up. */
export interface SetupDone {
  /** What the git repository has; undefined outside of one. */
  readonly repository: GitStart | undefined;
  /** True where the forge can ask code owners. */
  readonly hasCodeowners: boolean;
  /** True where the pool file is of this set-up: nothing has read what lives on its pools. */
  readonly hasNewPools: boolean;
  /** Files that stay as they are and without which what comes next goes wrong. */
  readonly lacking: readonly string[];
  /** The files of the engine's objects. */
  readonly enginePaths: readonly string[];
}

/** What people do next, a line each: commands, and what a forge is told. Ends in a line break. */
export function nextSteps(
  answers: SetupAnswers,
  { repository, hasCodeowners, hasNewPools, lacking, enginePaths }: SetupDone,
): string {
  const { branch, forge, profile } = answers;
  const reviews = hasCodeowners ? ' a review by code owners,' : '';
  const replaced = lacking.map((path) => `--replace ${path}`).join(' ');
  const steps = [
    ...(lacking.length > 0
      ? [
          `put what is shown above into ${lacking.join(' and ')}, or run this again with ${replaced}`,
        ]
      : []),
    ...gitSteps(branch, repository),
    ...(repository?.hasOrigin ? [] : [`git remote add origin ${answers.engine?.repo ?? 'URL'}`]),
    'npm install',
    ...(hasNewPools
      ? [
          'where Services have addresses of these pools today: npx --no leasehold import cluster (node_modules/leasehold/docs/import.md), before anything is pushed',
        ]
      : []),
    'git add -A',
    'git commit -m "Lease addresses with leasehold"',
    ...pushSteps(branch, repository),
    ...(forge === 'github'
      ? [
          `in a ruleset for ${branch}: require the check plan,${reviews} and a merge queue or branches that are up to date`,
        ]
      : []),
    ...(forge === 'gitlab'
      ? [
          'in the settings: require that pipelines succeed, and turn on merged results; store GITLAB_TOKEN for the comments',
        ]
      : []),
    'npx --no leasehold doctor',
    ...(profile === 'akash'
      ? [
          "where Akash's IP operator runs: tell the provider, and then stop it (node_modules/leasehold/docs/akash.md): it would rewrite what is applied",
        ]
      : []),
    ...enginePaths.map((path) => `kubectl apply -f ${path}`),
  ];
  return `\nnext:\n${steps.map((step) => `  ${step}\n`).join('')}`;
}

function gitSteps(branch: string, repository: GitStart | undefined): readonly string[] {
  if (!repository) return [`git init --initial-branch=${branch}`];
  return repository.hasCommit || repository.branch === branch ? [] : [`git checkout -b ${branch}`];
}

/** What is committed beside the branch that is applied gets there as any other change does. */
function pushSteps(branch: string, repository: GitStart | undefined): readonly string[] {
  return repository?.hasCommit && repository.branch !== branch
    ? ['git push -u origin HEAD', `merge it into ${branch}: that is what is applied`]
    : [`git push -u origin ${branch}`];
}
