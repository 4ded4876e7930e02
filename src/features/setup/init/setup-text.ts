import type { GitStart } from '../../../core/interfaces/work-tree.ts';
import { fluxPath } from '../../../core/model/repository-paths.ts';
import { columns } from '../../../core/text/print/columns.ts';
import { sanitize, shellWord } from '../../../core/text/print/escape.ts';
import { unifiedDiff } from '../../../core/text/print/unified-diff.ts';
import { indentedText } from '../../../core/text/print/wrap.ts';
import { forgeSetups } from './forge-setup.ts';
import type { SetupAnswers, SetupFile, SetupState } from './setup.ts';

const stateNotes: Readonly<Record<SetupState, string>> = {
  new: '',
  same: '',
  kept: 'unchanged',
  differs: 'kept, see the diff below',
  replaced: '',
  completed: 'with what it lacked',
  old: 'from an earlier set-up and no longer written; deleting it in a cluster deletes what it applied',
};

/** The files of a set-up, one line each, then the diffs of those that differ. Ends in a newline. */
export function setupText(files: readonly SetupFile[]): string {
  const rows = files.map(({ path, state }) => [state, path, stateNotes[state]]);
  const different = files.filter(({ state }) => state === 'differs');
  return [columns(rows), ...different.map(differenceText)].join('');
}

/** The changes that init would make to a file, and the option that makes them. */
function differenceText(file: SetupFile): string {
  const { path } = file;
  return `\n${diffText(file)}to make these changes, run this again with:\n  --replace ${path}\n`;
}

/** The existing and the planned text of a file as a unified diff. */
export function diffText({ path, before, after }: SetupFile): string {
  const { text } = unifiedDiff(before, after);
  const lines = text.split('\n').map((line) => line.split('\t').map(sanitize).join('\t'));
  return `--- ${path}, as it is\n+++ ${path}, as init writes it\n${lines.join('\n')}`;
}

/** The state of a repository after a set-up. */
export interface SetupDone {
  /** The state of the git repository; undefined outside of one. */
  readonly repository: GitStart | undefined;
  /** True when the forge can require code owners. */
  readonly hasCodeowners: boolean;
  /** True when this set-up wrote the pool file: Services may already use addresses of its pools. */
  readonly hasNewPools: boolean;
  /** Steps about new blocks whose first or last address is assigned. */
  readonly blockEnds: readonly string[];
  /** Files that were kept and whose missing changes break the next steps. */
  readonly lacking: readonly string[];
  /** True when CI that runs leasehold is there, of this set-up or not. */
  readonly hasCI: boolean;
  /** The names of the clusters of the pool file. */
  readonly clusters: readonly string[];
  /** The files with the objects of the engine of this set-up. */
  readonly enginePaths: readonly string[];
  /** The folder, from the current one; empty if it is that. */
  readonly folder: string;
  /** True when the tarball of leasehold is in the current folder only, and npm expects it in the other. */
  readonly isTarballHere: boolean;
}

/** The next steps: commands, and settings of the forge. */
export function nextSteps(answers: SetupAnswers, done: SetupDone): readonly string[] {
  const { branch, forge, profile } = answers;
  const { repository, hasCodeowners, hasNewPools, blockEnds, lacking, clusters } = done;
  const approval = hasCodeowners ? ' a review by code owners,' : '';
  const replaced = lacking.map((path) => `--replace ${path}`).join(' ');
  return [
    ...folderSteps(answers, done),
    ...(lacking.length > 0
      ? [
          `apply the changes shown above to ${lacking.join(' and ')}, or run this again with: ${replaced}`,
        ]
      : []),
    ...gitSteps(branch, repository),
    ...(repository?.hasOrigin ? [] : [`git remote add origin ${answers.engine?.repo ?? 'URL'}`]),
    'npm install',
    ...blockEnds,
    ...(hasNewPools
      ? [
          'if Services already have addresses from these pools, import them before you push (node_modules/leasehold/docs/import.md): npx --no -- leasehold import cluster',
        ]
      : []),
    'git add -A',
    'git commit -m "Lease addresses with leasehold"',
    ...pushSteps(branch, repository),
    ...(forge ? [forgeSetups[forge].settings(branch, approval)] : []),
    ...(forge || done.hasCI
      ? []
      : [
          `no CI was written, since no forge was named (node_modules/leasehold/docs/pull-requests.md): on each pull request, run: npx --no -- leasehold check --base origin/${branch}`,
        ]),
    ...forEach(clusters, 'npx --no -- leasehold doctor'),
    ...(profile === 'akash'
      ? [
          "if Akash's IP operator runs: configure the provider, then stop the operator (node_modules/leasehold/docs/akash.md), which would overwrite what is applied",
        ]
      : []),
    ...engineSteps(done),
  ];
}

/** The next steps. A sentence is wrapped at a width; a command has a line of its own, unwrapped. */
export function nextText(steps: readonly string[], width?: number): string {
  return `\nnext:\n${steps.map((step) => stepText(step, width)).join('')}`;
}

/** A command, or a sentence that can end in a command or in options of one. */
function stepText(step: string, width?: number): string {
  const command = /(?<=^|: )(?:cd|cp|git|kubectl|np[mx]|--replace) .*$/.exec(step);
  if (!command) return indentedText(step, 2, width);
  const sentence = step.slice(0, command.index).trimEnd();
  if (sentence === '') return `  ${step}\n`;
  return `${indentedText(sentence, 2, width)}    ${command[0]}\n`;
}

/** A command that asks a live cluster, once for each cluster if there are several. */
function forEach(clusters: readonly string[], command: string): readonly string[] {
  if (clusters.length < 2) return [command];
  return clusters.map((name) => `${command} --cluster ${name} --context CONTEXT`);
}

/** Applies the objects of the engine. Those of Flux have the same names in each cluster. */
function engineSteps({ clusters, enginePaths }: SetupDone): readonly string[] {
  if (enginePaths.length === 0) return [];
  const applies = enginePaths.map((path) => {
    const apply = `kubectl apply -f ${path}`;
    if (clusters.length < 2) return apply;
    const cluster = clusters.find((name) => fluxPath(name) === path);
    const place = cluster === undefined ? 'the cluster of Argo CD' : `cluster ${cluster}`;
    return `in ${place}: ${apply} --context CONTEXT`;
  });
  return [...applies, ...forEach(clusters, 'npx --no -- leasehold verify --timeout 10m')];
}

/** All further steps are run in the new folder, to which npm counts the path of the tarball. */
function folderSteps(
  { tool }: SetupAnswers,
  { folder, isTarballHere }: SetupDone,
): readonly string[] {
  if (folder === '') return [];
  const name = shellWord(folder);
  const copies =
    isTarballHere && tool.kind === 'path' ? [`cp ${shellWord(tool.path)} ${name}/`] : [];
  return [...copies, `cd ${name}`];
}

function gitSteps(branch: string, repository: GitStart | undefined): readonly string[] {
  if (!repository) return [`git init --initial-branch=${branch}`];
  return repository.hasCommit || repository.branch === branch ? [] : [`git checkout -b ${branch}`];
}

/** A commit on another branch reaches the applied branch by a merge, as any other change. */
function pushSteps(branch: string, repository: GitStart | undefined): readonly string[] {
  return repository?.hasCommit && repository.branch !== branch
    ? ['git push -u origin HEAD', `merge it into ${branch}, which is the branch that is applied`]
    : [`git push -u origin ${branch}`];
}
