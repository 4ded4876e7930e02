import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** One connection that is open. */
interface Connection {
  /** The client's address; empty when it is gone already. */
  readonly peer: string;
  /** Requests that are not answered to their end. */
  requests: number;
}

/**
 * Keeps a server at a number of connections, such that a newcomer is answered although others hold all of them: beyond the
 * number, the oldest connection without a request is closed, of the client that has most of those. When every connection
 * has a request, the oldest of a client with more than half of all connections is closed, and the newcomer when no client
 * has so many.
 */
export function boundConnections(server: Server, most: number): void {
  // In the order in which they came.
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

/** The connections of the client that has most of some, the oldest first. */
function ofLargestPeer(connections: readonly [Socket, Connection][]): readonly Socket[] {
  const byPeer = new Map<string, Socket[]>();
  for (const [socket, { peer }] of connections) {
    const sockets = byPeer.get(peer) ?? [];
    sockets.push(socket);
    byPeer.set(peer, sockets);
  }
  let largest: readonly Socket[] = [];
  for (const sockets of byPeer.values()) if (sockets.length > largest.length) largest = sockets;
  return largest;
}
