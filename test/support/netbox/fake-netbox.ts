import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { NetBoxFields } from '../../../src/features/export/netbox/netbox.ts';
import { type ModelAnswer, ModelNetBox } from './model-netbox.ts';

/** A request that arrived. */
interface NetBoxRequest {
  readonly method: string;
  /** `ipam/prefixes`. */
  readonly list: string;
  readonly headers: IncomingMessage['headers'];
}

/** An answer instead of the model's; `drop` closes the connection. */
export type OtherAnswer =
  | (ModelAnswer & { readonly headers?: Readonly<Record<string, string>> })
  | 'drop'
  | 'drop after doing it';

/** {@link ModelNetBox} over HTTP on the loopback. */
export interface FakeNetBox {
  readonly model: ModelNetBox;
  readonly url: string;
  /** The token, with its scheme. */
  authorization: string;
  readonly requests: NetBoxRequest[];
  /** The limit of the server, MAX_PAGE_SIZE. */
  pageSize: number;
  /** Looked at before a request is answered. */
  interfere: (request: NetBoxRequest) => OtherAnswer | undefined;
  /** The methods and lists of the requests that write. */
  writes(): readonly string[];
}

/** Starts one, which ends with the test. */
export async function fakeNetBox(model = new ModelNetBox()): Promise<FakeNetBox> {
  const requests: NetBoxRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method = '', headers } = incoming;
      const url = new URL(incoming.url ?? '', 'http://127.0.0.1');
      const [, list = ''] = /^\/api\/(.*)\/$/.exec(url.pathname) ?? [];
      const request = { method, list, headers };
      requests.push(request);
      const other = fake.interfere(request);
      const bodies = () => JSON.parse(Buffer.concat(chunks).toString('utf8')) as NetBoxFields[];
      const own = () => answerOf(fake, request, url.searchParams, bodies);
      if (other === 'drop after doing it') own();
      if (typeof other === 'string') return response.destroy();
      const { status, value, ...more } = { headers: {}, ...(other ?? own()) };
      response.writeHead(status, { 'Content-Type': 'application/json', ...more.headers });
      return response.end(value === undefined ? '' : JSON.stringify(value));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  const fake: FakeNetBox = {
    model,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    authorization: 'Bearer nbt_key.fake-token',
    requests,
    pageSize: 1000,
    interfere: () => undefined,
    writes: () =>
      requests
        .filter(({ method }) => method !== 'GET')
        .map(({ method, list }) => `${method} ${list}`),
  };
  return fake;
}

function answerOf(
  { model, authorization, pageSize }: FakeNetBox,
  { method, list, headers }: NetBoxRequest,
  query: URLSearchParams,
  bodies: () => readonly NetBoxFields[],
): ModelAnswer {
  if (headers.authorization !== authorization) {
    return { status: 403, value: { detail: 'Invalid v2 token' } };
  }
  if (!model.lists.has(list)) return { status: 404, value: { detail: 'Not found.' } };
  if (method !== 'GET') {
    const answer = model.write(method, list, bodies());
    return method === 'DELETE' && answer.status < 400 ? { status: 204 } : answer;
  }
  query.set('limit', String(Math.min(pageSize, Number(query.get('limit') ?? 50))));
  return model.get(list, query);
}
