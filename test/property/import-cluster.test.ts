import { anAddress } from '../support/declarations/pools-and-claims.ts';
// @module-tag counted

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isHeld } from '../../src/core/model/allocation.ts';
import type { Day } from '../../src/core/model/day.ts';
import { claimsIn } from '../../src/core/model/holder.ts';
import { setHas } from '../../src/core/net/range-set.ts';
import { check } from '../../src/core/run/synth/check.ts';
import { changedTree } from '../../src/core/tree/changed-tree.ts';
import type { Workspace } from '../../src/core/tree/workspace.ts';
import { readClusterObjects } from '../../src/features/import/cluster/cluster-source.ts';
import { importPools } from '../../src/features/import/import-pools.ts';
import type { Imported } from '../../src/features/import/imported.ts';
import { documentsOf } from '../../src/features/import/metallb/metallb-source.ts';
import {
  exportedLease,
  exportedList,
  exportedPool,
  exportedService,
} from '../support/imports/exported-cluster.ts';
import { emptyTree, importFiles, sound } from '../support/imports/import-outcome.ts';
import { runs } from '../support/run/scope.ts';
import { noHistory } from '../support/trees/memory-tree.ts';

/** What stands on one address of the live cluster: MetalLB lets only some of it be there together. */
interface LiveGroup {
  readonly key: string | undefined;
  readonly isDual: boolean;
  readonly isLocal: boolean;
  readonly isPinned: 'no' | 'field' | 'annotation';
  readonly sharers: readonly {
    readonly namespace: string;
    readonly isCharts: boolean;
    readonly isOdd: boolean;
  }[];
}

const sharer = fc.record({
  namespace: fc.constantFrom('web', 'web', 'dns', 'keys', 'kube-system'),
  isCharts: fc.boolean(),
  isOdd: fc.integer({ min: 0, max: 5 }).map((number) => number === 0),
});

const group: fc.Arbitrary<LiveGroup> = fc
  .record({
    key: fc.constantFrom(undefined, 'a', 'a', 'leasehold-web', 'two words', 'ip-192-0-2-71', ''),
    isDual: fc.boolean(),
    isLocal: fc.boolean(),
    isPinned: fc.constantFrom('no' as const, 'field' as const, 'annotation' as const),
    sharers: fc.array(sharer, { minLength: 1, maxLength: 3 }),
  })
  .map(({ sharers, ...one }) => ({ ...one, sharers: one.key ? sharers : sharers.slice(0, 1) }));

interface LiveService {
  readonly name: string;
  readonly addresses: readonly string[];
  readonly object: object;
}

function servicesOf({ key, isDual, isLocal, isPinned, sharers }: LiveGroup, at: number) {
  const addresses = [`192.0.2.${70 + at}`, ...(isDual ? [`2001:db8::${at || ''}`] : [])];
  return sharers.map(({ namespace, isCharts, isOdd }, index): LiveService => {
    const name = `${isOdd ? '0' : 's'}${at}-${index}`;
    const pin = { 'metallb.io/loadBalancerIPs': addresses.join(',') };
    const object = exportedService({
      name,
      namespace,
      addresses,
      labels: isCharts ? { 'app.kubernetes.io/managed-by': 'Helm' } : {},
      annotations: {
        ...(key === undefined ? {} : { 'metallb.io/allow-shared-ip': key }),
        ...(isPinned === 'annotation' ? pin : {}),
      },
      spec: {
        ports: [{ port: 80 + index, targetPort: 8080, nodePort: 31000 + at * 10 + index }],
        selector: { app: 'one' },
        ...(isLocal ? { externalTrafficPolicy: 'Local', healthCheckNodePort: 32000 + at } : {}),
        ...(isPinned === 'field' && !isDual ? { loadBalancerIP: addresses[0] } : {}),
      },
    });
    return { name: `${namespace}/${name}`, addresses, object };
  });
}

const lease = fc.record({
  dseq: fc.constantFrom('18500001', '18500002'),
  endpoint: fc.constantFrom('site', 'game', '5ppjdn4ena3uuhpdulkc6l42', 'dkp6evv330kmn93vqlo61ska'),
  externalPort: fc.constantFrom(80, 443),
});

function read(objects: readonly object[]): Imported {
  const files = importFiles({ 'live.json': exportedList(...objects) });
  const outcome = readClusterObjects(files.map(documentsOf));
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return outcome.value;
}

