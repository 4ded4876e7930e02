import { describe, expect, it } from 'vitest';
import { allocate } from '../../../../src/core/allocate/allocate.ts';
import { holdersOf } from '../../../../src/core/declarations/holders.ts';
import type { AllocationTable } from '../../../../src/core/model/allocation.ts';
import type { Claim } from '../../../../src/core/model/claim.ts';
import type { Holder } from '../../../../src/core/model/holder.ts';
import { startOf } from '../../../../src/core/model/problem.ts';
import { renameTargetProblems } from '../../../../src/core/records/rename-rules.ts';
import { transitionProblems } from '../../../../src/core/transitions/transitions.ts';
import {
  aDay,
  aRecord,
  poolsWith,
  poolWith,
  type RecordWords,
} from '../../../support/allocations/tables.ts';
import { serviceClaim } from '../../../support/declarations/service-claims.ts';

const pools = poolsWith(
  poolWith({ name: 'a', addresses: ['203.0.113.0/29'] }),
  poolWith({ name: 'lab', zone: 'lab', addresses: ['192.0.2.0/29'] }),
);
const day = aDay('2026-03-10');
const address = '203.0.113.4';
const key = 'k'.repeat(43);

const idOf = (name: string): string =>
  `default/service/${name.includes('/') ? '' : 'shop/'}${name}`;

/** Renames as `old new`, each at a line of its own. */
function renamesOf(...pairs: readonly string[]) {
  return pairs.map((pair, index) => {
    const [from = '', to = ''] = pair.split(' ').map(idOf);
    return { from, to, at: { ...startOf('leases/rename.yaml'), line: index + 1 } };
  });
}

function holdersWith(claims: readonly Claim[], ...pairs: readonly string[]): readonly Holder[] {
  const declared = { claims, promises: [], renames: renamesOf(...pairs) };
  const holders = holdersOf(declared, pools);
  if (!holders.ok) throw new Error('the claims conflict');
  return holders.value;
}

function tableOf(
  name: string,
  words: RecordWords & { readonly key?: string } = {},
): AllocationTable {
  const { key: own, ...rest } = words;
  const record = { ...aRecord(address, { pool: 'a', ...rest }), holder: idOf(name), key: own };
  return new Map([[address, record]]);
}

function heldBy(name: string) {
  return { ...aRecord('203.0.113.5', { pool: 'a' }), holder: idOf(name) };
}

const named = (name: string, words = {}): Claim => serviceClaim({ name, ...words });

function made(holders: readonly Holder[], table: AllocationTable): readonly string[] {
  const outcome = allocate(pools, holders, table, { today: day });
  if (!outcome.ok) return outcome.problems.map(({ code, message }) => `${code} ${message}`);
  return [...outcome.value.table].map(([text, { holder, released }]) =>
    released ? `${text} (${holder})` : `${text} ${holder}`,
  );
}

describe('a holder that is renamed', () => {
  it('has the address of the former one, also over a name in between', () => {
    const table = tableOf('web');
    expect(made(holdersWith([named('site')], 'web site'), table)).toEqual([
      `${address} ${idOf('site')}`,
    ]);
    const twice = holdersWith([named('last')], 'web site', 'site last');
    expect(made(twice, table)).toEqual([`${address} ${idOf('last')}`]);
  });

  it('has it in another namespace', () => {
    const holders = holdersWith([named('web', { namespace: 'den' })], 'web den/web');
    expect(made(holders, tableOf('web'))).toEqual([`${address} ${idOf('den/web')}`]);
  });

  it('has an address that is kept for the former name in its own namespace only', () => {
    const kept = tableOf('web', { released: ['2026-03-09', '2026-03-20'] });
    expect(made(holdersWith([named('site')], 'web site'), kept)).toEqual([
      `${address} ${idOf('site')}`,
    ]);
    const other = holdersWith([named('web', { namespace: 'den' })], 'web den/web');
    expect(made(other, kept)).toEqual([expect.stringContaining('RENAME_UNKNOWN')]);
  });

  it('keeps what it has when the rename stays, and its former name is used again', () => {
    const holders = holdersWith([named('site'), named('web', { port: 81 })], 'web site');
    expect(made(holders, tableOf('site'))).toContain(`${address} ${idOf('site')}`);
  });

  it.each([
    [
      'while the former one is declared',
      [named('site'), named('web', { port: 81 })],
      'web',
      'still declared',
    ],
    ['when it requests another zone', [named('site', { zone: 'lab' })], 'web', 'zone lab'],
  ])('is a RENAME_CONFLICT %s', (_, claims, name, reason) => {
    const found = made(holdersWith(claims, 'web site'), tableOf(name));
    expect(found).toEqual([expect.stringMatching(new RegExp(`^RENAME_CONFLICT .*${reason}`))]);
  });

  it('is RENAME_UNKNOWN when nobody has an address', () => {
    const holders = holdersWith([named('site')], 'web site');
    expect(made(holders, new Map())).toEqual([expect.stringContaining('RENAME_UNKNOWN')]);
  });

  it('needs a signature for an address with a key of another owner', () => {
    const holders = holdersWith([named('web', { namespace: 'den' })], 'web den/web');
    const found = made(holders, tableOf('web', { key }));
    expect(found).toEqual([expect.stringMatching(/^RENAME_CONFLICT .* it has a key/)]);
  });
});

