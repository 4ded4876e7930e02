import { anAddress } from '../support/declarations/pools-and-claims.ts';
// @module-tag counted

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isHeld } from '../../src/core/model/allocation.ts';
import type { Day } from '../../src/core/model/day.ts';
import { setHas } from '../../src/core/net/range-set.ts';
import { check } from '../../src/core/run/synth/check.ts';
import { changedTree } from '../../src/core/tree/changed-tree.ts';
import { importPools } from '../../src/features/import/import-pools.ts';
import type { Imported } from '../../src/features/import/imported.ts';
import { documentsOf } from '../../src/features/import/metallb/metallb-source.ts';
import { readVitistack } from '../../src/features/import/sources/vitistack-source.ts';
import { exportedList } from '../support/imports/exported-cluster.ts';
import { emptyTree, importFiles, sound } from '../support/imports/import-outcome.ts';
import { operatorPool, operatorService } from '../support/imports/vitistack-operator.ts';
import { runs } from '../support/run/scope.ts';
import { noHistory } from '../support/trees/memory-tree.ts';

/** Values that people write, and any text at all. */
const some = (...values: readonly string[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...values) }, fc.string({ maxLength: 12 }));

const annotations = fc.record(
  {
    'allow-local-shared-ip': some('front', 'pre-shared-key-of-ana', ''),
    'deny-external-cleanup': some('true', 'f', 'yes'),
    'ip-family': some('ipv4', 'ipv6', 'dual'),
    'retention-period-days': some('7', '+7', '-1', '31', '1e3'),
    secret: some('default', 'addresses', '../../pools'),
    owner: some('ana'),
  },
  { requiredKeys: [] },
);

const service = fc.record({
  ipam: annotations,
  zone: fc.constantFrom('inet', 'hnet-private'),
  isDual: fc.boolean(),
  isWaiting: fc.integer({ min: 0, max: 5 }).map((number) => number === 0),
  isCharts: fc.boolean(),
  sharers: fc.constantFrom(1, 1, 1, 2),
});

type Drawn = typeof service extends fc.Arbitrary<infer One> ? One : never;

interface LiveService {
  readonly zone: string;
  /** Those that ipam-api gave it, on which it stands or is to stand. */
  readonly addresses: readonly string[];
  readonly object: object;
}

function servicesOf({ ipam, zone, isDual, isWaiting, isCharts, sharers }: Drawn, at: number) {
  const addresses = [`192.0.2.${70 + at}`, ...(isDual ? [`2001:db8::${at + 1}`] : [])];
  return Array.from({ length: sharers }, (_, index): LiveService => {
    const object = operatorService({
      name: `s${at}-${index}`,
      namespace: 'shop',
      addresses: isWaiting ? [] : addresses,
      labels: isCharts ? { 'app.kubernetes.io/managed-by': 'Helm' } : {},
      ipam: { ...ipam, zone, addresses: addresses.join(',') },
      spec: { ports: [{ port: 80 + index, targetPort: 8080 }], selector: { app: 'one' } },
    });
    return { zone, addresses, object };
  });
}

/** As the operator has them: what is in use by zone. */
function poolsOf(services: readonly LiveService[], kept: readonly string[]): readonly object[] {
  const own = (zone: string) =>
    services.filter((one) => one.zone === zone).flatMap(({ addresses }) => addresses);
  return [
    operatorPool('inet', [...new Set([...own('inet'), ...kept, '198.51.100.1'])]),
    operatorPool('hnet-private', [...new Set([...own('hnet-private'), '198.51.100.2'])]),
  ];
}

const anchors = ['inet', 'hnet-private'].map((zone, index) =>
  operatorService({ name: `z${index}`, addresses: [`198.51.100.${index + 1}`], ipam: { zone } }),
);

const options = {
  source: 'vitistack',
  zone: undefined,
  cluster: undefined,
  layout: undefined,
  planeVersion: '0.15.3',
  today: '2026-11-20' as Day,
  allowClosedFence: undefined,
} as const;

function read(objects: readonly object[]): Imported {
  const files = importFiles({ 'live.json': exportedList(...objects) });
  const outcome = readVitistack(files.map(documentsOf));
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return outcome.value;
}

describe('whatever ipam-operator has', () => {
  it('is held or reserved, in a tree that check finds whole and that has no key in it, and a second import adds nothing', async () => {
    const kept = fc.subarray(['203.0.113.1', '203.0.113.2']);
    await fc.assert(
      fc.asyncProperty(fc.array(service, { maxLength: 5 }), kept, async (drawn, left) => {
        const services = drawn.flatMap(servicesOf);
        const objects = services.map(({ object }) => object);
        const imported = read([...objects, ...anchors, ...poolsOf(services, left)]);
        const tree = changedTree(emptyTree);
        const first = await sound(importPools(tree, noHistory, imported, options));
        const { workspace } = await sound(check(tree, noHistory));
        const { pools, table } = workspace;
        const loose = [...services.flatMap(({ addresses }) => addresses), ...left].filter(
          (text) => {
            const record = table.get(text);
            const isReserved = pools.pools.some(({ reserved }) =>
              setHas(reserved, anAddress(text)),
            );
            return !isReserved && !(record && isHeld(record));
          },
        );
        expect(loose).toEqual([]);
        const written = [...first.files.writes.values()].map((bytes) => String(bytes));
        expect(JSON.stringify([written, first.answer])).not.toContain('pre-shared-key');
        const again = await sound(importPools(tree, noHistory, imported, options));
        expect(again.answer.edited).toEqual([]);
        expect([...again.files.writes.keys()]).toEqual([]);
      }),
      { seed: 20_261_121, numRuns: runs(60) },
    );
  });
});
