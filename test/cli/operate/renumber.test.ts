// @module-tag slow

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { accountOf } from '../../support/declarations/lease-text.ts';
import { remade } from '../../support/repositories/cached-repository.ts';
import { type LeaseCheckout, leaseCheckout } from '../../support/repositories/lease-checkout.ts';
import { emptyRepository, init, leasehold } from '../../support/run/init-run.ts';
import { content, filesOf } from '../../support/trees/temp-tree.ts';

const day = '2026-01-10';
const [oldBlock, newBlock] = ['203.0.113.0/28', '198.51.100.0/28'] as const;

const service = (name: string, annotations = '') => `apiVersion: v1
kind: Service
metadata: { name: ${name}, namespace: shop, annotations: { ${annotations} } }
spec: { type: LoadBalancer, selector: { app: web }, ports: [{ port: ${name.length} }] }
`;

const dual = 'ipam.vitistack.io/ip-family: dual';
const declared = {
  'leases/shop/a.yaml': service('a'),
  'leases/shop/pin.yaml': service('pin', 'ipam.vitistack.io/addresses: 203.0.113.7'),
  'leases/shop/both.yaml': service('both', dual),
  'leases/shop/six.yaml': service('six', 'ipam.vitistack.io/ip-family: ipv6'),
  // Two Services that share an address.
  'leases/shop/m.yaml': service('m', 'ipam.vitistack.io/allow-local-shared-ip: mail'),
  'leases/shop/mx.yaml': service('mx', 'ipam.vitistack.io/allow-local-shared-ip: mail'),
};

/** The repository of `init` with these leases on its first commits; a branch is checked out. */
function begin(layout: string, pools: readonly string[], leases: Record<string, string>) {
  return remade(JSON.stringify([layout, pools, leases]), async () => {
    const root = emptyRepository();
    const options = ['--for', 'platform', '--layout', layout, '--forge', 'github'];
    const people = ['--reviewer', '@acme/network', '--leasehold', leasehold];
    const words = pools.flatMap((pool) => ['--pool', pool]);
    expect(await init(root, ...options, ...people, ...words)).toMatchObject({ status: 0 });
    rmSync(join(root, '.git'), { recursive: true });
    const checkout = await leaseCheckout({ ...filesOf(content(root)), ...leases });
    checkout.repository.git('checkout', '-q', '-b', 'renumber');
    return checkout;
  });
}

/** The held addresses by holder, IPv4 first. */
async function heldIn(checkout: LeaseCheckout): Promise<Readonly<Record<string, string[]>>> {
  const { items } = JSON.parse((await checkout.run('list', '-o', 'json')).out);
  return Object.fromEntries(
    items
      .filter(({ state }: { state: string }) => state === 'held')
      .map((item: { holder: string; addresses: string[] }) => [item.holder, item.addresses]),
  );
}

/** Commits the move, which the required check of its pull request accepts. */
async function accepted(checkout: LeaseCheckout): Promise<void> {
  checkout.commit(day, 'Renumber');
  expect(await checkout.run('check', '--base', 'main')).toMatchObject({ status: 0 });
  const { status, out } = await checkout.run('plan', '--base', 'main', '-o', 'json');
  expect([status, JSON.parse(out).problems]).toEqual([0, []]);
}

const both = ['203.0.113.0/28,2001:db8::/120'].map((addresses) => `default=${addresses}`);

it('moves the old block in a pool of its own, and no IPv6 address, in the steps of the docs', async () => {
  const checkout = await begin('pool', both, declared);
  const before = await heldIn(checkout);
  checkout.edit('leases/pools.yaml', oldBlock, newBlock);
  const { status, out, err } = await checkout.run('move', oldBlock, '--today', day);
  expect([status, err]).toEqual([0, '']);
  expect(out.match(/ -> /g)).toHaveLength(4);
  const after = await heldIn(checkout);
  expect(Object.keys(after)).toEqual(Object.keys(before));
  for (const [holder, addresses] of Object.entries(before)) {
    const moved = addresses.map((one) =>
      one.includes(':') ? one : expect.stringMatching(/^198\.51/),
    );
    expect([holder, after[holder]]).toEqual([holder, moved]);
  }
  await accepted(checkout);
});

