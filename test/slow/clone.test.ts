import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, expect, it } from 'vitest';

let clone: string;

beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'leasehold-clone-'));
  run('git', 'clone', '-q', '--no-hardlinks', resolve('.'), clone);
  symlinkSync(resolve('node_modules'), join(clone, 'node_modules'));
  // Git's own template of this folder is not copied in the tests.
  mkdirSync(join(clone, '.git/info'), { recursive: true });
  appendFileSync(join(clone, '.git/info/exclude'), '/node_modules\n');
  run('npm', 'run', '-s', 'build');
  return () => rmSync(clone, { recursive: true, force: true });
});

it('lists the example of a clone by npm and by npx alike', () => {
  const byNpm = run('npm', 'run', '-s', 'leasehold', '--', 'list');
  expect(byNpm).toMatch(/^ADDRESS +STATE +POOL/);
  expect(byNpm).toContain('194.28.98.217');
  expect(run('npx', '--no-install', 'leasehold', 'list')).toBe(byNpm);
});

it('leaves a clone as it is when its example is synthesized again', () => {
  run('npm', 'run', '-s', 'synth');
  expect(run('npx', '--no-install', 'cdk8s', 'synth', '--check-upgrade=false')).toContain(
    'index.yaml',
  );
  expect(run('git', 'status', '--porcelain')).toBe('');
});

function run(program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, {
    cwd: clone,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}
