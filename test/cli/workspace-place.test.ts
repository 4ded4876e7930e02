import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { l2PoolText } from '../support/declarations/pools-text.ts';
import { gitRepository } from '../support/repositories/git-repository.ts';
import { runInProcess } from '../support/run/run-in-process.ts';
import { putFile, tempTree } from '../support/trees/temp-tree.ts';

const service = `apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop }
spec: { type: LoadBalancer, selector: { app: web }, ports: [{ port: 80 }] }
`;

/** A workspace in the folder `infra` of a git repository, and its root. */
function workspace(): { readonly top: string; readonly root: string } {
  const top = tempTree({
    'infra/leases/pools.yaml': l2PoolText,
    'infra/leases/shop/web.yaml': service,
    'README.md': '',
  });
  gitRepository(top);
  return { top, root: join(top, 'infra') };
}

describe('a command finds the workspace', () => {
  test.each([
    ['in the current folder', 'infra', []],
    ['above the current folder', 'infra/leases/shop', []],
    ['by -C before the command', '.', ['-C', 'infra']],
    ['above the folder of -C', '.', ['-C', 'infra/leases']],
    ['by several -C, each from the one before', '.', ['-C', 'infra', '-C', 'leases', '-C', '..']],
  ])('%s', async (_, folder, options) => {
    const { top } = workspace();
    const { status, out } = await runInProcess(
      [...options, 'synth', '--today', '2026-11-20'],
      join(top, folder),
    );
    expect([status, out]).toEqual([0, expect.stringContaining('1 allocated')]);
  });

  test('by -C after the command too', async () => {
    const { top } = workspace();
    expect((await runInProcess(['synth', '-C', 'infra'], top)).status).toBe(0);
  });

  test('when its pool file is lost', async () => {
    const top = tempTree({ 'leases/shop/web.yaml': service });
    gitRepository(top);
    const { status, out } = await runInProcess(['check'], join(top, 'leases/shop'));
    expect([status, out]).toEqual([
      1,
      expect.stringMatching(/^\.\.\/pools\.yaml:1:1 FILE_MISSING /),
    ]);
  });
});

describe('a command finds no workspace', () => {
  test.each(['check', 'list', 'synth', 'doctor', 'who web'])(
    'and %s names where it looked',
    async (line) => {
      const { top } = workspace();
      mkdirSync(join(top, 'other/deep'), { recursive: true });
      const { status, out } = await runInProcess(line.split(' '), join(top, 'other/deep'));
      expect(status).toBe(1);
      expect(out).toContain(
        `leases/pools.yaml:1:1 FILE_MISSING no pool file found: looked in the current folder and the folders above it, up to ../.., the root of the git repository\n  hint: set up a workspace with \`leasehold init\`, or`,
      );
    },
  );

  test('above the root of the git repository', async () => {
    const { root } = workspace();
    const inner = join(root, 'inner');
    mkdirSync(inner);
    gitRepository(inner);
    const { status, out } = await runInProcess(['check'], inner);
    expect([status, out]).toEqual([1, expect.stringContaining('looked in the current folder\n')]);
  });

  test('above a folder outside of git', async () => {
    const top = tempTree({ 'leases/pools.yaml': l2PoolText, 'leases/shop/web.yaml': service });
    const { status, out } = await runInProcess(['check'], join(top, 'leases/shop'));
    expect([status, out]).toEqual([
      1,
      expect.stringContaining('FILE_MISSING no pool file found: looked in '),
    ]);
  });
});

test('init makes a workspace in the folder itself, also below another one', async () => {
  const { root } = workspace();
  mkdirSync(join(root, 'second'));
  const leasehold = `https://example.com/acme/leasehold.git#${'0123456789'.repeat(4)}`;
  const answers = ['--for', 'platform', '--pool', 'p=198.51.100.0/28', '--leasehold', leasehold];
  const { status } = await runInProcess(['init', '--yes', ...answers, '-C', 'second'], root);
  expect(status).toBe(0);
  const { out } = await runInProcess(['pools', '-o', 'csv'], join(root, 'second/leases'));
  expect(out).toContain('198.51.100.0/28');
});

describe('what is printed fits the current folder', () => {
  /** The committed workspace, with a declaration that is wrong now. */
  async function edited(): Promise<{ readonly top: string; readonly root: string }> {
    const { top, root } = workspace();
    await runInProcess(['synth', '--today', '2026-01-10'], root);
    const { git } = gitRepository(top);
    git('add', '-A');
    git('commit', '-q', '-m', 'Leases');
    putFile(root, 'leases/shop/web.yaml', service.replace('port: 80', 'port: x'));
    return { top, root };
  }

  test.each([
    ['infra', [], 'leases/shop/web.yaml:'],
    ['infra/leases', [], 'shop/web.yaml:'],
    ['infra/leases/shop', [], 'web.yaml:'],
    ['.', ['-C', 'infra'], 'infra/leases/shop/web.yaml:'],
  ])('the place of a problem, in %s', async (folder, options, place) => {
    const { top } = await edited();
    const { status, out } = await runInProcess([...options, 'check'], join(top, folder));
    expect([status, out.slice(0, place.length)]).toEqual([1, place]);
  });

  test.each([
    ['infra', [], 'run `git rm leases/shop/web.yaml`'],
    ['infra/leases', [], 'run `git -C .. rm leases/shop/web.yaml`'],
    ['.', ['-C', 'infra'], 'run `git -C infra rm leases/shop/web.yaml`'],
  ])('the command of a hint, in %s', async (folder, options, command) => {
    const { top, root } = await edited();
    rmSync(join(root, 'leases/shop/web.yaml'));
    const { out } = await runInProcess([...options, 'check'], join(top, folder));
    expect(out).toContain(command);
  });

  test.each([
    ['infra', [], ['wrote leases/shop/post.yaml', 'leasehold synth', 'git add -A', 'git commit']],
    ['infra/leases', [], ['wrote shop/post.yaml', 'leasehold synth', 'git -C .. add -A']],
    [
      '.',
      ['-C', 'infra'],
      [
        'wrote infra/leases/shop/post.yaml',
        'npx --no -- leasehold synth -C infra',
        'npx --no -- leasehold plan -C infra',
        'git -C infra add -A',
        'git -C infra commit -m',
      ],
    ],
  ])('the next steps of add, in %s', async (folder, options, steps) => {
    const { top } = workspace();
    gitRepository(top).git('add', '-A');
    gitRepository(top).git('commit', '-q', '-m', 'A commit');
    const line = ['add', 'service', 'shop/post', '25', '--selector', 'app=post'];
    const { out } = await runInProcess([...options, ...line], join(top, folder));
    for (const step of steps) expect(out).toContain(step);
  });

  test.each([
    ['infra/leases', [], 'run `leasehold synth` and commit'],
    ['.', ['-C', 'infra'], 'run `leasehold synth -C infra` and commit'],
  ])('a command of leasehold, in %s', async (folder, options, command) => {
    const { top } = workspace();
    const { out } = await runInProcess([...options, 'check'], join(top, folder));
    expect(out).toContain(command);
  });
});
