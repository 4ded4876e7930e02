// @module-tag counted

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPools } from '../../src/core/declarations/pools/pools-file.ts';
import type { Pool } from '../../src/core/model/pools.ts';
import { formatRange } from '../../src/core/net/range.ts';
import { readKubespray } from '../../src/features/import/sources/kubespray-source.ts';
import {
  kubesprayGenerations,
  kubesprayVariables,
} from '../../src/features/setup/bootstrap/kubespray.ts';
import { runs } from '../support/run/scope.ts';

const name = fc.oneof(
  fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,8}[a-z0-9])?$/),
  fc.constantFrom('true', 'no', 'null', '1e3', '0x1f', '12', 'y', 'on', '0o7', '1-2'),
);

/** What YAML takes for something else than a text. */
const noName = /^(true|false|no|null|y|n|on|off|yes|e-?\d+)$/;

/** Pools that are announced by L2, of one or more entries each, in blocks that never overlap. */
const anyPools: fc.Arbitrary<readonly Pool[]> = fc
  .uniqueArray(
    fc.record({
      name,
      sizes: fc.array(fc.constantFrom('v4', 'range', 'v6', 'one'), { minLength: 1, maxLength: 3 }),
      avoidBuggyIPs: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4, selector: (pool) => pool.name },
  )
  .map((written) => {
    const pools = written.map(({ name, sizes, avoidBuggyIPs }, index) => ({
      name,
      zone: 'inet',
      addresses: sizes.map((size, place) => entry(size, index * 8 + place)),
      avoidBuggyIPs,
    }));
    const text = JSON.stringify({ apiVersion: 'leasehold.dev/v1', kind: 'Pools', pools });
    const read = readPools('leases/pools.yaml', new TextEncoder().encode(text));
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    return read.value.pools;
  });

function entry(size: string, index: number): string {
  const texts: Readonly<Record<string, string>> = {
    v4: `10.${index}.0.0/28`,
    range: `10.${index}.0.0-10.${index}.1.7`,
    v6: `2001:db8:${index + 1}::-2001:db8:${index + 1}:ff::`,
    one: `10.${index}.0.9/32`,
  };
  return texts[size] ?? '';
}

const namespaceAt = { file: 'leases/pools.yaml', line: 1, column: 1 };

describe('the variables of Kubespray', () => {
  it.each(kubesprayGenerations)(
    'of the %s generation are imported as the same pools',
    (generation) => {
      fc.assert(
        fc.property(anyPools, (pools) => {
          const metallb = { version: '0.13.9', namespace: 'metallb-system' };
          const written = kubesprayVariables({ generation, metallb, namespaceAt, pools });
          if (!written.ok) {
            // Only the first generation has names that it cannot say.
            const unsaid = pools.filter(({ name }) => !/^[a-z]/.test(name) || noName.test(name));
            expect([generation, unsaid.length]).toEqual(['first', written.problems.length]);
            return;
          }
          const bytes = new TextEncoder().encode(written.value.text);
          const read = readKubespray([{ name: 'addons.yml', bytes }]);
          if (!read.ok) throw new Error(`${JSON.stringify(read.problems)}\n${written.value.text}`);
          // Whatever may be told of a source, of this one there is nothing but variables of MetalLB that say no pool.
          expect(read.value.notes.map(({ subject }) => subject)).toEqual([
            'metallb_speaker_enabled',
          ]);
          const byName = (left: { name: string }, right: { name: string }) =>
            left.name < right.name ? -1 : 1;
          expect(read.value.pools.map(shownImported).sort(byName)).toEqual(
            pools.map(shown).sort(byName),
          );
        }),
        { seed: 20_261_120, numRuns: runs(300) },
      );
    },
  );
});

function shown({ name, ranges, avoidBuggyIPs, advertise }: Pool) {
  return { name, ranges: ranges.map(formatRange), avoidBuggyIPs, advertise };
}

function shownImported({
  name,
  ranges,
  avoidBuggyIPs,
  advertise,
}: Extract<ReturnType<typeof readKubespray>, { ok: true }>['value']['pools'][number]) {
  return {
    name,
    ranges: ranges.map(({ range }) => formatRange(range)),
    avoidBuggyIPs,
    advertise,
  };
}
