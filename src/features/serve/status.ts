import { type Problem, placeText } from '../../core/model/problem.ts';
import type { Revision, SeenPending, ServeState, Stale } from '../../lib/service/serve-state.ts';
import type { ServedChanges, Status, StatusProblem } from '../../lib/service/status-answer.ts';
import { mostChanges } from './served-changes.ts';

/** The most problems, and the most changed addresses, in a status and in an event. */
const most = {
  status: { problems: 100, changes: mostChanges },
  event: { problems: 20, changes: 100 },
};

type Limits = (typeof most)['status'];

/** Returns the answer of `/api/v1/status`. */
export function statusOf(state: ServeState, version: string): Status {
  const { source, served, polledAt, day, polls, branches } = state;
  return {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Status',
    version,
    source,
    ready: served !== undefined,
    day,
    ...(polledAt === undefined ? {} : { polledAt }),
    polls,
    ...(served ? { revision: revisionOf(served.revision) } : {}),
    ...partsOf(state, most.status),
    ...(branches ? { pending: pendingOf(branches) } : {}),
  };
}

/** The parts of the status that are in an event too. */
type StatusParts = Pick<Status, 'stale' | 'changes' | 'problems' | 'problemCount'>;

/** Returns the changes and problems of an event. They are fewer than in the status. */
export function eventParts(state: ServeState): StatusParts {
  return partsOf(state, most.event);
}

function partsOf({ served, stale }: ServeState, limits: Limits): StatusParts {
  return {
    ...(stale ? { stale: staleOf(stale, limits) } : {}),
    ...(served?.changes ? { changes: changesOf(served.changes, limits) } : {}),
    ...problemsOf(served?.snapshot.problems ?? [], limits),
  };
}

function revisionOf({ commit, isUncommitted, seenAt }: Revision): NonNullable<Status['revision']> {
  return {
    ...(commit ? { commit: commit.id, day: commit.day } : {}),
    uncommitted: isUncommitted,
    seenAt,
  };
}

function pendingOf({ pending, seenAt, reason }: SeenPending): NonNullable<Status['pending']> {
  return {
    refs: pending.refs.length,
    skipped: pending.skipped.length,
    ...(seenAt === undefined ? {} : { seenAt }),
    ...(reason === undefined ? {} : { reason }),
  };
}

function staleOf({ since, reason, problems }: Stale, limits: Limits): NonNullable<Status['stale']> {
  return {
    since,
    ...(reason === undefined ? {} : { reason }),
    ...problemsOf(problems, limits),
  };
}

function changesOf(changes: ServedChanges, limits: Limits): ServedChanges {
  return { ...changes, items: changes.items.slice(0, limits.changes) };
}

function problemsOf(
  problems: readonly Problem[],
  limits: Limits,
): Pick<Status, 'problems' | 'problemCount'> {
  return {
    problems: problems.slice(0, limits.problems).map(problemOf),
    problemCount: problems.length,
  };
}

function problemOf({ code, message, at, hint }: Problem): StatusProblem {
  const { file, line } = at;
  const place = { file, line, at: placeText(at) };
  return { code, message, ...place, ...(hint === undefined ? {} : { hint }) };
}
