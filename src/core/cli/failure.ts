import { CommitProblem, EnvironmentError, InternalError, type Problem } from '../model/problem.ts';
import { sanitize } from '../text/print/escape.ts';
import { failureText, problemsFailureText } from '../text/print/failure-text.ts';
import { problemsText, withNextStep } from '../text/print/problems-text.ts';
import type { LineAt } from '../tree/source-line.ts';
import { isShortage, reasonOf } from '../world/system-error.ts';
import { type CliContext, exit, isData, type ProcessContext } from './cli-context.ts';
import { tell, toldPaint } from './tell.ts';
import { shownProblems } from './workspace-place.ts';

/** Wrong usage: the message is printed, and the exit status is 64. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Prints problems in place of the result, with the lines of their places, and returns their exit status. */
export function reportProblems(
  context: CliContext,
  problems: readonly Problem[],
  lineAt: LineAt = () => undefined,
): number {
  const own = problems.map((problem) => ({ source: lineAt, ...problem }));
  return report(context, own, (all) => shownProblems(context, all));
}

/** Prints problems; `shown` makes their places and commands fit the user's current folder. */
function report(
  context: FailureContext,
  problems: readonly Problem[],
  shown: (problems: readonly Problem[]) => readonly Problem[] = (all) => all,
): number {
  if (isData(context.output)) context.out(problemsFailureText(exit.problems, shown(problems)));
  const text = shown(problems.map(withNextStep));
  tell(context, problemsText(text, toldPaint(context), context.columns));
  return exit.problems;
}

/**
 * Prints the reasons why there is no result, in its place, and returns the exit status of problems.
 */
export function reportRefusal(context: CliContext, reasons: readonly string[]): number {
  if (isData(context.output)) context.out(failureText(exit.problems, reasons.join('; ')));
  tell(context, reasons.map((reason) => `${sanitize(reason)}\n`).join(''));
  return exit.problems;
}

type FailureContext = Pick<
  ProcessContext,
  'out' | 'err' | 'output' | 'color' | 'terminal' | 'env' | 'columns'
>;

/** Prints an error, with a stack trace only for a bug in leasehold, and returns its exit status. */
export function reportFailure(context: FailureContext, failure: unknown): number {
  if (failure instanceof CommitProblem) return report(context, [failure.problem]);
  if (failure instanceof UsageError) return reportReason(context, exit.usage, failure.message);
  if (failure instanceof EnvironmentError) {
    return reportReason(context, exit.environment, failure.message);
  }
  if (isShortage(failure)) return reportReason(context, exit.environment, reasonOf(failure));
  const error = failure instanceof Error ? failure : new InternalError(String(failure));
  if (isData(context.output)) context.out(failureText(exit.bug, error.message));
  const lines = (error.stack ?? error.message).split('\n').map(sanitize);
  context.err(
    `leasehold: this is a bug of leasehold. Please report it with this text:\n${lines.join('\n')}\n`,
  );
  return exit.bug;
}

function reportReason(context: FailureContext, status: number, reason: string): number {
  if (isData(context.output)) context.out(failureText(status, reason));
  context.err(`leasehold: ${sanitize(reason)}\n`);
  return status;
}
