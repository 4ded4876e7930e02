import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EnvironmentError } from '../../../../../src/core/model/problem.ts';
import { openRepository } from '../../../../../src/core/world/git/git-repository.ts';
import { programPath } from '../../../../../src/core/world/git/git-signatures.ts';
import {
  type SigningRepository,
  signingRepository,
} from '../../../../support/repositories/signing-repository.ts';
import { putFile, tempTree } from '../../../../support/trees/temp-tree.ts';

const hasKeygen = programPath('ssh-keygen', process.env.PATH) !== undefined;

/** Each commit that was looked at, the newest first, with what is wrong with it. */
async function judged(
  { root, git, allowedSigners }: SigningRepository,
  base?: string,
): Promise<readonly string[]> {
  const idOf = (ref: string): string => git('rev-parse', ref).trim();
  const range = { base: base === undefined ? undefined : idOf(base), head: idOf('HEAD') };
  const commits = await openRepository(root).log.signed(range, allowedSigners);
  return commits.map(({ commit, fault, isCleanMerge }) => {
    const subject = commit.message.split('\n', 1)[0];
    return `${subject}: ${fault ?? 'fine'}${isCleanMerge ? ', clean merge' : ''}`;
  });
}

describe.skipIf(!hasKeygen)('signatures of commits', () => {
  test('hold when an allowed signer made them', async () => {
    const repository = signingRepository();
    repository.commit('first', { 'leases/a.yaml': 'a' }, 'alice');
    repository.commit('second', { 'dist/a.yaml': 'b' }, 'alice');
    expect(await judged(repository)).toEqual(['second: fine', 'first: fine']);
  });

  test('are missing, of an unknown key, of another kind, or of another text', {
    tags: 'slow',
  }, async () => {
    const repository = signingRepository();
    repository.commit('nobody', { 'leases/a.yaml': 'a' });
    repository.commit('a stranger', { 'leases/a.yaml': 'b' }, 'mallory');
    repository.commit('other', { 'leases/a.yaml': 'c' }, 'alice');
    repository.rewrite(/SSH SIGNATURE/g, 'PGP SIGNATURE');
    repository.commit('signed', { 'leases/a.yaml': 'd' }, 'alice');
    repository.rewrite(/^signed$/m, 'altered');
    expect(await judged(repository)).toEqual([
      'altered: bad signature',
      'other: not an SSH signature',
      'a stranger: unknown key',
      'nobody: unsigned',
    ]);
  });

  test('are looked at only where a commit touches leases or dist, and after the base', {
    tags: 'slow',
  }, async () => {
    const repository = signingRepository();
    repository.commit('old', { 'leases/a.yaml': 'a' });
    repository.git('tag', 'base');
    repository.commit('docs', { 'README.md': 'a' });
    repository.commit('lease', { 'leases/b.yaml': 'b' }, 'alice');
    repository.git('mv', 'leases/b.yaml', 'elsewhere.yaml');
    repository.commit('gone', {});
    expect(await judged(repository, 'base')).toEqual(['gone: unsigned', 'lease: fine']);
  });

  test('are looked at on side branches too, also where the merge leaves nothing of them', {
    tags: 'slow',
  }, async () => {
    const repository = signingRepository();
    repository.commit('root', { 'leases/a.yaml': 'a' }, 'alice');
    repository.git('checkout', '-q', '-b', 'side');
    repository.commit('on the side', { 'leases/b.yaml': 'b' });
    repository.git('checkout', '-q', 'main');
    repository.commit('on main', { 'leases/c.yaml': 'c' }, 'alice');
    repository.merge('side', ['-s', 'ours'], 'alice');
    expect([...(await judged(repository))].sort()).toEqual([
      'merge side: fine, clean merge',
      'on main: fine',
      'on the side: unsigned',
      'root: fine',
    ]);
  });

  test('are checked for a merge that discards changes of the base', { tags: 'slow' }, async () => {
    const repository = signingRepository();
    repository.commit('root', { 'leases/a.yaml': 'a' }, 'alice');
    repository.git('checkout', '-q', '-b', 'side');
    repository.commit('on the side', { 'leases/b.yaml': 'b' }, 'alice');
    repository.git('checkout', '-q', 'main');
    repository.commit('on main', { 'leases/a.yaml': 'changed' }, 'alice');
    repository.git('tag', 'base');
    repository.git('checkout', '-q', 'side');
    repository.merge('base', ['-s', 'ours']);
    expect(await judged(repository, 'base')).toEqual([
      'merge base: unsigned, clean merge',
      'on the side: fine',
    ]);
  });

  test('are checked for a merge that itself changes a manifest', { tags: 'slow' }, async () => {
    const repository = signingRepository();
    repository.commit('root', { 'leases/a.yaml': 'a', 'dist/a.yaml': 'a' }, 'alice');
    repository.git('checkout', '-q', '-b', 'side');
    repository.commit('on the side', { 'leases/b.yaml': 'b' }, 'alice');
    repository.git('checkout', '-q', 'main');
    repository.commit('on main', { 'leases/c.yaml': 'c' }, 'alice');
    repository.merge('side', ['--no-commit']);
    repository.commit('evil merge', { 'dist/a.yaml': 'evil' });
    expect((await judged(repository))[0]).toBe('evil merge: unsigned');
  });

  test('are not judged by a program that the repository names', { tags: 'slow' }, async () => {
    const repository = signingRepository();
    const program = join(repository.root, 'liar');
    putFile(repository.root, 'liar', '#!/bin/sh\ntouch "$0.ran"\necho Good\nexit 0\n');
    repository.git('update-index', '--add', '--chmod=+x', 'liar');
    for (const key of ['gpg.ssh.program', 'gpg.program', 'gpg.openpgp.program']) {
      repository.git('config', key, program);
    }
    repository.commit('a stranger', { 'leases/a.yaml': 'a' });
    repository.git('config', '--unset', 'gpg.ssh.program');
    repository.commit('by mallory', { 'leases/a.yaml': 'b' }, 'mallory');
    repository.git('config', 'gpg.ssh.program', program);
    expect(await judged(repository)).toEqual(['by mallory: unknown key', 'a stranger: unsigned']);
  });

  test('are not judged in a shallow clone, nor by a file that is not there', async () => {
    const repository = signingRepository();
    repository.commit('first', { 'leases/a.yaml': 'a' }, 'alice');
    repository.commit('second', { 'leases/a.yaml': 'b' }, 'alice');
    const clone = join(tempTree(), 'clone');
    repository.git('clone', '-q', '--depth', '1', `file://${repository.root}`, clone);
    const head = repository.git('rev-parse', 'HEAD').trim();
    const range = { base: undefined, head };
    await expect(
      openRepository(clone).log.signed(range, repository.allowedSigners),
    ).rejects.toThrow(
      /^the clone is shallow, and what it lacks cannot be judged: fetch its history/,
    );
    const missing = openRepository(repository.root).log.signed(range, join(clone, 'absent'));
    await expect(missing).rejects.toThrow(EnvironmentError);
    await expect(missing).rejects.toThrow(/^the file of allowed signers cannot be read: ENOENT/);
  });
});

test('a program is looked for in absolute folders only', () => {
  const root = tempTree({ program: '' });
  expect(programPath('sh', `.:${root}:/bin`)).toBe('/bin/sh');
  expect(programPath('program', root)).toBeUndefined();
  expect(programPath('sh', undefined)).toBeUndefined();
});
