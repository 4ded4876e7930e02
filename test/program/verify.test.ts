import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { applied } from '../support/applied.ts';
import { type BuiltProgram, buildProgram } from '../support/built-program.ts';
import { type FakeApiServer, fakeApiServer } from '../support/fake-api-server.ts';
import { runProcess } from '../support/run-process.ts';
import { putFile } from '../support/temp-tree.ts';
import { goldenCase } from '../support/verifying.ts';

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

  test('alone loads the client of Kubernetes, which takes long', async () => {
    const hook = `export async function resolve(name, context, next) {
      if (name.startsWith('@kubernetes/')) throw new Error('it is loaded');
      return next(name, context);
    }`;
    putFile(
      root,
      'guard.mjs',
      `import { register } from 'node:module';\nregister('data:text/javascript,${encodeURIComponent(hook).replaceAll("'", '%27')}');\n`,
    );
    const env = { KUBECONFIG: server.kubeconfig };
    const run = (command: string) =>
      runProcess(process.execPath, ['--import', './guard.mjs', program.cli, command], {
        cwd: root,
        env,
      });

    expect((await run('list')).status).toBe(0);
    expect((await run('verify')).err).toContain('it is loaded');
  });
});
