import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { leaseText } from '../../support/declarations/lease-text.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import { pinned, pools } from '../../support/repositories/checked-branches.ts';
import type { LeaseCheckout } from '../../support/repositories/lease-checkout.ts';
import { putFile } from '../../support/trees/temp-tree.ts';

const begin = () =>
  remadeCheckout({
    'leases/pools.yaml': pools,
    'leases/ann.yaml': leaseText('ann', 1, [pinned(1)]),
  });

/** An entry of a tree. */
interface Entry {
  readonly mode: string;
  readonly name: string;
  readonly id: string;
}

/** Git objects that `git add` does not make. */
function objectsOf({ repository: { root, git } }: LeaseCheckout) {
  const written = (args: readonly string[], input: string | Buffer) =>
    execFileSync('git', ['hash-object', '-w', ...args, '--stdin'], { cwd: root, input })
      .toString()
      .trim();
  const entriesOf = (tree: string): Entry[] =>
    git('ls-tree', tree)
      .trim()
      .split('\n')
      .map((line) => {
        const [, mode = '', id = '', name = ''] = /^0?(\d+) \w+ (\w+)\t(.+)$/.exec(line) ?? [];
        return { mode, name, id };
      });
  return {
    entriesOf,
    blob: (text: string) => written([], text),
    tree: (...entries: readonly Entry[]) =>
      written(
        ['-t', 'tree', '--literally'],
        Buffer.concat(
          entries.map(({ mode, name, id }) =>
            Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]),
          ),
        ),
      ),
    commit: (tree: string) => git('commit-tree', '-p', 'main', '-m', 'A change', tree).trim(),
  };
}

const refused = (
  file: string,
  why: string,
) => `${file}:1:1 TREE_MALFORMED a commit has an entry here that git does not make: ${why}
  hint: \`git fsck\` names the object: make the commit again with \`git add\` and \`git commit\`
1 problem; see \`leasehold explain TREE_MALFORMED\`
`;

describe('a commit that git does not make', () => {
  const service = 'apiVersion: v1\nkind: Service\n';

  it('is refused for a path as a name, which git checks out in dist/', async () => {
    const checkout = await begin();
    const objects = objectsOf(checkout);
    const evil = { mode: '100644', name: 'dist/default/evil.yaml', id: objects.blob(service) };
    const commit = objects.commit(objects.tree(...objects.entriesOf('main'), evil));
    for (const command of ['check', 'plan']) {
      const { status, out } = await checkout.run(command, '--base', 'main', '--head', commit);
      expect(out).toBe(refused('dist/default/evil.yaml', 'git refuses its name'));
      expect(status).toBe(1);
    }
    const { out } = await checkout.run('plan', '--base', 'main', '--head', commit, '-o', 'json');
    expect(JSON.parse(out)).toMatchObject({
      kind: 'Failure',
      status: 1,
      problems: [{ code: 'TREE_MALFORMED', at: { file: 'dist/default/evil.yaml' } }],
    });
  });

  it('is refused for a folder that is there twice', async () => {
    const checkout = await begin();
    const objects = objectsOf(checkout);
    const entries = objects.entriesOf('main');
    const twice = entries.flatMap((one) => (one.name === 'dist' ? [one, one] : [one]));
    const commit = objects.commit(objects.tree(...twice));
    const { status, out } = await checkout.run('check', '--base', 'main', '--head', commit);
    expect(out).toBe(refused('dist', 'it is there twice'));
    expect(status).toBe(1);
  });

  it('is refused for a path in a folder above the workspace', async () => {
    const checkout = await begin();
    const { git } = checkout.repository;
    git('read-tree', '--prefix=infra/ip/', 'main');
    git('commit', '-q', '-m', 'Another workspace');
    const objects = objectsOf(checkout);
    const evil = { mode: '100644', name: 'infra/ip/dist/evil.yaml', id: objects.blob(service) };
    const commit = objects.commit(objects.tree(...objects.entriesOf('HEAD'), evil));
    putFile(checkout.root, 'infra/ip/leases/pools.yaml', pools);
    const options = ['--base', 'HEAD', '--head', commit];
    const { status, out } = await checkout.run('check', '-C', 'infra/ip', ...options);
    expect(out).toContain('TREE_MALFORMED');
    expect(status).toBe(1);
  });

  it('is the base of a commit that makes its folders again', async () => {
    const checkout = await begin();
    const objects = objectsOf(checkout);
    const evil = { mode: '100644', name: 'dist/default/evil.yaml', id: objects.blob(service) };
    const base = objects.commit(objects.tree(...objects.entriesOf('main'), evil));
    const { git } = checkout.repository;
    const head = git('commit-tree', '-p', base, '-m', 'Repair', 'main^{tree}').trim();
    const { status, out } = await checkout.run('check', '--base', base, '--head', head);
    expect(out).toMatch(/^valid, /);
    expect(status).toBe(0);
  });
});

describe('a commit of few objects and many files', () => {
  it('is refused, and may stand between base and head', { tags: 'slow' }, async () => {
    const checkout = await begin();
    const objects = objectsOf(checkout);
    const digits = [...'0123456789'];
    const folder = (mode: string, id: string) =>
      objects.tree(...digits.map((name) => ({ mode, name, id })));
    let id = folder('100644', objects.blob('kind: Lease\n'));
    for (let depth = 0; depth < 8; depth += 1) id = folder('40000', id);
    const leases = objects.entriesOf('main:leases');
    const place = (entries: Entry[], name: string, tree: string) =>
      [...entries.filter((one) => one.name !== name), { mode: '40000', name, id: tree }].sort(
        (left, right) => (left.name < right.name ? -1 : 1),
      );
    const bomb = objects.tree(...place(leases, 'bomb', id));
    const commit = objects.commit(
      objects.tree(...place(objects.entriesOf('main'), 'leases', bomb)),
    );
    const { status, out } = await checkout.run('check', '--base', 'main', '--head', commit);
    expect(out).toContain(
      'TREE_TOO_LARGE the folders of a commit that leasehold reads have more than',
    );
    expect(status).toBe(1);

    const { git } = checkout.repository;
    const undone = git('commit-tree', '-p', commit, '-m', 'Undo', 'main^{tree}').trim();
    const after = await checkout.run('check', '--base', 'main', '--head', undone);
    expect(after.out).toMatch(/^valid, /);
  });
});
