import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { allProblemCodes, problemCodes } from '../../src/core/model/codes/problem-codes.ts';
import { cautionCodes } from '../../src/core/run/plan/caution-codes.ts';
import { findingCodes } from '../../src/features/cluster/doctor/finding-codes.ts';
import { inventoryFindings } from '../../src/features/inventory/codes.ts';
import {
  type Finished,
  runInProcess as leasehold,
  runInProcess,
} from '../support/run/run-in-process.ts';
import { example, exampleLeases } from '../support/trees/example.ts';
import { fileStates } from '../support/trees/file-states.ts';

const commands = [
  'init',
  'synth',
  'list',
  'prune',
  'explain',
  'check',
  'plan',
  'comment',
  'resolve',
  'declare',
  'purge',
  'reconcile',
  'publish',
  'key',
  'who',
  'history',
  'pools',
  'report',
  'verify-history',
  'serve',
  'doctor',
  'verify',
  'completion',
];

describe('help', () => {
  test('names every command', async () => {
    const { status, out, err } = await leasehold(['--help'], '.');
    expect(status).toBe(0);
    expect(err).toBe('');
    for (const command of commands) expect(out).toMatch(new RegExp(`^ {2}${command} `, 'm'));
  });

  test.each(commands)('%s has help of its own', async (command) => {
    const { status, out } = await leasehold([command, '--help'], '.');
    expect(status).toBe(0);
    expect(out).toMatch(new RegExp(`^Usage: leasehold ${command} `));
  });

  test('has the commands in groups, each in a line of at most 80 characters', async () => {
    const { out } = await leasehold(['--help'], '.');
    const groups = out.split('\n\n').slice(3, -1);
    expect(groups.map((group) => group.split('\n', 1)[0])).toEqual([
      'Start:',
      'Every day:',
      'Change:',
      'Ask:',
      'Cluster:',
      'Bots and CI:',
      'Help:',
    ]);
    const lines = groups.flatMap((group) => group.split('\n').slice(1));
    expect(lines.filter((line) => !/^ {2}[a-z-]+ {2,}\S/.test(line) || line.length > 80)).toEqual(
      [],
    );
  });

  test('without a command has five commands and where to read on, with exit status 64', async () => {
    const { status, out, err } = await leasehold([], '.');
    expect([status, out]).toEqual([64, '']);
    const named = [...err.matchAll(/^ {2}([a-z]+) {2}/gm)].map(([, name]) => name);
    expect(named).toEqual(['init', 'synth', 'plan', 'check', 'list']);
    expect(err).toContain('\nleasehold help ');
  });

  test.each(['add', 'bootstrap', 'export', 'gitops', 'import', 'key', 'sdl'])(
    'of the group %s has its commands on the first screen',
    async (group) => {
      const { out } = await leasehold([group, '--help'], '.');
      expect(out.split('\n').slice(0, 9).join('\n')).toContain('\nCommands:\n');
      expect(out).not.toContain('Global Options:');
    },
  );

  test('of a subcommand is shown by help too', async () => {
    const asked = await leasehold(['help', 'key', 'sign'], '.');
    expect(asked).toEqual(await leasehold(['key', 'sign', '--help'], '.'));
    expect((await leasehold(['help', 'key', 'nothing'], '.')).status).toBe(64);
  });
});

describe('a command line that does not fit', () => {
  /** Why a command line does not fit, in a line or two; nothing else may come of it. */
  function expectRefused({ status, out, err }: Finished): void {
    expect([status, out]).toEqual([64, '']);
    expect(err.trimEnd().split('\n').length).toBeLessThanOrEqual(2);
    expect(err).not.toMatch(/^\s+at /m);
  }

  test.each([
    'frobnicate',
    'synth --today 2026-02-30',
    'explain NOPE',
    'help frobnicate',
    'synth --nope',
    'synth extra',
    'synth --today',
    'synth --today tomorrow',
    'synth --today 26-1-1',
    'synth --today 9999-01-01',
    'synth --frozen --allow-release 4',
    'synth --allow-release -1',
    'synth --allow-release 1e3',
    'check --today 2026-01-01',
    'check --head HEAD',
    'check --merged HEAD',
    'check --allow-release 1',
    'plan -o pdf',
    'plan --from plan.json --base main',
    'list -o xml',
    'verify -o csv',
    'verify --timeout 30',
    'verify --timeout 0s',
    'verify --timeout 1.5m',
    'verify --timeout -5s',
    'explain toString',
  ])('is refused with exit status 64, and nothing is written: %s', async (line) => {
    const root = exampleLeases();
    const before = fileStates(root);
    expectRefused(await leasehold(line.split(' '), root));
    expect(fileStates(root)).toEqual(before);
  });

  test.each([
    ['frobnicate', 'leasehold help'],
    ['synth --nope', 'leasehold synth --help'],
    ['move', 'leasehold move --help'],
    ['key frobnicate', 'leasehold key --help'],
    ['key sign shop/web --nope', 'leasehold key sign --help'],
    ['bootstrap metallb --for nothing', 'leasehold bootstrap metallb --help'],
  ])('leads to the help of its command: %s', async (line, help) => {
    const { status, err } = await leasehold(line.split(' '), '.');
    expect(status).toBe(64);
    expect(err.trimEnd().split('\n').at(-1)).toMatch(new RegExp(`^\`${help}\` `));
  });

  test.each([
    ['snyth', 'synth'],
    ['synth --bsae main', '--base'],
    ['import netbx', 'netbox'],
    ['explain stal', 'STALE'],
    ['explain LEASE_CUTS', 'LEASE_CUT'],
    ['explain strict-arp', 'STRICT_ARP'],
  ])('leads to what was meant: %s', async (line, meant) => {
    const { err } = await leasehold(line.split(' '), '.');
    expect(err.toLowerCase()).toContain(`did you mean ${meant.toLowerCase()}?`);
  });
});

