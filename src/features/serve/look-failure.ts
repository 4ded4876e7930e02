import { EnvironmentError } from '../../model/problem.ts';

/** Why a look failed. `bug` is what was thrown when it is a fault of leasehold's own. */
export interface LookFailure {
  /** One sentence, without a stack. */
  readonly reason: string;
  readonly bug?: unknown;
}

/** What is told of anything that a look threw: a service outlives its own bugs. */
export function lookFailure(error: unknown): LookFailure {
  if (error instanceof EnvironmentError) return { reason: error.message };
  const message = error instanceof Error ? error.message : String(error);
  return { reason: `this is a bug of leasehold: ${message.split('\n', 1)[0]}`, bug: error };
}
