import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { emptyRepository, profiles } from '../support/run/init-run.ts';
import { runProcess } from '../support/run/run-process.ts';
import { content } from '../support/trees/temp-tree.ts';

describe('the program leasehold init', () => {
  let program: BuiltProgram;
  beforeAll(() => {
    program = buildProgram();
  });
  afterAll(() => program.remove());

  test('does not wait for answers without a terminal', async () => {
    const cwd = emptyRepository();
    const { status, err } = await runProcess(process.execPath, [program.cli, 'init'], { cwd });
    expect({ status, err }).toEqual({
      status: 64,
      err: expect.stringContaining('init needs a terminal for its prompts: use --yes'),
    });
  });

  test('finds the files that it ships', async () => {
    const cwd = emptyRepository();
    const words = ['init', '--yes', ...profiles['platform-flux-gitlab']];
    expect(await runProcess(process.execPath, [program.cli, ...words], { cwd })).toMatchObject({
      status: 0,
    });
    expect(content(cwd)['.gitlab/leasehold.gitlab-ci.yml']).toContain(
      'LEASEHOLD: https://gitlab.com/',
    );
  });
});
