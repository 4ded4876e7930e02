import { sha256Hex } from '../../model/digest.ts';
import { EnvironmentError } from '../../model/problem.ts';
import type { Web, WebAnswer, WebEvent, WebRequest, WebRoute } from '../../ports/web.ts';
import type { Follower } from './follow.ts';
import { failureAnswer, type Route } from './routes/route.ts';
import { eventsPath } from './routes/routes.ts';
import { memoized, type ServeState } from './serve-state.ts';

/** Who may ask without a token, when there is one. */
export interface WebAccess {
  /** True to answer a program that sends no token on the paths that Akash's operator had. */
  readonly isOperatorOpen: boolean;
}

/** What a server answers for a tree that is followed. */
export function webOf(follower: Follower, routes: readonly Route[], terms: WebAccess): Web {
  return {
    routes: routes.map((route) => webRoute(follower, route, terms)),
    events: {
      path: eventsPath,
      access: 'token',
      newest: () => eventOf(follower.standing()),
      subscribe: (listener) => follower.subscribe(listener),
    },
    headers: () => headersOf(follower.standing()),
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
        return failureAnswer(400, `${route.path} has no parameter of that name`);
      }
      try {
        return await answerOf(route, follower.standing(), request);
      } catch (error) {
        if (error instanceof EnvironmentError) return unavailable(error.message);
        throw error;
      }
    },
  };
}

function answerOf(
  route: Route,
  standing: ServeState,
  request: WebRequest,
): WebAnswer | Promise<WebAnswer> {
  if (route.of === 'standing') return route.answer(standing, request);
  const { served } = standing;
  if (served === undefined) return notReady(standing);
  const isOne = Object.keys(request.params).length + Object.keys(request.query).length === 0;
  if (!isOne) return route.answer(served, request);
  return memoized(served, route.path, () => route.answer(served, request));
}

/** Nothing was served yet: why, and that it may be soon. */
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

/** Two standings with one id serve the same. */
function eventOf({ served, stale }: ServeState): WebEvent | undefined {
  if (served === undefined) return undefined;
  const { revision, day } = served;
  const data = JSON.stringify({
    ...(revision.commit ? { revision: revision.commit.id } : {}),
    uncommitted: revision.isUncommitted,
    seenAt: revision.seenAt,
    day,
    ...(stale ? { stale: stale.since } : {}),
  });
  const why = JSON.stringify([stale?.reason, stale?.problems]);
  return { name: 'revision', id: sha256Hex(`${data}${why}`).slice(0, 16), data };
}
