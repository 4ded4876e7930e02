import type { Command } from 'commander';
import { severalBases } from '../app/review/comparison.ts';
import { type RunBase, runBase } from '../app/synth/run-base.ts';
import { gitCommits } from '../io/git/git-commits.ts';
import { currentBranch } from '../io/git/git-default-ref.ts';
import { gitMergeState } from '../io/git/git-merge-state.ts';
import type { Day } from '../model/day.ts';
import { EnvironmentError } from '../model/problem.ts';
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
  readonly today: Day;
}

/**
 * What the branch of a checkout starts from. Undefined without git or a target, in a clone that is too shallow, after a criss-cross
 * merge, and on the target itself. An EnvironmentError where somebody names a ref and it does not tell.
 */
export async function baseOf(place: Place, { base }: BaseOptions): Promise<RunBase | undefined> {
  if (base === false) return undefined;
  if (base !== undefined) {
    const named = await readBase(place, base);
    if (named.found) return named.found;
    throw new EnvironmentError(severalBases(base));
  }
  try {
    const ref = await baseRefOf(place.world, place.root);
    const { found, head } = await readBase(place, ref);
    if (found?.commit.id !== head) return found;
    // A new branch without commits of its own is not the target.
    const branch = await currentBranch(place.root);
    return branch === undefined || `/${ref}`.endsWith(`/${branch}`) ? undefined : found;
  } catch (error) {
    if (error instanceof EnvironmentError) return undefined;
    throw error;
  }
}

async function readBase({ root, today }: Place, ref: string) {
  const commits = gitCommits(root);
  const head = await commits.resolve('HEAD');
  const target = await commits.resolve(ref);
  const { unfinished, incoming } = await gitMergeState(root).state();
  const heads = unfinished === 'merge' ? [head.id, ...incoming] : [head.id];
  return { head: head.id, found: await runBase(commits, { target, heads }, today) };
}
