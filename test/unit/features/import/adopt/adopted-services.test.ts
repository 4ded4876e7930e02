import { describe, expect, it } from 'vitest';
import { isHeld } from '../../../../../src/core/model/allocation.ts';
import type { Day } from '../../../../../src/core/model/day.ts';
import { formatAddress } from '../../../../../src/core/net/address.ts';
import { check } from '../../../../../src/core/run/synth/check.ts';
import { changedTree } from '../../../../../src/core/tree/changed-tree.ts';
import { readClusterObjects } from '../../../../../src/features/import/cluster/cluster-source.ts';
import { importPools } from '../../../../../src/features/import/import-pools.ts';
import { documentsOf } from '../../../../../src/features/import/metallb/metallb-source.ts';
import {
  exportedList,
  exportedPool,
  exportedService,
} from '../../../../support/imports/exported-cluster.ts';
import { importFiles } from '../../../../support/imports/import-outcome.ts';
import { noHistory, treeOf } from '../../../../support/trees/memory-tree.ts';

const options = {
  source: 'cluster',
  zone: undefined,
  cluster: undefined,
  layout: undefined,
  planeVersion: undefined,
  today: '2026-11-20' as Day,
  allowClosedFence: undefined,
} as const;

/** A Service, as `namespace/name`, that shares its address by a key of MetalLB. */
function sharer(key: string, service: string, address: string, port: number): object {
  const [namespace = '', name = ''] = service.split('/');
  return exportedService({
    name,
    namespace,
    addresses: [address],
    annotations: { 'metallb.io/allow-shared-ip': key },
    spec: { ports: [{ port, targetPort: 8080, nodePort: 31000 + port }] },
  });
}

/** Who holds what after an import of these Services into a new repository; its problems when it is refused. */
async function heldAfter(...services: readonly object[]): Promise<readonly string[]> {
  const text = exportedList(...services, ...exportedPool);
  const read = readClusterObjects(importFiles({ 'live.json': text }).map(documentsOf));
  if (!read.ok) return read.problems.map(({ message }) => message);
  const tree = changedTree(treeOf({}));
  const imported = await importPools(tree, noHistory, read.value, options);
  if (!imported.ok) return imported.problems.map(({ code, message }) => `${code} ${message}`);
  const checked = await check(tree, noHistory);
  if (!checked.ok) return checked.problems.map(({ code, message }) => `${code} ${message}`);
  return [...checked.value.workspace.table.values()]
    .filter(isHeld)
    .map(({ address, holder }) => `${formatAddress(address)} ${holder}`);
}

describe('Services on two addresses with one sharing key of MetalLB', () => {
  it('get two keys where all are in one namespace', async () => {
    expect(
      await heldAfter(
        sharer('a', 'web/one', '192.0.2.70', 80),
        sharer('a', 'web/two', '192.0.2.70', 443),
        sharer('a', 'web/three', '192.0.2.71', 80),
        sharer('a', 'web/four', '192.0.2.71', 443),
      ),
    ).toEqual(['192.0.2.70 default/shared/web/a', '192.0.2.71 default/shared/web/ip-192-0-2-71']);
  });

  it('get two keys where one address is shared with a Service of another namespace that cannot be declared', async () => {
    expect(
      await heldAfter(
        sharer('a', 'web/one', '192.0.2.70', 80),
        sharer('a', 'web/two', '192.0.2.70', 443),
        sharer('a', 'web/three', '192.0.2.71', 80),
        sharer('a', 'dns/4', '192.0.2.71', 443),
      ),
    ).toEqual(['192.0.2.70 default/shared/web/a', '192.0.2.71 default/shared/web/ip-192-0-2-71']);
  });

  it('get two keys where the name made of the second address is the key', async () => {
    const key = 'ip-192-0-2-71';
    expect(
      await heldAfter(
        sharer(key, 'web/a', '192.0.2.70', 80),
        sharer(key, 'web/b', '192.0.2.70', 443),
        sharer(key, 'web/c', '192.0.2.71', 80),
        sharer(key, 'web/d', '192.0.2.71', 443),
      ),
    ).toEqual([`192.0.2.70 default/shared/web/${key}`, `192.0.2.71 default/shared/web/${key}-2`]);
  });
});

describe('Services of two namespaces on the first address of an IPv6 network', () => {
  it('are a group with a valid name where their sharing key is none', async () => {
    expect(
      await heldAfter(
        sharer('two words', 'web/one', '2001:db8::', 80),
        sharer('two words', 'dns/two', '2001:db8::', 443),
      ),
    ).toEqual(['2001:db8:: anycast/ip-2001-db8']);
  });
});
