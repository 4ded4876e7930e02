import { get, type IncomingMessage, request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { remadeTwoLeases } from '../../support/repositories/cached-repository.ts';
import { serving } from '../../support/serve/server.ts';

/** An answer as it is on the wire: fetch would unpack it. */
interface Sent {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

type Headers = Readonly<Record<string, string>>;

async function served() {
  const service = await serving((await remadeTwoLeases()).root);
  const ask = (path: string, headers: Headers = {}, method = 'GET'): Promise<Sent> =>
    new Promise((resolve, reject) => {
      const sent = request(`${service.url}${path}`, { headers, method, agent: false }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () => {
          const { statusCode: status, headers } = answer;
          resolve({ status, headers, body: Buffer.concat(parts) });
        });
      });
      sent.on('error', reject);
      sent.end();
    });
  return { ...service, ask };
}

/** An answer of many kilobytes, and one of a few bytes. */
const [large, small] = ['/api/v1/openapi.json', '/usage'];

const gzip = { 'accept-encoding': 'gzip' };

test.each([
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'gzip'],
  ['GZIP;q=0.5', 'gzip'],
  ['*', 'gzip'],
  ['br, *;q=0.1', 'gzip'],
  ['identity;q=0.5, gzip', 'gzip'],
  ['', undefined],
  ['identity', undefined],
  ['br, zstd', undefined],
  ['gzip;q=0', undefined],
  ['gzip;q=0, *', undefined],
  ['*;q=0', undefined],
  ['identity, gzip;q=0.5', undefined],
  ['gzipp', undefined],
])(
  'a client that accepts "%s" gets a large answer in the encoding %s',
  async (accepted, encoding) => {
    const { ask } = await served();
    const { status, headers, body } = await ask(large, { 'accept-encoding': accepted });
    expect([status, headers['content-encoding'], headers.vary]).toEqual([
      200,
      encoding,
      'Accept-Encoding',
    ]);
    expect(headers['content-length']).toBe(String(body.length));
    const plain = await ask(large);
    expect((encoding === undefined ? body : gunzipSync(body)).equals(plain.body)).toBe(true);
    if (encoding !== undefined) expect(body.length).toBeLessThan(plain.body.length / 2);
  },
);

test.each([
  [';;;,,,q=;gzip;q=abc'],
  ['gzip;'.repeat(3000)],
  ['gzip,'.repeat(3000)],
  [`gzip;q="${'\\'.repeat(5000)}`],
])('an Accept-Encoding that no client sends is answered: %.30s', async (accepted) => {
  const { ask } = await served();
  const { status, headers, body } = await ask(large, { 'accept-encoding': accepted });
  expect(status).toBe(200);
  const whole = headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
  expect(JSON.parse(whole.toString())).toMatchObject({ openapi: '3.1.0' });
});

test('a short answer, a failure and a stream of events are not compressed', async () => {
  const { ask, url } = await served();
  for (const path of [small, '/nothing/here', '/health']) {
    expect((await ask(path, gzip)).headers).not.toHaveProperty('content-encoding');
  }
  const answer = await new Promise<IncomingMessage>((resolve) => {
    get(`${url}/api/v1/events`, { headers: gzip, agent: false }, resolve);
  });
  expect(answer.headers['content-type']).toContain('text/event-stream');
  expect(answer.headers).not.toHaveProperty('content-encoding');
  const first = await new Promise<Buffer>((resolve) => answer.once('data', resolve));
  answer.destroy();
  expect(first.toString()).toContain('retry: ');
});

describe('the ETag', () => {
  test('of each encoding is another one, and saves the bytes of that one', async () => {
    const { ask } = await served();
    const tagOf = async (headers: Headers) => (await ask(large, headers)).headers.etag ?? '';
    const [plain, packed] = [await tagOf({}), await tagOf(gzip)];
    expect(plain).toMatch(/^"[0-9a-f]{32}"$/);
    expect(packed).toBe(plain.replace(/"$/, '-gzip"'));
    const again = async (headers: Headers, tag: string) =>
      (await ask(large, { ...headers, 'if-none-match': tag })).status;
    expect([await again({}, plain), await again({}, packed)]).toEqual([304, 200]);
    expect([await again(gzip, packed), await again(gzip, plain)]).toEqual([304, 200]);
    const kept = await ask(large, { ...gzip, 'if-none-match': packed });
    expect([kept.headers.etag, kept.headers.vary]).toEqual([packed, 'Accept-Encoding']);
    expect(kept.body).toHaveLength(0);
  });

  test('and the length that HEAD tells are those of GET', async () => {
    const { ask } = await served();
    for (const headers of [{}, gzip]) {
      const [head, got] = [await ask(large, headers, 'HEAD'), await ask(large, headers)];
      const told = ({ headers: sent }: Sent) => [
        sent.etag,
        sent['content-length'],
        sent['content-encoding'],
      ];
      expect(told(head)).toEqual(told(got));
      expect(head.body).toHaveLength(0);
    }
  });
});
