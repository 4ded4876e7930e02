// @module-tag counted

import { describe, expect, test } from 'vitest';
import { allocate } from '../../src/core/allocate/allocate.ts';
import { holdersOf } from '../../src/core/declarations/holders.ts';
import type { Allocation } from '../../src/core/model/allocation.ts';
import type { Pools } from '../../src/core/model/pools.ts';
import { type Address, formatAddress } from '../../src/core/net/address.ts';
import {
  aDay,
  aRecord,
  claimWith,
  holderId,
  poolsWith,
  poolWith,
  theHolders,
} from '../support/allocations/tables.ts';
import { repeats, runs } from '../support/run/scope.ts';

/** Of all counts below: a twentieth in a quick run. */
const [waiting, released, claimants] = [runs(20_000), runs(131_072), runs(200_000)] as const;
/** Can be shared out evenly over three clusters, three pools and three wishes for families. */
const scattered = 18 * runs(1_000);

/** Milliseconds of processor time: much more than any of these takes, much less than with the square of its input. */
const longest = repeats(12_000, 40_000);

function timed<Value>(run: () => Value): { readonly value: Value; readonly milliseconds: number } {
  const started = process.cpuUsage();
  const value = run();
  return { value, milliseconds: process.cpuUsage(started).user / 1000 };
}

function allocating(pools: Pools, count: number, table: ReadonlyMap<string, Allocation>) {
  const claims = Array.from({ length: count }, (_, index) => claimWith({ name: `owner-${index}` }));
  const holders = holdersOf({ claims, promises: [] }, pools);
  if (!holders.ok) throw new Error('the claims contradict each other');
  return timed(() => allocate(pools, holders.value, table, { today: aDay('2026-03-10') }));
}

describe('cost grows with the input and not with its square', () => {
  test(`when ${waiting} holders find no address`, () => {
    const pools = poolsWith(
      poolWith({ name: 'a' }),
      poolWith({ name: 'b', addresses: ['10.0.0.0/28'] }),
    );
    const { value, milliseconds } = allocating(pools, waiting, new Map());

    expect(value.ok ? [] : value.problems).toHaveLength(waiting - 32);
    expect(milliseconds).toBeLessThan(longest);
  });

  test(`when ${released} released addresses are all given again`, () => {
    const last: Address = { family: 'ipv4', value: 10n * 2n ** 24n + BigInt(released - 1) };
    const one = aRecord('10.0.0.0', { released: ['2026-01-02', '2026-01-03'] });
    const table = new Map(
      Array.from({ length: released }, (_, index) => {
        const address: Address = { family: 'ipv4', value: one.address.value + BigInt(index) };
        return [formatAddress(address), { ...one, address, holder: holderId(`former-${index}`) }];
      }),
    );
    const pools = poolsWith(poolWith({ addresses: [`10.0.0.0-${formatAddress(last)}`] }));
    const { value, milliseconds } = allocating(pools, released, table);

    expect(value.ok && value.value.changes).toHaveLength(released);
    expect(milliseconds).toBeLessThan(longest);
  });

  test(`when ${scattered} holders of three clusters take all that two pools each have`, () => {
    const names = ['a', 'b', 'c'] as const;
    const next = { a: 'b', b: 'c', c: 'a' } as const;
    const families = ['ipv4', 'ipv6', 'dual'] as const;
    const last = (2 * scattered) / 9 - 1;
    const pools = poolsWith(
      ...names.map((name, place) => {
        const v4 = `10.${place}.0.0-10.${place}.${last >> 8}.${last & 255}`;
        const v6 = `fd00:a:${place}::-fd00:a:${place}::${last.toString(16)}`;
        return { ...poolWith({ name, addresses: [v4, v6] }), clusters: [name, next[name]] };
      }),
    );
    const claims = Array.from({ length: scattered + 1 }, (_, index) => {
      const words = {
        name: `owner-${index}`,
        ipFamily: families[Math.floor(index / 3) % 3] ?? 'dual',
      };
      return { ...claimWith(words), cluster: names[index % 3] ?? 'a' };
    });
    const all = theHolders(pools, ...claims.slice(1));
    const oneMore = theHolders(pools, ...claims);
    const none = new Map<string, Allocation>();
    const met = timed(() => allocate(pools, all, none, { today: aDay('2026-03-10') }));
    const short = timed(() => allocate(pools, oneMore, none, { today: aDay('2026-03-10') }));

    expect(met.value.ok && met.value.value.changes).toHaveLength((scattered * 4) / 3);
    expect(short.value.ok ? [] : short.value.problems).toHaveLength(1);
    expect(met.milliseconds + short.milliseconds).toBeLessThan(longest);
  });
});

test(`${claimants} problems of one holder are not too many`, () => {
  const claims = Array.from({ length: claimants }, (_, line) => claimWith({ line: line + 1 }));
  const outcome = holdersOf({ claims, promises: [] }, undefined);

  expect(outcome.ok ? [] : outcome.problems).toHaveLength(claimants - 1);
});
