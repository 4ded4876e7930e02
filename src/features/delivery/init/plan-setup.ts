import { policyPath, poolsPath } from '../../../model/folders.ts';
import { compareText } from '../../../model/order.ts';
import { compareProblems, type Outcome, type Problem, startOf } from '../../../model/problem.ts';
import { codeownersPaths, gitopsFolder, isSetupPath } from '../../../model/setup-files.ts';
import type { History } from '../../../ports/history.ts';
import type { SourceTree, TargetTree } from '../../../ports/tree.ts';
import { changedTree } from '../../../workspace/changed-tree.ts';
import { readPolicyFile, readPoolFile } from '../../../workspace/declared.ts';
import { lostFiles } from '../../../workspace/workspace.ts';
import { type EditedRun, runEdited } from '../../operate/edited-run.ts';
import type { SynthOptions } from '../../synth/synth.ts';
import type { SetupAnswers, SetupFile, SetupState } from './setup.ts';
import { type SetupPlace, wantedDeclarations, wantedFiles } from './wanted-files.ts';

/** Says whether a file that differs is to be replaced. */
type Replaces = (file: SetupFile) => Promise<boolean>;

/** Where a repository is set up, and who decides about files that differ. */
export interface SetupContext extends Omit<SetupPlace, 'codeowners'> {
  readonly replaces: Replaces;
}

/** What setting up a repository does to its files; nothing is written yet. */
export interface SetupPlan {
  /** In path order. */
  readonly files: readonly SetupFile[];
  /** Those that are new or replaced. */
  readonly writes: ReadonlyMap<string, string>;
}

/**
 * Compares what a repository is to have with what it has. Problems: FILE_LOST, those of {@link comparedFile}, and
 * those of the pool file and the policy as they would be then.
 */
export async function planSetup(
  tree: SourceTree,
  history: History,
  answers: SetupAnswers,
  { replaces, ...place }: SetupContext,
): Promise<Outcome<SetupPlan>> {
  const lost = await lostFiles(tree, history);
  if (lost.length > 0) return { ok: false, problems: lost };
  const declared = await settled(tree, wantedDeclarations(answers), replaces);
  if (!declared.ok) return declared;
  const edited = changedTree(tree);
  const first = writesOf(declared.value);
  await edited.commit({ writes: first, removes: [] });
  const [pools, policy] = [readPoolFile(edited), readPolicyFile(edited)];
  if (!pools.ok || !policy.ok) {
    const problems = [...(pools.ok ? [] : pools.problems), ...(policy.ok ? [] : policy.problems)];
    return { ok: false, problems: toldProblems(problems, first) };
  }
  const wanted = wantedFiles(
    answers,
    { pools: pools.value, policy: policy.value },
    { ...place, codeowners: codeownersIn(tree) },
  );
  const others = await settled(tree, wanted, replaces);
  if (!others.ok) return others;
  const settledFiles = [...declared.value, ...others.value];
  const old = answers.engine ? oldObjects(tree, settledFiles) : [];
  const files = [...settledFiles, ...old].sort((left, right) => compareText(left.path, right.path));
  return { ok: true, value: { files, writes: writesOf(files) } };
}

/**
 * Writes what was planned and synthesizes, as one step: all of it, or nothing. Problems: those of a synth, told for the
 * files as they would be.
 */
export async function setUp(
  tree: SourceTree & TargetTree,
  history: History,
  { writes }: SetupPlan,
  options: SynthOptions,
): Promise<Outcome<EditedRun>> {
  const run = await runEdited(
    tree,
    history,
    { writes, removes: [] },
    { ...options, allowingCommand: (count) => `leasehold synth --allow-release ${count}` },
  );
  return run.ok ? run : { ok: false, problems: toldProblems(run.problems, writes) };
}

/** The files as they come out, once it is known which of those that differ are replaced. */
async function settled(
  tree: SourceTree,
  wanted: readonly WantedFile[],
  replaces: Replaces,
): Promise<Outcome<readonly SetupFile[]>> {
  const compared: ComparedFile[] = [];
  const problems: Problem[] = [];
  for (const file of wanted) {
    const outcome = comparedFile(tree, file);
    if (outcome.ok) compared.push(outcome.value);
    else problems.push(...outcome.problems);
  }
  if (problems.length > 0) return { ok: false, problems: problems.sort(compareProblems) };
  const files: SetupFile[] = [];
  for (const file of compared) {
    const { path, before = '', after = before } = file;
    const state = stateOf(file);
    const settledFile = { path, state, before, after };
    const isReplaced = state === 'differs' && (await replaces(settledFile));
    files.push(isReplaced ? { ...settledFile, state: 'replaced' } : settledFile);
  }
  return { ok: true, value: files };
}

