import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import { EnvironmentError } from '../../model/problem.ts';
import type { Web, WebAnswer, WebRoute } from '../../ports/web.ts';
import { hasCode, reasonOf } from '../system-error.ts';
import { boundConnections } from './connections.ts';
import { type EventStreams, eventStreams } from './event-stream.ts';
import { hasAlready, hasToken, type Refused, refusedShape } from './gate.ts';
import { namesServer } from './host-names.ts';
import { limits } from './http-limits.ts';
import { SentBodies } from './sent-bodies.ts';

/** Where to listen, and for whom. */
export interface ServerTerms {
  /** An IP address or `localhost`. */
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** Without it, whoever reaches the server may ask. */
  readonly token: Uint8Array | undefined;
  /** Names by which a request without a token may call the server, beside its own; see {@link namesServer}. */
  readonly allowedHosts: readonly string[];
  readonly mostConnections: number;
  readonly mostListeners: number;
  /** Hears of an answer that failed, which no request should cause. */
  readonly tell: (error: Error) => void;
  readonly onAnswer: AnswerListener;
}

/**
 * Hears of every answer when it is made: the path of its route, undefined where there is none or where the request was
 * not looked at; its status; and how many seconds it took. A stream of events is made when it begins.
 */
type AnswerListener = (path: string | undefined, status: number, seconds: number) => void;

/** A server that listens. */
export interface RunningServer {
  /** Such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Takes no more requests, ends streams, and waits for answers under way, but no longer than some milliseconds. */
  close(milliseconds: number): Promise<void>;
}

/** Starts to listen. An EnvironmentError when the address cannot be had. */
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
    return refuse(context, { status: 401, reason: 'a bearer token is asked for here', headers });
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
  app.notFound((context) => refuse(context, { status: 404, reason: 'there is nothing here' }));
  app.onError((error, context) => {
    terms.tell(error);
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
  reason: 'only GET and HEAD are answered',
  headers: { Allow: 'GET, HEAD' },
};

function paramsOf(context: Context): Record<string, string> {
  return context.req.param() as Record<string, string>;
}

/** What @hono/node-server gives with each request. */
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
    const reason = hasCode(error, 'EADDRINUSE') ? 'another process has it' : reasonOf(error);
    throw new EnvironmentError(`${host}:${port} cannot be listened on: ${reason}`);
  }
}

/** Connections that wait for a next request are closed at once; those that are answered, after their answer. */
async function drain(server: Server, streams: EventStreams, milliseconds: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  streams.close();
  const sweep = setInterval(() => server.closeIdleConnections(), limits.sweepTime);
  const timer = setTimeout(() => server.closeAllConnections(), milliseconds);
  await closed;
  clearInterval(sweep);
  clearTimeout(timer);
}
