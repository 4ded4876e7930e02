import { sound } from '../support/imports/import-outcome.ts';
// @module-tag counted

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { openSdl, type SdlEndpoint } from '../../src/core/declarations/lease/sdl.ts';
import type { Day } from '../../src/core/model/day.ts';
import { check } from '../../src/core/run/synth/check.ts';
import { changedTree } from '../../src/core/tree/changed-tree.ts';
import { importSdl } from '../../src/features/import/import-sdl.ts';
import { accountOf } from '../support/declarations/lease-text.ts';
import { providerPoolsText } from '../support/declarations/pools-text.ts';
import { anySdl, type GeneratedSdl } from '../support/declarations/sdl-arbitrary.ts';
import { runs } from '../support/run/scope.ts';
import { noHistory } from '../support/trees/memory-tree.ts';

const pools = providerPoolsText(`pools: [{ name: inet, zone: inet, addresses: [192.0.2.0/28] }]
`);
const poolTree = {
  list: (folder: string) =>
    'leases/pools.yaml'.startsWith(folder)
      ? [{ path: 'leases/pools.yaml', kind: 'file' as const, size: pools.length }]
      : [],
  read: () => new TextEncoder().encode(pools),
};
const options = { today: '2026-11-20' as Day };
const lease = { owner: accountOf('ana'), dseq: '77', gseq: 1, oseq: 1, cluster: undefined };

/** What an SDL asks for, and how an import of it is called. */
function wantedOf(sdl: GeneratedSdl) {
  const name = 'app.yaml';
  const read = openSdl(name, new TextEncoder().encode(stringify(sdl)));
  if (!read.ok) return undefined;
  const endpoints = read.value.placements[lease.gseq - 1]?.endpoints ?? [];
  if (endpoints.length === 0) return undefined;
  return {
    endpoints,
    sdl: { name, sdl: read.value, lease, zone: undefined, addresses: new Map() },
  };
}

function lineOf({ name, service, port, externalPort, protocol }: Omit<SdlEndpoint, 'at'>): string {
  return `${name} ${service} ${port}>${externalPort}/${protocol}`;
}

/** An endpoint is what it is by its place on the address; its container's port may differ. */
function placeOf({ name, service, externalPort, protocol }: SdlEndpoint): string {
  return `${name} ${service} ${externalPort}/${protocol}`;
}

/** Imports; what a declaration would be refused for leaves the tree as it is. */
async function isTaken(
  tree: ReturnType<typeof changedTree>,
  { sdl }: NonNullable<ReturnType<typeof wantedOf>>,
): Promise<boolean> {
  const before = tree.changes();
  const outcome = await importSdl(tree, noHistory, sdl, options);
  if (outcome.ok) return true;
  // Two services on one port of an address, or two addresses for one port of a service.
  expect(['PORT_TAKEN', 'NAME_TAKEN']).toContain(outcome.problems[0]?.code);
  expect(tree.changes()).toEqual(before);
  return false;
}

const readable = anySdl.map(wantedOf).filter((one) => one !== undefined);

describe('whatever SDL has endpoints', () => {
  it('becomes a lease of just them, which a second import finds, and a later SDL adds what it has more', async () => {
    await fc.assert(
      fc.asyncProperty(readable, readable, async (first, second) => {
        const tree = changedTree(poolTree);
        if (!(await isTaken(tree, first))) return;
        const { workspace } = await sound(check(tree, noHistory));
        expect(workspace.leases[0]?.endpoints.map(lineOf)).toEqual(first.endpoints.map(lineOf));
        const again = await sound(importSdl(tree, noHistory, first.sdl, options));
        expect([again.answer.edited, again.files.writes.size]).toEqual([[], 0]);
        if (!(await isTaken(tree, second))) return;
        const after = await sound(check(tree, noHistory));
        const places = new Set([...first.endpoints, ...second.endpoints].map(placeOf));
        const declared = after.workspace.leases[0]?.endpoints ?? [];
        expect(new Set(declared.map(placeOf))).toEqual(places);
        expect(declared).toHaveLength(places.size);
      }),
      { seed: 20_261_121, numRuns: runs(80) },
    );
  });
});
