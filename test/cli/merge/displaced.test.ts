import { describe, expect, it } from 'vitest';
import {
  commitLeases,
  declarationOf,
  holderOf,
  twoLeases,
} from '../../support/repositories/two-leases.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { putFile } from '../../support/trees/temp-tree.ts';

/** Bob has 203.0.113.1 on a branch, and cat pins it on another; neither was ever on main. */
async function pinnedAway() {
  const repository = await twoLeases();
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
      `the addresses of the other side stay, except those that a pin or pool takes:\n~ 203.0.113.1  now 203.0.113.2  ${holderOf('bob')}\n`,
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
