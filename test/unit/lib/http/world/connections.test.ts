import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { boundConnections } from '../../../../../src/lib/http/world/connections.ts';

/** A server that holds four connections. It answers `/health`, and never ends any other answer. */
async function served() {
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    response.write('begun');
    if (request.url === '/health') response.end();
  });
  boundConnections(server, 4);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}

/** Connections from an address of this machine, one after the other; with a path each asks for it and waits for the beginning of the answer. */
async function clients(
  port: number,
  count: number,
  { from, path }: { readonly from: string; readonly path?: string },
): Promise<readonly Socket[]> {
  const sockets: Socket[] = [];
  for (let index = 0; index < count; index += 1) {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from });
    sockets.push(socket);
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {});
    await new Promise((done) => socket.once('connect', done));
    if (path === undefined) continue;
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    await new Promise((done) => {
      socket.once('data', done);
      socket.once('close', done);
    });
  }
  return sockets;
}

/** What a new connection gets of `/health`; undefined when it is closed without an answer. */
async function health(port: number, from: string): Promise<string | undefined> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  socket.write('GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n');
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes.toString();
  });
  await new Promise((done) => socket.once('close', done));
  return /^HTTP\/1\.1 (\d+)/.exec(text)?.[1];
}

const openOf = (sockets: readonly Socket[]) => sockets.map((socket) => !socket.closed);

test('idle connections make room, the oldest of the client with most of them first', async () => {
  const port = await served();
  const other = await clients(port, 1, { from: '127.0.0.3' });
  const flood = await clients(port, 3, { from: '127.0.0.2' });
  expect(await health(port, '127.0.0.4')).toBe('200');
  await expect.poll(() => openOf([...other, ...flood])).toEqual([true, false, true, true]);
});

test('a connection that waits for an answer outlives idle ones', async () => {
  const port = await served();
  const waiting = await clients(port, 3, { from: '127.0.0.2', path: '/never' });
  const idle = await clients(port, 1, { from: '127.0.0.3' });
  expect(await health(port, '127.0.0.4')).toBe('200');
  await expect.poll(() => openOf([...waiting, ...idle])).toEqual([true, true, true, false]);
});

test('a client whose requests have more than half of all connections loses the oldest', async () => {
  const port = await served();
  const flood = await clients(port, 4, { from: '127.0.0.2', path: '/never' });
  expect(await health(port, '127.0.0.3')).toBe('200');
  await expect.poll(() => openOf(flood)).toEqual([false, true, true, true]);
});

test('a newcomer is closed when all are asking and no client has more than half', async () => {
  const port = await served();
  const some = await clients(port, 2, { from: '127.0.0.2', path: '/never' });
  const others = await clients(port, 2, { from: '127.0.0.3', path: '/never' });
  expect(await health(port, '127.0.0.4')).toBeUndefined();
  expect(openOf([...some, ...others])).toEqual([true, true, true, true]);
});
