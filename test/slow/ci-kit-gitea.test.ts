import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandsIn } from '../support/forge/ci-kit.ts';
import { type FakeForge, fakeForge } from '../support/forge/fake-forge.ts';
import { giteaServer, runGiteaJob } from '../support/forge/gitea-job.ts';
import { addLease, checkout, leaseAdded } from '../support/repositories/ci-checkout.ts';
import { putHostileFiles } from '../support/repositories/hostile-files.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { putFile, tempTree } from '../support/trees/temp-tree.ts';

/** The workflow of Forgejo and Gitea, run as their runners do, against a server that speaks their API. */
let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program.remove());

function tokenless({ api }: FakeForge) {
  return { GITHUB_API_URL: api, GITHUB_TOKEN: '' };
}

describe('the workflow of Forgejo and Gitea', () => {
  test.each([
    ['gitea', {}],
    ['forgejo', { FORGEJO_ACTIONS: 'true' }],
  ] as const)('of %s checks, plans and comments', async (kind, marks) => {
    const made = await leaseAdded();
    const fake = await fakeForge(kind);
    fake.head = made.head;
    const env = { ...tokenless(fake), ...marks };
    const { ran, hasFailed, cwd } = await runGiteaJob({
      ...{ program, head: made.head, env },
      server: giteaServer(made),
    });
    expect([hasFailed, ran]).toEqual([false, expect.any(Object)]);
    expect(ran['Check and plan']?.log).toContain('Routine: ');
    expect(ran.Comment?.log).toBe('1 comment created on pull request 7 of acme/leases\n');
    expect(fake.comments).toHaveLength(1);
    expect(readdirSync(cwd)).toEqual([]);
  });

  test('fails for a problem, and comments why', async () => {
    const made = await leaseAdded(false);
    const fake = await fakeForge('gitea');
    fake.head = made.head;
    const { ran, hasFailed } = await runGiteaJob({
      ...{ program, head: made.head, env: tokenless(fake) },
      server: giteaServer(made),
    });
    expect(hasFailed).toBe(true);
    expect(ran['Check and plan']).toMatchObject({ status: 1 });
    expect(ran.Comment).toMatchObject({ status: 0 });
    expect(fake.comments[0]?.body).toContain('STALE');
  });

  test('checks nothing when the commit of the event is gone', async () => {
    const made = await leaseAdded();
    const fake = await fakeForge('gitea');
    const { ran } = await runGiteaJob({
      ...{ program, head: 'f'.repeat(40), env: tokenless(fake) },
      server: giteaServer(made),
    });
    expect(ran['Get the commits']).toMatchObject({
      status: 74,
      log: 'leasehold: the pull request has other commits by now, which another run checks\n',
    });
    expect(Object.keys(ran)).toEqual(['Get leasehold', 'Get the commits', 'Comment']);
    expect(fake.requests).toEqual([]);
  });

  test('runs nothing of the pull request, and obeys nothing that it prints', async () => {
    const outside = tempTree();
    const marker = join(outside, 'marker');
    const made = await checkout({
      isSynthesized: false,
      change: (root) => {
        addLease(root);
        putHostileFiles(root, marker);
        putFile(root, 'leases/x.yaml', '::set-env name=PATH::/tmp\n::add-mask::a\n');
      },
    });
    const fake = await fakeForge('gitea');
    fake.head = made.head;
    const { ran } = await runGiteaJob({
      ...{ program, head: made.head, env: tokenless(fake) },
      server: giteaServer(made),
    });
    expect(ran['Check and plan']).toMatchObject({ status: 1 });
    expect(Object.values(ran).flatMap(({ log }) => commandsIn(log))).toEqual([]);
    expect(readdirSync(outside)).toEqual([]);
    expect(ran.Comment).toMatchObject({ status: 0 });
  });
});
