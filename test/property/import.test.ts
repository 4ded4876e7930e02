// @module-tag counted

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPools } from '../../src/core/declarations/pools/pools-file.ts';
import type { Advertise, LabelSelector, Pools } from '../../src/core/model/pools.ts';
import { isRange, parseRange } from '../../src/core/net/range.ts';
import type { ImportedPool } from '../../src/features/import/imported.ts';
import { placedPools } from '../../src/features/import/placed-pools.ts';
import {
  newPoolFile,
  type PoolWithReserve,
  withPools,
} from '../../src/features/import/pool-file.ts';
import { runs } from '../support/run/scope.ts';

const at = { file: 'm.yaml', line: 1, column: 1 };
const name = fc.oneof(
  fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,8}[a-z0-9])?$/),
  fc.constantFrom('true', 'no', 'null', '1e3', '0x1f', '12', 'y', 'on', '0o7'),
);
const labelValue = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9]([-A-Za-z0-9_.]{0,8}[A-Za-z0-9])?$/),
  fc.constantFrom('', 'true', '1.0', '0x1', 'null'),
);
const selectors: fc.Arbitrary<readonly LabelSelector[]> = fc.array(
  fc.record({
    matchLabels: fc.dictionary(
      fc.constantFrom('role', 'kubernetes.io/os', 'true', '1'),
      labelValue,
      { minKeys: 1, noNullPrototype: true },
    ),
  }),
  { maxLength: 1 },
);
const advertise: fc.Arbitrary<Advertise> = fc.oneof(
  fc.record({
    kind: fc.constant('l2' as const),
    interfaces: fc.uniqueArray(fc.constantFrom('bond0', 'eth0.100', '0', 'null'), { maxLength: 2 }),
    nodeSelectors: selectors,
  }),
  fc.record({
    kind: fc.constant('bgp' as const),
    aggregationLength: fc.constantFrom(32, 30),
    aggregationLengthV6: fc.constantFrom(128, 126),
    localPref: fc.option(fc.nat(0x7fff_ffff), { nil: undefined }),
    communities: fc.uniqueArray(
      fc.constantFrom('65000:1', 'large:1:2:3', '1', 'nice.one', '12:30'),
      {
        maxLength: 3,
      },
    ),
    peers: fc.uniqueArray(fc.constantFrom('tor', '1.2', 'no'), { maxLength: 2 }),
    nodeSelectors: selectors,
  }),
);

/** Pools of one or two entries each, in blocks that never overlap. */
const anyPools: fc.Arbitrary<readonly ImportedPool[]> = fc
  .uniqueArray(
    fc.record({
      name,
      sizes: fc.array(fc.constantFrom('v4', 'range', 'v6', 'one'), { minLength: 1, maxLength: 3 }),
      avoidBuggyIPs: fc.boolean(),
      advertise: fc.array(advertise, { minLength: 1, maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 4, selector: (pool) => pool.name },
  )
  .map((pools) =>
    pools.map(({ sizes, ...pool }, index) => ({
      ...pool,
      advertise: pool.advertise.map((one, place) => ({
        ...one,
        name: place === 0 ? pool.name : `${place}e${index}`,
        // MetalLB refuses different ones.
        ...(one.kind === 'bgp' && { localPref: index }),
      })),
      at,
      ranges: sizes.map((size, place) => {
        // A single address takes no aggregation.
        const isSingle = size === 'one' && pool.advertise.some(({ kind }) => kind === 'bgp');
        return { at, range: rangeOf(isSingle ? 'v4' : size, index * 8 + place) };
      }),
    })),
  );

function rangeOf(size: string, index: number) {
  const texts: Readonly<Record<string, string>> = {
    v4: `10.${index}.0.0/28`,
    range: `10.${index}.0.0-10.${index}.1.7`,
    v6: `2001:db8:${index + 1}::-2001:db8:${index + 1}:ff::`,
    one: `10.${index}.0.9/32`,
  };
  const range = parseRange(texts[size] ?? '');
  if (!isRange(range)) throw new Error(range.reason);
  return range;
}

/** Pools of which nothing is reserved. */
function written(pools: readonly ImportedPool[]): readonly PoolWithReserve[] {
  return pools.map((pool) => ({ pool, reserved: { ranges: [] } }));
}

function readText(text: string): Pools {
  const read = readPools('leases/pools.yaml', new TextEncoder().encode(text));
  if (!read.ok) throw new Error(`${JSON.stringify(read.problems)}\n${text}`);
  return read.value;
}

const metallb = {
  kind: 'metallb',
  version: '0.14.9',
  namespace: 'metallb-system',
  layout: 'pool',
} as const;

/** A pool as it is compared: ranges in order, and no places. */
function shown({
  name,
  avoidBuggyIPs,
  advertise,
}: Pick<ImportedPool, 'name' | 'avoidBuggyIPs' | 'advertise'>) {
  return { name, avoidBuggyIPs, advertise };
}

describe('imported pools', () => {
  it('read back as they are, from a new file and from one that they are added to', () => {
    fc.assert(
      fc.property(anyPools, fc.nat(3), (pools, cut) => {
        const zone = 'inet';
        const [first, rest] = [pools.slice(0, cut + 1), pools.slice(cut + 1)];
        const fence = cut % 2 === 0 ? 'open' : 'closed';
        const text = withPools(
          newPoolFile(written(first), { zone, fence }, metallb),
          written(rest),
          {
            zone,
            clusters: undefined,
            fence,
          },
        );
        const read = readText(text);
        expect(read.pools.map(shown)).toEqual(pools.map(shown));
        expect(new Set(read.pools.map((pool) => pool.fence))).toEqual(new Set([fence]));
        expect(placedPools(pools, read)).toEqual({
          ok: true,
          value: {
            added: [],
            present: pools.map((pool, index) => ({
              pool,
              declared: read.pools[index],
              missing: [],
            })),
            notes: [],
          },
        });
      }),
      { seed: 20_260_131, numRuns: runs(300) },
    );
  });
});
