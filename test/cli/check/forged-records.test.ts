import { describe, expect, it } from 'vitest';
import { accountOf, leaseText } from '../../support/declarations/lease-text.ts';
import {
  begin,
  found,
  heldBy,
  mended,
  pinned,
  recordText,
} from '../../support/repositories/checked-branches.ts';
import { type LeaseCheckout, recordOf } from '../../support/repositories/lease-checkout.ts';

/** A change of committed files that is content with itself: `check` alone finds nothing. */
type Cheat = (checkout: LeaseCheckout) => Promise<void> | void;

const cheats: readonly [string, string, number, Cheat][] = [
  [
    'a held address handed over',
    'ALLOCATION_FORGED',
    1,
    (checkout) => {
      checkout.put('leases/ann.yaml', leaseText('eve', 9, [pinned(1)]));
      checkout.edit(recordOf('203.0.113.1'), accountOf('ann'), accountOf('eve'));
    },
  ],
  [
    'a kept address handed over',
    'ALLOCATION_FORGED',
    3,
    (checkout) => {
      checkout.put('leases/eve.yaml', leaseText('eve', 9, [pinned(3)]));
      heldBy(checkout, '203.0.113.3', 'eve', '2026-01-10');
    },
  ],
  [
    'a kept address handed over with a date ahead',
    'DATE_AHEAD',
    3,
    (checkout) => {
      checkout.put('leases/eve.yaml', leaseText('eve', 9, [pinned(3)]));
      heldBy(checkout, '203.0.113.3', 'eve', '2026-01-15');
    },
  ],
  [
    'a tombstone deleted',
    'ALLOCATION_FORGED',
    3,
    (checkout) => {
      checkout.put(recordOf('203.0.113.3'), '');
    },
  ],
  [
    'a tombstone shortened',
    'ALLOCATION_FORGED',
    3,
    (checkout) => {
      checkout.edit(recordOf('203.0.113.3'), 'on: 2026-01-05', 'on: 2026-01-02');
      checkout.edit(recordOf('203.0.113.3'), 'freeFrom: 2026-01-15', 'freeFrom: 2026-01-12');
    },
  ],
  [
    'a tombstone taken back by hand',
    'ALLOCATION_FORGED',
    3,
    (checkout) => {
      checkout.put('leases/old.yaml', leaseText('old', 3, [pinned(3)]));
      heldBy(checkout, '203.0.113.3', 'old', '2026-01-02');
    },
  ],
  [
    'a retention shortened in the same pull request',
    'ALLOCATION_FORGED',
    1,
    (checkout) => {
      checkout.edit('leases/pools.yaml', 'retentionDays: 10', 'retentionDays: 0');
      checkout.put('leases/ann.yaml', '');
      checkout.edit(
        recordOf('203.0.113.1'),
        'retain: 10\n',
        'retain: 0\nreleased:\n  on: 2026-01-10\n  freeFrom: 2026-01-10\n',
      );
    },
  ],
  [
    'a retention shortened without keeping it',
    'ALLOCATION_FORGED',
    1,
    (checkout) => {
      checkout.edit('leases/pools.yaml', 'retentionDays: 10', 'retentionDays: 0');
      for (const last of [1, 2])
        checkout.edit(recordOf(`203.0.113.${last}`), 'retain: 10', 'retain: 0');
      checkout.edit(recordOf('203.0.113.2'), 'retain: 0', 'retain: 0\nkeepUntil: 2026-01-20');
    },
  ],
  [
    'a forged date of a new lease',
    'DATE_AHEAD',
    5,
    (checkout) => {
      checkout.put('leases/eve.yaml', leaseText('eve', 9, [pinned(5)]));
      heldBy(checkout, '203.0.113.5', 'eve', '2026-01-12');
    },
  ],
  [
    'a forged date of a lease that stays',
    'ALLOCATION_FORGED',
    1,
    (checkout) => {
      checkout.edit(recordOf('203.0.113.1'), 'since: 2026-01-02', 'since: 2025-01-02');
    },
  ],
  [
    'a forged date of a release',
    'DATE_AHEAD',
    1,
    (checkout) => {
      checkout.put('leases/ann.yaml', '');
      checkout.edit(
        recordOf('203.0.113.1'),
        'retain: 10\n',
        'retain: 10\nreleased:\n  on: 2026-02-10\n  freeFrom: 2026-02-20\n',
      );
    },
  ],
  [
    'an address kept from everyone for years',
    'DATE_AHEAD',
    5,
    (checkout) => {
      checkout.put(
        recordOf('203.0.113.5'),
        recordText(
          '203.0.113.5',
          'eve',
          '2026-01-10',
          'released:\n  on: 2026-01-10\n  freeFrom: 2036-01-10\n',
        ),
      );
    },
  ],
  [
    'a held address whose record is deleted with the lease',
    'ALLOCATION_FORGED',
    1,
    (checkout) => {
      checkout.put('leases/ann.yaml', '');
      checkout.put(recordOf('203.0.113.1'), '');
    },
  ],
];

describe('check --base refuses', () => {
  it.each(cheats)('%s', async (_, code, last, cheat) => {
    const checkout = await begin();
    await cheat(checkout);
    await checkout.forge('2026-01-10');
    const expected = [`${code} ${recordOf(`203.0.113.${last}`)}`];
    expect((await checkout.run('check')).out).toContain('all files up to date');
    expect(await found(checkout)).toEqual(expected);
  });
});

describe('the way out of a forged record', () => {
  it.each([
    ['the base has it', '203.0.113.1'],
    ['the base has none', '203.0.113.5'],
  ])('is one run where %s', async (_, address) => {
    const checkout = await begin();
    heldBy(checkout, address, 'eve', '2026-01-12');
    checkout.commit('2026-01-10');
    const { out } = await checkout.run('check', '--base', 'main');
    expect(out).toContain(`DATE_AHEAD ${address} is held since 2026-01-12`);
    await mended(checkout, '2026-01-10');
    expect(await found(checkout)).toEqual([]);
  });
});

it('a deleted record is one problem, told first, and nothing is told of what it leads to', async () => {
  const checkout = await begin();
  checkout.put(recordOf('203.0.113.1'), '');
  checkout.commit('2026-01-11');
  expect(await found(checkout)).toEqual([`ALLOCATION_FORGED ${recordOf('203.0.113.1')}`]);

  checkout.put('dist/default/stray.yaml', 'kind: Stray\n');
  checkout.commit('2026-01-11');
  const { out } = await checkout.run('plan', '--base', 'main');
  expect(out).toMatch(/^Blocked: .*2 problems, the first is: 203\.0\.113\.1 is held by /);
  checkout.put('dist/default/stray.yaml', '');
  await mended(checkout, '2026-01-11');
});
