import { oncePer } from '../../../core/model/calls.ts';
import { guardedJson, jsonAnswer, type Route, textAnswer } from '../../../lib/service/route.ts';
import type { ServeState } from '../../../lib/service/serve-state.ts';
import { statusOf } from '../status.ts';

const plainText = 'text/plain; charset=utf-8';

const later = { status: 503, headers: { 'Retry-After': '1' } } as const;

const healthy = textAnswer('', plainText);

const ready = textAnswer('OK\n', plainText);

/** Liveness, readiness and status of the service. */
export function stateRoutes(version: string): readonly Route[] {
  const status = oncePer((state: ServeState) => jsonAnswer(statusOf(state, version)));
  return [
    {
      of: 'state',
      id: 'getHealth',
      path: '/health',
      summary: 'Liveness; 200 even while nothing is served yet',
      media: 'text/plain',
      access: 'open',
      // The Akash client never reads the body; a body would keep one of its few connections busy.
      answer: () => healthy,
    },
    {
      of: 'state',
      id: 'getReady',
      path: '/ready',
      summary: 'Readiness; 503 until there is a tree to serve',
      media: 'text/plain',
      access: 'open',
      answer: (state) =>
        state.served ? ready : { ...later, type: plainText, body: `${loadingText(state)}\n` },
    },
    {
      of: 'state',
      ...guardedJson,
      id: 'getStatus',
      path: '/api/v1/status',
      summary: 'The served revision, its age and its problems',
      kind: 'Status',
      answer: status,
    },
  ];
}

/** Returns why nothing is served yet. It has no details, because the path needs no token. */
function loadingText({ source, stale }: ServeState): string {
  if (stale === undefined) return `${source} is being read`;
  return `${source} ${stale.reason === undefined ? 'has problems' : 'cannot be read'}`;
}
