import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import { hasCode } from '../../../core/world/system-error.ts';
import type { Dialer, DialResult } from '../dialer.ts';

/** The time limit of a connection in milliseconds: a first SYN and two that repeat it. */
const limit = 4000;

/** Connects from this machine. Once the signal aborts, every dial rejects with an AbortError. */
export function tcpDialer(signal?: AbortSignal): Dialer {
  return {
    async dial(host, port) {
      signal?.throwIfAborted();
      return new Promise((resolve, reject) => {
        const socket = connect({ host, port, ...(signal && { signal }) });
        const end = (result: DialResult | Promise<DialResult>): void => {
          socket.destroy();
          resolve(result);
        };
        socket.setTimeout(limit, () => end('silent'));
        socket.once('connect', () => end('answers'));
        socket.once('error', (error) => {
          if (signal?.aborted) reject(error);
          else end(resultOf(error, host, port));
        });
      });
    },
  };
}

async function resultOf(error: unknown, host: string, port: number): Promise<DialResult> {
  if (hasCode(error, 'ECONNREFUSED')) return 'refuses';
  // A router can say the same of a network behind it.
  const isRouteless = isUnrouted(error) && isUnrouted(await routeError(host, port));
  return isRouteless ? 'no route' : 'silent';
}

function isUnrouted(error: unknown): boolean {
  return hasCode(error, 'ENETUNREACH', 'EADDRNOTAVAIL');
}

/** The error of a look for a route on this machine: to connect a UDP socket sends nothing. */
function routeError(host: string, port: number): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
    const end = (error?: Error): void => {
      socket.close();
      resolve(error);
    };
    socket.once('error', end);
    socket.connect(port, host, end);
  });
}
