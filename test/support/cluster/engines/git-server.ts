import { execFileSync, spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gitEnvironment } from '../../repositories/git-environment.ts';
import { httpBackend } from '../programs/requirements.ts';

/** A bare repository behind smart HTTP on loopback, as a forge serves it. */
export interface GitServer {
  /** What people clone. */
  readonly url: string;
  /** Refuses every request until {@link comeBack}. */
  goAway(): void;
  comeBack(): void;
  close(): Promise<void>;
}

/** Serves a new, empty bare repository with the branch `main`, for reading and pushing. */
export async function startGitServer(folder: string): Promise<GitServer> {
  const bare = join(folder, 'leases.git');
  const git = (...args: string[]) => execFileSync('git', args, { env: gitEnvironment });
  git('init', '-q', '--bare', '-b', 'main', bare);
  git('-C', bare, 'config', 'http.receivepack', 'true');
  const backend = await httpBackend();
  let isAway = false;
  const server = createServer((asked, answer) => {
    if (isAway) answer.writeHead(503).end();
    else serve({ backend, folder }, asked, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}/leases.git`,
    goAway() {
      isAway = true;
    },
    comeBack() {
      isAway = false;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers one request through git's CGI program. */
function serve(
  { backend, folder }: { readonly backend: string; readonly folder: string },
  asked: IncomingMessage,
  answer: ServerResponse,
): void {
  const { pathname, search } = new URL(asked.url ?? '/', 'http://127.0.0.1');
  const cgi = spawn(backend, [], {
    env: {
      ...gitEnvironment,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      REQUEST_METHOD: asked.method ?? 'GET',
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      CONTENT_TYPE: asked.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: String(asked.headers['content-encoding'] ?? ''),
      GIT_PROTOCOL: String(asked.headers['git-protocol'] ?? ''),
      REMOTE_ADDR: '127.0.0.1',
      REMOTE_USER: 'suite',
    },
  });
  asked.pipe(cgi.stdin);
  cgi.stdin.on('error', () => asked.unpipe());
  const parts: Buffer[] = [];
  cgi.stdout.on('data', (part) => parts.push(part));
  cgi.on('error', () => answer.writeHead(500).end());
  cgi.on('close', () => reply(Buffer.concat(parts), answer));
}

/** Makes an HTTP answer of a CGI one. */
function reply(output: Buffer, answer: ServerResponse): void {
  const end = output.indexOf('\r\n\r\n');
  const lines = output.subarray(0, Math.max(end, 0)).toString().split('\r\n');
  const headers = lines.flatMap((line) => {
    const [, name, value] = /^([^:]+): (.*)$/.exec(line) ?? [];
    return name && value ? [[name, value] as const] : [];
  });
  const status = headers.find(([name]) => name.toLowerCase() === 'status')?.[1] ?? '200';
  for (const [name, value] of headers)
    if (name.toLowerCase() !== 'status') answer.setHeader(name, value);
  answer.writeHead(end < 0 ? 500 : Number.parseInt(status, 10)).end(output.subarray(end + 4));
}
