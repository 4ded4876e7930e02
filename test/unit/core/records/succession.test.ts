import { describe, expect, it } from 'vitest';
import { allocate } from '../../../../src/core/allocate/allocate.ts';
import type { AllocationTable } from '../../../../src/core/model/allocation.ts';
import type { Claim } from '../../../../src/core/model/claim.ts';
import { transitionProblems } from '../../../../src/core/transitions/transitions.ts';
import {
  aDay,
  aRecord,
  poolsWith,
  poolWith,
  type RecordWords,
  theHolders,
} from '../../../support/allocations/tables.ts';
import { serviceClaim } from '../../../support/declarations/service-claims.ts';

const a = poolWith({ name: 'a', addresses: ['203.0.113.0/29', '2001:db8:a::/125'] });
const b = poolWith({ name: 'b', addresses: ['198.51.100.0/29', '2001:db8:b::/125'] });
const pools = poolsWith(a, b, poolWith({ name: 'lab', zone: 'lab', addresses: ['192.0.2.0/29'] }));
const group = {
  name: 'front',
  members: [{ cluster: 'default', namespace: 'shop', service: 'web' }],
  at: a.at,
};

function tableOf(
  ...records: readonly (readonly [address: string, name: string, words?: RecordWords])[]
): AllocationTable {
  return new Map(
    records.map(([address, name, words]) => {
      const holder = `default/service/shop/${name}`;
      return [address, { ...aRecord(address, { pool: 'a', ...words }), holder }];
    }),
  );
}

function allocating(claims: readonly Claim[], table: AllocationTable, day = '2026-03-10') {
  const today = day === '' ? undefined : aDay(day);
  return allocate(pools, theHolders(pools, ...claims), table, { today });
}

function made(claims: readonly Claim[], table: AllocationTable): readonly string[] {
  const outcome = allocating(claims, table);
  if (!outcome.ok) return outcome.problems.map(({ code, message }) => `${code} ${message}`);
  return [...outcome.value.table]
    .map(([address, { holder, released }]) =>
      released ? `${address} (${holder})` : `${address} ${holder}`,
    )
    .sort();
}

const shared = 'default/shared/shop/front';
const web = serviceClaim({ sharingKey: 'front' });
const api = serviceClaim({ name: 'api', port: 81, sharingKey: 'front' });

