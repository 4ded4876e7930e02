import { describe, expect, it } from 'vitest';
import { remadeTwoLeases } from '../../support/repositories/cached-repository.ts';
import { commitLeases, declarationOf, holderOf } from '../../support/repositories/two-leases.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { putFile } from '../../support/trees/temp-tree.ts';

/** Bob has 203.0.113.1 on a branch, and cat pins it on another; neither was ever on main. */
async function pinnedAway() {
  const repository = await remadeTwoLeases();
  const { root, git } = repository;
  git('checkout', '-q', '-b', 'pin', 'main');
  const pinned = declarationOf('cat').replace(
    'name: "front"',
    'name: "front", address: 203.0.113.1',
  );
  expect(pinned).toContain('203.0.113.1');
  putFile(root, 'leases/cat.yaml', pinned);
  await commitLeases(repository);
  expect(repository.isDone('merge', '-q', 'bob')).toBe(false);
  return repository;
}

describe('resolve --keep theirs', () => {
  it('names the holders of the kept side that lose their address to a pin', async () => {
    const { root } = await pinnedAway();
    const words = ['resolve', '--today', '2026-01-11', '--keep', 'theirs'];
    const { status, out } = await runInProcess(words, root);
    expect(out).toContain(
      `the addresses of the other side stay, except these, which a pin, a pool or --move takes:\n~ 203.0.113.1  now 203.0.113.2  ${holderOf('bob')}\n`,
    );
    expect(status).toBe(0);
    expect(await runInProcess(['check'], root)).toMatchObject({ status: 0 });
  });

  it('has them apart in JSON', async () => {
    const { root } = await pinnedAway();
    const words = ['resolve', '--today', '2026-01-11', '--keep', 'theirs', '-o', 'json'];
    const { out } = await runInProcess(words, root);
    expect(JSON.parse(out)).toMatchObject({
      displaced: [{ holder: holderOf('bob'), from: '203.0.113.1', to: '203.0.113.2' }],
      reassigned: [],
    });
  });
});

describe('a pin of an address that the target gave to another', () => {
  it.each(['merge', 'rebase'])('is removed in a %s, as the hint says', async (command) => {
    const repository = await pinnedAway();
    const { root, git, isDone } = repository;
    git('merge', '--abort');
    git('branch', '-f', 'main', 'bob');
    expect(isDone(command, '-q', 'main')).toBe(false);
    const resolve = ['resolve', '--today', '2026-01-11'];
    const refused = await runInProcess(resolve, root);
    expect(refused.out).toContain(`PIN_TAKEN 203.0.113.1 is held by ${holderOf('bob')}\n`);
    expect(refused.out).toMatch(
      /hint: pin another address of pool .*, or remove the pin; .*; change the one that upstream does not have, and run `leasehold resolve` again\n/,
    );
    putFile(root, 'leases/cat.yaml', declarationOf('cat'));
    git('add', 'leases/cat.yaml');
    expect(await runInProcess(resolve, root)).toMatchObject({ status: 0 });
    git('-c', 'core.editor=true', command, '--continue');
    const checked = await runInProcess(['check', '--base', 'main', '--today', '2026-01-11'], root);
    expect(checked).toMatchObject({ status: 0 });
  });
});
