// @module-tag slow

import { describe, expect, test } from 'vitest';
import { programPath } from '../../../src/core/world/git/git-signatures.ts';
import { policyHead } from '../../support/declarations/policies.ts';
import {
  type SigningRepository,
  signingRepository,
} from '../../support/repositories/signing-repository.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';

const policy = `${policyHead}operators: { signers: [ops@example.com] }
tenants:
  - { name: shop, folders: [leases/shop], signers: [alice@example.com], namespaces: [shop] }
  - { name: blog, folders: [leases/blog], signers: [bob@example.com, eve@example.com] }
  - { name: game, folders: [leases/game], signers: [eve@example.com] }
  - { name: mute, folders: [leases/mute] }
`;

/** A repository whose first commits, by alice, bring leases and then the policy; tagged `old` and `base`. */
function begin(): SigningRepository {
  const repository = signingRepository(['bob', 'eve', 'ops']);
  const files = ['shop', 'blog', 'game'].map((name) => [`leases/${name}/a.yaml`, name]);
  repository.commit('leases', { ...Object.fromEntries(files), 'leases/pools.yaml': 'p' }, 'alice');
  repository.git('tag', 'old');
  repository.commit('policy', { 'leases/policy.yaml': policy }, 'alice');
  repository.git('tag', 'base');
  return repository;
}

/** Each commit that is not in order, by its subject, with the reason; the newest first. */
async function faults(
  { root, allowedSigners, git }: SigningRepository,
  ...options: readonly string[]
): Promise<readonly string[]> {
  const line = ['verify-history', '--allowed-signers', allowedSigners, ...options];
  const { status, out } = await runInProcess(line, root);
  const rows = out.split('\n').slice(1, -1);
  expect(status).toBe(rows.length === 0 ? 0 : 1);
  return rows.map((row) => {
    const id = row.slice(0, 40);
    const subject = git('log', '-1', '--format=%s', id).trim();
    const [, reason = ''] = /^\S+ +\S+ +(.*?) {2,}Test/.exec(row) ?? [];
    return `${subject}: ${reason}`;
  });
}