describe('a Service that takes a sharing key', () => {
  it('keeps its address, its start day and its retention', () => {
    const words = { since: '2026-01-05', retain: 7, keepUntil: '2026-05-01' };
    const outcome = allocating([web], tableOf(['203.0.113.4', 'web', words]));
    const kept = outcome.ok ? outcome.value : undefined;
    expect(kept?.table.get('203.0.113.4')).toMatchObject({ holder: shared, since: '2026-01-05' });
    expect(kept?.table.get('203.0.113.4')?.keepUntil).toBe('2026-05-01');
    expect(kept?.changes.map(({ kind, holder }) => [kind, holder])).toEqual([['updated', shared]]);
  });

  it('brings the address along for the others, of several the first one', () => {
    const table = tableOf(['203.0.113.4', 'web'], ['203.0.113.2', 'api']);
    expect(made([web, api], table)).toEqual([
      `203.0.113.2 ${shared}`,
      '203.0.113.4 (default/service/shop/web)',
    ]);
  });

  it('gives its address up where the key has one', () => {
    const table = new Map([
      ...tableOf(['203.0.113.4', 'web']),
      ['203.0.113.1', { ...aRecord('203.0.113.1', { pool: 'a' }), holder: shared }] as const,
    ]);
    expect(made([web, api], table)).toEqual([
      `203.0.113.1 ${shared}`,
      '203.0.113.4 (default/service/shop/web)',
    ]);
  });

  it('brings a second family only from the same pool', () => {
    const dual = [
      web,
      serviceClaim({ name: 'api', port: 81, sharingKey: 'front', ipFamily: 'ipv6' }),
    ];
    const same = tableOf(['203.0.113.4', 'web'], ['2001:db8:a::2', 'api']);
    expect(made(dual, same)).toEqual([`2001:db8:a::2 ${shared}`, `203.0.113.4 ${shared}`]);
    const apart = tableOf(['203.0.113.4', 'web'], ['2001:db8:b::2', 'api', { pool: 'b' }]);
    const [six, ...rest] = made(dual, apart);
    expect(six).toMatch(/^2001:db8:a::\d? default\/shared/);
    expect(rest).toEqual(['2001:db8:b::2 (default/service/shop/api)', `203.0.113.4 ${shared}`]);
  });

  it('leaves its address when the key wants another zone or pool, and another Service brings its own', () => {
    const elsewhere = serviceClaim({ sharingKey: 'front', zone: 'lab' });
    const left = '203.0.113.4 (default/service/shop/web)';
    expect(made([elsewhere], tableOf(['203.0.113.4', 'web']))).toEqual([
      expect.stringMatching(/^192\.0\.2\.\d default\/shared\/shop\/front$/),
      left,
    ]);
    const named = [web, serviceClaim({ name: 'api', port: 81, sharingKey: 'front', pool: 'b' })];
    const table = tableOf(['203.0.113.4', 'web'], ['198.51.100.2', 'api', { pool: 'b' }]);
    expect(made(named, table)).toEqual([`198.51.100.2 ${shared}`, left]);
  });

  it('takes nothing from a Service that stands alone, nor from one of another namespace', () => {
    const alone = serviceClaim({ name: 'api', port: 81 });
    const other = serviceClaim({ namespace: 'den', sharingKey: 'front' });
    const table = tableOf(['203.0.113.4', 'web'], ['203.0.113.2', 'api']);
    const found = made([other, alone], table);
    expect(found).toContain('203.0.113.2 default/service/shop/api');
    expect(found).toContain('203.0.113.4 (default/service/shop/web)');
  });

  it('is stale until synth has recorded it', () => {
    const outcome = allocating([web], tableOf(['203.0.113.4', 'web']), '');
    expect(outcome.ok ? [] : outcome.problems).toEqual([
      expect.objectContaining({
        code: 'STALE',
        message: `203.0.113.4 is recorded for default/service/shop/web, expected ${shared}`,
      }),
    ]);
  });
});

it('a Service that joins a group over clusters keeps its address', () => {
  const member = serviceClaim({}, [group]);
  expect(made([member], tableOf(['203.0.113.4', 'web']))).toEqual(['203.0.113.4 anycast/front']);
});

describe('between a base and a head, an address may go', () => {
  const base = tableOf(['203.0.113.4', 'web']);

  function judged(claims: readonly Claim[], into: Partial<ReturnType<typeof aRecord>>) {
    const record = base.get('203.0.113.4');
    if (!record) throw new Error('no record');
    const holders = new Map(theHolders(pools, ...claims).map((holder) => [holder.id, holder]));
    const by = {
      day: aDay('2026-03-10'),
      target: aDay('2026-03-10'),
      longestRetention: 30,
      formerHolders: new Map(),
      holders,
    };
    return transitionProblems(base, new Map([['203.0.113.4', { ...record, ...into }]]), by).map(
      ({ code, message }) => `${code} ${message}`,
    );
  }

  it('to the key that its Service has taken', () => {
    expect(judged([web], { holder: shared })).toEqual([]);
  });

  it('to no other holder', () => {
    const forged = [
      expect.stringMatching(/^ALLOCATION_FORGED .* goes to default\/shared\/shop\/front/),
    ];
    expect(judged([api], { holder: shared })).toEqual(forged);
    expect(judged([], { holder: shared })).toEqual(forged);
    expect(
      judged([serviceClaim({ namespace: 'den', sharingKey: 'front' })], { holder: shared }),
    ).toEqual(forged);
  });

  it('not with another day', () => {
    expect(judged([web], { holder: shared, since: aDay('2026-03-10') })).toEqual([
      expect.stringMatching(/^ALLOCATION_FORGED .* held since 2026-01-01 in the base/),
    ]);
  });
});