describe('renameTargetProblems', () => {
  const found = (holders: readonly Holder[], ...pairs: readonly string[]) =>
    renameTargetProblems(renamesOf(...pairs), holders, tableOf('web')).map(
      ({ code, at }) => `${code} ${at.line}`,
    );

  it('finds a new holder that is not declared, and would lose the address', () => {
    expect(found([], 'web site')).toEqual(['RENAME_UNKNOWN 1']);
    expect(found(holdersWith([named('site')]), 'web site')).toEqual([]);
    expect(found([], 'none site')).toEqual([]);
  });

  it('finds two renames of one holder, and to one; the same one twice is none', () => {
    const holders = holdersWith([named('one'), named('two', { port: 81 })]);
    expect(found(holders, 'web one', 'web two')).toEqual(['RENAME_CONFLICT 2']);
    expect(found(holders, 'web one', 'web one')).toEqual([]);
    const table = new Map([...tableOf('web'), ['203.0.113.5', heldBy('api')] as const]);
    const both = renameTargetProblems(renamesOf('web one', 'api one'), holders, table);
    expect(both.map(({ code, at }) => `${code} ${at.line}`)).toEqual(['RENAME_CONFLICT 2']);
  });

  it('leaves a rename that has been made, also when its names are used again', () => {
    const again = holdersWith([named('last')]);
    expect(found(again, 'web site', 'web last')).toEqual([]);
    expect(found(again, 'web site', 'site web', 'web last')).toEqual([]);
  });
});

describe('between a base and a head, an address may go to another holder', () => {
  function judged(holders: readonly Holder[], before: AllocationTable, into: object) {
    const record = before.get(address);
    if (!record) throw new Error('no record');
    const by = {
      ...{ day, target: day, longestRetention: 30, formerHolders: new Map() },
      holders: new Map(holders.map((holder) => [holder.id, holder])),
    };
    return transitionProblems(before, new Map([[address, { ...record, ...into }]]), by).map(
      ({ code }) => code,
    );
  }
  const renamed = holdersWith([named('site')], 'web site');

  it('by a rename, since the same day', () => {
    expect(judged(renamed, tableOf('web'), { holder: idOf('site') })).toEqual([]);
    const later = { holder: idOf('site'), since: day };
    expect(judged(renamed, tableOf('web'), later)).toEqual(['ALLOCATION_FORGED']);
  });

  it('not without one, nor from a holder that it does not name', () => {
    const into = { holder: idOf('site') };
    expect(judged(holdersWith([named('site')]), tableOf('web'), into)).toEqual([
      'ALLOCATION_FORGED',
    ]);
    expect(judged(renamed, tableOf('api'), into)).toEqual(['ALLOCATION_FORGED']);
  });

  it('not with a key, to another owner', () => {
    const other = holdersWith([named('web', { namespace: 'den' })], 'web den/web');
    const into = { holder: idOf('den/web') };
    expect(judged(other, tableOf('web', { key }), into)).toEqual(['ALLOCATION_FORGED']);
    expect(judged(other, tableOf('web'), into)).toEqual([]);
  });

  it('while it is kept after release, in the same namespace only', () => {
    const kept = tableOf('web', { released: ['2026-03-09', '2026-03-20'], retain: 11 });
    const back = { released: undefined, since: day, keepUntil: aDay('2026-03-20') };
    expect(judged(renamed, kept, { ...back, holder: idOf('site') })).toEqual([]);
    const other = holdersWith([named('web', { namespace: 'den' })], 'web den/web');
    expect(judged(other, kept, { ...back, holder: idOf('den/web') })).toEqual([
      'ALLOCATION_FORGED',
    ]);
  });
});

it('follows renames over many names in between once each', () => {
  const layers = Array.from({ length: 40 }, (_, layer) => [`a${layer}`, `b${layer}`]);
  const pairs = layers
    .slice(1)
    .flatMap((own, layer) =>
      (layers[layer] ?? []).flatMap((from) => own.map((to) => `${from} ${to}`)),
    );
  const renames = renamesOf('web a0', 'web b0', ...pairs);
  const found = renameTargetProblems(renames, holdersWith([named('other')]), tableOf('web'));
  expect(found.map(({ code }) => code)).toEqual(['RENAME_UNKNOWN', 'RENAME_UNKNOWN']);
});

it('a Service with a key that is renamed alone leaves nothing behind', () => {
  const words = { key, retain: 7 };
  const before = tableOf('web', words);
  const [record] = before.values();
  if (!record) throw new Error('no record');
  const after = new Map([[address, { ...record, holder: idOf('site') }]]);
  const withKey = (name: string) => named(name, { key });
  const context = {
    day,
    target: day,
    longestRetention: 7,
    unreadable: new Set<string>(),
    formerHolders: new Map(holdersWith([withKey('web')]).map((one) => [one.id, one])),
    holders: new Map(holdersWith([withKey('site')], 'web site').map((one) => [one.id, one])),
  };
  expect(transitionProblems(before, after, context)).toEqual([]);
});
