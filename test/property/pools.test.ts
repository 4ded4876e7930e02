// @module-tag counted

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPools } from '../../src/core/declarations/pools/pools-file.ts';
import { renderDist } from '../../src/core/manifests/render.ts';
import type { Day } from '../../src/core/model/day.ts';
import type { Pools } from '../../src/core/model/pools.ts';
import { formatAddress } from '../../src/core/net/address.ts';
import { formatRange } from '../../src/core/net/range.ts';
import { unroutableReason } from '../../src/core/net/special-ranges.ts';
import { planRun } from '../../src/core/run/synth/planned-run.ts';
import { accountOf, leaseText } from '../support/declarations/lease-text.ts';
import { anySpan } from '../support/declarations/range-arbitrary.ts';
import { runs } from '../support/run/scope.ts';
import { noHistory, treeOf } from '../support/trees/memory-tree.ts';

const addresses = fc
  .tuple(
    fc.oneof(
      { weight: 3, arbitrary: anySpan.filter((range) => unroutableReason(range) === undefined) },
      { weight: 1, arbitrary: anySpan },
    ),
    fc.boolean(),
  )
  .map(([range, isWritten]) =>
    isWritten ? formatRange(range) : `${formatAddress(range.from)}-${formatAddress(range.to)}`,
  );

const length = (most: number) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(most) }, fc.integer({ min: 1, max: most }));

const way = fc.oneof(
  fc.constantFrom({ l2: {} }, { l2: { interfaces: ['eth0'] } }),
  fc.record({
    bgp: fc.record({
      aggregationLength: length(32),
      aggregationLengthV6: length(128),
      localPref: fc.constantFrom(0, 0, 7),
    }),
  }),
);
const named = (name: string) => way.map((one) => ({ name, ...one }));
const advertise = fc.oneof(way, fc.tuple(way, named('pool-1'), named('external')));

const pool = fc.record(
  {
    addresses: fc.array(addresses, { minLength: 1, maxLength: 3 }),
    reserved: fc.array(addresses, { maxLength: 1, size: 'xsmall' }),
    avoidBuggyIPs: fc.boolean(),
    state: fc.constantFrom('active', 'draining'),
    strategy: fc.constantFrom('spread', 'lowest'),
    fence: fc.constantFrom('open', 'closed'),
    advertise,
  },
  { requiredKeys: ['addresses'] },
);

/** A pool file as data, which is sound more often than not. */
const poolFile = fc
  .record({
    layout: fc.constantFrom('pool', 'lease'),
    namespaces: fc.boolean(),
    shards: fc.constantFrom(1, 16),
    pools: fc.array(pool, { minLength: 1, maxLength: 2 }),
  })
  .map(({ layout, namespaces, shards, pools }) => ({
    apiVersion: 'leasehold.dev/v1',
    kind: 'Pools',
    provider: accountOf('provider'),
    metallb: { layout },
    emit: { namespaces },
    clusters: [{ name: 'default', shards }],
    pools: pools.map((one, index) => ({ name: `pool-${index}`, zone: 'inet', ...one })),
  }));

const lease = leaseText('alice', 7, [{ name: 'web', service: 'web', port: 80 }]);

function readText(text: string): Pools | undefined {
  const read = readPools('leases/pools.yaml', new TextEncoder().encode(text));
  return read.ok ? read.value : undefined;
}

describe('a pool file that is taken', () => {
  it('is rendered, whatever its ranges are, and a run over it throws nothing', async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(poolFile, async (file) => {
        const text = JSON.stringify(file);
        const pools = readText(text);
        if (!pools) return;
        taken += 1;
        renderDist(pools, { placements: [], services: [], hostnames: [] }, () => undefined);
        const tree = treeOf({ 'leases/pools.yaml': text, 'leases/web.yaml': lease });
        const run = await planRun(tree, noHistory, '2026-11-20' as Day);
        if (!run.ok) expect(run.problems).not.toEqual([]);
      }),
      { seed: 41, numRuns: runs(1000) },
    );
    // Else the arbitrary has gone stale, and nothing is shown.
    expect(taken).toBeGreaterThan(runs(100));
  });
});
