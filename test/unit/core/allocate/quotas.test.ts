import { describe, expect, it } from 'vitest';
import { usageByOwner } from '../../../../src/core/allocate/quotas.ts';
import { ownerOf } from '../../../../src/core/model/allocation.ts';
import { problemsOf } from '../../../support/allocations/allocation-run.ts';
import { aDay, aTable, poolsWith, poolWith } from '../../../support/allocations/tables.ts';
import { alice } from '../../../support/declarations/pools-and-claims.ts';

const pool = poolWith({ addresses: ['203.0.113.0/28', '2001:db8::/124'] });

function limited(most: number | undefined, owners: Readonly<Record<string, number>> = {}) {
  return { ...poolsWith(pool), quotas: { default: most, owners: new Map(Object.entries(owners)) } };
}

describe('an address counts for', () => {
  it.each([
    [`default/akash/${alice}-ip-shop`, alice],
    [`prod/akash/${alice}-ip-shop-ip-two`, alice],
    ['prod/service/shop/web', 'prod/shop'],
    ['prod/shared/shop/front', 'prod/shop'],
    ['anycast/front', undefined],
  ])('%s: %s', (holder, owner) => {
    expect(ownerOf(holder)).toBe(owner);
  });

  it('its owner while it is held, and while it is retained', () => {
    const table = aTable(
      ['203.0.113.1'],
      ['203.0.113.2', { released: ['2026-03-01', '2026-03-11'] }],
      ['203.0.113.3', { released: ['2026-03-01', '2026-03-10'] }],
    );
    expect(usageByOwner(poolsWith(pool), table, aDay('2026-03-10'))).toEqual(
      new Map([['alice', { held: 1, kept: 1 }]]),
    );
    expect(usageByOwner(poolsWith(pool), table, undefined)).toEqual(
      new Map([['alice', { held: 1, kept: 0 }]]),
    );
  });
});

const two = [
  { dseq: '1', file: 'leases/b.yaml' },
  { dseq: '2', port: 81, file: 'leases/a.yaml' },
] as const;

describe('QUOTA_EXCEEDED', () => {
  it('is for each owner that would exceed its quota, and for no other', () => {
    const claims = [{ ipFamily: 'dual' }, { name: 'bob' }] as const;
    expect(problemsOf({ pools: limited(1), claims })).toEqual([
      expect.objectContaining({
        code: 'QUOTA_EXCEEDED',
        message: 'alice needs 2 addresses (0 held and 2 new), and its quota is 1',
      }),
    ]);
    expect(problemsOf({ pools: limited(1, { alice: 2 }), claims })).toEqual([]);
    expect(problemsOf({ pools: limited(undefined, { bob: 0 }), claims })).toEqual([
      expect.objectContaining({
        message: 'bob needs 1 address (0 held and 1 new), and its quota is 0',
      }),
    ]);
  });

  it('is for an owner that returns to an address that is free for any holder', () => {
    const table = aTable(
      ['203.0.113.1', { name: 'alice', released: ['2026-03-01', '2026-03-05'] }],
      ['203.0.113.2', { name: 'alice', released: ['2026-03-09', '2026-03-19'] }],
    );
    const claims = [{ pin: '203.0.113.1' }];
    expect(problemsOf({ pools: limited(1), claims, table })).toEqual([
      expect.objectContaining({
        message:
          'alice needs 2 addresses (0 held, 1 new and 1 kept after release), and its quota is 1',
      }),
    ]);
    expect(problemsOf({ pools: limited(1), claims: [{ pin: '203.0.113.2' }], table })).toEqual([]);
  });

  it('counts a shared address once', () => {
    expect(problemsOf({ pools: limited(1), claims: two })).toEqual([]);
  });

  it('names every declaration of the owner once', () => {
    const claims = [...two, { dseq: '3', port: 82, file: 'leases/a.yaml', line: 9 }];
    const [problem, ...others] = problemsOf({ pools: limited(0), claims });
    expect(others).toEqual([]);
    expect([problem?.at, ...(problem?.also ?? [])].map((at) => `${at?.file}:${at?.line}`)).toEqual([
      'leases/a.yaml:1',
      'leases/b.yaml:1',
    ]);
  });

  it('counts retained addresses for an owner that gets one', () => {
    const kept = ['203.0.113.9', { released: ['2026-03-01', '2026-03-20'] }] as const;
    const held = ['203.0.113.8', {}] as const;
    const more = [{}, { port: 81, name: 'alice' }];
    expect(problemsOf({ pools: limited(1), claims: more, table: aTable(held, kept) })).toEqual([]);
    const fresh = aTable(['203.0.113.9', { released: ['2026-03-01', '2026-03-20'] }]);
    const elsewhere = [{ pin: '203.0.113.5' }];
    expect(problemsOf({ pools: limited(1), claims: elsewhere, table: fresh })).toEqual([
      expect.objectContaining({
        message:
          'alice needs 2 addresses (0 held, 1 new and 1 kept after release), and its quota is 1',
      }),
    ]);
    expect(
      problemsOf({ pools: limited(1), claims: elsewhere, table: fresh, today: '2026-03-20' }),
    ).toEqual([]);
  });

  it('does not count a released address that no pool has any more', () => {
    const released = { released: ['2026-03-01', '2026-03-20'] } as const;
    const elsewhere = [{ pin: '203.0.113.5' }];
    const table = aTable(['198.51.100.9', released]);
    expect(problemsOf({ pools: limited(1), claims: elsewhere, table })).toEqual([]);
  });

  it('allows an owner to return to a retained address', () => {
    const table = aTable(
      ['203.0.113.9', { released: ['2026-03-01', '2026-03-20'] }],
      ['203.0.113.8', { released: ['2026-03-01', '2026-03-20'] }],
    );
    expect(problemsOf({ pools: limited(1), claims: [{}], table })).toEqual([]);
  });

  it('counts held addresses only without a day', () => {
    const held = aTable(
      ['203.0.113.1'],
      ['203.0.113.9', { released: ['2026-03-01', '2030-01-01'] }],
    );
    expect(problemsOf({ pools: limited(1), claims: [{}], table: held, today: undefined })).toEqual(
      [],
    );
    expect(
      problemsOf({ pools: limited(0), claims: [{}], table: held, today: undefined }),
    ).toMatchObject([{ code: 'QUOTA_EXCEEDED' }]);
  });

  it('is for an owner that gets nothing but holds too much', () => {
    expect(
      problemsOf({ pools: limited(0), claims: [{}], table: aTable(['203.0.113.1']) }),
    ).toMatchObject([{ code: 'QUOTA_EXCEEDED' }]);
  });
});