it('keeps the host part of each moved address, in a shorter or an equal block', async () => {
  const checkout = await begin('pool', both, declared);
  const before = await heldIn(checkout);
  checkout.edit('leases/pools.yaml', oldBlock, '198.51.100.64/26');
  checkout.edit('leases/pools.yaml', '2001:db8::/120', '2001:db8:1::/120');
  const blocks = ['--keep-host', '198.51.100.64/26', '--keep-host', '2001:db8:1::/120'];
  const words = ['move', oldBlock, '2001:db8::/120', ...blocks, '--today', day];
  const { status, err } = await checkout.run(...words);
  expect([status, err]).toEqual([0, '']);
  const kept = (address: string) =>
    address.includes(':')
      ? address.replace('2001:db8::', '2001:db8:1::')
      : address.replace(/^203\.0\.113\.(\d+)$/, (_, host) => `198.51.100.${64 + Number(host)}`);
  const wanted = Object.entries(before).map(([holder, own]) => [holder, own.map(kept)]);
  expect(Object.entries(await heldIn(checkout))).toEqual(wanted);
  await accepted(checkout);
  const again = await checkout.run('move', '198.51.100.64/26', ...blocks, '--today', day);
  expect([again.status, again.err]).toEqual([64, expect.stringContaining('nothing to move')]);
});

it('keeps the host part of one family, and the other address where it is', async () => {
  const checkout = await begin('pool', both, declared);
  const before = await heldIn(checkout);
  checkout.edit('leases/pools.yaml', oldBlock, newBlock);
  const small = ['move', oldBlock, '--keep-host', '198.51.100.0/29', '--today', day];
  expect(await checkout.run(...small)).toMatchObject({
    status: 64,
    err: expect.stringContaining('not all host parts fit into it'),
  });
  const { status } = await checkout.run('move', oldBlock, '--keep-host', newBlock, '--today', day);
  expect(status).toBe(0);
  const wanted = Object.entries(before).map(([holder, own]) => [
    holder,
    own.map((address) => address.replace('203.0.113', '198.51.100')),
  ]);
  expect(Object.entries(await heldIn(checkout))).toEqual(wanted);
  await accepted(checkout);
});

it.each([
  [['--keep-host', newBlock, '--to', '198.51.100.1'], 'give one of them'],
  [['--keep-host', '198.51.100.1'], 'It is not a CIDR block.'],
  [['--keep-host', '198.51.100.1/28'], 'host bits'],
  [['--keep-host', newBlock, '--keep-host', '192.0.2.0/28'], 'Only one block of a family'],
  [['--keep-host', newBlock, '--to-lease', `${accountOf('ann')}/1/1/1`], '--keep-host, --pool'],
])('move shop/a %j is refused', async (options, reason) => {
  const checkout = await begin('pool', both, declared);
  const { status, err } = await checkout.run('move', 'shop/a', ...options);
  expect([status, err]).toEqual([64, expect.stringContaining(reason)]);
});

it('with layout lease takes both addresses of a dual-stack holder, once that is asked for', async () => {
  const checkout = await begin('lease', both, declared);
  checkout.edit('leases/pools.yaml', oldBlock, newBlock);
  const refused = await checkout.run('move', oldBlock, '--today', day);
  expect(refused).toMatchObject({ status: 1, out: expect.stringMatching(/^\S+ MOVE_REFUSED /) });
  expect(refused.out).toContain('name both addresses of the holder');
  expect(checkout.repository.git('status', '--short')).toBe(' M leases/pools.yaml\n');
  const { status, out } = await checkout.run('move', oldBlock, '--family', 'both', '--today', day);
  expect([status, out.match(/ -> .*/g)?.length]).toEqual([0, 5]);
  await accepted(checkout);
});

it.each(['pool', 'lease'])(
  'with layout %s moves single-stack holders as the docs say',
  async (layout) => {
    const { 'leases/shop/both.yaml': _, ...single } = declared;
    const checkout = await begin(layout, both, single);
    checkout.edit('leases/pools.yaml', oldBlock, newBlock);
    expect(await checkout.run('move', oldBlock, '--today', day)).toMatchObject({ status: 0 });
    await accepted(checkout);
  },
);

it('never moves to an address of the block, and moves nothing without room elsewhere', async () => {
  const checkout = await begin('pool', both, declared);
  const whole = await checkout.run('move', '203.0.113.0/24', '--today', day);
  expect(whole.status).toBe(1);
  expect(whole.out.match(/POOL_EXHAUSTED .*, 16 in the moved ranges$/gm)).toHaveLength(4);
  expect(checkout.repository.git('status', '--short')).toBe('');
  const half = await checkout.run('move', '203.0.113.0-203.0.113.11', '--today', day);
  expect(half.status).toBe(0);
  const left = Object.values(await heldIn(checkout)).flat();
  expect(left.filter((one) => /\.(?:\d|10|11)$/.test(one))).toEqual([]);
  await accepted(checkout);
});

