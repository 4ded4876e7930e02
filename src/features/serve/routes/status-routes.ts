import { type Problem, placeText } from '../../../model/problem.ts';
import type { SeenPending } from '../pending-looks.ts';
import type { Revision, ServeState, Stale } from '../serve-state.ts';
import type { Status, StatusProblem } from '../status-answer.ts';
import { jsonAnswer, jsonType, type Route, textAnswer } from './route.ts';

const plainText = 'text/plain; charset=utf-8';

const later = { status: 503, headers: { 'Retry-After': '1' } } as const;

/** Liveness, readiness and status of the service. */
export function stateRoutes(version: string): readonly Route[] {
  return [
    {
      of: 'state',
      path: '/health',
      summary: 'Liveness; 200 even while nothing is served yet',
      media: 'text/plain',
      access: 'open',
      // The Akash client never reads the body; a body would keep one of its few connections busy.
      answer: () => textAnswer('', plainText),
    },
    {
      of: 'state',
      path: '/ready',
      summary: 'Readiness; 503 until there is a tree to serve',
      media: 'text/plain',
      access: 'open',
      answer: (state) =>
        state.served
          ? textAnswer('OK\n', plainText)
          : { ...later, type: plainText, body: `${loadingText(state)}\n` },
    },
    {
      of: 'state',
      path: '/api/v1/status',
      summary: 'The served revision, its age and its problems',
      media: jsonType,
      kind: 'Status',
      access: 'token',
      answer: (state) => jsonAnswer(statusOf(state, version)),
    },
  ];
}

/** Returns why nothing is served yet. It has no details, because the path needs no token. */
function loadingText({ source, stale }: ServeState): string {
  if (stale === undefined) return `${source} is being read`;
  return `${source} ${stale.reason === undefined ? 'has problems' : 'cannot be read'}`;
}

/** Returns the answer of `/api/v1/status`. */
function statusOf(state: ServeState, version: string): Status {
  const { source, served, stale, lookedAt, day, looks, branches } = state;
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
    problems: (served?.snapshot.problems ?? []).map(problemOf),
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
