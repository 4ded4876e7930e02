import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Position, Problem } from '../model/problem.ts';
import { leasesFolder, poolsPath, readPaths } from '../model/repository-paths.ts';
import { shellWord } from '../text/print/escape.ts';
import { replaceCommands } from '../text/print/sentence.ts';

/** Where the workspace is that a command works on. */
export interface WorkspacePlace {
  /** The folder with `leases/pools.yaml`; the folder of the search when no folder has it. */
  readonly root: string;
  readonly isFound: boolean;
  /** The folders of the search, the first one innermost. */
  readonly searched: readonly string[];
}

/**
 * Looks for the workspace around a folder: in the folder, then in those above it, up to the root of
 * the git repository. Outside of a repository only the folder itself counts: other users may own
 * the folders above.
 */
export function workspaceAround(folder: string): WorkspacePlace {
  const searched = foldersUpToGitRoot(folder);
  const holds = (path: string) => searched.find((one) => existsSync(join(one, path)));
  // A workspace that has lost its pool file is still one.
  const found = holds(poolsPath) ?? holds(leasesFolder);
  const root = found === undefined || found === searched[0] ? folder : found;
  return { root, isFound: found !== undefined, searched };
}

function foldersUpToGitRoot(folder: string): readonly string[] {
  if (!existsSync(folder)) return [folder];
  const start = realpathSync(folder);
  const folders: string[] = [];
  for (let at = start; ; at = dirname(at)) {
    folders.push(at);
    if (existsSync(join(at, '.git'))) return folders;
    if (dirname(at) === at) return [start];
  }
}

/** The current folder of the user, and the workspace of the command. */
interface Places {
  readonly cwd: string;
  readonly place: WorkspacePlace;
}

/** A path of the workspace, relative to the user's current folder. */
export function shownPath({ cwd, place }: Places, path: string): string {
  return relative(cwd, join(place.root, path));
}

/**
 * Problems as they are printed: their places and the commands of their hints fit the user's current
 * folder, and a missing workspace names where it was looked for.
 */
export function shownProblems(places: Places, problems: readonly Problem[]): readonly Problem[] {
  const at = (position: Position): Position =>
    isInWorkspace(position.file)
      ? { ...position, file: shownPath(places, position.file) }
      : position;
  return problems.map(withSearch(places)).map((problem) => ({
    ...problem,
    at: at(problem.at),
    ...(problem.also && { also: problem.also.map(at) }),
    ...(problem.hint !== undefined && { hint: shownCommands(places, problem.hint) }),
  }));
}

/** False for a file that the user named on the command line: its name fits the current folder. */
function isInWorkspace(file: string): boolean {
  const [first = ''] = file.split('/', 1);
  return readPaths.includes(first);
}

/** Explains a missing pool file by the search for the workspace. */
function withSearch({ cwd, place }: Places): (problem: Problem) => Problem {
  const { isFound, searched } = place;
  const [first = 'the current folder', ...above] = searched.map(
    (folder) => relative(cwd, folder) || 'the current folder',
  );
  const last = above.at(-1);
  const where =
    last === undefined
      ? first
      : `${first} and the folders above it, up to ${last}, the root of the git repository`;
  return (problem) => {
    if (isFound || problem.code !== 'FILE_MISSING' || problem.at.file !== poolsPath) return problem;
    const message = `no pool file found: looked in ${where}`;
    const hint = `set up a workspace with \`leasehold init\`, or name the folder of one with -C DIR after the command`;
    return { ...problem, message, hint };
  };
}

const leaseholdCommand = /\bleasehold [a-z][a-z-]*/g;
/** Commands of git, which need its repository, and whose paths count from the folder it starts in. */
const gitCommand = /\bgit (?=(?:add|checkout|commit|mv|restore|rm)\b)/g;

/** A sentence whose commands run in the user's current folder as they are: see {@link shownSteps}. */
export function shownCommands(places: Places, text: string): string {
  return replaceCommands(text, (command) => shownSteps(places, command));
}

/**
 * Commands that run in the user's current folder as they are: git and leasehold start in the
 * workspace by `-C`. That of leasehold comes after its command, since before it npx takes it. Below
 * the workspace, leasehold finds it by itself.
 */
export function shownSteps({ cwd, place }: Places, text: string): string {
  const folder = relative(cwd, place.root);
  if (folder === '' || !place.isFound) return text;
  const word = shellWord(folder);
  const isBelow = folder.split('/').every((part) => part === '..');
  const moved = text.replace(gitCommand, () => `git -C ${word} `);
  return isBelow ? moved : moved.replace(leaseholdCommand, (name) => `${name} -C ${word}`);
}
