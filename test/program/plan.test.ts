import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leaseText } from '../support/declarations/lease-text.ts';
import { beginning } from '../support/plans/pull-request-kinds.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { runProcess } from '../support/run/run-process.ts';
import { fileStates } from '../support/trees/file-states.ts';
import { tempTree } from '../support/trees/temp-tree.ts';

const web = { name: 'front', service: 'web', port: 8080, address: '203.0.113.9' };

describe('the program leasehold plan', () => {
  let program: BuiltProgram;
  beforeAll(() => {
    program = buildProgram();
  });
  afterAll(() => program.remove());

  it('writes nothing, and the same bytes in another clone, place, locale and time zone', async () => {
    const checkout = await beginning();
    checkout.put('leases/cat.yaml', leaseText('cat', 5, [web]));
    await checkout.synth('2026-01-10');
    const clone = tempTree();
    rmSync(clone, { recursive: true });
    cpSync(checkout.root, clone, { recursive: true });
    execFileSync('git', ['gc', '-q'], { cwd: clone });
    const before = [fileStates(checkout.root), readFileSync(join(checkout.root, '.git/index'))];
    const plan = (root: string, env: Record<string, string>) =>
      runProcess(
        process.execPath,
        [program.cli, 'plan', '-C', root, '-o', 'markdown', '--base', 'main'],
        {
          cwd: '/',
          env,
        },
      );
    const one = await plan(checkout.root, { LC_ALL: 'C', TZ: 'Pacific/Kiritimati' });
    const two = await plan(clone, {
      LC_ALL: 'tr_TR.UTF-8',
      LANG: 'tr_TR.UTF-8',
      TZ: 'Pacific/Midway',
    });
    expect(one).toMatchObject({ status: 0, err: '' });
    expect(two).toEqual(one);
    expect([fileStates(checkout.root), readFileSync(join(checkout.root, '.git/index'))]).toEqual(
      before,
    );
  });
});
