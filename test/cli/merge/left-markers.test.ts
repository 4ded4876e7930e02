import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { leaseText } from '../../support/declarations/lease-text.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import { pinned, pools } from '../../support/repositories/checked-branches.ts';

// Git 2.39 writes such markers into a file without reporting a conflict, when it takes a removed file for one that both sides
// added. Other versions report it.
const markers = '<<<<<<<< HEAD:leases/bob.yaml\n========\n>>>>>>>> main:leases/ann.yaml\n';

it('check and resolve say what to do about markers that git left without a conflict', {
  tags: 'slow',
}, async () => {
  const checkout = await remadeCheckout({
    'leases/pools.yaml': pools,
    'leases/ann.yaml': leaseText('ann', 1, [pinned(1)]),
  });
  const { git } = checkout.repository;
  git('checkout', '-q', '-b', 'work');
  appendFileSync(join(checkout.root, 'leases/ann.yaml'), markers);
  git('commit', '-q', '-a', '-m', 'Merge');
  const checked = await checkout.run('check', '--base', 'main');
  expect(checked.out).toContain('leases/ann.yaml:11:1 YAML_CONFLICT ');
  expect(checked.out).toContain(
    'hint: on the branch, run `git merge main -X find-renames=100%`: git can leave markers where it takes one file for another; if they stay, remove them in a commit of the branch\n',
  );
  const resolved = await checkout.run('resolve', '--onto', 'main');
  expect(resolved.status).toBe(1);
  expect(resolved.out).toContain(
    'hint: edit it, `git add` it, and run `leasehold resolve` again\n',
  );
});
