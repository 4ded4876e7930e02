// @module-tag slow
import { describe, expect, it } from 'vitest';
import { leaseText } from '../../support/declarations/lease-text.ts';
import { providerPoolsText } from '../../support/declarations/pools-text.ts';
import { remade } from '../../support/repositories/cached-repository.ts';
import { begin, found, pinned, web } from '../../support/repositories/checked-branches.ts';
import {
  type LeaseCheckout,
  leaseCheckout,
  recordOf,
} from '../../support/repositories/lease-checkout.ts';

const status = ({ repository }: LeaseCheckout): string => repository.git('status', '--short');

/** A pool of three addresses: `ann` has .1, `bob` .2. The branch `change` ends the lease of `ann`. */
function ended(): Promise<LeaseCheckout> {
  return remade('a release that has not landed', async () => {
    const checkout = await leaseCheckout({
      'leases/pools.yaml': providerPoolsText(`pools:
  - { name: default, zone: inet, addresses: [203.0.113.1-203.0.113.3], retentionDays: 1 }
`),
      'leases/ann.yaml': leaseText('ann', 1, [pinned(1)]),
      'leases/bob.yaml': leaseText('bob', 2, [web]),
    });
    checkout.repository.git('checkout', '-q', '-b', 'change');
    checkout.put('leases/ann.yaml', '');
    await checkout.synth('2026-01-06');
    return checkout;
  });
}

describe('a retention that is over on a branch, and has not begun on its target', () => {
  it('lets prune keep the record of what the target holds', async () => {
    const checkout = await begin();
    await checkout.run('move', '203.0.113.2', '--to', '203.0.113.9', '--today', '2026-01-06');
    checkout.commit('2026-01-06');
    const { out } = await checkout.run('prune', '--today', '2026-02-01');
    expect(out).toContain('203.0.113.3');
    expect(status(checkout)).toBe(`D  ${recordOf('203.0.113.3')}\n`);
    checkout.commit('2026-02-01');
    expect(await found(checkout)).toEqual([]);
  });

  it('gives the address to nobody that is moved', async () => {
    const checkout = await ended();
    checkout.put('leases/cat.yaml', leaseText('cat', 4, [web]));
    await checkout.synth('2026-01-06');
    const [held] = ['2', '3'].filter((last) => {
      return checkout.read(recordOf(`203.0.113.${last}`)).includes('ip-front');
    });
    const moved = await checkout.run('move', `203.0.113.${held}`, '--today', '2026-01-20');
    expect([moved.status, moved.out]).toEqual([1, expect.stringContaining('POOL_EXHAUSTED')]);
    expect(status(checkout)).toBe('');
  });
});

describe('a move of a pinned address', () => {
  it('goes on when half of it was committed', async () => {
    const checkout = await begin();
    const { git } = checkout.repository;
    await checkout.run('move', '203.0.113.1', '--to', '203.0.113.9', '--today', '2026-01-06');
    git('add', 'leases/ann.yaml', recordOf('203.0.113.1'));
    git('commit', '-q', '-m', 'Half');
    git('stash', '-q', '-u');
    const run = (...argv: string[]) =>
      checkout.run(...argv, '--base', 'main', '--today', '2026-01-06');
    const { out } = await run('synth');
    const [, words = ''] = /run `leasehold (move \S+ --to [\d.]+)/.exec(out) ?? [];
    expect(await run(...words.split(' '))).toMatchObject({ status: 0 });
    checkout.commit('2026-01-06');
    expect(await found(checkout)).toEqual([]);
  });

  it('to the address that the target has pinned since takes back the one of the branch', async () => {
    const checkout = await begin();
    const { git } = checkout.repository;
    await checkout.run('move', '203.0.113.2', '--to', '203.0.113.9', '--today', '2026-01-06');
    checkout.put('leases/bob.yaml', leaseText('bob', 2, [web]));
    await checkout.synth('2026-01-06');
    git('checkout', '-q', 'main');
    checkout.put('leases/bob.yaml', leaseText('bob', 2, [web]));
    await checkout.synth('2026-01-06');
    checkout.put('leases/bob.yaml', leaseText('bob', 2, [pinned(2)]));
    await checkout.synth('2026-01-07');
    git('checkout', '-q', 'change');
    expect(await checkout.run('check', '--base', 'main')).toMatchObject({ status: 0 });
    checkout.put('leases/bob.yaml', leaseText('bob', 2, [pinned(2)]));
    const argv = ['move', '203.0.113.9', '--to', '203.0.113.2', '--base', 'main'];
    expect(await checkout.run(...argv, '--today', '2026-01-08')).toMatchObject({ status: 0 });
    checkout.commit('2026-01-08');
    expect(await found(checkout)).toEqual([]);
    expect(checkout.read(recordOf('203.0.113.2'))).not.toContain('released');
  });
});

describe('a release that has landed late', () => {
  it('is not given in a merge before its retention is over', async () => {
    const checkout = await ended();
    const { git, on, isDone } = checkout.repository;
    git('checkout', '-q', 'main');
    git('checkout', '-q', '-b', 'other');
    checkout.put('leases/cat.yaml', leaseText('cat', 4, [web]));
    await checkout.synth('2026-01-07');
    git('checkout', '-q', 'main');
    checkout.put('leases/dan.yaml', leaseText('dan', 5, [web]));
    await checkout.synth('2026-01-07');
    on('2026-02-14').git('merge', '-q', '--no-ff', '-m', 'Merge pull request #12', 'change');
    git('checkout', '-q', 'other');
    expect(isDone('merge', '-q', 'main')).toBe(false);
    const early = await checkout.run('resolve', '--today', '2026-02-14');
    expect([early.status, early.out]).toEqual([
      1,
      expect.stringContaining('wait until 2026-02-15, when a retention ends'),
    ]);
    expect(await checkout.run('resolve', '--today', '2026-02-15')).toMatchObject({ status: 0 });
    checkout.commit('2026-02-15');
    expect(checkout.read(recordOf('203.0.113.1'))).toContain('since: 2026-02-15');
    expect(await found(checkout)).toEqual([]);
  });
});

it('a move that is done has nothing to do a second time', async () => {
  const checkout = await begin();
  const command = ['move', '203.0.113.1', '--to', '203.0.113.9', '--today', '2026-01-06'];
  checkout.edit('leases/ann.yaml', '203.0.113.1', '203.0.113.9');
  expect(await checkout.run(...command)).toMatchObject({ status: 0 });
  checkout.commit('2026-01-06');
  expect(await checkout.run(...command)).toMatchObject({
    status: 64,
    err: expect.stringContaining('203.0.113.1 is not held'),
  });
  expect(status(checkout)).toBe('');
});
