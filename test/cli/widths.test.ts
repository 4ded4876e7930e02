import { describe, expect, test } from 'vitest';
import { run } from '../../src/core/cli/run.ts';
import type { Day } from '../../src/core/model/day.ts';
import { features } from '../../src/features.ts';
import { leaseText } from '../support/declarations/lease-text.ts';
import { defaultPoolText, poolsText } from '../support/declarations/pools-text.ts';
import { emptyRepository, profiles } from '../support/run/init-run.ts';
import { runInProcess } from '../support/run/run-in-process.ts';
import { putFile, tempTree } from '../support/trees/temp-tree.ts';

/** What a command prints for a person at a terminal of some width, in colours unless `env` says otherwise. */
async function printedAt(
  columns: number,
  argv: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  let printed = '';
  const status = await run(argv, features, {
    out: (text) => {
      printed += text;
    },
    err: () => undefined,
    color: true,
    terminal: true,
    columns,
    today: () => '2026-11-20' as Day,
    env,
    cwd,
  });
  if (status !== 0) throw new Error(`${argv.join(' ')} ended with ${status}`);
  return printed;
}

const escapeSign = String.fromCharCode(27);

/** A tree with a small pool of two ranges, a large one, and two leases. */
async function tree(): Promise<string> {
  const endpoint = { name: 'front', service: 'web', port: 8080, externalPort: 80 };
  const root = tempTree({
    'leases/pools.yaml': poolsText(`provider: akash1hwmenz63dp59uve5ytea09suwgr47y3rn9902y
defaultZone: inet
pools:
  - { name: front, zone: inet, addresses: [203.0.113.0/26, 198.51.100.0-198.51.100.99, '2001:db8::/64'] }
  - { name: backyard, zone: lab, addresses: [10.0.0.0/12] }
`),
    'leases/ann.yaml': leaseText('ann', 1000, [endpoint]),
    'leases/bob.yaml': leaseText('bob', 1000, [{ ...endpoint, zone: 'lab' }]),
  });
  const { status, out, err } = await runInProcess(['synth', '--today', '2026-11-20'], root);
  if (status !== 0) throw new Error(`${out}${err}`);
  return root;
}

const livePool = `apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: { name: web, namespace: metallb-system }
spec: { addresses: [192.0.2.0/28, 2001:db8::/120] }
---
apiVersion: metallb.io/v1beta1
kind: L2Advertisement
metadata: { name: web, namespace: metallb-system }
spec: { ipAddressPools: [web] }
`;

const commands: readonly (readonly string[])[] = [
  ['pools'],
  ['list'],
  ['list', '--free'],
  ['pools', '--owners'],
  ['capacity'],
  ['who', '10.0.0.0/8'],
  ['map', 'front'],
  ['map', 'backyard'],
  ['map', 'backyard', '--ascii'],
];

describe.each([40, 80, 100, 200])('at a terminal of %i characters', (width) => {
  test.each(commands.map((argv) => ({ argv })))('$argv fits', async ({ argv }) => {
    const text = await printedAt(width, argv, await tree(), { NO_COLOR: '1' });
    const long = text.split('\n').filter(({ length }) => length > width);
    // A name has no place to break, not even in a block.
    expect(long.filter((line) => !/^[A-Z][a-z]+: +\S+$/.test(line))).toEqual([]);
    expect(width < 80 ? [] : long).toEqual([]);
    expect(text).not.toContain(escapeSign);
  });

  test('import fits, with every address', async () => {
    const root = tempTree({ 'live.yaml': livePool });
    const argv = ['import', 'metallb', 'live.yaml', '--no-base'];
    const text = await printedAt(width, argv, root, { NO_COLOR: '1' });
    // The last line is the summary of the run, a sentence.
    const tables = text.split('\n').slice(0, -2);
    expect(tables.filter(({ length }) => length > width)).toEqual([]);
    for (const range of ['192.0.2.0/28', '2001:db8::/120']) expect(text).toContain(range);
  });

  test('pools has every range', async () => {
    const text = await printedAt(width, ['pools'], await tree(), { NO_COLOR: '1' });
    for (const range of [
      '203.0.113.0/26',
      '198.51.100.0-198.51.100.99',
      '2001:db8::/64',
      '10.0.0.0/12',
    ]) {
      expect(text).toContain(range);
    }
  });
});

