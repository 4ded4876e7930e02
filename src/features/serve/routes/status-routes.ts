import { type Problem, placeText } from '../../../model/problem.ts';
import type { SeenPending } from '../pending-looks.ts';
import type { Revision, Stale, ServeState } from '../serve-state.ts';
import type { Status, StatusProblem } from '../status-answer.ts';
import { jsonAnswer, jsonType, type Route, textAnswer } from './route.ts';

const plainText = 'text/plain; charset=utf-8';

const later = { status: 503, headers: { 'Retry-After': '1' } } as const;

/** Whether the service lives, is ready, and what it serves. */
export function stateRoutes(version: string): readonly Route[] {
  return [
    {
      of: 'standing',
      path: '/health',
      summary: 'Whether the process lives; 200 also while nothing is served yet',
      media: 'text/plain',
      access: 'open',
      // Without a body: Akash's client never reads it, and with one each question would keep a connection of its few.
      answer: () => textAnswer('', plainText),
    },
    {
      of: 'standing',
      path: '/ready',
      summary: 'Whether there is a state to serve; 503 until there is',
      media: 'text/plain',
      access: 'open',
      answer: (standing) =>
        standing.served
          ? textAnswer('OK\n', plainText)
          : { ...later, type: plainText, body: `${loadingText(standing)}\n` },
    },
    {
      of: 'standing',
      path: '/api/v1/status',
      summary: 'What is served, since when, and what is wrong with it',
      media: jsonType,
      kind: 'Status',
      access: 'token',
      answer: (standing) => jsonAnswer(statusOf(standing, version)),
    },
  ];
}

/** Why nothing is served yet. Whoever asks has no token, so that it says no more than that. */
function loadingText({ source, stale }: ServeState): string {
  if (stale === undefined) return `${source} is being read`;
  return `${source} ${stale.reason === undefined ? 'has problems' : 'is not reached'}`;
}

/** How it stands with the service. */
export function statusOf(standing: ServeState, version: string): Status {
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
