import { describe, expect, test } from 'vitest';
import { programPath } from '../../../src/core/world/git/git-signatures.ts';
import { gitRepository } from '../../support/repositories/git-repository.ts';
import { signingRepository } from '../../support/repositories/signing-repository.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { putFile } from '../../support/trees/temp-tree.ts';

describe.skipIf(!programPath('ssh-keygen', process.env.PATH))('verify-history', () => {
  test('names the commits that no allowed signer signed', { tags: 'slow' }, async () => {
    const repository = signingRepository();
    repository.commit('good', { 'leases/a.yaml': 'a' }, 'alice');
    const line = ['verify-history', '--allowed-signers', repository.allowedSigners];
    expect(await runInProcess(line, repository.root)).toEqual({
      status: 0,
      out: '',
      err: '1 commit touches leases/ or dist/: 1 signed by an allowed signer, 0 not\n',
    });
    repository.git('tag', 'base');
    repository.commit('bad\u001b[2J', { 'leases/a.yaml': 'b' }, 'mallory');
    const { status, out, err } = await runInProcess([...line, '--base', 'base'], repository.root);
    expect(status).toBe(1);
    expect(out).toMatch(/^COMMIT .*\n[0-9a-f]{40} .*unknown key SHA256:\S+ +Test +bad\?\[2J\n$/);
    expect(err).toBe('1 commit touches leases/ or dist/: 0 signed by an allowed signer, 1 not\n');
  });

  test('accepts clean merges with the option, and no others', { tags: 'slow' }, async () => {
    const repository = signingRepository();
    repository.commit('root', { 'leases/a.yaml': 'a' }, 'alice');
    repository.git('checkout', '-q', '-b', 'side');
    repository.commit('side', { 'leases/b.yaml': 'b' }, 'alice');
    repository.git('checkout', '-q', 'main');
    repository.merge('side');
    const line = ['verify-history', '--allowed-signers', repository.allowedSigners];
    expect((await runInProcess(line, repository.root)).status).toBe(1);
    const passing = await runInProcess([...line, '--pass-clean-merges'], repository.root);
    expect(passing).toEqual({
      status: 0,
      out: '',
      err: '3 commits touch leases/ or dist/: 2 signed by an allowed signer, 1 passed as clean merges, 0 not\n',
    });
  });

  test('warns of a signers file in the tree', async () => {
    const repository = signingRepository();
    repository.commit('root', { 'leases/a.yaml': 'a', allowed: '' }, 'alice');
    const line = ['verify-history', '--allowed-signers', 'allowed'];
    const { status, err } = await runInProcess(line, repository.root);
    expect(status).toBe(1);
    expect(err).toMatch(/^the file of allowed signers is in the tree that is checked: /);
  });

  test('requires the signers file', async () => {
    const { root } = signingRepository();
    expect((await runInProcess(['verify-history'], root)).status).toBe(64);
    putFile(root, 'a', 'a');
    const { git } = gitRepository(root);
    git('add', '-A');
    git('commit', '-q', '-m', 'a');
    const line = ['verify-history', '--allowed-signers', '../absent'];
    expect(await runInProcess(line, root)).toEqual({
      status: 74,
      out: '',
      err: 'leasehold: the file of allowed signers cannot be read: ENOENT: no such file or directory\n',
    });
  });
});
