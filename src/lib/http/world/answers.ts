import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Context, Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import { groupBy } from '../../../core/model/order.ts';
import type { Web, WebAction, WebAnswer, WebRoute } from '../web.ts';
import type { EventStreams } from './event-stream.ts';
import {
  hasAlready,
  hasPassword,
  hasToken,
  namesServer,
  type Refused,
  readJsonBody,
  refusedBody,
  refusedPath,
} from './request-checks.ts';
import { encodedTag, preferredEncoding, SentBodies } from './sent-bodies.ts';

/** Which requests are answered, and what is reported about the answers. */
export interface AnswerTerms {
  /** Undefined to answer without a token. */
  readonly token: Uint8Array | undefined;
  /**
   * Host names allowed in a request without a token, beside the server's own; see {@link
   * namesServer}.
   */
  readonly allowedHosts: readonly string[];
  /** The most streams of events at a time. */
  readonly mostListeners: number;
  /** Called for an answer that failed, which no request should cause. */
  readonly onError: (error: Error) => void;
  readonly onAnswer: AnswerListener;
}

/**
 * Called for every answer: the path of its route, undefined for a request without a route or one
 * that was rejected; its status; and its time in seconds. A stream of events is counted when it
 * begins.
 */
type AnswerListener = (path: string | undefined, status: number, seconds: number) => void;

/** Everything that an answer needs beside its request. */
interface Answering {
  readonly web: Web;
  readonly terms: AnswerTerms;
  readonly streams: EventStreams;
  readonly secure: OwnHeaders;
  readonly bodies: SentBodies;
}

type Given = Response | Promise<Response>;
type Handler = (context: Context) => Given;

/** The app that answers the requests of a server. */
export async function webApp(web: Web, streams: EventStreams, terms: AnswerTerms): Promise<Hono> {
  const secure = await secureHeadersOnce();
  const answering = { web, terms, streams, secure, bodies: new SentBodies() };
  const app = new Hono();
  for (const route of web.routes) {
    addPath(app, answering, route.path, (context) => answerRoute(answering, route, context));
  }
  addPath(app, answering, web.events.path, (context) => answerEvents(answering, context));
  for (const [path, actions] of groupBy(web.actions, (action) => action.path)) {
    addActions(app, answering, path, actions);
  }
  app.notFound(handled(answering, undefined, (context) => refuse(answering, context, notFound)));
  return app;
}

/** The headers that browsers need to keep an answer to itself. */
type OwnHeaders = Readonly<Record<string, string>>;

/**
 * The headers of hono's secureHeaders, made once: to set them on each answer would take longer than
 * the answer.
 */
async function secureHeadersOnce(): Promise<OwnHeaders> {
  const options = { strictTransportSecurity: false, crossOriginResourcePolicy: 'same-origin' };
  const app = new Hono().use(secureHeaders(options)).get('/', (context) => context.body(null));
  return Object.fromEntries((await app.request('/')).headers);
}

/** Answers GET and HEAD of a path, and refuses its other methods. */
function addPath(app: Hono, answering: Answering, path: string, answer: Handler): void {
  const refuseMethod = (context: Context): Given => refuse(answering, context, notAllowed);
  app.get(honoPath(path), handled(answering, path, answer));
  app.all(honoPath(path), handled(answering, path, refuseMethod));
}

/** Answers the methods of a path that change something, and refuses its other methods. */
function addActions(
  app: Hono,
  answering: Answering,
  path: string,
  actions: readonly WebAction[],
): void {
  const methods = actions.map(({ method }) => method).join(', ');
  const refused = {
    status: 405,
    reason: `allowed: ${methods}`,
    headers: { Allow: methods, Connection: 'close' },
  };
  for (const action of actions) {
    const own = { ...answering, web: { ...answering.web, refusal: action.refusal } };
    const answer = (context: Context): Given => answerAction(own, action, context);
    app.on(action.method, path, handled(own, path, answer, true));
  }
  const refuseMethod = (context: Context): Given => refuse(answering, context, refused);
  app.all(path, handled(answering, path, refuseMethod, true));
}

async function answerAction(
  answering: Answering,
  action: WebAction,
  context: Context,
): Promise<Response> {
  const { token } = answering.terms;
  const authorization = context.req.header('authorization');
  const isAllowed =
    token !== undefined && (hasToken(authorization, token) || hasPassword(authorization, token));
  if (!isAllowed) {
    // The body is left unread.
    const headers = { ...tokenRequired.headers, Connection: 'close' };
    return refuse(answering, context, { ...tokenRequired, headers });
  }
  const body = await readJsonBody(nodeOf(context).incoming);
  if ('status' in body) return refuse(answering, context, body);
  return give(answering, context, await action.answer(body.json));
}

/**
 * A handler that checks the shape of the request first, and reports its answer. It is the only one
 * of its request: middleware would make a chain of promises.
 */
