import { oncePer } from '../../core/model/calls.ts';
import { sha256Hex } from '../../core/model/digest.ts';
import { EnvironmentError } from '../../core/model/problem.ts';
import type {
  Web,
  WebAction,
  WebAnswer,
  WebEvent,
  WebRequest,
  WebRoute,
} from '../../lib/http/web.ts';
import { failureAnswer, type Route } from '../../lib/service/route.ts';
import { memoized, type ServeState } from '../../lib/service/serve-state.ts';
import type { Follower } from './follow.ts';
import { eventsPath } from './routes/routes.ts';
import { eventParts } from './status.ts';

/** Exceptions from the required token. */
export interface WebAccess {
  /** True to answer without a token on the paths of the Akash operator. */
  readonly isOperatorOpen: boolean;
}

/** Returns the HTTP interface of a followed tree. */
export function webOf(
  follower: Follower,
  routes: readonly Route[],
  access: WebAccess,
  actions: readonly WebAction[] = [],
): Web {
  return {
    routes: routes.map((route) => webRoute(follower, route, access)),
    events: {
      path: eventsPath,
      access: 'token',
      newest: () => eventOf(follower.state()),
      subscribe: (listener) => follower.subscribe(listener),
    },
    actions,
    headers: () => headersOf(follower.state()),
    refusal: failureAnswer,
  };
}

function webRoute(follower: Follower, route: Route, { isOperatorOpen }: WebAccess): WebRoute {
  const isOpen = route.access === 'open' || (route.access === 'operator' && isOperatorOpen);
  return {
    path: route.path,
    access: isOpen ? 'open' : 'token',
    async answer(request) {
      const unknown = Object.keys(request.query).find(
        (name) => !Object.hasOwn(route.query ?? {}, name),
      );
      if (unknown !== undefined && route.path.startsWith('/api/')) {
        return failureAnswer(400, `${route.path} does not have that parameter`);
      }
      try {
        return await routeAnswer(route, follower.state(), request);
      } catch (error) {
        if (error instanceof EnvironmentError) return unavailable(error.message);
        throw error;
      }
    },
  };
}

function routeAnswer(
  route: Route,
  state: ServeState,
  request: WebRequest,
): WebAnswer | Promise<WebAnswer> {
  if (route.of === 'state') return route.answer(state, request);
  const { served } = state;
  if (served === undefined) return notReady(state);
  const hasNoParameters =
    Object.keys(request.params).length + Object.keys(request.query).length === 0;
  if (!hasNoParameters) return route.answer(served, request);
  return memoized(served, route.path, () => route.answer(served, request));
}

/** Returns a 503 with the reason that nothing is served yet. The client may retry. */
function notReady({ stale, source }: ServeState): WebAnswer {
  const [problem] = stale?.problems ?? [];
  const why = problem && `${problem.message} (${problem.at.file}:${problem.at.line})`;
  const reason = stale?.reason ?? why ?? `${source} is being read`;
  return unavailable(`nothing is served yet: ${reason}`);
}

function unavailable(reason: string): WebAnswer {
  return { ...failureAnswer(503, reason), headers: { 'Retry-After': '5' } };
}

function headersOf({ served, stale }: ServeState): Readonly<Record<string, string>> {
  const commit = served?.revision.commit?.id;
  return {
    ...(commit === undefined ? {} : { 'Leasehold-Revision': commit }),
    ...(served?.revision.isUncommitted ? { 'Leasehold-Uncommitted': 'true' } : {}),
    ...(stale && served ? { 'Leasehold-Stale': stale.since } : {}),
  };
}

/** Two states with the same id serve the same tree. It is made once for all listeners. */
const eventOf = oncePer((state: ServeState): WebEvent | undefined => {
  const { served } = state;
  if (served === undefined) return undefined;
  const { revision, day } = served;
  const event = {
    ...(revision.commit ? { revision: revision.commit.id } : {}),
    uncommitted: revision.isUncommitted,
    seenAt: revision.seenAt,
    day,
    ...eventParts(state),
  };
  const data = JSON.stringify(event);
  return { name: 'revision', id: sha256Hex(data).slice(0, 16), data };
});
