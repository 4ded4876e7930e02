import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { applied } from '../support/live/applied-objects.ts';
import { type FakeApiServer, fakeApiServer } from '../support/live/fake-api-server.ts';
import { goldenCase } from '../support/live/verification.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { runProcess } from '../support/run/run-process.ts';
import { putFile } from '../support/trees/temp-tree.ts';

describe('the program leasehold verify', () => {
  let program: BuiltProgram;
  let server: FakeApiServer;
  let root: string;

  beforeAll(() => {
    program = buildProgram();
  });
  afterAll(() => program.remove());
  beforeEach(async () => {
    server = await fakeApiServer();
    root = goldenCase('naming-readable');
    server.objects = applied(root);
  });
  afterEach(() => server.close());

  test('finds its kubeconfig, and ends by itself', async () => {
    const env = { KUBECONFIG: server.kubeconfig };
    const cwd = root;
    expect(await runProcess(process.execPath, [program.cli, 'verify'], { cwd, env })).toMatchObject(
      {
        status: 0,
        err: '',
      },
    );
    server.refuse = () => ({ text: 'no JSON' });
    const { status, out, err } = await runProcess(process.execPath, [program.cli, 'verify'], {
      cwd,
      env,
    });
    expect([status, out]).toEqual([74, '']);
    expect(err).toMatch(/^leasehold: [^\n]+\n$/);
  });

  test('ends at once when the credential program of the kubeconfig cannot be started', async () => {
    const user = { exec: { command: 'leasehold-no-such-program' } };
    const kubeconfig = readFileSync(server.kubeconfig, 'utf8');
    putFile(root, 'it', kubeconfig.replace('{"token":"secret"}', JSON.stringify(user)));
    const argv = [program.cli, 'verify', '--kubeconfig', 'it'];
    const begun = performance.now();
    const { status, err } = await runProcess(process.execPath, argv, { cwd: root });
    expect([status, err]).toEqual([74, expect.stringMatching(/^leasehold: .* not installed\n$/)]);
    expect(performance.now() - begun).toBeLessThan(60_000);
  });

  /** Watches with a comparison every second. */
  function watching(...words: readonly string[]) {
    const child = spawn(
      process.execPath,
      [program.cli, 'verify', '--watch', '--interval', '1s', ...words],
      {
        cwd: root,
        env: { ...process.env, KUBECONFIG: server.kubeconfig },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const text = { all: '', out: '' };
    const take = (chunk: unknown) => {
      text.all += String(chunk);
      child.emit('told');
    };
    child.stdout.on('data', (chunk) => {
      text.out += String(chunk);
      take(chunk);
    });
    child.stderr.on('data', take);
    /** Waits for a text after the one that was waited for last. */
    let seen = 0;
    const told = async (expected: string): Promise<void> => {
      while (!text.all.includes(expected, seen)) await once(child, 'told');
      seen = text.all.indexOf(expected, seen) + expected.length;
    };
    return { child, text, told, ended: once(child, 'exit') };
  }

  test.each([
    ['SIGTERM', 1],
    ['SIGINT', 0],
  ] as const)(
    'watches until %s, and ends with %i by what it found last',
    async (signal, status) => {
      const { child, text, told, ended } = watching();
      const well = applied(root);
      const pending = structuredClone(well);
      pending.service[1]!.status = {};
      await told('\n3 ok\n');
      server.objects = pending;
      await told('\n1 ok, 2 pending\n');
      server.refuse = () => ({ status: 503, message: 'later' });
      await told('; trying again\n');
      server.refuse = () => undefined;
      await told('\n1 ok, 2 pending\n');
      // Every table after the first one has its time.
      expect(text.all).toMatch(/; trying again\n\n\d{4}-\d\d-\d\dT[\d:]{8}Z\nSTATE /);
      if (status === 0) {
        server.objects = well;
        await told('\n3 ok\n');
      }
      child.kill(signal);
      expect(await ended).toEqual([status, null]);
    },
  );

  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s does not wait for a comparison that is under way',
    async (signal) => {
      const { child, text, told, ended } = watching();
      await told('\n3 ok\n');
      await hung();
      child.kill(signal);
      expect(await ended).toEqual([0, null]);
      expect(text.all).not.toContain('cannot be reached');
    },
  );

  test('a signal during the first comparison ends the watch without a result', async () => {
    const asked = hung();
    const { child, text, ended } = watching();
    await asked;
    child.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
    expect(text.all).toBe('leasehold: stopped before the first comparison was finished\n');
  });

  /** Lets the API server answer nothing more, and waits for its next request. */
  function hung(): Promise<void> {
    return new Promise((resolve) => {
      server.refuse = () => {
        resolve();
        return 'hang';
      };
    });
  }

  test('watches in YAML: each look is a document, also one without an answer', async () => {
    const { child, text, told, ended } = watching('-o', 'yaml');
    await told('notes:');
    server.refuse = () => ({ status: 503, message: 'later' });
    await told('; trying again\n');
    child.kill('SIGTERM');
    expect(await ended).toEqual([74, null]);
    expect(parseAllDocuments(text.out).map((one) => one.toJS())).toMatchObject([
      { kind: 'Verification', ok: true },
      { kind: 'Failure', status: 74 },
    ]);
  });

  test('watches with --reach: what was not tried, and that nothing is applied, is told', async () => {
    const { child, told, ended } = watching('--reach');
    await told('note: 1 UDP port not tried');
    child.kill('SIGTERM');
    await ended;
    server.objects = { ...applied(root), service: [] };
    const other = watching();
    await other.told('no claim is applied: is ');
    other.child.kill('SIGTERM');
    expect(await other.ended).toEqual([1, null]);
  });

  test('alone loads the client of Kubernetes, which takes long', async () => {
    const hook = `import { appendFileSync } from 'node:fs';
      export async function load(url, context, next) {
        if (url.startsWith('file:')) appendFileSync('loaded', new URL(url).pathname + '\\n');
        return next(url, context);
      }`;
    const address = `data:text/javascript,${encodeURIComponent(hook).replaceAll("'", '%27')}`;
    putFile(
      root,
      'watch.mjs',
      `import { register } from 'node:module';\nregister('${address}');\n`,
    );
    const env = { KUBECONFIG: server.kubeconfig };
    /** How many of the files that a command loads hold code of that client. */
    const holdingClient = async (command: string) => {
      putFile(root, 'loaded', '');
      const argv = ['--import', './watch.mjs', program.cli, command];
      const { status } = await runProcess(process.execPath, argv, { cwd: root, env });
      expect(status).toBe(0);
      const files = readFileSync(join(root, 'loaded'), 'utf8').trimEnd().split('\n');
      expect(files).toContain(program.cli);
      return files.filter((file) => readFileSync(file, 'utf8').includes(clientSource)).length;
    };

    expect(await holdingClient('list')).toBe(0);
    expect(await holdingClient('verify')).toBeGreaterThan(0);
  });
});

/** How the bundler marks where a module of the client begins. */
const clientSource = '// node_modules/@kubernetes/client-node/';
