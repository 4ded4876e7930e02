import { type Problem, placeText } from '../../model/problem.ts';
import type { SeenPending } from './pending-looks.ts';
import type { Revision, Stale, Standing } from './served.ts';
import type { Status, StatusProblem } from './status-answer.ts';

/** How it stands with the service. */
export function statusOf(standing: Standing, version: string): Status {
  const { source, served, stale, lookedAt, day, looks, branches } = standing;
  return {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Status',
    version,
    source,
    ready: served !== undefined,
    day,
    ...(lookedAt === undefined ? {} : { lookedAt }),
    looks,
    ...(served ? { revision: revisionOf(served.revision) } : {}),
    ...(stale ? { stale: staleOf(stale) } : {}),
    ...(branches ? { pending: pendingOf(branches) } : {}),
    problems: (served?.known.problems ?? []).map(problemOf),
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

function staleOf({ since, reason, problems }: Stale): NonNullable<Status['stale']> {
  return { since, ...(reason === undefined ? {} : { reason }), problems: problems.map(problemOf) };
}

function problemOf({ code, message, at, hint }: Problem): StatusProblem {
  const place = placeText(at);
  return { code, message, at: place, ...(hint === undefined ? {} : { hint }) };
}
