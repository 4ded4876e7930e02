import { compareProblems, type Position, type Problem } from '../../model/problem.ts';
import type { Failure } from '../failure-answer.ts';
import { sanitizedJson } from './escape.ts';

/** A failure as JSON, which readers of YAML read too. */
export function failureText(status: number, reason: string): string {
  const failure: Failure = { apiVersion: 'leasehold.dev/v1', kind: 'Failure', status, reason };
  return sanitizedJson(failure);
}

/** A failure because of problems, as JSON. */
export function problemsFailureText(status: number, problems: readonly Problem[]): string {
  const reason = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  const failure: Failure = {
    ...{ apiVersion: 'leasehold.dev/v1', kind: 'Failure', status, reason },
    problems: problems.toSorted(compareProblems).map(({ code, message, at, also, hint }) => ({
      code,
      message,
      at: placeOf(at),
      ...(also === undefined ? {} : { also: also.map(placeOf) }),
      ...(hint === undefined ? {} : { hint }),
    })),
  };
  return sanitizedJson(failure);
}

function placeOf({ file, line, column }: Position) {
  return { file, line, column };
}
