import type { Command } from 'commander';
import { severalBases } from '../features/review/comparison.ts';
import { type RunBase, runBase } from '../features/synth/planned-run.ts';
import type { Day } from '../model/day.ts';
import { EnvironmentError } from '../model/problem.ts';
import type { SourceTree } from '../ports/tree.ts';
import { readPoolFile } from '../workspace/declared.ts';
import { openRepository } from '../world/git/git-repository.ts';
import { baseRefOf } from './base-ref.ts';
import type { World } from './world.ts';

/** `--base` and `--no-base`, of every command that records addresses. */
export interface BaseOptions {
  /** Undefined when nobody says, false for none. */
  readonly base: string | false | undefined;
}

/** Adds them to a command. */
export function addBaseOptions(command: Command): Command {
  return command
    .option(
      '--base <ref>',
      'what the branch goes to, which decides what only the branch has; the target of the pull request when left out, or the default branch',
    )
    .option('--no-base', 'take all that is recorded as it is, whatever the target has');
}

/** Where a run stands. */
interface Place {
  readonly world: World;
  readonly root: string;
  /** What stands there. */
  readonly tree: SourceTree;
  readonly today: Day;
}

/**
 * What the branch of a checkout starts from. Undefined without git or a target, in a clone that is too shallow, after a
 * criss-cross merge, and on the target itself. The target of a branch that engines apply is what is pushed of it. An
 * EnvironmentError where somebody names a ref and it does not tell.
 */
export async function baseOf(place: Place, { base }: BaseOptions): Promise<RunBase | undefined> {
  if (base === false) return undefined;
  if (base !== undefined) {
    const named = await readBase(place, await standing(place.root, base));
    if (named) return named;
    throw new EnvironmentError(severalBases(base));
  }
  try {
    return await foundBase(place);
  } catch (error) {
    if (error instanceof EnvironmentError) return undefined;
    throw error;
  }
}

async function foundBase(place: Place): Promise<RunBase | undefined> {
  const ref = await baseRefOf(place.world, place.root);
  const stand = await standing(place.root, ref);
  const { branch } = stand;
  if (branch === undefined || `/${ref}`.endsWith(`/${branch}`)) return baseOnTarget(place, stand);
  if (appliedBranches(place.tree).includes(branch)) {
    return baseOnTarget(place, await standing(place.root, `${branch}@{upstream}`));
  }
  // A new branch without commits of its own is not the target.
  return readBase(place, stand);
}

/** Undefined on a target that has no commit yet which is not pushed. */
async function baseOnTarget(place: Place, stand: Standing): Promise<RunBase | undefined> {
  const { head, target, merged } = stand;
  if (target.id === head.id && merged.length === 0) return undefined;
  const found = await readBase(place, stand);
  return found?.commit.id === head.id ? undefined : found;
}

/** The branches that engines apply beside the default one; none when the pool file is not sound. */
function appliedBranches(tree: SourceTree): readonly string[] {
  const pools = readPoolFile(tree);
  return pools.ok ? pools.value.branches : [];
}

type Standing = Awaited<ReturnType<typeof standing>>;

async function standing(root: string, ref: string) {
  const repository = openRepository(root);
  const { commits } = repository;
  const [head, target] = await commits.resolveEach(['HEAD', ref]);
  return { commits, head, target, ...(await repository.checkedOut()) };
}

function readBase(
  { today }: Place,
  { commits, head, target, merged }: Standing,
): Promise<RunBase | undefined> {
  return runBase(commits, { target, heads: [head.id, ...merged] }, today);
}