describe('today', () => {
  const recorded = (root: string): string[] =>
    Object.keys(fileStates(root))
      .filter((path) => /^leases\/allocations\/.*\.yaml$/.test(path))
      .flatMap((path) => /^since: (.*)$/m.exec(readFileSync(join(root, path), 'utf8'))?.[1] ?? []);

  test('comes from --today', async () => {
    const root = exampleLeases();
    const { status } = await leasehold(['synth', '--today', '2030-05-06'], root);
    expect(status).toBe(0);
    expect(new Set(recorded(root))).toEqual(new Set(['2030-05-06']));
  });
});

describe('the folder', () => {
  test.each([
    ['absent', 'there is no such folder'],
    ['leases/pools.yaml', 'it is a file'],
  ])('%s cannot be opened', async (folder, reason) => {
    for (const command of ['synth', 'check', 'list', 'prune']) {
      const { status, out, err } = await leasehold([command, '-C', folder], example());
      expect([command, status, out]).toEqual([command, 74, '']);
      expect(err).toBe(`leasehold: the repository cannot be opened: ${reason}\n`);
    }
  });

  test('without leases has no pool file', async () => {
    const root = exampleLeases();
    const { status, out } = await leasehold(['synth', '-C', 'leases/dune'], root);
    expect(status).toBe(1);
    expect(out).toMatch(/^leases\/dune\/leases\/pools\.yaml:1:1 FILE_MISSING /);
  });
});

describe('list', () => {
  test('as JSON fits its schema', async () => {
    const schema = JSON.parse(readFileSync('docs/schemas/list.schema.json', 'utf8'));
    const { status, out } = await leasehold(['list', '-o', 'json'], example());
    const list = JSON.parse(out);
    expect(status).toBe(0);
    const validate = new Ajv2020({ strict: false }).compile(schema);
    expect(validate(list), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...list, items: [{}] })).toBe(false);
  });

  test('prints the same data as YAML and as JSON', async () => {
    const root = example();
    const json = await leasehold(['list', '-o', 'json'], root);
    const yaml = await leasehold(['list', '-o', 'yaml'], root);
    expect(parse(yaml.out)).toEqual(JSON.parse(json.out));
  });

  test('as CSV has a line for each claim under a header', async () => {
    const root = example();
    const { items } = JSON.parse((await leasehold(['list', '-o', 'json'], root)).out);
    const { out } = await leasehold(['list', '-o', 'csv'], root);
    const claims = items.flatMap((item: { claims: unknown[] }) => item.claims);
    const lines = out.trimEnd().split('\n');
    expect(lines).toHaveLength(1 + claims.length);
    expect(new Set(lines.map((line) => line.split(',').length)).size).toBe(1);
  });

  test('as a table is the default, one line for each holder', async () => {
    const root = example();
    const { items } = JSON.parse((await leasehold(['list', '-o', 'json'], root)).out);
    const { out } = await leasehold(['list'], root);
    expect(out).toBe((await leasehold(['list', '-o', 'table'], root)).out);
    expect(out.trimEnd().split('\n')).toHaveLength(1 + items.length);
  });

  test('reports waiting holders on standard error', async () => {
    const { status, out, err } = await leasehold(['list', '-o', 'csv'], exampleLeases());
    expect(status).toBe(0);
    expect(out.trimEnd().split('\n')).toHaveLength(1);
    expect(err).toBe('5 holders have no address yet; run `leasehold synth`\n');
  });
});

describe('explain', () => {
  test('explains a code in either case', async () => {
    const { status, out } = await leasehold(['explain', 'pool_exhausted'], '.');
    expect(status).toBe(0);
    expect(out).toContain(problemCodes.POOL_EXHAUSTED.fix);
  });

  test('lists all codes without one', async () => {
    const { out } = await leasehold(['explain'], '.');
    const problems = { ...allProblemCodes(), ...cautionCodes };
    const all = { ...problems, ...findingCodes, ...inventoryFindings };
    expect(out.match(/^[A-Z_]+/gm)?.sort()).toEqual(Object.keys(all).sort());
  });
});

describe('completion', () => {
  test.each(['completion', 'completion tcsh', 'completion powershell'])(
    'is refused for a shell that it does not know: %s',
    async (line) => {
      const { status, out } = await runInProcess(line.split(' '), '.');
      expect([status, out]).toEqual([64, '']);
    },
  );
});
