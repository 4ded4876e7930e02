import { EnvironmentError, InternalError, type Problem } from '../model/problem.ts';
import { paintOf } from '../text/print/paint.ts';
import { plain } from '../text/print/plain.ts';
import { problemsText } from '../text/print/problems-text.ts';
import { isShortage, reasonOf } from '../world/system-error.ts';
import { exit, type World } from './world.ts';

/** A command line that does not fit: printed, and exit status 64. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Prints problems to standard error and gives their exit status. */
export function reportProblems(world: World, problems: readonly Problem[]): number {
  world.err(problemsText(problems, paintOf(world.color)));
  return exit.problems;
}

/** Prints what was thrown, without a stack trace unless it is a bug of ours, and gives its exit status. */
export function reportFailure(world: World, failure: unknown): number {
  if (failure instanceof UsageError) {
    world.err(`leasehold: ${plain(failure.message)}\n`);
    return exit.usage;
  }
  if (failure instanceof EnvironmentError) {
    world.err(`leasehold: ${plain(failure.message)}\n`);
    return exit.environment;
  }
  if (isShortage(failure)) {
    world.err(`leasehold: ${plain(reasonOf(failure))}\n`);
    return exit.environment;
  }
  const error = failure instanceof Error ? failure : new InternalError(String(failure));
  const lines = (error.stack ?? error.message).split('\n').map(plain);
  world.err(
    `leasehold: this is a bug of leasehold. Please report it with this text:\n${lines.join('\n')}\n`,
  );
  return exit.bug;
}