function handled(
  answering: Answering,
  path: string | undefined,
  answer: Handler,
  takesBody = false,
): Handler {
  return async (context) => {
    const begun = performance.now();
    const { incoming } = nodeOf(context);
    const shape =
      refusedPath(incoming.url ?? '') ?? (takesBody ? undefined : refusedBody(incoming.headers));
    const given = await settled(answering, context, (own) =>
      shape ? refuse(answering, own, shape) : answer(own),
    );
    const seconds = (performance.now() - begun) / 1000;
    answering.terms.onAnswer(shape === undefined ? path : undefined, given.status, seconds);
    return given;
  };
}

/** The response of a handler; one with status 500 when it fails. */
async function settled(answering: Answering, context: Context, answer: Handler): Promise<Response> {
  try {
    return await answer(context);
  } catch (error) {
    answering.terms.onError(error instanceof Error ? error : new Error(String(error)));
    return refuse(answering, context, { status: 500, reason: 'the answer failed' });
  }
}

async function answerRoute(
  answering: Answering,
  route: WebRoute,
  context: Context,
): Promise<Response> {
  const refused = refusedAccess(answering.terms, route.access, context);
  if (refused) return refuse(answering, context, refused);
  const request = { params: paramsOf(context), query: context.req.query() };
  return give(answering, context, await route.answer(request));
}

/** Opens a stream of events. HEAD gets only its headers. */
function answerEvents(answering: Answering, context: Context): Given {
  const { web, terms, streams, secure } = answering;
  const refused = refusedAccess(terms, web.events.access, context);
  if (refused) return refuse(answering, context, refused);
  const isHead = context.req.method === 'HEAD';
  const isFull = streams.count >= terms.mostListeners;
  if (isFull && !isHead) return refuse(answering, context, tooManyListeners);
  for (const [name, value] of Object.entries(secure)) context.header(name, value);
  return isHead ? context.body(null, 200, eventType) : streams.answer(context);
}

/** A request for a guarded path needs the token, if there is one; any other a known host name. */
function refusedAccess(
  { token, allowedHosts }: AnswerTerms,
  access: WebRoute['access'],
  { req }: Context,
): Refused | undefined {
  if (access === 'open' || token === undefined) {
    return namesServer(req.header('host'), allowedHosts) ? undefined : misdirected;
  }
  return hasToken(req.header('authorization'), token) ? undefined : tokenRequired;
}

function refuse(answering: Answering, context: Context, refused: Refused): Given {
  const { status, reason, headers = {} } = refused;
  return give(answering, context, { ...answering.web.refusal(status, reason), headers });
}

function give({ web, secure, bodies }: Answering, context: Context, answer: WebAnswer): Given {
  return send(
    context,
    { answer, headers: { ...secure, ...web.headers(), ...answer.headers } },
    bodies,
  );
}

function honoPath(path: string): string {
  return path.replaceAll(/\{([^}]+)\}/g, ':$1');
}

const eventType = { 'Content-Type': 'text/event-stream' } as const;

const later = { 'Retry-After': '30' } as const;

const tooManyListeners: Refused = { status: 503, reason: 'too many listeners', headers: later };

const notFound: Refused = { status: 404, reason: 'not found' };

const tokenRequired: Refused = {
  status: 401,
  reason: 'a bearer token is required',
  headers: { 'WWW-Authenticate': 'Bearer' },
};

const misdirected: Refused = {
  status: 421,
  reason: 'the Host header is not a name of this server; --allowed-host allows one',
};

const notAllowed: Refused = {
  status: 405,
  reason: 'only GET and HEAD are allowed',
  headers: { Allow: 'GET, HEAD' },
};

function paramsOf(context: Context): Record<string, string> {
  return context.req.param() as Record<string, string>;
}

/** Node's request and response, which @hono/node-server passes on. */
function nodeOf(context: Context): {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
} {
  return context.env;
}

/** An answer with all headers that do not depend on its encoding. */
interface Sent {
  readonly answer: WebAnswer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends plain headers: @hono/node-server passes them on without a Headers object. */
function send(context: Context, { answer, headers: given }: Sent, bodies: SentBodies): Given {
  const { status, etag, type } = answer;
  const encoding = bodies.encodingOf(answer, preferredEncoding(context));
  const tag = etag === undefined ? undefined : encodedTag(etag, encoding);
  const headers: Record<string, string> = {
    'Cache-Control': 'no-cache, max-age=0',
    Vary: 'Accept-Encoding',
    ...given,
    ...(tag === undefined ? {} : { ETag: tag }),
  };
  if (status === 204) return new Response(null, { status, headers });
  if (status === 200 && hasAlready(context.req.header('if-none-match'), tag)) {
    return new Response(null, { status: 304, headers });
  }
  const whole = (bytes: Uint8Array<ArrayBuffer>): Response => {
    headers['Content-Type'] = type;
    headers['Content-Length'] = String(bytes.byteLength);
    if (encoding !== 'identity') headers['Content-Encoding'] = encoding;
    return new Response(bytes, { status, headers });
  };
  const bytes = bodies.take(answer, encoding, nodeOf(context).outgoing);
  if (bytes === undefined) return new Response(null, { status: 503, headers: later });
  return bytes instanceof Promise ? bytes.then(whole) : whole(bytes);
}
