import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type BotRemote, botRemote } from '../support/repositories/bot-remote.ts';
import { declarationOf } from '../support/repositories/two-leases.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { type Pod, type PodProcess, podOf, putProgram, putSecret } from '../support/serve/pod.ts';
import { servedBy, stdio } from '../support/serve/served-program.ts';
import { tempTree } from '../support/trees/temp-tree.ts';

let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
}, 120_000);
afterAll(() => program.remove());

const patient = { timeout: 60_000, interval: 200 };

/** A forge that lets in who has a secret, and a pod that is to serve its branch. */
interface Forge {
  readonly pod: Pod;
  /** Lets in who has this secret, and nobody else. */
  allow(secret: string): void;
  /** Gives the pod a secret. */
  give(secret: string): void;
}

/** A stand-in for ssh: it looks at the key, and runs what the other side would run. */
async function sshForge(remote: BotRemote, folder: string): Promise<Forge> {
  const repo = 'ssh://git@git.example.com/leases.git';
  const pod = await podOf(remote.person.root, folder, ['--repo', repo, '--secret', 'leases']);
  const allowed = join(folder, 'allowed');
  putProgram(
    folder,
    'ssh',
    `while :; do case "$1" in
  -i) key=$2; shift 2 ;;
  -o) case "$2" in UserKnownHostsFile=*) hosts=\${2#*=} ;; esac; shift 2 ;;
  *) break ;;
esac; done
grep -q git.example.com "$hosts" || exit 9
[ "$1" = git@git.example.com ] || exit 8
cmp -s "$key" '${allowed}' || { echo 'Permission denied (publickey).' >&2; exit 255; }
exec git upload-pack '${remote.folder}'
`,
  );
  let version = 0;
  return {
    pod,
    allow: (secret) => writeFileSync(allowed, secret),
    give(secret) {
      version += 1;
      putSecret(folder, version, { identity: secret, known_hosts: 'git.example.com ssh-rsa AA\n' });
    },
  };
}

/** A forge that asks for a name and a password. It has no certificate, so the address is changed after it was printed. */
async function webForge(remote: BotRemote, folder: string): Promise<Forge> {
  let password = '';
  const server = createServer((request, response) => {
    const wanted = `Basic ${Buffer.from(`bot:${password}`).toString('base64')}`;
    if (request.headers.authorization === wanted) return answerGit(remote, request, response);
    response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="git"' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const repo = 'https://git.example.com/origin.git';
  const pod = await podOf(remote.person.root, folder, ['--repo', repo, '--secret', 'leases']);
  const here = `http://127.0.0.1:${port}/origin.git`;
  const init = { ...pod.init, args: pod.init.args.map((word) => (word === repo ? here : word)) };
  let version = 0;
  return {
    pod: { ...pod, init },
    allow(secret) {
      password = secret;
    },
    give(secret) {
      version += 1;
      putSecret(folder, version, { username: 'bot', password: secret });
    },
  };
}

/** git's own server, as CGI (RFC 3875). */
function answerGit(remote: BotRemote, request: IncomingMessage, response: ServerResponse): void {
  const [path, query = ''] = (request.url ?? '').split('?');
  const env = {
    ...{ PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
    ...{ GIT_PROJECT_ROOT: join(remote.folder, '..'), GIT_HTTP_EXPORT_ALL: '1' },
    ...{ PATH_INFO: path, QUERY_STRING: query, REQUEST_METHOD: request.method },
    CONTENT_TYPE: request.headers['content-type'] ?? '',
    HTTP_CONTENT_ENCODING: String(request.headers['content-encoding'] ?? ''),
    GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
  };
  const git = spawn('git', ['http-backend'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  request.pipe(git.stdin);
  const parts: Buffer[] = [];
  git.stdout.on('data', (part: Buffer) => parts.push(part));
  git.stdout.on('end', () => {
    const answer = Buffer.concat(parts);
    const end = answer.indexOf('\r\n\r\n');
    const lines = answer.subarray(0, end).toString().split('\r\n');
    const headers = lines.map((line) => line.split(': ') as [string, string]);
    response.writeHead(200, Object.fromEntries(headers)).end(answer.subarray(end + 4));
  });
}

/** Runs without blocking, since this process is the forge. */
async function ran({ command, args, env }: PodProcess): Promise<number | null> {
  const child = spawn(command, [...args], { env: { ...env }, stdio: 'ignore' });
  return new Promise((resolve) => child.once('close', resolve));
}

/** Starts the container with another port, and looks each second. */
async function started(pod: Pod) {
  const { command, args, env } = pod.main;
  const more = args.map((word) => word.replace('0.0.0.0:8080', '127.0.0.1:0'));
  const { url, err, stop } = await servedBy(
    spawn(command, [...more, '--interval=1s'], { env: { ...env }, stdio }),
  );
  const status = async () => (await (await fetch(`${url}/api/v1/status`)).json()) as object;
  return { err, status, stop };
}

test.each([
  ['ssh, with a key', sshForge],
  ['https, with a token', webForge],
])(
  'the pod clones over %s, follows the branch, and goes on with another secret',
  async (_, forgeOf) => {
    const root = tempTree();
    const remote = await botRemote(root);
    const folder = join(root, 'pod');
    mkdirSync(folder);
    const { pod, allow, give } = await forgeOf(remote, folder);
    putProgram(folder, 'leasehold', `exec '${process.execPath}' '${program.cli}' "$@"\n`);
    allow('first-secret');
    give('another-secret');
    expect(await ran(pod.init)).not.toBe(0);
    give('first-secret');
    expect([await ran(pod.init), await ran(pod.init)]).toEqual([0, 0]);

    const { status, err, stop } = await started(pod);
    await expect.poll(status, patient).toMatchObject({ revision: { commit: remote.head() } });
    const next = remote.commitFiles({ 'leases/ann.yaml': declarationOf('ann') });
    await expect.poll(status, patient).toMatchObject({ revision: { commit: next } });

    allow('second-secret');
    await expect.poll(status, patient).toMatchObject({
      stale: {
        reason: expect.stringMatching(/cannot be reached: .*(?:Permission denied|Authentication)/),
      },
    });
    give('second-secret');
    await expect.poll(async () => Object.hasOwn(await status(), 'stale'), patient).toBe(false);
    expect(err()).toContain('main of origin is reachable again');
    expect(err()).not.toMatch(/first-secret|second-secret/);
    expect(await stop()).toBe(0);
  },
  120_000,
);
