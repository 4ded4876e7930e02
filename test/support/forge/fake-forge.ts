import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Forge } from '../../../src/core/model/forges/forges.ts';

/** A comment as the fake has it. */
interface FakeComment {
  readonly id: number;
  readonly author: string;
  body: string;
  /** GitLab's own notes of what happened. */
  readonly system?: boolean;
}

/** One request that came in. */
interface FakeRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
}

/** What a request is answered with in place of what was asked. `drop` hangs up without a word. */
export type FakeAnswer =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly text?: string | Uint8Array;
    }
  | 'drop'
  | 'drop after doing it'
  | 'hang';

/** One pull request, number 7 of `acme/leases`, over the REST API of a forge on the loopback. */
export interface FakeForge {
  /** The root of its API. */
  readonly api: string;
  readonly comments: FakeComment[];
  /** Every request, in order. */
  readonly requests: FakeRequest[];
  /** Who has the token `fake-token`, the only one taken; undefined is a token of no user. */
  user: string | undefined;
  /** Who a comment is written as. */
  writer: string;
  /** The pull request's last commit. */
  head: string;
  /** The open pull requests of GitHub, by head, such as `forker:topic`. */
  readonly pulls: Map<string, readonly object[]>;
  /** Most comments of a page, whatever is asked for. */
  pageSize: number;
  /** Looked at before anything is done. */
  interfere: (request: FakeRequest, earlier: number) => FakeAnswer | undefined;
  /** Methods and paths without query, in order. */
  log(): readonly string[];
}

/** Starts one, which ends with the test. */
export async function fakeForge(kind: Forge): Promise<FakeForge> {
  const requests: FakeRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method = '', url = '', headers } = incoming;
      const request = { method, path: url, body: Buffer.concat(chunks).toString('utf8'), headers };
      const earlier = requests.filter((one) => one.method === method && one.path === url).length;
      requests.push(request);
      answer(response, request, fake.interfere(request, earlier));
    });
  });
  const { root, handle } = apis[kind];
  const fake: FakeForge = {
    api: `${await started(server)}${root}`,
    comments: [],
    requests,
    user: 'leasehold-bot',
    writer: 'leasehold-bot',
    head: 'a'.repeat(40),
    pulls: new Map(),
    pageSize: 100,
    interfere: () => undefined,
    log: () => requests.map(({ method, path }) => `${method} ${path.split('?')[0]}`),
  };
  function answer(
    response: ServerResponse,
    request: FakeRequest,
    instead: FakeAnswer | undefined,
  ): void {
    if (instead === 'hang') return;
    if (instead === 'drop') {
      response.destroy();
      return;
    }
    if (typeof instead === 'object') {
      response.writeHead(instead.status, instead.headers ?? {});
      response.end(instead.text ?? '');
      return;
    }
    const { status, value, headers = {} } = handle(fake, request);
    if (instead === 'drop after doing it') {
      response.destroy();
      return;
    }
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(value === undefined ? '' : JSON.stringify(value));
  }
  return fake;
}

