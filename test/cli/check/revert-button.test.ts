// @module-tag slow

import { describe, expect, it } from 'vitest';
import { leaseText } from '../../support/declarations/lease-text.ts';
import { begin, found, mended, pinned, web } from '../../support/repositories/checked-branches.ts';
import { type LeaseCheckout, recordOf } from '../../support/repositories/lease-checkout.ts';

/** Merges the branch `change` into main as a forge does, on a day. */
function merge({ repository }: LeaseCheckout, day: string): void {
  repository.git('checkout', '-q', 'main');
  repository.on(day).git('merge', '-q', '--no-ff', '-m', 'Merge change', 'change');
}

/** What the forge's button makes on a day: a branch of main with one commit that takes back what another one did. */
function pressRevert({ repository }: LeaseCheckout, day: string, commit = 'main'): void {
  repository.git('checkout', '-q', '-b', `revert-${day}`, 'main');
  const merged = repository.git('rev-list', '--parents', '-n', '1', commit).trim().split(' ');
  const mainline = merged.length > 2 ? ['-m', '1'] : [];
  repository.on(day).git('revert', '--no-edit', ...mainline, commit);
}

const last = recordOf('203.0.113.4');

describe("the forge's button that reverts a merge", () => {
  it('releases a lease, by the command that the refusal names', async () => {
    const checkout = await begin();
    checkout.put('leases/cat.yaml', leaseText('cat', 4, [pinned(4)]));
    await checkout.synth('2026-01-10');
    merge(checkout, '2026-01-10');
    pressRevert(checkout, '2026-01-12');
    expect(await found(checkout)).toEqual([`ALLOCATION_FORGED ${last}`]);
    await mended(checkout, '2026-01-13');
    expect(await found(checkout)).toEqual([]);
    expect(checkout.read(last)).toContain('on: 2026-01-13\n  freeFrom: 2026-01-23');
    expect((await checkout.run('check')).status).toBe(0);
  });

  it('restores a released lease while its address is retained', async () => {
    const checkout = await begin();
    pressRevert(checkout, '2026-01-08');
    expect(await found(checkout)).toEqual([`ALLOCATION_FORGED ${recordOf('203.0.113.3')}`]);
    await mended(checkout, '2026-01-08');
    expect(await found(checkout)).toEqual([]);
    expect(checkout.read(recordOf('203.0.113.3'))).toMatch(/since: 2026-01-08\nretain: 10\n$/);
  });

  it('assigns another address to a lease whose address went to another holder', async () => {
    const checkout = await begin();
    const { address: _, ...free } = pinned(3);
    checkout.put('leases/old.yaml', leaseText('old', 3, [free]));
    await checkout.synth('2026-01-06');
    checkout.put('leases/old.yaml', '');
    await checkout.synth('2026-01-07', 'Old ends again');
    const ended = checkout.idOf('HEAD');
    checkout.put('leases/eve.yaml', leaseText('eve', 9, [pinned(3)]));
    await checkout.synth('2026-01-20', 'Eve has it');
    checkout.repository.git('checkout', '-q', '-B', 'main');
    pressRevertKeeping(checkout, ended);
    await checkout.synth('2026-01-21');
    expect(await found(checkout)).toEqual([]);
    expect(checkout.read(recordOf('203.0.113.3'))).toContain('since: 2026-01-20');
  });

  it('leaves a lease that was moved where it is', async () => {
    const checkout = await begin();
    checkout.put('leases/ann.yaml', leaseText('ann', 1, [web]));
    await checkout.synth('2026-01-09');
    checkout.repository.git('checkout', '-q', '-B', 'main');
    checkout.repository.git('checkout', '-q', '-B', 'change');
    await checkout.run('move', '203.0.113.1', '--to', '203.0.113.5', '--today', '2026-01-10');
    checkout.commit('2026-01-10');
    merge(checkout, '2026-01-10');
    pressRevert(checkout, '2026-01-12');
    expect(await found(checkout)).not.toEqual([]);
    await mended(checkout, '2026-01-12');
    expect(await found(checkout)).toEqual([]);
    expect(checkout.repository.git('diff', '--name-only', 'main')).toBe('');
  });
});

/** A revert of a commit whose address has gone on: the record stays as main has it, and only the lease comes back. */
function pressRevertKeeping(checkout: LeaseCheckout, commit: string): void {
  checkout.repository.git('checkout', '-q', '-b', 'revert', 'main');
  checkout.put('leases/old.yaml', checkout.repository.git('show', `${commit}^:leases/old.yaml`));
}