test.each(Object.entries(profiles))(
  'the next steps of init fit 80 characters, with each command on one line: %s',
  async (_, words) => {
    const text = await printedAt(80, ['init', '--yes', ...words], emptyRepository());
    const [, steps = ''] = text.split('\nnext:\n');
    expect(steps.split('\n').filter(({ length }) => length > 80)).toEqual([]);
    expect(steps).toMatch(/^ +npx --no -- leasehold import cluster$/m);
  },
);

test.each(Object.entries(profiles))(
  'at 40 characters each command of init has a line of its own: %s',
  async (_, words) => {
    const root = emptyRepository();
    putFile(root, 'package.json', '{}\n');
    const text = await printedAt(40, ['init', '--yes', ...words], root);
    const [before = '', steps = ''] = text.split('\nnext:\n');
    expect(before).toMatch(/^ {2}--replace package\.json$/m);
    const commands = steps.split('\n').filter((line) => /^ +(?:git|kubectl|np[mx]) /.test(line));
    expect(commands).toContain('    npx --no -- leasehold import cluster');
    expect(commands).toContain('  git commit -m "Lease addresses with leasehold"');
    const others = steps.split('\n').filter((line) => !commands.includes(line));
    expect(others.filter((line) => /\b(?:git|kubectl|np[mx]) [a-z-]/.test(line))).toEqual([]);
    // A path has no place to break.
    expect(others.filter((line) => line.length > 40 && / \S+ /.test(line))).toEqual([]);
  },
);

test('an empty list is one line', async () => {
  const root = tempTree({ 'leases/pools.yaml': defaultPoolText() });
  expect(await printedAt(80, ['list'], root)).toBe(
    'nothing is leased yet; leasehold add declares a lease, Service or reservation\n',
  );
});

test('a map has as many signs in a row as there is room for', async () => {
  const root = await tree();
  const signs = async (width: number) => {
    const text = await printedAt(width, ['map', 'backyard', '--ascii'], root, { NO_COLOR: '1' });
    return text.split('\n')[1]?.replace(/^\S+ +/, '').length;
  };
  expect([await signs(40), await signs(80), await signs(100), await signs(200)]).toEqual([
    16, 64, 64, 128,
  ]);
});

test('colours come at a terminal, unless NO_COLOR is set, and tell nothing that signs do not', async () => {
  const root = await tree();
  for (const argv of [['map', 'front'], ['pools']]) {
    const colored = await printedAt(100, argv, root);
    const plain = await printedAt(100, argv, root, { NO_COLOR: '1' });
    expect(colored).toContain(escapeSign);
    expect(colored.replaceAll(new RegExp(`${escapeSign}\\[\\d+m`, 'g'), '')).toBe(plain);
  }
});

test.each([
  ['--color', {}, true],
  ['--color', { NO_COLOR: '1' }, true],
  ['--no-color', { FORCE_COLOR: '1' }, false],
  ['--no-color', {}, false],
])('%s decides with %j', async (option, env, takes) => {
  const text = await printedAt(100, ['pools', option], await tree(), env);
  expect(text.includes(escapeSign)).toBe(takes);
});

test('without a terminal nothing is shortened, drawn as a bar or coloured', async () => {
  const root = await tree();
  const { out } = await runInProcess(['pools'], root);
  expect(out).toContain('198.51.100.0-198.51.100.99,203.0.113.0/26');
  expect(out).not.toMatch(/[░█…]/);
  expect((await runInProcess(['map', 'front'], root)).out).not.toContain(escapeSign);
});