describe.skipIf(!programPath('ssh-keygen', process.env.PATH))(
  'verify-history with a policy',
  () => {
    test('takes the signature of each tenant whose files a commit changes, or of the operators', async () => {
      const repository = begin();
      repository.commit(
        'own',
        { 'leases/shop/b.yaml': '1', 'leases/shop/b.sdl.yaml': '1' },
        'alice',
      );
      repository.commit('key', { 'leases/keys/shop/a.yaml': '1' }, 'alice');
      repository.commit(
        'two of hers',
        { 'leases/blog/b.yaml': '1', 'leases/game/b.yaml': '1' },
        'eve',
      );
      repository.commit('all', { 'leases/shop/c.yaml': '1', 'leases/pools.yaml': 'q' }, 'ops');
      repository.commit('synth', { 'dist/a.yaml': '1', 'leases/allocations/a.yaml': '1' }, 'bob');
      expect(await faults(repository)).toEqual([]);
    });

    test('takes any allowed signer while the policy names no signers, as that of init', async () => {
      const repository = begin();
      const unsigned = policy.replace(/, signers: \[.*?\]|operators: .*\n/g, '');
      repository.commit('no signers', { 'leases/policy.yaml': unsigned }, 'ops');
      const files = { 'leases/pools.yaml': 'q', 'leases/shop/a.yaml': '1' };
      repository.commit('all', files, 'bob');
      expect(await faults(repository)).toEqual([]);
    });

    test('names the commit, who signed it and for whom that does not count', async () => {
      const repository = begin();
      repository.commit('other', { 'leases/shop/a.yaml': '1' }, 'bob');
      repository.commit('two', { 'leases/blog/a.yaml': '1', 'leases/game/a.yaml': '1' }, 'bob');
      repository.commit('pools', { 'leases/pools.yaml': 'q' }, 'alice');
      repository.commit('stray', { 'leases/new.yaml': 'q', 'leases/mute/a.yaml': 'q' }, 'alice');
      repository.commit('key', { 'leases/keys/blog/a.yaml': '1' }, 'bob');
      repository.commit(
        'proof',
        { 'leases/proofs/default/namespace/shop/a.example.yaml': '1' },
        'alice',
      );
      repository.git('rm', '-q', 'leases/shop/a.yaml');
      repository.commit('gone', {}, 'bob');
      repository.commit('nobody', { 'leases/shop/a.yaml': '1' });
      expect(await faults(repository)).toEqual([
        'nobody: unsigned',
        'gone: bob@example.com does not sign for tenant shop',
        'proof: alice@example.com does not sign for the operators',
        'key: bob@example.com does not sign for the operators',
        'stray: alice@example.com does not sign for tenant mute, the operators',
        'pools: alice@example.com does not sign for the operators',
        'two: bob@example.com does not sign for tenant game',
        'other: bob@example.com does not sign for tenant shop',
      ]);
    });

    test('judges a change of the policy by the policy before it', async () => {
      const repository = begin();
      const wider = policy.replace('[leases/shop]', '[leases/shop, leases/new]');
      repository.commit(
        'takes',
        { 'leases/policy.yaml': wider, 'leases/new/a.yaml': '1' },
        'alice',
      );
      repository.commit('has', { 'leases/new/b.yaml': '1' }, 'alice');
      expect(await faults(repository)).toEqual([
        'takes: alice@example.com does not sign for the operators',
      ]);
    });

    test('refuses a branch from before the policy, if the base has the policy', async () => {
      const repository = begin();
      repository.git('checkout', '-q', '-b', 'side', 'old');
      repository.commit('around', { 'leases/shop/a.yaml': 'mine' }, 'bob');
      repository.git('checkout', '-q', 'main');
      repository.merge('side', [], 'ops');
      expect(await faults(repository, '--base', 'base')).toEqual([
        'around: bob@example.com does not sign for tenant shop',
      ]);
    });

    test('takes anybody’s signature for a merge that only joins, and the tenant’s for one that drops a change', async () => {
      const repository = begin();
      repository.git('checkout', '-q', '-b', 'side');
      repository.commit('shop', { 'leases/shop/b.yaml': '1' }, 'alice');
      repository.git('checkout', '-q', 'main');
      repository.commit('blog', { 'leases/blog/b.yaml': '1' }, 'bob');
      repository.merge('side', [], 'eve');
      expect(await faults(repository)).toEqual([]);
      repository.git('reset', '-q', '--hard', 'HEAD^');
      repository.merge('side', ['-s', 'ours'], 'eve');
      const dropped = 'merge side: eve@example.com does not sign for tenant shop';
      expect(await faults(repository)).toEqual([dropped]);
      expect(await faults(repository, '--pass-clean-merges')).toEqual([dropped]);
      repository.git('reset', '-q', '--hard', 'HEAD^');
      repository.merge('side', ['-s', 'ours']);
      expect(await faults(repository, '--pass-clean-merges')).toEqual(['merge side: unsigned']);
      repository.git('reset', '-q', '--hard', 'HEAD^');
      repository.merge('side');
      expect(await faults(repository, '--pass-clean-merges')).toEqual([]);
    });

    test('asks for the tenant’s signature where a merge chooses between two changes of a file', async () => {
      const repository = begin();
      repository.git('checkout', '-q', '-b', 'side');
      repository.commit('one', { 'leases/shop/a.yaml': '1' }, 'alice');
      repository.git('checkout', '-q', 'main');
      repository.commit('two', { 'leases/shop/a.yaml': '2' }, 'alice');
      repository.merge('side', ['-X', 'ours'], 'eve');
      expect(await faults(repository)).toEqual([
        'merge side: eve@example.com does not sign for tenant shop',
      ]);
    });

    test('judges a merge by its own changes', async () => {
      const repository = begin();
      repository.git('checkout', '-q', '-b', 'side');
      repository.commit('shop', { 'leases/shop/a.yaml': '1' }, 'alice');
      repository.git('checkout', '-q', 'main');
      repository.commit('blog', { 'leases/blog/b.yaml': '1' }, 'bob');
      repository.merge('side', ['--no-commit']);
      repository.commit('evil', { 'leases/game/a.yaml': 'mine', 'leases/shop/a.yaml': '2' }, 'bob');
      expect(await faults(repository)).toEqual([
        'evil: bob@example.com does not sign for tenant game, tenant shop',
      ]);
    });

    test('refuses every commit whose previous policy cannot be read', async () => {
      const repository = begin();
      repository.commit('broken', { 'leases/policy.yaml': 'kind: [' }, 'ops');
      repository.commit('after', { 'leases/shop/a.yaml': '1' }, 'ops');
      expect(await faults(repository)).toEqual(['after: unreadable policy']);
    });
  },
);
