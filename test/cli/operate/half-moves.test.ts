// @module-tag slow
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { leaseText } from '../../support/declarations/lease-text.ts';
import { defaultPoolText } from '../../support/declarations/pools-text.ts';
import { remade } from '../../support/repositories/cached-repository.ts';
import { found, pinned, web } from '../../support/repositories/checked-branches.ts';
import {
  type LeaseCheckout,
  leaseCheckout,
  recordOf,
} from '../../support/repositories/lease-checkout.ts';
import { withoutQuotes } from '../../support/run/source-quotes.ts';

const [oldBlock, newBlock] = ['203.0.113.0/28', '198.51.100.0/28'] as const;
const day = '2026-01-06';

/** `ann` pins .1, `bob` .2, `cat` has any address. A branch is checked out. */
function begin(): Promise<LeaseCheckout> {
  return remade('half moves', async () => {
    const checkout = await leaseCheckout({
      'leases/pools.yaml': defaultPoolText(oldBlock),
      'leases/ann.yaml': leaseText('ann', 1, [pinned(1)]),
      'leases/bob.yaml': leaseText('bob', 2, [pinned(2)]),
      'leases/cat.yaml': leaseText('cat', 3, [web]),
    });
    checkout.repository.git('checkout', '-q', '-b', 'change');
    return checkout;
  });
}

/** A branch that renumbers all, of whose files only these are committed. */
async function renumbered(...committed: readonly string[]): Promise<LeaseCheckout> {
  const checkout = await begin();
  const { git } = checkout.repository;
  checkout.put('leases/pools.yaml', defaultPoolText(newBlock));
  expect(await checkout.run('move', oldBlock, '--today', day)).toMatchObject({ status: 0 });
  git('add', ...committed);
  git('commit', '-q', '-m', 'Half');
  git('stash', '-q', '-u');
  return checkout;
}

/** Runs the move that the hints of a command print, and commits. */
async function followed(checkout: LeaseCheckout, ...argv: readonly string[]): Promise<string> {
  const { out } = await checkout.run(...argv);
  const [, addresses = ''] = out.match(/leasehold move ([\d. ]*\d)/) ?? [];
  const words = addresses.split(' ');
  const run = await checkout.run('move', ...words, '--base', 'main', '--today', day);
  expect(run).toMatchObject({ status: 0 });
  checkout.commit(day);
  expect(await found(checkout)).toEqual([]);
  return run.out;
}

const check = ['check', '--base', 'main'] as const;
const pins = ['leases/ann.yaml', 'leases/bob.yaml', 'leases/cat.yaml'] as const;

