import { createServer } from 'node:net';

/** Below the ports that Linux takes for outgoing connections, so that none of those takes one in between. */
const [first, last] = [20_000, 32_000];
let next = first + ((process.pid * 61) % (last - first));

/** A loopback port that nothing listens on, and that is given to nobody else in this process. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = next;
    next = next === last ? first : next + 1;
    if (await isFree(port, '127.0.0.1')) return port;
  }
}

/** True when nothing listens on a port of an address, or of any. */
export function isFree(port: number, host?: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', () => resolve(false));
    server.listen({ port, ...(host ? { host } : {}) }, () => server.close(() => resolve(true)));
  });
}
