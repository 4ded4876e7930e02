import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  OperatorLeases,
  operatorUsage,
} from '../../../../../src/features/serve/routes/operator-leases.ts';
import { capacityInput, nothingPending } from '../../../../../src/lib/forecast/capacity.ts';
import { aDay } from '../../../../support/allocations/tables.ts';
import { leaseText } from '../../../../support/declarations/lease-text.ts';
import { providerPoolsText } from '../../../../support/declarations/pools-text.ts';
import { runInProcess } from '../../../../support/run/run-in-process.ts';
import { tempTree } from '../../../../support/trees/temp-tree.ts';
import { treeSnapshot } from '../../../../support/trees/workspace-snapshot.ts';

/** The count of a provider: availableLeasedIPs in cluster/inventory.go. Its numbers are unsigned. */
function leftFor(total: number, inUse: number, reserved: number): number {
  return Math.max(0, Math.max(0, total - inUse) - reserved);
}

function declaration(index: number): readonly [path: string, text: string] {
  const endpoint = { name: 'one', service: 'web', port: 80 };
  return [`leases/t${index}.yaml`, leaseText(`t${index}`, 7, [endpoint])];
}

/** A pool of four addresses and a draining pool, with served and waiting leases. */
async function snapshotWith(leases: number, waiting = 0, nat = '') {
  const declared = Array.from({ length: leases }, (_, index) => declaration(index));
  const root = tempTree({
    'leases/pools.yaml': providerPoolsText(`pools:
  - { name: p, zone: z, addresses: [203.0.113.0/29], reserved: [203.0.113.0-203.0.113.3]${nat} }
  - { name: old, zone: z, addresses: [198.51.100.0/30], state: draining }
`),
    ...Object.fromEntries(declared),
  });
  const { status, out, err } = await runInProcess(['synth', '--today', '2026-01-10'], root);
  if (status !== 0) throw new Error(`${out}${err}`);
  for (let index = leases; index < leases + waiting; index += 1) {
    const [path, text] = declaration(index);
    writeFileSync(join(root, path), text);
  }
  return treeSnapshot(root);
}

const scope = { cluster: undefined, zone: undefined, provider: undefined };

async function usageWith(leases: number, waiting = 0) {
  const terms = { day: aDay('2026-01-10'), pending: nothingPending };
  const usage = operatorUsage(await snapshotWith(leases, waiting), scope, terms);
  if (!usage) throw new Error('no usage');
  return usage;
}

// A provider without reservations may promise what synth can assign, and never less than 0.
test.each([
  { leases: 0, reserved: 0, left: 4 },
  { leases: 0, reserved: 3, left: 1 },
  { leases: 0, reserved: 4, left: 0 },
  { leases: 0, reserved: 9, left: 0 },
  { leases: 3, reserved: 0, left: 1 },
  { leases: 3, reserved: 1, left: 0 },
  { leases: 3, reserved: 2, left: 0 },
  { leases: 4, reserved: 0, left: 0 },
  { leases: 4, reserved: 1, left: 0 },
])(
  'a provider with $reserved reservations and $leases leases has $left left',
  async ({ leases, reserved, left }) => {
    const { Available, InUse, Free } = await usageWith(leases);
    expect(Free).toBe(4 - leases);
    expect(leftFor(Available, InUse, reserved)).toBe(left);
  },
);

test('addresses for waiting holders are not promised again', async () => {
  expect(await usageWith(2, 1)).toEqual({ Available: 8, InUse: 7, Free: 1 });
});

test('leases that are found with pauses are those that are found at once', async () => {
  const snapshot = await snapshotWith(3, 1);
  const prepared = new OperatorLeases(scope);
  let pauses = 0;
  await prepared.prepare(snapshot, async () => {
    pauses += 1;
  });
  expect(pauses).toBeGreaterThan(0);
  const found = prepared.of(snapshot);
  expect(found.size).toBe(3);
  expect(found).toEqual(new OperatorLeases(scope).of(snapshot));
  expect(prepared.of(snapshot)).toBe(found);
});

test('input that was counted before gives the same usage', async () => {
  const snapshot = await snapshotWith(2, 1);
  const day = aDay('2026-01-10');
  const input = capacityInput(snapshot, day);
  const usage = operatorUsage(snapshot, scope, { day, pending: nothingPending, input });
  expect(usage).toEqual({ Available: 8, InUse: 7, Free: 1 });
  const none = { ...input, free: new Map(), waiting: [] };
  const other = operatorUsage(snapshot, scope, { day, pending: nothingPending, input: none });
  expect(other).toEqual({ Available: 8, InUse: 8, Free: 0 });
});

test('a lease has the public address of a NAT', async () => {
  const nat = ', nat: [{ inside: 203.0.113.0/29, outside: 192.0.2.7 }]';
  const leases = new OperatorLeases(scope).of(await snapshotWith(2, 0, nat));
  expect([...leases.values()].flat().map(({ ip }) => ip)).toEqual(['192.0.2.7', '192.0.2.7']);
});
