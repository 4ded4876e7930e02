import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LiveKind, liveKinds } from '../../../src/core/model/kinds.ts';
import type { LiveObject } from '../../../src/core/model/live.ts';

/** What the cluster has, by kind. A kind that is not there is not served. */
export type FakeObjects = { readonly [Kind in LiveKind]?: readonly LiveObject[] };

/** Objects as a list of the API server has them: without apiVersion and kind. */
export function listed(kind: LiveKind, ...objects: readonly object[]) {
  const items = objects.map((object) => {
    const { apiVersion: _, kind: __, ...item } = object as Record<string, unknown>;
    return item as unknown as LiveObject;
  });
  return { [kind]: items };
}

/** What a request for a path is answered with in place of the objects; `hang` is no answer at all. */
export type Refusal =
  | { readonly status: number; readonly message: string; readonly retryAfter?: string }
  | { readonly text: string }
  | 'hang';

/** Plain HTTP on the loopback, answering lists as an API server does. */
export interface FakeApiServer {
  readonly url: string;
  /** A kubeconfig whose current context, `fake`, is this server. */
  readonly kubeconfig: string;
  /** Every request: method and path with its query. */
  readonly requests: readonly string[];
  /** What it has from now on. */
  objects: FakeObjects;
  /** Looked at before the objects: the answer to a request, if it is not theirs. */
  refuse: (path: string, request: IncomingMessage) => Refusal | undefined;
  /** The answer to a dry run, and to the log of a pod. */
  answer: (path: string, body: string) => Refusal | undefined;
  close(): Promise<void>;
}

/** Starts one. The token of its kubeconfig is `secret`, and no other is taken. */
export async function fakeApiServer(objects: FakeObjects = {}): Promise<FakeApiServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push(`${request.method} ${path}`);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const refusal =
        unauthorized(request) ?? fake.refuse(path, request) ?? fake.answer(path, body);
      if (refusal === 'hang') return;
      if (refusal) respond(response, refusal);
      else if (path === '/version') respond(response, { text: '{"gitVersion":"v1.34.1"}' });
      else list(response, fake.objects, new URL(path, fake.url));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-fake-'));
  const fake: FakeApiServer = {
    url: `http://127.0.0.1:${port}`,
    kubeconfig: join(folder, 'kubeconfig'),
    requests,
    objects,
    refuse: () => undefined,
    answer: () => undefined,
    async close() {
      rmSync(folder, { recursive: true, force: true });
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  writeFileSync(fake.kubeconfig, kubeconfigFor(fake.url));
  return fake;
}

/** A kubeconfig with one context, `fake`. */
export function kubeconfigFor(server: string, token = 'secret'): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'fake', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'somebody', user: { token } }],
    contexts: [{ name: 'fake', context: { cluster: 'fake', user: 'somebody' } }],
    'current-context': 'fake',
  });
}

function unauthorized({ headers }: IncomingMessage): Refusal | undefined {
  if (headers.authorization === 'Bearer secret') return undefined;
  return { status: 401, message: 'Unauthorized' };
}

function respond(response: ServerResponse, refusal: Exclude<Refusal, 'hang'>): void {
  if ('text' in refusal) {
    response.writeHead(200);
    response.end(refusal.text);
    return;
  }
  const { status, message, retryAfter } = refusal;
  const pause = retryAfter === undefined ? {} : { 'Retry-After': retryAfter };
  response.writeHead(status, { 'Content-Type': 'application/json', ...pause });
  response.end(JSON.stringify({ kind: 'Status', status: 'Failure', message, code: status }));
}

/** What a token must be escaped for, as those of a real one must. */
const tokenEnd = '&+=';

function list(response: ServerResponse, objects: FakeObjects, url: URL): void {
  const kind = (Object.keys(liveKinds) as LiveKind[]).find((name) => isOf(name, url.pathname));
  const all = kind && objects[kind];
  if (!all) {
    respond(response, { status: 404, message: 'the server could not find the requested resource' });
    return;
  }
  const namespace = /\/namespaces\/([^/]+)\//.exec(url.pathname)?.[1];
  const items = all.filter(
    ({ metadata }) => namespace === undefined || metadata.namespace === namespace,
  );
  const token = url.searchParams.get('continue') ?? tokenEnd;
  if (!token.endsWith(tokenEnd)) {
    respond(response, { status: 400, message: `continue key is not valid: ${token}` });
    return;
  }
  const start = Number(token.slice(0, -tokenEnd.length));
  const limit = Number(url.searchParams.get('limit') ?? items.length);
  const end = start + limit;
  const metadata = {
    resourceVersion: '1',
    continue: end < items.length ? `${end}${tokenEnd}` : '',
  };
  const body = { kind: `${liveKinds[kind].kind}List`, metadata, items: items.slice(start, end) };
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(body));
}

function isOf(kind: LiveKind, path: string): boolean {
  const { group, version, plural } = liveKinds[kind];
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return new RegExp(`^${root}(/namespaces/[^/]+)?/${plural}$`).test(path);
}
