import { EnvironmentError, InternalError, type Problem } from '../model/problem.ts';
import { sanitize } from '../text/print/escape.ts';
import { paintOf, problemsText } from '../text/print/problems-text.ts';
import { isShortage, reasonOf } from '../world/system-error.ts';
import { type CliContext, exit, type ProcessContext } from './cli-context.ts';
import { shownProblems } from './workspace-place.ts';

/** Wrong usage: the message is printed, and the exit status is 64. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Prints problems to standard error and returns their exit status. */
export function reportProblems(context: CliContext, problems: readonly Problem[]): number {
  context.err(problemsText(shownProblems(context, problems), paintOf(context.color)));
  return exit.problems;
}

/** Prints an error, with a stack trace only for a bug in leasehold, and returns its exit status. */
export function reportFailure(context: Pick<ProcessContext, 'err'>, failure: unknown): number {
  if (failure instanceof UsageError) {
    context.err(`leasehold: ${sanitize(failure.message)}\n`);
    return exit.usage;
  }
  if (failure instanceof EnvironmentError) {
    context.err(`leasehold: ${sanitize(failure.message)}\n`);
    return exit.environment;
  }
  if (isShortage(failure)) {
    context.err(`leasehold: ${sanitize(reasonOf(failure))}\n`);
    return exit.environment;
  }
  const error = failure instanceof Error ? failure : new InternalError(String(failure));
  const lines = (error.stack ?? error.message).split('\n').map(sanitize);
  context.err(
    `leasehold: this is a bug of leasehold. Please report it with this text:\n${lines.join('\n')}\n`,
  );
  return exit.bug;
}
