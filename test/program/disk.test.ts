import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { type Finished, runProcess } from '../support/run/run-process.ts';
import { inScope } from '../support/run/scope.ts';
import { example, exampleLeases } from '../support/trees/example.ts';
import { fileStates } from '../support/trees/file-states.ts';

const today = ['--today', '2026-11-20'];
let program: BuiltProgram;

beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program.remove());

function leasehold(args: readonly string[], cwd: string): Promise<Finished> {
  return runProcess(process.execPath, [program.cli, ...args], { cwd });
}

/** Everything but leasehold's own folder. */
function repositoryOf(root: string): Readonly<Record<string, string>> {
  const states = Object.entries(fileStates(root));
  return Object.fromEntries(states.filter(([path]) => !path.startsWith('.leasehold')));
}

describe('a disk that refuses', () => {
  test('a full one leaves the tree as it was, and exit status 74', async () => {
    const root = exampleLeases();
    const before = repositoryOf(root);
    const script = 'trap "" XFSZ; ulimit -f 1; exec "$0" "$@"';
    const args = ['-c', script, process.execPath, program.cli, 'synth', ...today];
    const { status, out, err } = await runProcess('/bin/sh', args, { cwd: root });
    expect([status, out]).toEqual([74, '']);
    expect(err).toMatch(/^leasehold: nothing was written: EFBIG[^\n]*\n$/);
    expect(repositoryOf(root)).toEqual(before);
  });

  test('the next run on a disk with room writes everything', async () => {
    const root = exampleLeases();
    const script = 'trap "" XFSZ; ulimit -f 1; exec "$0" "$@"';
    await runProcess('/bin/sh', ['-c', script, process.execPath, program.cli, 'synth', ...today], {
      cwd: root,
    });
    expect((await leasehold(['synth', ...today], root)).status).toBe(0);
    expect((await leasehold(['check'], root)).status).toBe(0);
  });
});

describe('a process that may open few files', () => {
  const limited = (count: number, args: readonly string[], cwd: string) =>
    runProcess('/bin/sh', ['-c', `ulimit -n ${count}; exec "$0" "$@"`, process.execPath, ...args], {
      cwd,
    });

  const limits = [18, 20, 22, 24, 28, 32, 40, 64];
  test.each(inScope(limits, (count) => [20, 24, 32].includes(count)))(
    '%i ends as it should, or in 74 with a sentence',
    async (count) => {
      const root = exampleLeases();
      // With too few of them Node itself does not start, or cannot open a program.
      const empty = join(root, 'empty.mjs');
      writeFileSync(empty, '');
      if ((await limited(count, [empty], root)).status !== 0) return;
      for (const argv of [['--help'], ['list'], ['synth', ...today], ['explain', 'STALE']]) {
        const { status, out, err } = await limited(count, [program.cli, ...argv], root);
        if (status === 0) continue;
        const sentence =
          /^leasehold: (?:[^\n]*EMFILE: too many open files[^\n]*|spawn git EMFILE)\n$/;
        expect([argv, status, out, err]).toEqual([argv, 74, '', expect.stringMatching(sentence)]);
        expect(err).not.toContain(root);
      }
    },
  );
});

test('a folder that is gone ends in 74 with a sentence', async () => {
  const root = exampleLeases();
  const script = 'mkdir gone; cd gone; rmdir ../gone; exec "$0" "$@"';
  const args = ['-c', script, process.execPath, program.cli, 'list'];
  const { status, out, err } = await runProcess('/bin/sh', args, { cwd: root });
  expect([status, out]).toEqual([74, '']);
  expect(err).toBe('leasehold: the current folder does not exist\n');
});

describe('output to a closed pipe', () => {
  test.each(['list -o json', 'explain', '--help'])('%s ends without a word', async (line) => {
    const child = spawn(process.execPath, [program.cli, ...line.split(' ')], { cwd: example() });
    child.stdout.destroy();
    let err = '';
    child.stderr.on('data', (part) => {
      err += part;
    });
    const status = await new Promise((resolve) => child.on('close', resolve));
    expect([status, err]).toEqual([0, '']);
  });

  test.skipIf(process.platform !== 'linux')('a full device is exit status 74', async () => {
    const script = 'exec "$0" "$@" > /dev/full';
    const args = ['-c', script, process.execPath, program.cli, 'explain'];
    const { status, err } = await runProcess('/bin/sh', args, { cwd: '.' });
    expect(status).toBe(74);
    expect(err).toMatch(/^leasehold: the output cannot be written: ENOSPC[^\n]*\n$/);
  });
});

describe('two runs at once', () => {
  test('write what one would, one after the other', async () => {
    const alone = exampleLeases();
    await leasehold(['synth', ...today], alone);
    const root = exampleLeases();
    const runs = await Promise.all([1, 2, 3].map(() => leasehold(['synth', ...today], root)));
    expect(runs.map(({ status, err }) => [status, err])).toEqual(Array(3).fill([0, '']));
    expect(runs.filter(({ out }) => out.includes('6 allocated'))).toHaveLength(1);
    expect(repositoryOf(root)).toEqual(repositoryOf(alone));
  });
});