/** Objects of an engine that an earlier set-up wrote, and this one does not: of a cluster or an engine that is gone. */
function oldObjects(tree: SourceTree, files: readonly SetupFile[]): readonly SetupFile[] {
  const wanted = new Set(files.map(({ path }) => path));
  return tree
    .list(gitopsFolder)
    .filter(({ path }) => isSetupPath(path) && !wanted.has(path))
    .map(({ path }) => ({ path, state: 'old', before: '', after: '' }));
}

function stateOf({ before, after }: ComparedFile): SetupState {
  if (after === undefined) return 'kept';
  if (before === undefined) return 'new';
  return before === after ? 'same' : 'differs';
}

function writesOf(files: readonly SetupFile[]): ReadonlyMap<string, string> {
  const written = files.filter(({ state }) => state === 'new' || state === 'replaced');
  return new Map(written.map(({ path, after }) => [path, after]));
}

function codeownersIn(tree: SourceTree): readonly string[] {
  const paths = [...new Set(Object.values(codeownersPaths).flat())];
  return paths.filter((path) => tree.list(path).some((entry) => entry.path === path));
}

/** Problems of a pool file or a policy that is not written say whose line they name. */
function toldProblems(
  problems: readonly Problem[],
  writes: ReadonlyMap<string, string>,
): readonly Problem[] {
  return problems.toSorted(compareProblems).map((problem) => {
    const { file } = problem.at;
    if ((file !== poolsPath && file !== policyPath) || !writes.has(file)) return problem;
    const told = 'the line is of the file as init would have written it';
    return { ...problem, hint: problem.hint ? `${problem.hint}; ${told}` : told };
  });
}

/** The text that a file is to have; undefined to leave what is there, or what is wrong with that. */
type WantedText = string | undefined | readonly Problem[];

/** A file that a set-up wants. `textOf` is given what is there. */
export interface WantedFile {
  readonly path: string;
  readonly textOf: (existing: string | undefined) => WantedText;
}

/** What is there, and what is wanted. */
export interface ComparedFile {
  readonly path: string;
  /** Undefined where nothing is. */
  readonly before: string | undefined;
  /** Undefined to leave what is there. */
  readonly after: string | undefined;
}

/**
 * A wanted file beside what is there. Problems: FILE_NOT_REGULAR when a folder, a link or the like stands in its way,
 * FILE_ENCODING, and those of the wanted text.
 */
export function comparedFile(
  tree: SourceTree,
  { path, textOf }: WantedFile,
): Outcome<ComparedFile> {
  // A file is listed under its own name, and what is in the way of one as the file or link that it is.
  const entries = tree.list(path);
  const other = entries.find((entry) => entry.path !== path || entry.kind !== 'file');
  if (other) return { ok: false, problems: [inTheWay(path, other.path)] };
  const before = entries.length > 0 ? decoded(tree.read(path)) : undefined;
  if (entries.length > 0 && before === undefined) {
    return { ok: false, problems: [undecodable(path)] };
  }
  const after = textOf(before);
  return typeof after === 'object'
    ? { ok: false, problems: after }
    : { ok: true, value: { path, before, after } };
}

function inTheWay(path: string, other: string): Problem {
  const obstacle = other.startsWith(`${path}/`) ? path : other;
  return {
    code: 'FILE_NOT_REGULAR',
    message: other.startsWith(`${path}/`)
      ? 'there is a folder where a file is to be'
      : 'not a regular file, and links are not followed',
    at: startOf(obstacle),
    hint: 'move it elsewhere, and run leasehold init again',
  };
}

function undecodable(path: string): Problem {
  return {
    code: 'FILE_ENCODING',
    message: 'not UTF-8 text, so it cannot be compared',
    at: startOf(path),
    hint: 'save it as UTF-8, and run leasehold init again',
  };
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
