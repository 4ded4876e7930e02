// @module-tag counted

/** One walk of git tells of every address and hostname what a walk for it alone tells, whatever happened to the files. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allocationPath, printAllocation } from '../../src/core/records/allocation-file.ts';
import { hostnamePath, printHostname } from '../../src/core/records/hostname-file.ts';
import { openRepository } from '../../src/core/world/git/git-repository.ts';
import {
  addressHistory,
  hostnameHistory,
  type Ledger,
  ledgerOf,
} from '../../src/lib/history/address-history.ts';
import { aHostnameRecord } from '../support/allocations/hostname-records.ts';
import { aRecord } from '../support/allocations/tables.ts';
import { anAddress } from '../support/declarations/pools-and-claims.ts';
import { type DatedCommit, datedHistory } from '../support/repositories/dated-history.ts';
import { runs } from '../support/run/scope.ts';
import { tempTree } from '../support/trees/temp-tree.ts';

const addresses = ['203.0.113.7', '203.0.113.8', '198.51.100.1', '2001:db8::', '2001:db8::1:0'];
const hostnames = ['shop.example.com', '*.shop.example.com', 'con.example.com'];
const pathOf = (name: string): string =>
  hostnames.includes(name) ? hostnamePath(name) : allocationPath(anAddress(name));

const contents = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('ann', 'bob') },
  fc.constantFrom('released', 'removed', 'nonsense'),
);

const changes = fc.array(fc.tuple(fc.constantFrom(...addresses, ...hostnames), contents), {
  minLength: 1,
  maxLength: 4,
});

const messages = fc.constantFrom('One', ':100644 100644 a\n\n:000000', '', 'Lease (#12)', '\n\n:a');

/** A commit: what it changes, and how far back its second parent is. */
const steps = fc.array(
  fc.record({ changes, message: messages, back: fc.option(fc.integer({ min: 2, max: 4 })) }),
  { minLength: 1, maxLength: 12 },
);

function textOf(name: string, content: string, step: number): string | undefined {
  if (content === 'removed') return undefined;
  if (content === 'nonsense') return `not a record ${step}\n`;
  const owner = content === 'released' ? 'ann' : content;
  const released = ['2026-02-02', '2026-02-09'] as const;
  const more = content === 'released' ? { released } : {};
  return hostnames.includes(name)
    ? printHostname(aHostnameRecord(name, { namespace: owner, retain: 7, ...more }))
    : printAllocation(aRecord(name, { name: owner, ...more }));
}

interface Step {
  readonly changes: readonly (readonly [name: string, content: string])[];
  readonly message: string;
  readonly back: number | null;
}

function commitOf(
  { changes: made, message, back }: Step,
  index: number,
  folder: string,
): DatedCommit {
  return {
    at: `2026-01-${String(index + 1).padStart(2, '0')}T10:00:00Z`,
    message,
    files: Object.fromEntries([
      [`${folder}README.md`, String(index)],
      ['leases/allocations/203.0.113/203.0.113.99.yaml', String(index)],
      [`${folder}leases/hostnames/none.yaml`, String(index)],
      [`${folder}leases/allocations/none.yaml`, String(index)],
      ...made.map(([name, content]) => [`${folder}${pathOf(name)}`, textOf(name, content, index)]),
    ]),
    ...(back !== null && index >= back ? { parents: [index - 1, index - back] } : {}),
  };
}

async function expectSameHistories(
  ledger: Ledger,
  ports: Parameters<typeof addressHistory>[0],
): Promise<void> {
  const span = { ref: undefined, since: undefined, until: undefined };
  for (const address of addresses) {
    const { periods, commit } = await addressHistory(ports, anAddress(address), span);
    expect(ledger.commit).toBe(commit);
    expect(ledger.histories.get(address) ?? []).toEqual(periods);
  }
  for (const hostname of hostnames) {
    const { periods } = await hostnameHistory(ports, hostname, span);
    expect(ledger.hostnameHistories.get(hostname) ?? []).toEqual(periods);
  }
}

describe('the ledger', () => {
  test('the ledger agrees with the history of each address and hostname', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), async (made, isInFolder) => {
        const folder = isInFolder ? 'some/where/' : '';
        const commits = made.map((step, index) => commitOf(step, index, folder));
        const root = tempTree();
        datedHistory(root, commits);
        const ports = {
          commits: openRepository(`${root}/${folder}`).commits,
          log: openRepository(`${root}/${folder}`).log,
        };
        const ledger = await ledgerOf(ports, undefined);
        expect(ledger).toMatchObject({ ref: 'main', shallow: false, at: commits.at(-1)?.at });
        await expectSameHistories(ledger, ports);
        const all = isInFolder ? addresses : [...addresses, '203.0.113.99'];
        expect(all).toEqual(expect.arrayContaining([...ledger.histories.keys()]));
        expect(hostnames).toEqual(expect.arrayContaining([...ledger.hostnameHistories.keys()]));
      }),
      { seed: 1, numRuns: runs(8) },
    );
  });
});
