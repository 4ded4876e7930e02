// @module-tag counted

/**
 * An export that was made leaves nothing to do, and touches no object without the tag. A public
 * address refers to its address.
 */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AllocationTable } from '../../src/core/model/allocation.ts';
import type { Day } from '../../src/core/model/day.ts';
import type { Pool, Pools } from '../../src/core/model/pools.ts';
import { rangeSize } from '../../src/core/net/range.ts';
import {
  type ExportedAddress,
  exportedAddresses,
} from '../../src/features/export/address-export.ts';
import {
  applyNetBoxExport,
  planNetBoxExport,
} from '../../src/features/export/netbox/netbox-export.ts';
import { aRecord, poolsWith, poolWith } from '../support/allocations/tables.ts';
import { aRange } from '../support/declarations/pools-and-claims.ts';
import { ModelNetBox, modelPort } from '../support/netbox/model-netbox.ts';
import { runs } from '../support/run/scope.ts';

const day = '2026-03-10' as Day;

/** Pools of blocks and of other ranges, also behind a NAT. */
const pools = fc
  .record({
    state: fc.constantFrom('active' as const, 'draining' as const),
    last: fc.integer({ min: 8, max: 14 }),
    zone: fc.constantFrom('inet', 'lab'),
    nat: fc.constantFrom(
      [],
      ...['198.51.100.0/30', '198.51.100.2-198.51.100.5', '198.51.100.1'].map((outside) => [
        { inside: aRange('10.0.0.2-10.0.0.5'), outside: aRange(outside) },
      ]),
    ),
  })
  .map(({ state, last, zone, nat }) =>
    poolsWith(
      {
        ...poolWith({
          name: 'four',
          zone,
          state,
          addresses: ['10.0.0.0/29', `10.0.0.8-10.0.0.${last}`],
        }),
        nat,
      },
      poolWith({ name: 'six', zone, addresses: ['fd00::/64'] }),
    ),
  );

const records = fc
  .uniqueArray(
    fc.record({
      address: fc.constantFrom(
        ...Array.from({ length: 9 }, (_, index) => `10.0.0.${index}`),
        'fd00::',
        'fd00::a:1',
      ),
      holder: fc.constantFrom(
        'default/service/shop/web',
        'anycast/dns',
        `default/shared/shop/${'k'.repeat(230)}`,
      ),
      released: fc.constantFrom(undefined, '2026-03-09', '2026-03-10', '2026-03-20'),
    }),
    { selector: ({ address }) => address },
  )
  .map((all): AllocationTable => {
    const entries = all.map(({ address, holder, released }) => {
      const pool = address.includes(':') ? 'six' : 'four';
      const on = '2026-03-01';
      const free = released === undefined ? {} : { released: [on, released] as const };
      return [address, { ...aRecord(address, { pool, ...free }), holder }] as const;
    });
    return new Map(entries);
  });

function exportOf(pools: Pools, table: AllocationTable, commit: string) {
  const items = exportedAddresses(pools, table, { day, commitOf: () => commit });
  const about = { apiVersion: 'leasehold.dev/v1', kind: 'AddressExport', day, commit } as const;
  return { answer: { ...about, items }, pools };
}

const isOne = ({ outside }: Pool['nat'][number]) => rangeSize(outside) === 1n;

/** The addresses in NetBox, each with the one that it refers to. */
function addressesIn({ lists }: ModelNetBox): readonly string[] {
  const objects = lists.get('ipam/ip-addresses') ?? [];
  const texts = new Map(objects.map(({ id, address }) => [id, String(address).split('/')[0]]));
  return objects.map(({ id, nat_inside }) =>
    typeof nat_inside === 'number'
      ? `${texts.get(id)} of ${texts.get(nat_inside)}`
      : `${texts.get(id)}`,
  );
}

const choice = { tag: 'leasehold-export', vrf: undefined, tenant: undefined };

test('after an export, the next one is empty', async () => {
  const state = fc.record({ pools, table: records });
  await fc.assert(
    fc.asyncProperty(state, state, async (first, second) => {
      const model = new ModelNetBox();
      const stranger = model.add('ipam/ip-addresses', {
        address: '192.0.2.1/24',
        status: 'active',
      });
      const netbox = modelPort(model);
      for (const [index, { pools, table }] of [first, second].entries()) {
        const wanted = exportOf(pools, table, `commit${index}`);
        const { changes } = (await planNetBoxExport(netbox, wanted, choice)).answer;
        const allowDelete = changes.filter(({ action }) => action === 'delete').length;
        const made = await applyNetBoxExport(
          netbox,
          await planNetBoxExport(netbox, wanted, { ...choice, allowDelete }),
          true,
        );
        expect(made.problems).toEqual([]);
        expect(made.changes.every(({ done }) => done)).toBe(true);
        const again = (await planNetBoxExport(netbox, wanted, choice)).answer;
        expect(again).toMatchObject({ changes: [], missing: [], problems: [] });
        const isForwarded = ({ publicAddress }: ExportedAddress) =>
          publicAddress === undefined || wanted.pools.pools.some(({ nat }) => nat.some(isOne));
        const ours = wanted.answer.items.flatMap((item) => [
          item.address,
          ...(isForwarded(item) ? [] : [`${item.publicAddress} of ${item.address}`]),
        ]);
        expect(addressesIn(model).toSorted()).toEqual([...ours, '192.0.2.1'].toSorted());
      }
      expect(model.lists.get('ipam/ip-addresses')).toContainEqual(stranger);
    }),
    { seed: 904, numRuns: runs(200) },
  );
});
