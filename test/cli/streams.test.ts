import { describe, expect, test } from 'vitest';
import { run } from '../../src/core/cli/run.ts';
import type { Day } from '../../src/core/model/day.ts';
import { features } from '../../src/features.ts';
import { runInProcess } from '../support/run/run-in-process.ts';
import { example, exampleLeases } from '../support/trees/example.ts';
import { putFile } from '../support/trees/temp-tree.ts';

/** An example whose pool file has a problem, with files that are not what a command expects. */
function broken(): string {
  const root = example();
  putFile(root, 'leases/pools.yaml', 'kind: Pools\n');
  putFile(root, 'plan.json', '{}');
  putFile(root, 'values.yaml', 'ipoperator: perhaps\n');
  return root;
}

const problem = /^\S+:\d+:\d+ [A-Z_]+ /;

describe('standard output', () => {
  test.each([['synth'], ['check'], ['list'], ['list -o wide'], ['who 192.0.2.1'], ['pin x']])(
    'of %s has the problems in place of the result',
    async (line) => {
      const { status, out, err } = await runInProcess(line.split(' '), broken());
      expect([status, out, err]).toEqual([1, expect.stringMatching(problem), '']);
    },
  );

  test('has the summary of a run', async () => {
    const { status, out, err } = await runInProcess(['synth'], exampleLeases());
    expect([status, out, err]).toEqual([0, expect.stringMatching(/^\+ .*\n6 allocated; /s), '']);
  });

  test('has the reason why there is no answer', async () => {
    const { status, out, err } = await runInProcess(['who', 'nobody'], example());
    expect([status, out, err]).toEqual([1, expect.stringMatching(/^nothing has the name /), '']);
  });

  test.each([
    ['list -o csv'],
    ['list -o values'],
    ['map default -o csv'],
    ['report'],
    ['codeowners'],
    ['bootstrap namespace'],
    ['bootstrap provider values.yaml'],
    ['gitops flux --repo https://git.example.com/leases.git'],
    ['plan --from plan.json -o markdown'],
  ])('of %s is for a file, so problems are on standard error', async (line) => {
    const { status, out, err } = await runInProcess(line.split(' '), broken());
    expect([status, out, err]).toEqual([
      1,
      '',
      expect.stringMatching(/^(?:\S+:\d+:\d+|the plan) /m),
    ]);
  });

  test.each([
    ['check -o json', problem],
    ['synth -o yaml', problem],
    ['who 192.0.2.1 -o json', problem],
    ['plan --from plan.json -o json', /^the plan is invalid at /],
  ])('of %s has a document about the failure and nothing else', async (line, said) => {
    const { status, out, err } = await runInProcess(line.split(' '), broken());
    expect([status, err]).toEqual([1, expect.stringMatching(said)]);
    expect(JSON.parse(out)).toMatchObject({ kind: 'Failure', status: 1 });
  });

  test('of a run with -o json has its document, which replaces the summary', async () => {
    const { status, out, err } = await runInProcess(['synth', '-o', 'json'], exampleLeases());
    expect([status, JSON.parse(out).kind, err]).toEqual([0, 'Run', '']);
  });

  test('of an edit with -o json has its document; the summary of its run is beside it', async () => {
    const line = ['move', '144.217.30.196', '--no-base', '-o', 'json'];
    const { status, out, err } = await runInProcess(line, example());
    expect([status, JSON.parse(out).kind]).toEqual([0, 'Move']);
    expect(err).toMatch(/1 allocated, 1 released/);
  });

  test.each([
    [['pools', 'nope'], 64],
    [['list', '--nope'], 64],
    [['history', '192.0.2.1'], 74],
  ])(
    'of %j is empty: wrong usage and failures of the machine are on standard error',
    async (line, wanted) => {
      const { status, out, err } = await runInProcess(line, example());
      expect([status, out, err]).toEqual([wanted, '', expect.stringMatching(/\w\n$/)]);
    },
  );
});

describe('colours', () => {
  test.each([
    ['check', { terminal: true }, { out: true, err: false }],
    ['check', { terminal: false }, { out: false, err: false }],
    ['check', { terminal: true, env: { NO_COLOR: '1' } }, { out: false, err: false }],
    ['check', { terminal: true, env: { TERM: 'dumb' } }, { out: false, err: false }],
    ['check -o json', { terminal: false }, { out: false, err: true }],
    ['plan --from plan.json', { terminal: false }, { out: false, err: false }],
  ])('of %s with %j are those of the stream that the text goes to', async (line, given, wanted) => {
    const text = { out: '', err: '' };
    await run(line.split(' '), features, {
      out: (part) => {
        text.out += part;
      },
      err: (part) => {
        text.err += part;
      },
      color: true,
      today: () => '2026-11-20' as Day,
      env: {},
      cwd: broken(),
      ...given,
    });
    const isColored = (part: string) => part.includes('\u001b[');
    expect({ out: isColored(text.out), err: isColored(text.err) }).toEqual(wanted);
  });
});