async function started(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Where the API of each forge is, and what it answers. */
const apis: Readonly<
  Record<Forge, { readonly root: string; handle(fake: FakeForge, request: FakeRequest): Handled }>
> = {
  github: { root: '', handle: github },
  gitlab: { root: '/api/v4', handle: gitlab },
  forgejo: { root: '/forge/api/v1', handle: gitea },
  gitea: { root: '/api/v1', handle: gitea },
};

interface Handled {
  readonly status: number;
  readonly value?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const notFound: Handled = { status: 404, value: { message: 'Not Found' } };

function github(fake: FakeForge, request: FakeRequest): Handled {
  const url = new URL(request.path, fake.api);
  if (request.headers.authorization !== 'Bearer fake-token') {
    return { status: 401, value: { message: 'Bad credentials' } };
  }
  const id = /^\/repos\/acme\/leases\/issues\/comments\/(\d+)$/.exec(url.pathname)?.[1];
  if (id !== undefined) return change(fake, request, Number(id), githubComment);
  if (url.pathname === '/user') {
    if (fake.user !== undefined) return { status: 200, value: { login: fake.user } };
    return { status: 403, value: { message: 'Resource not accessible by integration' } };
  }
  if (url.pathname === '/repos/acme/leases/pulls/7') {
    return { status: 200, value: { number: 7, head: { sha: fake.head } } };
  }
  if (url.pathname === '/repos/acme/leases/pulls') return githubPulls(fake, url);
  if (url.pathname !== '/repos/acme/leases/issues/7/comments') return notFound;
  if (request.method === 'POST') return { status: 201, value: githubComment(add(fake, request)) };
  const { items, next } = page(fake, url);
  const headers = next === '' ? {} : { Link: linkTo(url, next) };
  return { status: 200, value: items.map(githubComment), headers };
}

/** Gitea's answers, as Gitea 1.26 gives them: all comments at once, whatever page is asked for. */
function gitea(fake: FakeForge, request: FakeRequest): Handled {
  const url = new URL(request.path, fake.api);
  const at = url.pathname.slice(new URL(fake.api).pathname.length);
  if (!/^(token|bearer) fake-token$/i.test(request.headers.authorization ?? '')) {
    return { status: 401, value: { message: 'user does not exist [uid: 0, name: ]' } };
  }
  const id = /^\/repos\/acme\/leases\/issues\/comments\/(\d+)$/.exec(at)?.[1];
  if (id !== undefined) return change(fake, request, Number(id), githubComment);
  if (at === '/user') {
    if (fake.user !== undefined) return { status: 200, value: { login: fake.user } };
    return { status: 403, value: { message: 'token does not have the required scope' } };
  }
  if (at === '/repos/acme/leases/pulls/7') {
    return { status: 200, value: { number: 7, head: { sha: fake.head } } };
  }
  if (at !== '/repos/acme/leases/issues/7/comments') return notFound;
  if (request.method === 'POST') return { status: 201, value: githubComment(add(fake, request)) };
  const headers = { 'X-Total-Count': String(fake.comments.length) };
  return { status: 200, value: fake.comments.map(githubComment), headers };
}

function githubComment({ id, author, body }: FakeComment): object {
  return { id, body, user: { login: author } };
}

function githubPulls({ pulls }: FakeForge, { searchParams }: URL): Handled {
  const isOpen = searchParams.get('state') === 'open';
  return { status: 200, value: (isOpen && pulls.get(searchParams.get('head') ?? '')) || [] };
}

function gitlab(fake: FakeForge, request: FakeRequest): Handled {
  const { method } = request;
  const url = new URL(request.path, fake.api);
  if (request.headers.authorization !== 'Bearer fake-token') {
    return { status: 401, value: { message: '401 Unauthorized' } };
  }
  const shown = ({ id, author, body, system = false }: FakeComment) => ({
    id,
    body,
    system,
    author: { username: author },
  });
  if (url.pathname === '/api/v4/user') return { status: 200, value: { username: fake.user } };
  const project = '/api/v4/projects/acme%2Fleases/merge_requests/7';
  if (url.pathname === project) return { status: 200, value: { iid: 7, sha: fake.head } };
  if (url.pathname === `${project}/notes`) {
    if (method === 'POST') return { status: 201, value: shown(add(fake, request)) };
    const { items, next } = page(fake, url);
    return { status: 200, value: items.map(shown), headers: { 'X-Next-Page': next } };
  }
  const [, id] = /^\/notes\/(\d+)$/.exec(url.pathname.slice(project.length)) ?? [];
  return id === undefined ? notFound : change(fake, request, Number(id), shown);
}

function add(fake: FakeForge, { body }: FakeRequest): FakeComment {
  const id = Math.max(100, ...fake.comments.map((one) => one.id)) + 1;
  const comment = { id, author: fake.writer, body: JSON.parse(body).body as string };
  fake.comments.push(comment);
  return comment;
}

function page(fake: FakeForge, url: URL): { items: readonly FakeComment[]; next: string } {
  const size = Math.min(fake.pageSize, Number(url.searchParams.get('per_page') ?? 30));
  const number = Number(url.searchParams.get('page') ?? 1);
  const items = fake.comments.slice((number - 1) * size, number * size);
  return { items, next: fake.comments.length > number * size ? String(number + 1) : '' };
}

function linkTo(url: URL, next: string): string {
  const link = new URL(url);
  link.searchParams.set('page', next);
  const first = new URL(url);
  first.searchParams.set('page', '1');
  return `<${first.href}>; rel="first", <${link.href}>; rel="next"`;
}

function change(
  fake: FakeForge,
  { method, body }: FakeRequest,
  id: number,
  shown: (comment: FakeComment) => object,
): Handled {
  const index = fake.comments.findIndex((one) => one.id === id);
  const comment = fake.comments[index];
  if (!comment) return notFound;
  if (method === 'DELETE') {
    fake.comments.splice(index, 1);
    return { status: 204 };
  }
  comment.body = JSON.parse(body).body as string;
  return { status: 200, value: shown(comment) };
}
