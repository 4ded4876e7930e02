// @module-tag slow

import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { WebAnswer, WebRoute } from '../../../src/lib/http/web.ts';
import { startServer } from '../../../src/lib/http/world/server.ts';
import { remadeTwoLeases } from '../../support/repositories/cached-repository.ts';
import { type Serving, serving } from '../../support/serve/server.ts';
import { snapshot } from '../../support/trees/temp-tree.ts';

async function served(more: Parameters<typeof serving>[1] = {}): Promise<Serving> {
  return serving((await remadeTwoLeases()).root, more);
}

function request(line: string, ...headers: readonly string[]): string {
  return [line, 'Host: localhost', ...headers, 'Connection: close', '', ''].join('\r\n');
}

function statusOf(answer: string): string {
  return answer.slice(9, 12);
}

const headers = /\r\n\r\n/;

/** Lines of requests, each with the status of its answer. */
const lines: readonly (readonly [line: string, status: string])[] = [
  ['GET /%', '404'],
  ['GET /api/v1/who/%zz', '404'],
  ['GET /api/v1/who/%00', '404'],
  ['GET /api/v1/addresses/%ff%fe', '400'],
  ['GET /../../etc/passwd', '404'],
  ['GET /..%2f..%2fetc%2fpasswd', '404'],
  ['GET /api/v1/addresses/..%2f..%2fpools.yaml', '400'],
  ['GET /api/v1/addresses/..%2f..%2fpools.yaml/history', '400'],
  ['GET /api/v1/addresses/--output=x/history', '400'],
  ['GET /api/v1/who/--help', '404'],
  ['GET /ip-lease-status/../../x/1', '404'],
  ['GET //api//v1//status', '404'],
  ['GET /api/v1/__proto__', '404'],
  ['GET /api/v1/leases?__proto__=1', '400'],
  ['GET http://elsewhere/health', '200'],
  ['POST /api/v1/status', '405'],
  ['PUT /usage', '405'],
  ['OPTIONS /api/v1/status', '405'],
  ['PATCH /api/v1/events', '405'],
  ['BREW /api/v1/status', '400'],
  ['HEAD /api/v1/status', '200'],
  ['HEAD /api/v1/events', '200'],
  ['HEAD /nothing', '404'],
  [`GET /${'a'.repeat(3000)}`, '414'],
  [`GET /${'a'.repeat(30_000)}`, '431'],
];

describe('a request', () => {
  test('is answered with a status of its own and touches nothing', async () => {
    const { root } = await remadeTwoLeases();
    const { raw } = await serving(root);
    const before = snapshot(root);
    for (const [line, status] of lines) {
      const answer = await raw(request(`${line} HTTP/1.1`));
      expect([line, statusOf(answer)]).toEqual([line, status]);
      expect(answer).not.toContain(root);
      expect(answer).not.toContain('root:');
      expect([line, snapshot(root)]).toEqual([line, before]);
    }
  });

  test('says which methods there are', async () => {
    const { raw } = await served();
    expect((await raw(request('DELETE /usage HTTP/1.1'))).toLowerCase()).toContain(
      'allow: get, head\r\n',
    );
  });

  test('with a body is refused before the body has come', async () => {
    const { raw } = await served();
    for (const header of [
      'Content-Length: 5',
      'Content-Length: 99999999999',
      'Transfer-Encoding: chunked',
    ]) {
      const answer = await raw(request('POST /usage HTTP/1.1', header), headers);
      expect([header, statusOf(answer)]).toEqual([header, '413']);
    }
  });

  test('with too many or too large headers is refused', async () => {
    const { raw } = await served();
    const large = await raw(request('GET /health HTTP/1.1', `X: ${'a'.repeat(20_000)}`));
    expect(statusOf(large)).toBe('431');
  });

  test('that is not HTTP is refused, and the next one is answered', async () => {
    const { raw, get } = await served();
    expect(statusOf(await raw('\u0016\u0003\u0001\u0000\r\n\r\n'))).toBe('400');
    expect((await get('/health')).status).toBe(200);
  });

  test('with two lengths, as smugglers send it, is refused', async () => {
    const { raw } = await served();
    const lengths = ['Content-Length: 1', 'Transfer-Encoding: chunked'];
    expect(statusOf(await raw(request('POST /usage HTTP/1.1', ...lengths), headers))).toBe('400');
  });
});

