import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { groupBy } from '../../../core/model/order.ts';

/** Limits of the server, for one client and for all together. */
export const limits = {
  /** Bytes of a path with its query. */
  urlBytes: 2048,
  /** Bytes of the body of a request, where one is accepted. */
  bodyBytes: 8_192,
  /** Bytes of all headers of a request. */
  headerBytes: 16_384,
  headerCount: 100,
  /** Milliseconds until the headers of a request, and all of it, must have arrived. */
  headersTime: 5_000,
  requestTime: 10_000,
  /** Milliseconds that an idle connection is kept for the next request. */
  keepAliveTime: 5_000,
  /** Milliseconds without a byte in either direction after which a connection is closed. */
  idleTime: 60_000,
  /** Milliseconds between two checks for connections that are too slow. */
  checkTime: 1_000,
  /** Milliseconds between two checks for idle connections while the server shuts down. */
  sweepTime: 50,
  /** Milliseconds between two heartbeats in a stream of events. */
  heartbeatTime: 15_000,
  /** Characters from which a body counts as large. */
  largeBody: 524_288,
  /** Large bodies for one client each that are held at a time. */
  mostLarge: 16,
  /** Characters from which a body is compressed. */
  compressedBody: 1_024,
  /** Bodies that are compressed at a time, each with a quarter of a megabyte of zlib's memory. */
  mostCompressing: 16,
} as const;

/** An open connection. */
interface Connection {
  /** The client's address; empty when it has disconnected. */
  readonly peer: string;
  /** Requests without a complete answer. */
  requests: number;
}

/**
 * Limits a server's connections so that one client cannot keep out the others. A connection beyond
 * the limit closes the oldest idle connection of the client with the most idle ones. When none is
 * idle, it closes the oldest connection of a client that has more than half of all, and without
 * such a client the new connection itself.
 */
export function boundConnections(server: Server, most: number): void {
  // In order of arrival.
  const open = new Map<Socket, Connection>();
  server.on('connection', (socket: Socket) => {
    const victim = open.size < most ? undefined : (victimOf(open, most) ?? socket);
    open.set(socket, { peer: socket.remoteAddress ?? '', requests: 0 });
    socket.once('close', () => open.delete(socket));
    if (victim === undefined) return;
    open.delete(victim);
    victim.destroy();
  });
  server.on('request', (request, response) => {
    const connection = open.get(request.socket);
    if (connection === undefined) return;
    connection.requests += 1;
    response.once('close', () => {
      connection.requests -= 1;
    });
  });
}

function victimOf(open: ReadonlyMap<Socket, Connection>, most: number): Socket | undefined {
  const idle = ofLargestPeer([...open].filter(([, { requests }]) => requests === 0));
  if (idle[0] !== undefined) return idle[0];
  const busy = ofLargestPeer([...open]);
  return busy.length > most / 2 ? busy[0] : undefined;
}

/** The connections of the client with the most of them, oldest first. */
function ofLargestPeer(connections: readonly [Socket, Connection][]): readonly Socket[] {
  let largest: readonly (readonly [Socket, Connection])[] = [];
  for (const own of groupBy(connections, ([, { peer }]) => peer).values()) {
    if (own.length > largest.length) largest = own;
  }
  return largest.map(([socket]) => socket);
}
