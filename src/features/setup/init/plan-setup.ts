import type { SourceTree, TargetTree } from '../../../core/interfaces/tree.ts';
import type { History } from '../../../core/interfaces/work-tree.ts';
import { forges } from '../../../core/model/forges/forges.ts';
import { byPath } from '../../../core/model/order.ts';
import {
  compareProblems,
  fail,
  failSorted,
  type Outcome,
  ok,
  type Problem,
  startOf,
} from '../../../core/model/problem.ts';
import {
  gitopsFolder,
  isRecordPath,
  isSetupPath,
  leasesFolder,
  policyPath,
  poolsPath,
} from '../../../core/model/repository-paths.ts';
import { type EditedRun, runEdited } from '../../../core/run/synth/edited-run.ts';
import type { SynthOptions } from '../../../core/run/synth/synth.ts';
import { type ChangedTree, changedTree } from '../../../core/tree/changed-tree.ts';
import { readPolicyFile, readPoolFile } from '../../../core/tree/declared.ts';
import { lostFiles } from '../../../core/tree/workspace.ts';
import { forgeThere } from './forge-setup.ts';
import type { SetupAnswers, SetupFile, SetupState } from './setup.ts';
import {
  type SetupPlace,
  type WantedFile,
  wantedDeclarations,
  wantedFiles,
} from './wanted-files.ts';

/** Decides whether a file that differs is replaced. */
type Replaces = (file: SetupFile) => Promise<boolean>;

/** The place of a set-up, and the decision about files that differ. */
export interface SetupContext extends Omit<SetupPlace, 'codeowners' | 'forge'> {
  readonly replaces: Replaces;
}

/** The files of a set-up before anything is written. */
export interface SetupPlan {
  /** In path order. */
  readonly files: readonly SetupFile[];
  /** Those that are new or replaced. */
  readonly writes: ReadonlyMap<string, string>;
}

/**
 * Compares the files of a repository with those that a set-up wants. Problems: FILE_LOST, those of
 * {@link compareFile}, and those of the pool file and the policy as they would be written.
 */
export async function planSetup(
  tree: SourceTree,
  history: History,
  answers: SetupAnswers,
  { replaces, ...place }: SetupContext,
): Promise<Outcome<SetupPlan>> {
  const lost = await lostFiles(tree, history);
  if (lost.length > 0) return fail(lost);
  const declared = await resolveFiles(tree, wantedDeclarations(answers), replaces);
  if (!declared.ok) return declared;
  const edited = changedTree(tree);
  const first = writesOf(declared.value);
  await edited.commit({ writes: first, removes: [] });
  const [pools, policy] = [readPoolFile(edited), readPolicyFile(edited)];
  if (!pools.ok || !policy.ok) {
    const problems = [...(pools.ok ? [] : pools.problems), ...(policy.ok ? [] : policy.problems)];
    return fail(withPlannedHint(problems, first));
  }
  const wanted = wantedFiles(
    answers,
    { pools: pools.value, policy: policy.value },
    { ...place, codeowners: codeownersIn(tree), forge: forgeThere(tree) },
  );
  const others = await resolveFiles(tree, wanted, replaces);
  if (!others.ok) return others;
  const resolvedFiles = [...declared.value, ...others.value];
  const old = answers.engine ? oldObjects(tree, resolvedFiles) : [];
  const files = [...resolvedFiles, ...old].sort(byPath);
  return ok({ files, writes: writesOf(files) });
}

/**
 * Writes the planned files and runs synth, as one step: all or nothing. Problems: those of synth,
 * for the files as they would be written.
 */
export async function setUp(
  tree: SourceTree & TargetTree,
  history: History,
  { writes }: SetupPlan,
  options: SynthOptions,
): Promise<Outcome<EditedRun>> {
  const run = await runEdited(tree, history, { writes, removes: [] }, options);
  return run.ok ? run : fail(withPlannedHint(run.problems, writes));
}

/** Compares the wanted files and decides which of those that differ are replaced. */
async function resolveFiles(
  tree: SourceTree,
  wanted: readonly WantedFile[],
  replaces: Replaces,
): Promise<Outcome<readonly SetupFile[]>> {
  const compared: ComparedFile[] = [];
  const problems: Problem[] = [];
  for (const file of wanted) {
    const outcome = compareFile(tree, file);
    if (outcome.ok) compared.push(outcome.value);
    else problems.push(...outcome.problems);
  }
  if (problems.length > 0) return failSorted(problems);
  const files: SetupFile[] = [];
  for (const file of compared) {
    const { path, before = '', after = before } = file;
    const state = stateOf(file);
    const resolved = { path, state, before, after };
    const isReplaced = state === 'differs' && (await replaces(resolved));
    const written = isReplaced ? 'replaced' : state;
    files.push({ ...resolved, state: written });
  }
  return ok(files);
}

