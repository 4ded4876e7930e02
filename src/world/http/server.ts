import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import { EnvironmentError } from '../../model/problem.ts';
import type { Web, WebAnswer, WebRoute } from '../../ports/web.ts';
import { hasCode, reasonOf } from '../system-error.ts';
import { boundConnections, limits } from './connections.ts';
import { type EventStreams, eventStreams } from './event-stream.ts';
import { hasAlready, hasToken, namesServer, type Refused, refusedShape } from './request-checks.ts';
import { encodedTag, preferredEncoding, SentBodies } from './sent-bodies.ts';

/** Where a server listens, and its limits. */
export interface ServerTerms {
  /** An IP address or `localhost`. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Undefined to answer without a token. */
  readonly token: Uint8Array | undefined;
  /**
   * Host names allowed in a request without a token, beside the server's own; see {@link
   * namesServer}.
   */
  readonly allowedHosts: readonly string[];
  readonly mostConnections: number;
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

/** A listening server. */
export interface RunningServer {
  /** `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Stops listening, ends streams, and waits for pending answers up to some milliseconds. */
  close(milliseconds: number): Promise<void>;
}

/** Starts a server. An EnvironmentError when it cannot listen on the address. */
export async function startServer(web: Web, terms: ServerTerms): Promise<RunningServer> {
  const streams = eventStreams(web.events);
  const app = appOf(web, terms, streams, await secureHeadersOnce());
  const server = createAdaptorServer({
    fetch: app.fetch,
    createServer,
    serverOptions: {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersTime,
      requestTimeout: limits.requestTime,
      keepAliveTimeout: limits.keepAliveTime,
      connectionsCheckingInterval: limits.checkTime,
    },
  }) as Server;
  boundConnections(server, terms.mostConnections);
  server.maxHeadersCount = limits.headerCount;
  server.setTimeout(limits.idleTime);
  await listen(server, terms);
  const { address, port, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    close: (milliseconds) => drain(server, streams, milliseconds),
  };
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

type Given = Response | Promise<Response>;

function appOf(web: Web, terms: ServerTerms, streams: EventStreams, own: OwnHeaders): Hono {
  const bodies = new SentBodies();
  const give = (context: Context, answer: WebAnswer): Given =>
    send(context, { answer, headers: { ...own, ...web.headers(), ...answer.headers } }, bodies);
  const refuse = (context: Context, { status, reason, headers = {} }: Refused): Given =>
    give(context, { ...web.refusal(status, reason), headers });
  const guarded = (access: WebRoute['access'], context: Context): Refused | undefined => {
    if (access === 'open' || terms.token === undefined) {
      return namesServer(context.req.header('host'), terms.allowedHosts) ? undefined : misdirected;
    }
    return hasToken(context.req.header('authorization'), terms.token) ? undefined : tokenRequired;
  };
  // Each handler is the only one of its request: middleware would make a chain of promises.
  const handler =
    (path: string | undefined, answer: (context: Context) => Given) =>
    async (context: Context): Promise<Response> => {
      const begun = performance.now();
      const { incoming } = nodeOf(context);
      const shape = refusedShape(incoming.url ?? '', incoming.headers);
      const given = await answerOf(context, shape, answer);
      const seconds = (performance.now() - begun) / 1000;
      terms.onAnswer(shape === undefined ? path : undefined, given.status, seconds);
      return given;
    };
  const answerOf = async (
    context: Context,
    shape: Refused | undefined,
    answer: (context: Context) => Given,
  ): Promise<Response> => {
    try {
      return await (shape ? refuse(context, shape) : answer(context));
    } catch (error) {
      terms.onError(error instanceof Error ? error : new Error(String(error)));
      return refuse(context, { status: 500, reason: 'the answer failed' });
    }
  };
  const app = new Hono();
  const serve = (path: string, answer: (context: Context) => Given): void => {
    app.get(honoPath(path), handler(path, answer));
    app.all(
      honoPath(path),
      handler(path, (context) => refuse(context, notAllowed)),
    );
  };
  for (const route of web.routes) {
    serve(route.path, async (context) => {
      const refused = guarded(route.access, context);
      if (refused) return refuse(context, refused);
      const request = { params: paramsOf(context), query: context.req.query() };
      return give(context, await route.answer(request));
    });
  }
  serve(web.events.path, (context) => {
    const refused = guarded(web.events.access, context);
    if (refused) return refuse(context, refused);
    const isFull = streams.count >= terms.mostListeners;
    const isHead = context.req.method === 'HEAD';
    if (isFull && !isHead) return refuse(context, tooManyListeners);
    for (const [name, value] of Object.entries(own)) context.header(name, value);
    return isHead ? context.body(null, 200, eventType) : streams.answer(context);
  });
  app.notFound(handler(undefined, (context) => refuse(context, notFound)));
  return app;
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

async function listen(server: Server, { host, port }: ServerTerms): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port }, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } catch (error) {
    const reason = hasCode(error, 'EADDRINUSE') ? 'another process uses it' : reasonOf(error);
    throw new EnvironmentError(`cannot listen on ${host}:${port}: ${reason}`);
  }
}

/** Idle connections are closed at once, the others after their answer. */
async function drain(server: Server, streams: EventStreams, milliseconds: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  streams.close();
  const sweep = setInterval(() => server.closeIdleConnections(), limits.sweepTime);
  const timer = setTimeout(() => server.closeAllConnections(), milliseconds);
  await closed;
  clearInterval(sweep);
  clearTimeout(timer);
}
