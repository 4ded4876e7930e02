// @module-tag counted

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPools } from '../../src/core/declarations/pools/pools-file.ts';
import type { Pools } from '../../src/core/model/pools.ts';
import type { AddressRange } from '../../src/core/net/range.ts';
import { setHas } from '../../src/core/net/range-set.ts';
import type { NetBoxChoice } from '../../src/features/import/netbox/netbox-choice.ts';
import { readNetBox } from '../../src/features/import/netbox/netbox-source.ts';
import { newPoolFile } from '../../src/features/import/pool-file.ts';
import { newReserves, usedAddresses } from '../../src/features/import/reserves.ts';
import { aDay, aTable } from '../support/allocations/tables.ts';
import { importFiles } from '../support/imports/import-outcome.ts';
import { everything } from '../support/imports/netbox-export.ts';
import { runs } from '../support/run/scope.ts';

/*
 * Trees of NetBox within 10.0.0.0/26, small enough to look at every address: whatever NetBox has, each address is of the smallest
 * chosen prefix that has it, in one pool, and nothing that somebody else has there can be given out.
 */
interface Node {
  readonly from: number;
  readonly length: number;
  readonly zone: '' | 'a' | 'b';
  readonly status: 'active' | 'container' | 'reserved';
  readonly isPool: boolean;
}

const base = 10 * 2 ** 24;
const node: fc.Arbitrary<Node> = fc
  .record({
    place: fc.nat(63),
    length: fc.integer({ min: 26, max: 32 }),
    zone: fc.constantFrom('', 'a', 'b'),
    status: fc.constantFrom('active', 'active', 'container', 'reserved'),
    isPool: fc.boolean(),
  })
  .map(({ place, ...rest }) => {
    const size = 2 ** (32 - rest.length);
    return { ...rest, from: place - (place % size) } as Node;
  });
const tree = fc.record({
  nodes: fc.uniqueArray(node, {
    minLength: 1,
    maxLength: 12,
    selector: ({ from, length }) => `${from}/${length}`,
  }),
  addresses: fc.uniqueArray(fc.nat(63), { maxLength: 6 }),
  statuses: fc.subarray(['active', 'container', 'reserved'], { minLength: 1 }),
  per: fc.constantFrom('zone' as const, 'prefix' as const),
});

function text(value: number): string {
  return `10.0.0.${value}`;
}

function csvOf(nodes: readonly Node[], addresses: readonly number[]) {
  const prefixes = nodes.map(
    ({ from, length, zone, status, isPool }) =>
      `${text(from)}/${length},${status},${isPool},${zone}\n`,
  );
  return {
    'p.csv': `Prefix,Status,Pool,Zone\n${prefixes.join('')}`,
    'a.csv': `IP Address,Status\n${addresses.map((one) => `${text(one)}/26,Active\n`).join('')}`,
  };
}

function has({ from, length }: Node, address: number): boolean {
  return from <= address && address < from + 2 ** (32 - length);
}

/** Which zone may give an address, by the rules of docs/netbox.md; undefined for none. */
function expected(
  address: number,
  {
    nodes,
    addresses,
    statuses,
  }: { nodes: readonly Node[]; addresses: readonly number[]; statuses: readonly string[] },
): string | undefined {
  const around = nodes
    .filter((one) => has(one, address))
    .sort((left, right) => right.length - left.length);
  const chosen = around.findIndex(({ zone, status }) => zone !== '' && statuses.includes(status));
  const owner = around[chosen];
  // Something smaller that is not chosen has it, or an address of its own.
  if (!owner || chosen > 0 || addresses.includes(address)) return undefined;
  const size = 2 ** (32 - owner.length);
  const isEdge = address === owner.from || address === owner.from + size - 1;
  if (isEdge && !owner.isPool && owner.status !== 'container' && size > 2) return undefined;
  return owner.zone;
}

function givenBy({ pools }: Pools, address: number): string | undefined {
  const one = { family: 'ipv4', value: BigInt(base + address) } as const;
  const own = pools.filter(({ ranges }) => ranges.some((range) => isIn(range, one.value)));
  expect(own.length).toBeLessThan(2);
  const [pool] = own;
  return pool && !setHas(pool.reserved, one) ? pool.zone : undefined;
}

function isIn({ from, to }: AddressRange, value: bigint): boolean {
  return from.family === 'ipv4' && from.value <= value && value <= to.value;
}

describe('any tree of NetBox', () => {
  it('becomes pools of which every address is of one zone, and nothing that is had there can be given', () => {
    fc.assert(
      fc.property(tree, ({ nodes, addresses, statuses, per }) => {
        const choice: NetBoxChoice = {
          statuses,
          tags: [],
          roles: [],
          vrf: undefined,
          zoneField: 'zone',
          givenField: undefined,
          per,
        };
        const read = readNetBox(importFiles(csvOf(nodes, addresses)), choice);
        if (!read.ok) throw new Error(JSON.stringify(read.problems));
        const { pools } = read.value;
        const wanted = Array.from({ length: 64 }, (_, one) =>
          expected(one, { nodes, addresses, statuses }),
        );
        if (pools.length === 0) {
          expect(wanted.every((zone) => zone === undefined)).toBe(true);
          return;
        }
        const had = usedAddresses({ table: aTable(), claims: [], today: aDay('2026-11-20') });
        const written = pools.map((pool) => ({
          pool,
          reserved: newReserves(pool, undefined, had).added,
        }));
        const metallb = {
          kind: 'metallb',
          version: '0.14.9',
          namespace: 'metallb-system',
          layout: 'pool',
        } as const;
        const zone = pools[0]?.zone ?? '';
        const file = newPoolFile(written, { zone, fence: 'closed' }, metallb);
        const declared = readPools('leases/pools.yaml', new TextEncoder().encode(file));
        if (!declared.ok) throw new Error(`${JSON.stringify(declared.problems)}\n${file}`);
        expect(Array.from({ length: 64 }, (_, one) => givenBy(declared.value, one))).toEqual(
          wanted,
        );
      }),
      { seed: 20_261_121, numRuns: runs(400) },
    );
  });

  it('gives no name to two pools', () => {
    const rows = ['2001:db8::1:0/112', '2001:db8:1::/112', '2001:db8::1/128', '2001:db8:1::1/128'];
    const file = `Prefix,Status,Description\n${rows.map((row) => `${row},Active,same\n`).join('')}`;
    const read = readNetBox(importFiles({ 'p.csv': file }), everything);
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    const names = read.value.pools.map(({ name }) => name);
    expect(new Set(names).size).toBe(rows.length);
  });
});
