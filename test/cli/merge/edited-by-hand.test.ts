import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { remadeTwoLeases } from '../../support/repositories/cached-repository.ts';
import type { GitRepository } from '../../support/repositories/git-repository.ts';
import { holderOf } from '../../support/repositories/two-leases.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { putFile } from '../../support/trees/temp-tree.ts';

const record = 'leases/allocations/203.0.113/203.0.113.0.yaml';
const otherRecord = 'leases/allocations/203.0.113/203.0.113.9.yaml';
const restored = (commit: string, folders: string) =>
  `take back what was not written by leasehold: \`git restore --source=${commit} --staged --worktree ${folders}\`, then run \`leasehold synth\``;

function edited(root: string, path: string, from: string, into: string): void {
  putFile(root, path, readFileSync(join(root, path), 'utf8').replaceAll(from, into));
}

/** Edits of what leasehold alone writes, and the folder that has them. */
const edits = [
  [
    'an address in a manifest',
    'dist',
    ({ root, git }: GitRepository) => {
      const paths = git('grep', '-l', 'kind: Service', 'dist').trim().split('\n');
      for (const path of paths) edited(root, path, '203.0.113.0', '203.0.113.9');
    },
  ],
  [
    'the address of a record, and its name',
    'leases/allocations',
    ({ root, git }: GitRepository) => {
      git('mv', record, otherRecord);
      edited(root, otherRecord, '203.0.113.0', '203.0.113.9');
    },
  ],
  [
    'the address of a record alone',
    'leases/allocations',
    ({ root }: GitRepository) => edited(root, record, '203.0.113.0', '203.0.113.9'),
  ],
  [
    'the holder of a record',
    'leases/allocations',
    ({ root }: GitRepository) => edited(root, record, holderOf('ann'), holderOf('bob')),
  ],
  [
    'the holder of a record, which is none',
    'leases/allocations',
    ({ root }: GitRepository) => edited(root, record, holderOf('ann'), 'nobody'),
  ],
  [
    'a record into a text that is no YAML',
    'leases/allocations',
    ({ root }: GitRepository) => putFile(root, record, '{'),
  ],
] as const;

/**
 * The hint of `check`. `synth` gives the same, or takes the records from HEAD by itself.
 */
async function hintOf({ root, git }: GitRepository): Promise<string> {
  const check = await runInProcess(['check'], root);
  const synth = await runInProcess(['synth', '--today', '2026-01-11'], root);
  expect(check.status).toBe(1);
  if (synth.status === 0) expect(git('diff', 'HEAD')).toBe('');
  else expect(synth.out).toBe(check.out);
  const hints = [...check.out.matchAll(/^ {2}hint: (.*)$/gm)].map(([, hint]) => hint);
  expect(hints).toHaveLength(1);
  return hints[0] ?? '';
}

/** Does what a hint of these says. */
async function obey({ root, git }: GitRepository, hint: string): Promise<void> {
  const [, words = ''] = /`git (restore [^`]+)`/.exec(hint) ?? [];
  git(...words.split(' '));
  expect(await runInProcess(['synth', '--today', '2026-01-11'], root)).toMatchObject({ status: 0 });
  expect(await runInProcess(['check'], root)).toMatchObject({ status: 0 });
}

describe('a file edited by hand', () => {
  it.each(edits)(
    '%s: check and synth name the one command that takes it back',
    { tags: 'slow' },
    async (_, folder, edit) => {
      const repository = await remadeTwoLeases();
      edit(repository);
      const hint = await hintOf(repository);
      expect(hint).toBe(restored('HEAD', folder));
      await obey(repository, hint);
      expect(repository.git('status', '--short')).toBe('');
    },
  );

  it.each(edits)(
    '%s, and commits it: the same, from the commit before',
    { tags: 'slow' },
    async (_, __, edit) => {
      const repository = await remadeTwoLeases();
      edit(repository);
      repository.git('commit', '-q', '-a', '-m', 'by hand');
      repository.git('commit', '-q', '--allow-empty', '-m', 'something else');
      const hint = await hintOf(repository);
      const id = repository.git('rev-parse', '--short', 'HEAD~1').trim();
      expect(hint).toBe(restored(`${id}~1`, 'leases/allocations dist'));
      await obey(repository, hint);
      expect(repository.git('diff', 'HEAD~2')).toBe('');
    },
  );

  it.each(edits.slice(0, 2))(
    '%s on a branch: check --base names a run on the base',
    async (_, __, edit) => {
      const repository = await remadeTwoLeases();
      repository.git('checkout', '-q', '-b', 'work');
      edit(repository);
      repository.git('commit', '-q', '-a', '-m', 'by hand');
      const { out } = await runInProcess(
        ['check', '--base', 'main', '--head', 'HEAD'],
        repository.root,
      );
      expect(out).toMatch(
        /ALLOCATION_LOST .*\n {2}hint: on the branch, .*run `leasehold synth --base main` /,
      );
    },
  );
});

it('a tree without git has no restoring command, and explain tells what to do', async () => {
  const repository = await remadeTwoLeases();
  edits[0][2](repository);
  const { root } = repository;
  rmSync(join(root, '.git'), { recursive: true });
  const { status, out } = await runInProcess(['check'], root);
  expect(status).toBe(1);
  expect(out).not.toMatch(/hint: .*git /);
});
