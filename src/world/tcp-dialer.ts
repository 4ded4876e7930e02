import { connect } from 'node:net';
import type { Dialer, DialResult } from '../ports/dialer.ts';
import { hasCode } from './system-error.ts';

/** The time limit of a connection in milliseconds: a first SYN and two that repeat it. */
const limit = 4000;

/** Connects from this machine. */
export const tcpDialer: Dialer = {
  dial(host, port) {
    return new Promise((resolve) => {
      const socket = connect({ host, port });
      const end = (result: DialResult): void => {
        socket.destroy();
        resolve(result);
      };
      socket.setTimeout(limit, () => end('silent'));
      socket.once('connect', () => end('answers'));
      socket.once('error', (error) => end(resultOf(error)));
    });
  },
};

function resultOf(error: unknown): DialResult {
  if (hasCode(error, 'ECONNREFUSED')) return 'refuses';
  // The kernel of this machine reports these before it sends a packet.
  return hasCode(error, 'ENETUNREACH', 'EADDRNOTAVAIL') ? 'no route' : 'silent';
}
