import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { policyHead } from '../../support/declarations/policies.ts';
import { gitRepository } from '../../support/repositories/git-repository.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { putFile, tempTree } from '../../support/trees/temp-tree.ts';

const policy = `${policyHead}operators: { reviewers: ['@acme/network'] }
tenants: [{ name: shop, folders: [leases/shop], reviewers: ['@acme/shop'] }]
`;

describe('codeowners', () => {
  test('prints the owners of the policy', async () => {
    const root = tempTree({ 'leases/policy.yaml': policy });
    const { status, out, err } = await runInProcess(['codeowners'], root);
    expect([status, err]).toEqual([0, '']);
    expect(out).toContain('\n/leases/shop/ @acme/shop\n');
  });

  test('writes its block into a new or existing file, once', async () => {
    const root = tempTree({ 'leases/policy.yaml': policy });
    const line = ['codeowners', '--write', '.github/CODEOWNERS'];
    expect(await runInProcess(line, root)).toEqual({
      status: 0,
      out: '',
      err: '.github/CODEOWNERS is written\n',
    });
    const { out } = await runInProcess(['codeowners'], root);
    expect(readFileSync(join(root, '.github/CODEOWNERS'), 'utf8')).toBe(out);
    const { err } = await runInProcess(line, root);
    expect(err).toBe('.github/CODEOWNERS is up to date\n');
    expect(readdirSync(join(root, '.github'))).toEqual(['CODEOWNERS']);
  });

  test.each([
    ['--write', '.gitea/CODEOWNERS'],
    ['--write', '.forgejo/CODEOWNERS'],
    ['--write', 'CODEOWNERS', '--forge', 'forgejo'],
  ])('has regular expressions with %j %j', async (...argv) => {
    const root = tempTree({ 'leases/policy.yaml': policy });
    expect((await runInProcess(['codeowners', ...argv], root)).status).toBe(0);
    const text = readFileSync(join(root, argv[1] ?? ''), 'utf8');
    expect(text).toContain('\nleases/shop/.* @acme/shop\n');
  });

  test('keeps every other byte of the file, and its permissions', async () => {
    const root = tempTree({ 'leases/policy.yaml': policy });
    const file = join(root, 'CODEOWNERS');
    const mine = Buffer.from([0x2a, 0x20, 0x40, 0x61, 0x20, 0x23, 0xe4, 0xff, 0x0a]);
    writeFileSync(file, mine);
    chmodSync(file, 0o640);
    expect((await runInProcess(['codeowners', '--write', 'CODEOWNERS'], root)).status).toBe(0);
    const after = readFileSync(file);
    expect(after.subarray(0, mine.length)).toEqual(mine);
    expect(after.length).toBeGreaterThan(mine.length);
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });

  test('does not follow a link', async () => {
    const root = tempTree({ 'leases/policy.yaml': policy, elsewhere: '* @a\n' });
    symlinkSync('elsewhere', join(root, 'CODEOWNERS'));
    const { status } = await runInProcess(['codeowners', '--write', 'CODEOWNERS'], root);
    expect(status).toBe(74);
    expect(readFileSync(join(root, 'elsewhere'), 'utf8')).toBe('* @a\n');
  });

  test('names the folder inside of the repository, if a pattern can', async () => {
    const root = tempTree();
    gitRepository(root);
    putFile(root, 'net/prod/leases/policy.yaml', policy);
    putFile(root, 'of [x]/leases/policy.yaml', policy);
    const { out } = await runInProcess(['codeowners', '-C', 'net/prod'], root);
    expect(out).toContain('\n/net/prod/leases/shop/ @acme/shop\n');
    const { status, err } = await runInProcess(['codeowners', '-C', 'of [x]'], root);
    expect([status, err.includes('rename the folder')]).toEqual([74, true]);
    mkdirSync(join(root, 'empty'));
    expect((await runInProcess(['codeowners', '-C', 'empty'], root)).status).toBe(1);
  });
});
