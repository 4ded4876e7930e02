import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import { EnvironmentError } from '../../model/problem.ts';
import type { Web, WebAnswer, WebRoute } from '../../ports/web.ts';
import { hasCode, reasonOf } from '../system-error.ts';
import { boundConnections, limits, SentBodies } from './connections.ts';
import { type EventStreams, eventStreams } from './event-stream.ts';
import { hasAlready, hasToken, namesServer, type Refused, refusedShape } from './request-checks.ts';

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
  const app = appOf(web, terms, streams);
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

type App = Hono<{ Variables: { path: string | undefined } }>;

function appOf(web: Web, terms: ServerTerms, streams: EventStreams): App {
  const app: App = new Hono();
  app.use(async (context, next) => {
    const begun = performance.now();
    await next();
    const seconds = (performance.now() - begun) / 1000;
    terms.onAnswer(context.get('path'), context.res.status, seconds);
  });
  const bodies = new SentBodies();
  const give = (context: Context, answer: WebAnswer): Response => {
    const headers = { ...web.headers(), ...answer.headers };
    return send(context, { ...answer, headers }, () =>
      bodies.take(answer, nodeOf(context).outgoing),
    );
  };
  const refuse = (context: Context, { status, reason, headers = {} }: Refused): Response =>
    give(context, { ...web.refusal(status, reason), headers });
  app.use(
    secureHeaders({ strictTransportSecurity: false, crossOriginResourcePolicy: 'same-origin' }),
  );
  app.use(async (context, next) => {
    const { incoming } = nodeOf(context);
    const refused = refusedShape(incoming.url ?? '', incoming.headers);
    return refused ? refuse(context, refused) : next();
  });
  const guarded = (access: WebRoute['access'], context: Context): Response | undefined => {
    if (access === 'open' || terms.token === undefined) {
      const isOurs = namesServer(context.req.header('host'), terms.allowedHosts);
      return isOurs ? undefined : refuse(context, misdirected);
    }
    if (hasToken(context.req.header('authorization'), terms.token)) return undefined;
    const headers = { 'WWW-Authenticate': 'Bearer' };
    return refuse(context, { status: 401, reason: 'a bearer token is required', headers });
  };
  for (const { path } of [...web.routes, web.events]) {
    app.use(honoPath(path), async (context, next) => {
      context.set('path', path);
      await next();
    });
  }
  for (const route of web.routes) {
    const path = honoPath(route.path);
    app.get(path, async (context) => {
      const request = { params: paramsOf(context), query: context.req.query() };
      return guarded(route.access, context) ?? give(context, await route.answer(request));
    });
    app.all(path, (context) => refuse(context, notAllowed));
  }
  app.get(web.events.path, (context) => {
    const refused = guarded(web.events.access, context);
    if (refused) return refused;
    if (context.req.method === 'HEAD') return context.body(null, 200, eventType);
    if (streams.count < terms.mostListeners) return streams.answer(context);
    return refuse(context, { status: 503, reason: 'too many listeners', headers: later });
  });
  app.all(web.events.path, (context) => refuse(context, notAllowed));
  app.notFound((context) => refuse(context, { status: 404, reason: 'not found' }));
  app.onError((error, context) => {
    terms.onError(error);
    return refuse(context, { status: 500, reason: 'the answer failed' });
  });
  return app;
}

function honoPath(path: string): string {
  return path.replaceAll(/\{([^}]+)\}/g, ':$1');
}

const eventType = { 'Content-Type': 'text/event-stream' } as const;

const later = { 'Retry-After': '30' } as const;

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

function send(
  context: Context,
  answer: WebAnswer,
  bytesOf: () => Uint8Array<ArrayBuffer> | undefined,
): Response {
  const headers = new Headers({ 'Cache-Control': 'no-cache, max-age=0', ...answer.headers });
  if (answer.etag !== undefined) headers.set('ETag', answer.etag);
  if (answer.status === 200 && hasAlready(context.req.header('if-none-match'), answer.etag)) {
    return new Response(null, { status: 304, headers });
  }
  if (answer.status === 204) return new Response(null, { status: 204, headers });
  const bytes = bytesOf();
  if (bytes === undefined) return new Response(null, { status: 503, headers: later });
  headers.set('Content-Type', answer.type);
  headers.set('Content-Length', String(bytes.byteLength));
  return new Response(bytes, { status: answer.status, headers });
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
