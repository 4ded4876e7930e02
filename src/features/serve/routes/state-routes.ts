import type { Standing } from '../served.ts';
import { statusOf } from '../status.ts';
import { jsonAnswer, jsonType, textAnswer } from './answers.ts';
import type { Route } from './route.ts';

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
function loadingText({ source, stale }: Standing): string {
  if (stale === undefined) return `${source} is being read`;
  return `${source} ${stale.reason === undefined ? 'has problems' : 'is not reached'}`;
}