describe('a renumbering of which half is committed', () => {
  it.each([
    ['the pool file', [...pins, 'leases/allocations', 'dist']],
    ['the pins', ['leases/allocations', 'dist']],
    ['the records', ['leases/pools.yaml', ...pins, 'dist']],
  ])('without %s ends in green by the hint', async (_, committed) => {
    await followed(await renumbered(...committed), ...check);
  });

  it('without the pool file goes back to what the target has, or on with the pool file', async () => {
    const checkout = await renumbered(...pins, 'leases/allocations', 'dist');
    const { out } = await checkout.run(...check);
    expect(out).toMatch(
      /hint: undo the change or commit leases\/pools.yaml with the pool of 198\S+ if that was left out/,
    );
    expect(await followed(checkout, ...check)).toContain('-> 203.0.113.1 ');
    expect(checkout.read('leases/ann.yaml')).toContain('address: 203.0.113.1 ');
    checkout.repository.git('reset', '-q', '--hard', 'HEAD~1');
    checkout.put('leases/pools.yaml', defaultPoolText(newBlock));
    checkout.commit(day);
    expect(await found(checkout)).toEqual([]);
  });

  it.each([
    ['only the manifests', ['dist']],
    ['pins and manifests', ['leases/pools.yaml', ...pins, 'dist']],
  ])('has one line for each manifest with %s', async (_, committed) => {
    const checkout = await renumbered(...committed);
    const { out } = await checkout.run(...check);
    const lost = out.match(/^dist\/\S+ ALLOCATION_LOST the committed manifest has \S+/gm) ?? [];
    expect(new Set(lost).size).toBe(lost.length);
    expect(lost.every((line) => line.includes(' has 198.'))).toBe(true);
  });

  it('without the new record has one line for the manifest, and ends by the synth of its hint', async () => {
    const checkout = await begin();
    const cat = /203\S+ +held .*ip-front/g;
    const held = (await checkout.run('list')).out.match(cat)?.map((line) => line.split(' ')[0]);
    const own = held?.find((one) => !['203.0.113.1', '203.0.113.2'].includes(`${one}`)) ?? '';
    await checkout.run('move', own, '--to', '203.0.113.9', '--today', day);
    checkout.put(recordOf('203.0.113.9'), '');
    checkout.commit(day);
    const { out } = await checkout.run(...check);
    expect(out.match(/ ALLOCATION_LOST the /g)).toHaveLength(1);
    expect(out).toContain(`has 203.0.113.9 for the Service`);
    expect(out).toContain('run `leasehold synth --base main` and commit');
    expect(await checkout.run('synth', '--base', 'main', '--today', day)).toMatchObject({
      status: 0,
    });
    checkout.commit(day);
    expect(await found(checkout)).toEqual([]);
  });

  it('says of a pin in no pool what a move to it needs', async () => {
    const checkout = await renumbered(...pins, 'leases/allocations', 'dist');
    const { out } = await checkout.run('synth', '--base', 'main', '--today', day);
    expect(withoutQuotes(out)).toMatch(
      /PIN_MOVED .*\n.*\n {2}hint: to keep .*; or add 198\S+ to a pool and commit leases\/pools.yaml, then run `leasehold synth`$/m,
    );
  });
});

it('two pins that are edited by hand take one move of both', async () => {
  const checkout = await begin();
  checkout.put('leases/ann.yaml', leaseText('ann', 1, [pinned(8)]));
  checkout.put('leases/bob.yaml', leaseText('bob', 2, [pinned(9)]));
  const out = await followed(checkout, 'synth', '--base', 'main', '--today', day);
  expect(out).toContain('203.0.113.1 -> 203.0.113.8 ');
  expect(out).toContain('203.0.113.2 -> 203.0.113.9 ');
});

it('the revert of a move that has landed is undone by the move of its hint', async () => {
  const checkout = await begin();
  const { git } = checkout.repository;
  const files = git('ls-files', 'leases/allocations').trim().split('\n');
  const cat = files.find((file) => !/\.113\.[12]\.yaml$/.test(file)) ?? '';
  const address = basename(cat, '.yaml');
  expect(await checkout.run('move', address, '--today', day)).toMatchObject({ status: 0 });
  checkout.commit(day);
  git('checkout', '-q', '-B', 'main');
  git('checkout', '-q', '-b', 'back');
  git('revert', '--no-edit', 'HEAD');
  const { out } = await checkout.run(...check);
  const [, synth, from, to] =
    /run `(leasehold synth --base main)` and .*; then `leasehold move (\S+) --to (\S+)` undoes the move/.exec(
      out,
    ) ?? [];
  expect([synth, to]).toEqual(['leasehold synth --base main', address]);
  expect(await checkout.run('synth', '--base', 'main', '--today', day)).toMatchObject({
    status: 0,
    out: expect.stringContaining(`to move it back, run \`leasehold move ${from} --to ${address}\``),
  });
  checkout.commit(day);
  const move = ['move', from ?? '', '--to', to ?? '', '--base', 'main', '--today', day];
  expect(await checkout.run(...move)).toMatchObject({ status: 0 });
  checkout.commit(day);
  expect(await found(checkout)).toEqual([]);
  expect(checkout.read(cat)).not.toContain('released');
});
