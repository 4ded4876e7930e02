import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { EnvironmentError } from '../../../core/model/problem.ts';
import { hasCode, reasonOf } from '../../../core/world/system-error.ts';
import type { Web } from '../web.ts';
import { type AnswerTerms, webApp } from './answers.ts';
import { boundConnections, limits } from './connections.ts';
import { type EventStreams, eventStreams } from './event-stream.ts';

/** Where a server listens, and its limits. */
export interface ServerTerms extends AnswerTerms {
  /** An IP address or `localhost`. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly mostConnections: number;
}

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
  const app = await webApp(web, streams, terms);
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