const ask = (host: string) => `GET /usage HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;

test('a web page whose name was made to point here reads nothing, and who has the token may use any name', async () => {
  const open = await served();
  const events = 'GET /api/v1/events HTTP/1.1\r\nHost: rebound.example\r\n\r\n';
  expect(statusOf(await open.raw(events, headers))).toBe('421');
  const token = Buffer.from('a-secret-of-ours');
  const closed = await served({ token, isOperatorOpen: true });
  expect(statusOf(await closed.raw(ask('rebound.example')))).toBe('421');
  const bearer =
    'GET /api/v1/status HTTP/1.1\r\nHost: leases.example.net\r\nAuthorization: Bearer a-secret-of-ours\r\nConnection: close\r\n\r\n';
  expect(statusOf(await closed.raw(bearer))).toBe('200');
});

describe('connections', () => {
  test('whose headers never end are cut off, and others are answered meanwhile', async () => {
    const { port, get } = await served();
    const slow = await openSockets(port, 20, 'GET /health HTTP/1.1\r\nX-A: ');
    const ends = slow.map(
      (socket) => new Promise<void>((done) => socket.once('close', () => done())),
    );
    expect((await get('/health')).status).toBe(200);
    await Promise.all(ends);
    expect(slow.every((socket) => socket.destroyed)).toBe(true);
  });

  test('beyond the limit are closed, and another client is still answered', async () => {
    const { port, get } = await served({ mostConnections: 10 });
    const sockets = await openSockets(port, 40, '');
    const closed = () => sockets.filter((socket) => socket.closed).length;
    await expect.poll(closed).toBeGreaterThanOrEqual(30);
    expect((await get('/health')).status).toBe(200);
  });

  test('that listen to events are bounded by themselves', async () => {
    const { raw, port } = await served({ mostListeners: 2 });
    const listen = request('GET /api/v1/events HTTP/1.1');
    const open = await openSockets(port, 2, listen);
    await Promise.all(open.map((socket) => new Promise((heard) => socket.once('data', heard))));
    expect(statusOf(await raw(listen))).toBe('503');
    for (const socket of open) socket.destroy();
    await expect.poll(async () => statusOf(await raw(listen, headers))).toBe('200');
  });
});

describe('an answer that a client has cached', () => {
  test('is not sent again until it is another', async () => {
    const { get, setDay, poll } = await served();
    const etag = (await get('/api/v1/pools')).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const again = await get('/api/v1/pools', { 'if-none-match': tag });
      expect([tag, again.status, await again.text()]).toEqual([tag, 304, '']);
    }
    expect((await get('/api/v1/pools', { 'if-none-match': '"x"' })).status).toBe(200);
    setDay('2026-01-12');
    await poll();
    expect((await get('/api/v1/pools', { 'if-none-match': etag })).status).toBe(200);
  });

  test('HEAD tells the length and sends nothing', async () => {
    const { raw } = await served();
    const got = await raw(request('GET /api/v1/pools HTTP/1.1'));
    const head = await raw(request('HEAD /api/v1/pools HTTP/1.1'));
    const length = /content-length: (\d+)/i;
    expect(length.exec(head)?.[1]).toBe(length.exec(got)?.[1]);
    expect(head.split('\r\n\r\n')[1]).toBe('');
  });
});

test('events tell the state at once and each other one, and nothing twice', async () => {
  const { root } = await remadeTwoLeases();
  const { setDay, poll, url } = await serving(root);
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const answer = await fetch(`${url}/api/v1/events`, { signal: stop.signal });
  expect(answer.headers.get('content-type')).toContain('text/event-stream');
  let text = '';
  void (async () => {
    for await (const part of answer.body ?? []) text += Buffer.from(part).toString();
  })().catch(() => {});
  await expect.poll(() => text).toContain('"day":"2026-01-10"');
  await poll();
  setDay('2026-01-11');
  await poll();
  await expect.poll(() => text).toContain('"day":"2026-01-11"');
  expect(text.match(/event: revision/g)).toHaveLength(2);
});

/** Connections that have sent a text. */
async function openSockets(port: number, count: number, text: string): Promise<readonly Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((done) => {
          socket.on('error', () => done());
          socket.once('close', () => done());
          socket.once('connect', () => done());
        }),
    ),
  );
  for (const socket of sockets) {
    socket.resume();
    if (text !== '') socket.write(text);
  }
  return sockets;
}

test('a server that stops finishes the current answer, and does not wait for open connections', async () => {
  const [arrived, answer] = [later<void>(), later<WebAnswer>()];
  const route: WebRoute = {
    path: '/slow',
    access: 'open',
    answer() {
      arrived.resolve();
      return answer.promise;
    },
  };
  const server = await startServer(
    {
      routes: [route],
      events: {
        path: '/events',
        access: 'open',
        newest: () => undefined,
        subscribe: () => () => {},
      },
      actions: [],
      headers: () => ({}),
      refusal: (status, body) => ({ status, type: 'text/plain', body }),
    },
    {
      host: '127.0.0.1',
      port: 0,
      token: undefined,
      allowedHosts: [],
      mostConnections: 8,
      mostListeners: 1,
      onError: () => {},
      onAnswer: () => {},
    },
  );
  const keep = request('GET /nothing HTTP/1.1').replace(
    'Connection: close',
    'Connection: keep-alive',
  );
  const idle = await openSockets(Number(new URL(server.url).port), 3, keep);
  const asked = fetch(`${server.url}/slow`);
  await arrived.promise;
  const closed = server.close(60_000);
  answer.resolve({ status: 200, type: 'text/plain', body: 'whole' });
  expect(await (await asked).text()).toBe('whole');
  await closed;
  await expect.poll(() => idle.every((socket) => socket.destroyed)).toBe(true);
  await expect(fetch(`${server.url}/slow`)).rejects.toThrow();
});

/** A promise that the test keeps. */
function later<Value>() {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
