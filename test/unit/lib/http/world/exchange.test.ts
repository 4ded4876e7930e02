import { createServer } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import { afterEach, expect, test } from 'vitest';
import {
  connectionReason,
  exchange,
  isUnreached,
} from '../../../../../src/lib/http/world/exchange.ts';

const opened: { close(): void }[] = [];

afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

/** The port of a server that is closed, with its connections, after the test. */
async function portOf(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  opened.push({
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const get = { method: 'GET', headers: {} } as const;

test('a server that accepts the connection but not TLS cannot be reached', async () => {
  const port = await portOf(createTcpServer());
  const timeouts = { whole: 30_000, connect: 20 };
  const error = await exchange(new URL(`https://127.0.0.1:${port}/`), { ...get, timeouts }).catch(
    (reason: unknown) => reason,
  );
  expect(connectionReason(error)).toBe('it did not accept the connection in time');
  expect(isUnreached(error)).toBe(true);
});

test('an answer that stops in the middle is a timeout, and may have been carried out', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Length': '100' });
    response.write('half');
  });
  const port = await portOf(server);
  const timeouts = { whole: 300, connect: 300 };
  const error = await exchange(new URL(`http://127.0.0.1:${port}/`), { ...get, timeouts }).catch(
    (reason: unknown) => reason,
  );
  expect(connectionReason(error)).toBe('it did not answer in time');
  expect(isUnreached(error)).toBe(false);
});

test('a redirect is an answer for a client that follows none', async () => {
  const server = createServer((_, response) => {
    response.writeHead(302, { Location: '/elsewhere' }).end();
  });
  const port = await portOf(server);
  const timeouts = { whole: 30_000 };
  const answer = await exchange(new URL(`http://127.0.0.1:${port}/`), { ...get, timeouts });
  expect([answer.status, answer.headers.location]).toEqual([302, '/elsewhere']);
});
