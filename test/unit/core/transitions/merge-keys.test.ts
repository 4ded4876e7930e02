import { describe, expect, it } from 'vitest';
import { allocate } from '../../../../src/core/allocate/allocate.ts';
import type { AllocationTable } from '../../../../src/core/model/allocation.ts';
import { formatAddress } from '../../../../src/core/net/address.ts';
import { mergeTables } from '../../../../src/core/transitions/merge-tables.ts';
import { transitionProblems } from '../../../../src/core/transitions/transitions.ts';
import {
  anOwned,
  type OwnedWords,
  ownedKeys,
  ownersOf,
  recordText,
  type ServiceWords,
  signed,
} from '../../../support/allocations/owned-records.ts';
import { aDay, poolsWith, poolWith } from '../../../support/allocations/tables.ts';

const pools = poolsWith(poolWith({ addresses: ['203.0.113.0/28'] }));
const today = aDay('2026-03-10');
const [seven, nine] = ['203.0.113.7', '203.0.113.9'] as const;
const kept = { retain: 31, released: ['2026-03-01', '2026-04-01'] } as const;

type Records = Readonly<Record<string, OwnedWords>>;

interface Case {
  readonly base?: Records;
  readonly kept?: Records;
  readonly other?: Records;
  readonly services: readonly ServiceWords[];
}

function tableOf(records: Records): AllocationTable {
  return new Map(
    Object.entries(records).map(([address, words]) => [address, anOwned(words, address)]),
  );
}

/**
 * The merged table as `address holder state secret generation`, with where a holder was moved from. The merge is one
 * that `check --base` takes on the kept side, once synth has run on it.
 */
function merged({ base = {}, kept: ours = base, other = base, services }: Case): string[] {
  const sides = { base: tableOf(base), kept: tableOf(ours), other: tableOf(other) };
  const holders = ownersOf(services, ownedKeys);
  const table = mergeTables(sides, pools, [...holders.values()], today);
  const run = allocate(pools, [...holders.values()], table, { today });
  const days = { day: today, target: today };
  const by = { ...days, longestRetention: 30, formerHolders: new Map(), holders };
  expect(run.ok ? transitionProblems(sides.kept, run.value.table, by) : run.problems).toEqual([]);
  return [...table].sort().map(([address, record]) => {
    const from = record.movedFrom ? ` from ${formatAddress(record.movedFrom)}` : '';
    return `${address} ${recordText(record)}${from}`;
  });
}

const rotation = signed('old', { newKey: ownedKeys.byName.get('shop/next')?.publicKey ?? '' });

describe('a merge takes over from the other side', () => {
  it('the first key of an address', () => {
    const other = { [seven]: { secret: 'old' } };
    expect(merged({ base: { [seven]: {} }, other, services: [{ secret: 'own' }] })).toEqual([
      `${seven} shop/web held old 0`,
    ]);
  });

  it('a changed key of an address, with its generation', () => {
    const base = { [seven]: { secret: 'old' } };
    const other = { [seven]: { secret: 'new', generation: 1 } };
    const services = [{ secret: 'next', signature: rotation }];
    expect(merged({ base, other, services })).toEqual([`${seven} shop/web held new 1`]);
  });

  it('an address that was signed over, with its generation', () => {
    const holder = 'default/service/blog/web';
    const base = { [seven]: { ...kept, secret: 'old' } };
    const other = { [seven]: { holder, secret: 'third', generation: 1, since: '2026-03-09' } };
    const signature = signed('old', {
      action: 'reclaim',
      holder,
      newKey: ownedKeys.byName.get('blog/own')?.publicKey ?? '',
    });
    const services = [{ namespace: 'blog', secret: 'own', pin: seven, signature }];
    expect(merged({ base, other, services })).toEqual([`${seven} blog/web held third 1`]);
  });

  it('a release, with key and generation', () => {
    const base = { [seven]: { secret: 'old', generation: 2, retain: 31 } };
    const other = { [seven]: { ...kept, secret: 'old', generation: 2 } };
    expect(merged({ base, other, services: [] })).toEqual([`${seven} shop/web released old 2`]);
  });

  it('a move, with the key on both addresses and the origin', () => {
    const base = { [seven]: { secret: 'old', generation: 2, retain: 31 } };
    const other = {
      [seven]: { ...kept, secret: 'old', generation: 2 },
      [nine]: { secret: 'old', since: '2026-03-01', movedFrom: seven },
    };
    expect(merged({ base, other, services: [{ secret: 'own' }] })).toEqual([
      `${seven} shop/web released old 2`,
      `${nine} shop/web held old 0 from ${seven}`,
    ]);
  });
});

describe('a merge keeps from the kept side', () => {
  it('an address whose key it changed, whatever the other side changed', () => {
    const base = { [seven]: { secret: 'old' } };
    const services = [{ secret: 'next', signature: rotation, retentionDays: 9 }];
    const ours = { [seven]: { secret: 'new', generation: 1 } };
    const other = { [seven]: { secret: 'old', retain: 9 } };
    expect(merged({ base, kept: ours, other, services })).toEqual([`${seven} shop/web held new 1`]);
  });

  it('an address whose key it changed while the other side moved its holder', () => {
    const base = { [seven]: { secret: 'old' } };
    const ours = { [seven]: { secret: 'new', generation: 1 } };
    const other = {
      [seven]: { ...kept, secret: 'old' },
      [nine]: { secret: 'old', since: '2026-03-01', movedFrom: seven },
    };
    const services = [{ secret: 'next', signature: rotation }];
    expect(merged({ base, kept: ours, other, services })).toEqual([`${seven} shop/web held new 1`]);
  });

  it('an address with a longer retention while the other side moved its holder', () => {
    const ours = { [seven]: { retain: 30 } };
    const other = {
      [seven]: { released: ['2026-03-01', '2026-03-02'] },
      [nine]: { since: '2026-03-01', movedFrom: seven },
    } as const;
    const services = [{ retentionDays: 30 }];
    expect(merged({ base: { [seven]: {} }, kept: ours, other, services })).toEqual([
      `${seven} shop/web held none 0`,
    ]);
  });

  it('an address that was signed over while its last holder returned on the other side', () => {
    const holder = 'default/service/blog/web';
    const base = { [seven]: { ...kept, secret: 'old' } };
    const ours = { [seven]: { holder, generation: 1, since: '2026-03-09' } };
    const other = { [seven]: { secret: 'old', since: '2026-03-09' } };
    const services = [{ secret: 'own' }, { namespace: 'blog', pin: seven }];
    expect(merged({ base, kept: ours, other, services })).toEqual([
      `${seven} blog/web held none 1`,
    ]);
  });
});