it('moves a few at a time to a new pool, each with both addresses, while the old one drains', async () => {
  const pools = [...both, 'next=198.51.100.0/28,2001:db8:1::/120'];
  const leases = {
    'leases/shop/both.yaml': service('both', `${dual}, ipam.vitistack.io/zone: default`),
  };
  const checkout = await begin('pool', pools, leases);
  const [[holder = '', [four = '', six = ''] = []] = []] = Object.entries(await heldIn(checkout));
  const [from, to] = four.startsWith('203.') ? ['default', 'next'] : ['next', 'default'];
  checkout.edit('leases/pools.yaml', `name: ${from}\n`, `name: ${from}\n    state: draining\n`);
  for (const words of [[four], [six], [four, '--pool', to]]) {
    const { status, out } = await checkout.run('move', ...words, '--today', day);
    expect([words, status, out]).toEqual([words, 1, expect.stringContaining('with --family both')]);
  }
  const moved = await checkout.run('move', four, '--family', 'both', '--pool', to, '--today', day);
  expect(moved.status).toBe(0);
  expect((await heldIn(checkout))[holder]?.filter((one) => [four, six].includes(one))).toEqual([]);
  await accepted(checkout);
});

it('takes an address alone, and its holder with both', async () => {
  const checkout = await begin('pool', both, declared);
  const holder = 'default/service/shop/both';
  const [four = '', six = ''] = (await heldIn(checkout))[holder] ?? [];
  for (const [words, reason] of [
    [[four, '--family', 'ipv6'], `the ipv6 address of ${holder} is not named`],
    [[four, '--to', '2001:db8::9'], `the ipv6 address of ${holder} is not named`],
    [['203.0.113.7', '--family', 'both', '--to', '2001:db8::9'], 'has no ipv6 address to move to'],
  ] as const) {
    const { status, err } = await checkout.run('move', ...words, '--today', day);
    expect([status, err]).toEqual([64, expect.stringContaining(reason)]);
  }
  const movedBy = async (...words: readonly string[]): Promise<readonly string[]> => {
    const { out } = await checkout.run('move', ...words, '--today', day, '-o', 'json');
    const { moved } = JSON.parse(out) as { moved: { from: string }[] };
    checkout.repository.git('checkout', '-q', '.');
    checkout.repository.git('clean', '-qfd');
    return moved.map(({ from }) => from);
  };
  expect(await movedBy(four)).toEqual([four]);
  expect(await movedBy(`${six}-${six}`, '--family', 'ipv6')).toEqual([six]);
  expect(await movedBy(four, '--family', 'both')).toEqual([four, six]);
  expect(await movedBy(six, holder)).toEqual([four, six]);
});

it.each([
  ['as the refusal says', undefined, []],
  ['as the check says', undefined, [], ['check', '--base', 'main']],
  ['with the host parts', ['move', newBlock, '--keep-host', oldBlock], []],
  ['as the refusal says, beside a pin of later', undefined, ['late']],
  ['as the refusal says, also a holder with a pin of later', undefined, ['a']],
] as [string, readonly string[] | undefined, readonly string[], (readonly string[])?][])(
  'gives all their addresses back when it is reverted, %s',
  async (_, words, pins, says = ['synth']) => {
    const checkout = await begin('pool', both, declared);
    const { git, on } = checkout.repository;
    const before = await heldIn(checkout);
    const land = async (branch: string): Promise<string> => {
      git('checkout', '-q', 'main');
      on(day).git('merge', '-q', '--no-ff', '-m', branch, branch);
      return git('rev-parse', 'HEAD').trim();
    };
    checkout.edit('leases/pools.yaml', oldBlock, newBlock);
    await checkout.run('move', oldBlock, '--keep-host', newBlock, '--today', day);
    await accepted(checkout);
    const landed = await land('renumber');
    for (const name of pins) {
      git('checkout', '-q', '-b', 'later');
      const [own = '198.51.100.9'] = (await heldIn(checkout))[`default/service/shop/${name}`] ?? [];
      checkout.put(
        `leases/shop/${name}.yaml`,
        service(name, `ipam.vitistack.io/addresses: ${own}`),
      );
      await checkout.synth(day, 'A pin');
      await land('later');
    }
    git('checkout', '-q', '-b', 'undo');
    on(day).git('revert', '--no-edit', '-m', '1', landed);
    const refused = await checkout.run(...says, '--today', day);
    expect(refused.status).toBe(1);
    expect(refused.out.replace(/if this is intended.*/, '')).not.toContain('leasehold synth');
    const [, printed = ''] = /`leasehold (move [^`]+)`/.exec(refused.out) ?? [];
    const moved = await checkout.run(...(words ?? printed.split(' ')), '--today', day);
    expect(moved).toMatchObject({ status: 0 });
    expect(moved.out).toContain('-> 203.0.113.7  default/service/shop/pin\n  cut: ');
    const { 'default/service/shop/late': late, ...others } = await heldIn(checkout);
    expect(others).toEqual(before);
    expect(late === undefined).toBe(!pins.some((name) => name === 'late'));
    await accepted(checkout);
  },
);