/** Engine objects of an earlier set-up that this one does not write, as of a former cluster. */
function oldObjects(tree: SourceTree, files: readonly SetupFile[]): readonly SetupFile[] {
  const wanted = new Set(files.map(({ path }) => path));
  return tree
    .list(gitopsFolder)
    .filter(({ path }) => isSetupPath(path) && !wanted.has(path))
    .map(({ path }) => ({ path, state: 'old', before: '', after: '' }));
}

const writtenStates: ReadonlySet<SetupState> = new Set(['new', 'replaced', 'completed']);

function stateOf({ before, after, isCompleted }: ComparedFile): SetupState {
  if (after === undefined) return 'kept';
  if (before === undefined) return 'new';
  if (before === after) return 'same';
  return isCompleted ? 'completed' : 'differs';
}

function writesOf(files: readonly SetupFile[]): ReadonlyMap<string, string> {
  const written = files.filter(({ state }) => writtenStates.has(state));
  return new Map(written.map(({ path, after }) => [path, after]));
}

function codeownersIn(tree: SourceTree): readonly string[] {
  const paths = [...new Set(Object.values(forges).flatMap(({ codeowners }) => codeowners))];
  return paths.filter((path) => tree.list(path).some((entry) => entry.path === path));
}

/**
 * Adds to problems in an unwritten pool file or policy that their lines are of the planned text.
 */
function withPlannedHint(
  problems: readonly Problem[],
  writes: ReadonlyMap<string, string>,
): readonly Problem[] {
  return problems.toSorted(compareProblems).map((problem) => {
    const { file } = problem.at;
    if ((file !== poolsPath && file !== policyPath) || !writes.has(file)) return problem;
    const planned = 'the line number is that of the file as init would have written it';
    return { ...problem, hint: problem.hint ? `${problem.hint}; ${planned}` : planned };
  });
}

/** The existing and the wanted text of a file. */
interface ComparedFile {
  readonly path: string;
  /** Undefined when the file does not exist. */
  readonly before: string | undefined;
  /** Undefined to keep the existing file. */
  readonly after: string | undefined;
  readonly isCompleted: boolean;
}

/**
 * Compares a wanted file with the existing one. Problems: FILE_NOT_REGULAR when a folder, a link or
 * another kind of file is in its place, FILE_ENCODING, and those of the wanted text.
 */
function compareFile(
  tree: SourceTree,
  { path, textOf, isCompleted = false }: WantedFile,
): Outcome<ComparedFile> {
  // The tree lists the file itself, or the files or the link that are in its place.
  const entries = tree.list(path);
  const other = entries.find((entry) => entry.path !== path || entry.kind !== 'file');
  if (other) return fail([obstructed(path, other.path)]);
  const before = entries.length > 0 ? decoded(tree.read(path)) : undefined;
  if (entries.length > 0 && before === undefined) {
    return fail([undecodable(path)]);
  }
  const after = textOf(before);
  if (typeof after === 'object') return fail(after);
  const completes = typeof isCompleted === 'function' ? isCompleted(before) : isCompleted;
  return ok({ path, before, after, isCompleted: completes });
}

function obstructed(path: string, other: string): Problem {
  const obstacle = other.startsWith(`${path}/`) ? path : other;
  return {
    code: 'FILE_NOT_REGULAR',
    message: other.startsWith(`${path}/`)
      ? 'there is a folder in place of the file'
      : 'not a regular file, and links are not followed',
    at: startOf(obstacle),
    hint: 'move it elsewhere and run `leasehold init` again',
  };
}

function undecodable(path: string): Problem {
  return {
    code: 'FILE_ENCODING',
    message: 'not UTF-8 text, so it cannot be compared',
    at: startOf(path),
    hint: 'save it as UTF-8 and run `leasehold init` again',
  };
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** A set-up in the tree of an adopted cluster, with its declarations among the files. */
export function withAdopted(plan: SetupPlan, tree: ChangedTree): SetupPlan {
  const declared = [...tree.changes().writes].filter(
    ([path]) => path.startsWith(`${leasesFolder}/`) && !isRecordPath(path),
  );
  const files = new Map(plan.files.map((file) => [file.path, file]));
  for (const [path, after] of declared) files.set(path, { path, state: 'new', before: '', after });
  const sorted: readonly SetupFile[] = [...files.values()].sort(byPath);
  return { files: sorted, writes: new Map([...declared, ...plan.writes]) };
}
