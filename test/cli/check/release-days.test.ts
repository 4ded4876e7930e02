import { describe, expect, it } from 'vitest';
import { leaseText } from '../../support/declarations/lease-text.ts';
import {
  begin,
  found,
  heldBy,
  mended,
  pinned,
  recordText,
} from '../../support/repositories/checked-branches.ts';
import { type LeaseCheckout, recordOf } from '../../support/repositories/lease-checkout.ts';

/** Ends ann's lease by hand on a day. The commit of main is of 2026-01-05. */
async function ends(checkout: LeaseCheckout, day: string): Promise<void> {
  checkout.put('leases/ann.yaml', '');
  checkout.edit(
    recordOf('203.0.113.1'),
    'retain: 10\n',
    `retain: 10\nreleased:\n  on: ${day}\n  freeFrom: 2026-01-${Number(day.slice(8)) + 10}\n`,
  );
  await checkout.forge('2026-01-10');
}

describe('a release that is dated back', () => {
  it('is judged by today, although the commit of main is dated ahead', {
    tags: 'slow',
  }, async () => {
    const checkout = await begin();
    checkout.repository.on('2026-02-01').git('commit', '-q', '--amend', '--no-edit');
    checkout.repository.git('branch', '-f', 'main');
    await ends(checkout, '2026-01-03');
    expect(await found(checkout, '--today', '2026-01-12')).toEqual([]);
    expect(await found(checkout, '--today', '2026-01-13')).toEqual([
      `DATE_BEHIND ${recordOf('203.0.113.1')}`,
    ]);
  });

  it('is DATE_BEHIND when the retention is already over on the target', {
    tags: 'slow',
  }, async () => {
    const checkout = await begin();
    await ends(checkout, '2026-01-05');
    expect(await found(checkout)).toEqual([]);
    for (const [day, count] of [
      ['2026-01-14', 0],
      ['2026-01-15', 1],
    ] as const) {
      checkout.repository.git('checkout', '-q', 'main');
      checkout.commit(day, 'Time goes by');
      checkout.repository.git('checkout', '-q', 'change');
      expect(await found(checkout)).toHaveLength(count);
    }
  });

  it('does not free an address early for another holder', { tags: 'slow' }, async () => {
    const checkout = await begin();
    await ends(checkout, '2026-01-03');
    checkout.put('leases/eve.yaml', leaseText('eve', 9, [pinned(1)]));
    heldBy(checkout, '203.0.113.1', 'eve', '2026-01-13');
    await checkout.forge('2026-01-13');
    expect(await found(checkout)).toContain(`ALLOCATION_FORGED ${recordOf('203.0.113.1')}`);
  });
});

describe('a new lease', () => {
  it('may be of a branch that was open for months, and is not of years ago', {
    tags: 'slow',
  }, async () => {
    for (const [since, problems] of [
      ['2025-01-04', [`DATE_BEHIND ${recordOf('203.0.113.9')}`]],
      ['2025-01-05', []],
    ] as const) {
      const checkout = await begin();
      checkout.put('leases/cat.yaml', leaseText('cat', 4, [pinned(9)]));
      heldBy(checkout, '203.0.113.9', 'cat', since);
      await checkout.forge('2026-01-10');
      expect(await found(checkout)).toEqual(problems);
      if (problems.length > 0) await mended(checkout, '2026-01-10');
      expect(await found(checkout)).toEqual([]);
    }
  });
});

describe('a promise', () => {
  const shortened = async (keepUntil: string, at = begin) => {
    const checkout = await at();
    checkout.edit('leases/pools.yaml', 'retentionDays: 10', 'retentionDays: 2');
    for (const last of [1, 2]) {
      const kept = last === 1 ? keepUntil : '2026-01-20';
      const record = recordOf(`203.0.113.${last}`);
      checkout.edit(record, 'retain: 10', `retain: 2\nkeepUntil: ${kept}`);
    }
    await checkout.forge('2026-01-10');
    return found(checkout);
  };

  it('that gets shorter reaches from the day of main, and not from when the lease began', {
    tags: 'slow',
  }, async () => {
    expect(await shortened('2026-01-14')).toEqual([]);
    expect(await shortened('2026-01-13')).toEqual([`DATE_BEHIND ${recordOf('203.0.113.1')}`]);
    expect(await shortened('2026-01-11')).toEqual([`ALLOCATION_FORGED ${recordOf('203.0.113.1')}`]);
  });

  it('does not reach further than the run of a day could promise', { tags: 'slow' }, async () => {
    expect(await shortened('2026-01-21')).toEqual([]);
    expect(await shortened('2026-01-22')).toEqual([`DATE_AHEAD ${recordOf('203.0.113.1')}`]);
  });

  it.each<[string, string, (checkout: LeaseCheckout) => void]>([
    [
      'of a lease that stays',
      '203.0.113.1',
      (checkout) =>
        checkout.edit(recordOf('203.0.113.1'), 'retain: 10', 'retain: 10\nkeepUntil: 2026-02-01'),
    ],
    [
      'of a lease that ended',
      '203.0.113.3',
      (checkout) =>
        checkout.edit(recordOf('203.0.113.3'), 'freeFrom: 2026-01-15', 'freeFrom: 2026-02-01'),
    ],
    [
      'of a lease that ends',
      '203.0.113.1',
      (checkout) => {
        checkout.put('leases/ann.yaml', '');
        const released = 'retain: 10\nreleased:\n  on: 2026-01-10\n  freeFrom: 2026-02-01\n';
        checkout.edit(recordOf('203.0.113.1'), 'retain: 10\n', released);
      },
    ],
    [
      'of a lease that ends, and would promise more',
      '203.0.113.1',
      (checkout) => {
        checkout.put('leases/ann.yaml', '');
        const released = 'retain: 22\nreleased:\n  on: 2026-01-10\n  freeFrom: 2026-02-01\n';
        checkout.edit(recordOf('203.0.113.1'), 'retain: 10\n', released);
      },
    ],
  ])('%s is not made longer by hand', async (_, address, change) => {
    const checkout = await begin();
    change(checkout);
    await checkout.forge('2026-01-10');
    expect(await found(checkout)).toEqual([`ALLOCATION_FORGED ${recordOf(address)}`]);
  });
});

describe('an address without an earlier holder', () => {
  it('may not be retained, with a key or without', { tags: 'slow' }, async () => {
    for (const key of ['', `key: '${'A'.repeat(43)}'\n`]) {
      const checkout = await begin();
      const rest = `released:\n  on: 2026-01-10\n  freeFrom: 2026-01-20\n${key}`;
      checkout.put(recordOf('203.0.113.9'), recordText('203.0.113.9', 'ann', '2026-01-10', rest));
      checkout.commit('2026-01-10');
      expect(await found(checkout)).toEqual([`ALLOCATION_FORGED ${recordOf('203.0.113.9')}`]);
    }
  });

  it('is free at once when a lease comes and goes in one pull request, as the hint says', {
    tags: 'slow',
  }, async () => {
    const checkout = await begin();
    checkout.put('leases/cat.yaml', leaseText('cat', 4, [pinned(9)]));
    await checkout.synth('2026-01-10');
    checkout.put('leases/cat.yaml', '');
    await checkout.forge('2026-01-11');
    expect(await found(checkout)).toEqual([`ALLOCATION_FORGED ${recordOf('203.0.113.9')}`]);
    await mended(checkout, '2026-01-11');
    expect(await found(checkout)).toEqual([]);
  });
});
