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

  test('pools -o wide has every range', async () => {
    const text = await printedAt(width, ['pools', '-o', 'wide'], await tree(), { NO_COLOR: '1' });
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
    'nothing is leased yet; `leasehold add` declares a lease, Service or reservation\n',
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

/** Thirty leases of one endpoint each: dual-stack ones, one with a hundred ports, and a long Service. */
async function largeTree(): Promise<string> {
  const front = { name: 'front', service: 'web', port: 8080, externalPort: 80 };
  const many = Array.from({ length: 100 }, (_, port) => ({
    ...front,
    port: 1,
    externalPort: 9000 + port,
  }));
  const dual = { ...front, ipFamily: 'dual' };
  const leases = Array.from({ length: 30 }, (_, index) => {
    const endpoints = index === 4 ? many : [index % 3 === 0 ? dual : front];
    return [`leases/${index}.yaml`, leaseText(`owner${index}`, 1000 + index, endpoints)];
  });
  const service = `apiVersion: v1
kind: Service
metadata: { name: checkout-frontend-of-the-new-shop, namespace: shop-production-in-frankfurt }
spec: { type: LoadBalancer, selector: { app: a }, ports: [{ port: 53, protocol: UDP, name: a }, { port: 53, name: b }] }
`;
  const root = tempTree({
    'leases/pools.yaml': poolsText(`provider: akash1hwmenz63dp59uve5ytea09suwgr47y3rn9902y
defaultZone: inet
pools:
  - { name: front, zone: inet, addresses: [203.0.113.0/26, '2001:db8::/64'] }
  - { name: backyard, zone: lab, addresses: [10.0.0.0/12] }
`),
    ...Object.fromEntries(leases),
    'leases/shop.yaml': service,
  });
  const { status, out, err } = await runInProcess(['synth', '--today', '2026-11-20'], root);
  if (status !== 0) throw new Error(`${out}${err}`);
  return root;
}

test('thirty leases are about thirty rows, whatever one row holds, and a table from 60 columns on', async () => {
  const root = await largeTree();
  for (const width of [60, 80, 100, 120, 160]) {
    const text = await printedAt(width, ['list'], root, { NO_COLOR: '1' });
    const lines = text.trimEnd().split('\n');
    expect(lines.filter(({ length }) => length > width)).toEqual([]);
    expect(lines[0]).toMatch(/^ADDRESS +(?:POOL +)?(?:ZONE +)?(?:PORTS +)?HOLDER$/);
    if (width === 60) continue;
    expect(lines[0]).toContain('PORTS');
    // The title, 31 holders, ten second addresses, and the parts of one name and of one list of ports.
    expect(lines.length).toBeLessThanOrEqual(1 + 31 + 10 + 5);
    expect(text).toContain('9000-9099/TCP');
  }
  const piped = await runInProcess(['list'], root);
  expect(piped.out).toContain('9000/TCP,9001/TCP,9002/TCP');
  expect(piped.out.trimEnd().split('\n')).toHaveLength(32);
}, 60_000);

test('what a list shows of a holder can be given back', async () => {
  const root = await largeTree();
  const text = await printedAt(80, ['list'], root, { NO_COLOR: '1' });
  const shown = text.match(/akash\/akash1\S+|service\/\S+\s+\S+$/gm) ?? [];
  expect(shown.length).toBeGreaterThanOrEqual(30);
  expect(shown.filter((name) => name.includes('…')).length).toBeGreaterThanOrEqual(30);
  for (const name of [
    ...shown.slice(0, 3),
    'service/shop-production-in-frankfurt/checkout-frontend-of-the-new-shop',
  ]) {
    for (const typed of [name, name.replace('…', '...')]) {
      for (const command of [['who'], ['move', '--today', '2026-11-20']]) {
        const { status, out } = await runInProcess([...command, typed], root);
        expect([command[0], typed, status === 0 ? 'taken' : out]).toEqual([
          command[0],
          typed,
          'taken',
        ]);
      }
    }
    const { status } = await runInProcess(['release', name, '--today', '2026-11-20'], root);
    expect(['release', name, status]).toEqual(['release', name, 0]);
  }
  const owner = (shown[5] ?? '').replace(/^akash\/(\S+)-ip-front$/, '$1');
  const { status, out } = await runInProcess(['list', '--owner', owner], root);
  expect([status, out.trimEnd().split('\n').length]).toEqual([0, 2]);
  expect((await runInProcess(['capacity', '--owner', owner], root)).status).toBe(0);
  const none = await runInProcess(['list', '--owner', 'akash1qqqq…qqqqq'], root);
  expect([none.status, none.err]).toEqual([
    64,
    'leasehold: no holder has the account akash1qqqq…qqqqq\n',
  ]);
}, 60_000);

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