type Lease = { dseq: string; endpoint: string; externalPort: number };

/** Each endpoint on an address of its own; one Service of a lease has one endpoint. */
function leasedOf(leases: readonly Lease[]) {
  const names = leases.map(({ dseq, externalPort }) => `${dseq} ${externalPort}`);
  return leases
    .filter((_, index) => names.indexOf(names[index] ?? '') === index)
    .map((one) => ({
      ...one,
      address: `192.0.2.${100 + (one.endpoint.charCodeAt(0) % 20)}` as const,
    }));
}

const options = {
  source: 'cluster',
  zone: undefined,
  cluster: undefined,
  layout: undefined,
  planeVersion: undefined,
  today: '2026-11-20' as Day,
  allowClosedFence: undefined,
} as const;

/** The holder of each declared Service, by its name. */
function holdersIn({ holders }: Workspace): ReadonlyMap<string, string> {
  return new Map(
    holders.flatMap((holder) =>
      claimsIn(holder, 'default').flatMap((claim) =>
        claim.kind === 'Service'
          ? [[`${claim.declared.namespace}/${claim.service}`, holder.id] as const]
          : [],
      ),
    ),
  );
}

/** The live addresses that somebody else could get. */
function unsafe(
  workspace: Workspace,
  services: readonly LiveService[],
  leased: readonly { readonly address: string }[],
): readonly string[] {
  const { pools, table } = workspace;
  const own = holdersIn(workspace);
  const isReserved = (address: string): boolean =>
    pools.pools.some(({ reserved }) => setHas(reserved, anAddress(address)));
  const holderOn = (address: string) => {
    const record = table.get(address);
    return record && isHeld(record) ? record.holder : undefined;
  };
  const ofServices = services.flatMap(({ name, addresses }) =>
    addresses.filter((address) => {
      const holder = holderOn(address);
      // One that cannot be declared beside others that are: they hold it for all of them.
      const isOthers = holder !== undefined && !own.has(name);
      return !isReserved(address) && !isOthers && (!holder || holder !== own.get(name));
    }),
  );
  const ofLeases = leased
    .map(({ address }) => address)
    .filter((address) => !isReserved(address) && !holderOn(address)?.includes('/akash/'));
  return [...ofServices, ...ofLeases];
}

describe('whatever lives in a cluster', () => {
  it('is held by its own declaration or reserved, in a tree that check finds whole, and a second import adds nothing', async () => {
    const some = fc.uniqueArray(lease, {
      maxLength: 4,
      selector: ({ endpoint, externalPort }) => `${endpoint} ${externalPort}`,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(group, { maxLength: 6 }), some, async (groups, leases) => {
        const services = groups.flatMap(servicesOf);
        const leased = leasedOf(leases);
        const imported = read([
          ...services.map(({ object }) => object),
          ...leased.flatMap(exportedLease),
          ...exportedPool,
        ]);
        const tree = changedTree(emptyTree);
        await sound(importPools(tree, noHistory, imported, options));
        const { workspace } = await sound(check(tree, noHistory));
        expect(unsafe(workspace, services, leased)).toEqual([]);
        expect(rekeyed(workspace, groups)).toEqual([]);
        const again = await sound(importPools(tree, noHistory, imported, options));
        expect(again.answer.edited).toEqual([]);
        expect([...again.files.writes.keys()]).toEqual([]);
      }),
      { seed: 20_261_120, numRuns: runs(60) },
    );
  });
});

/** Services that share their address in MetalLB by another key than the one that leasehold would write. */
function rekeyed({ holders }: Workspace, groups: readonly LiveGroup[]): readonly string[] {
  const keys = new Map<string, string>(
    holders.flatMap((holder) =>
      claimsIn(holder, 'default').flatMap((claim) =>
        claim.kind === 'Service' && claim.declared.kind === 'Service'
          ? [[`${claim.declared.namespace}/${claim.service}`, claim.sharingKey] as const]
          : [],
      ),
    ),
  );
  return groups.flatMap((one, at) => {
    const names = servicesOf(one, at).map(({ name }) => name);
    if (names.length < 2) return [];
    return names.filter((name) => keys.has(name) && keys.get(name) !== one.key);
  });
}
