import { jsonAnswer, jsonType, textAnswer } from './answers.ts';
import type { Route } from './route.ts';
import { statusOf } from './status.ts';

const plainText = 'text/plain; charset=utf-8';

/** Whether the service lives, is ready, and what it serves. */
export function stateRoutes(version: string): readonly Route[] {
  return [
    {
      of: 'standing',
      path: '/health',
      summary: 'Whether the process lives; 200 also while nothing is served yet',
      media: 'text/plain',
      access: 'open',
      answer: () => textAnswer('OK', plainText),
    },
    {
      of: 'standing',
      path: '/ready',
      summary: 'Whether there is a state to serve; 503 until there is',
      media: 'text/plain',
      access: 'open',
      answer: ({ served }) =>
        served
          ? textAnswer('OK', plainText)
          : { status: 503, type: plainText, body: 'loading', headers: { 'Retry-After': '1' } },
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
