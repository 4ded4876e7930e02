import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { renderDist } from '../../../../src/core/manifests/render.ts';
import type { Cluster } from '../../../../src/core/model/pools.ts';
import type { Inventory } from '../../../../src/features/inventory/inventory.ts';
import { inventoryFile } from '../../../../src/features/inventory/part.ts';
import { thePools } from '../../../support/declarations/pools-and-claims.ts';
import { fencesOf } from '../../../support/docs/doc-page.ts';

/** The objects of the clusters `default` and `west`, by path. */
function configMapsOf(...inventories: readonly Inventory[]): ReadonlyMap<string, ConfigMap> {
  const pools = thePools();
  const [first] = pools.clusters;
  if (!first) throw new Error('there is no cluster');
  const clusters = [first, { ...first, name: 'west' }];
  const found = new Map<string, ConfigMap>();
  const added = (cluster: Cluster) => inventoryFile.files(inventories, cluster);
  const parts = { placements: [], services: [], hostnames: [], added };
  renderDist({ ...pools, clusters }, parts, (path, text) => {
    if (path.includes('/_inventory/')) found.set(path, parse(String(text)));
  });
  return found;
}

interface ConfigMap {
  readonly metadata: { readonly name?: string; readonly namespace?: string };
  readonly data: Readonly<Record<string, string>>;
}

const none: Inventory = {
  cluster: 'west',
  clusterStorage: [],
  exclude: { nodes: [], nodeStorage: [] },
  nodes: [],
};

describe('the ConfigMap of the inventory operator', () => {
  test('is written for each cluster with an inventory, and no other', () => {
    expect(configMapsOf().size).toBe(0);
    expect([...configMapsOf(none).keys()]).toEqual([
      'dist/west/_inventory/operator-inventory.yaml',
    ]);
  });

  test('has the name of the one of the chart, and Helm keeps it', () => {
    const [found] = configMapsOf(none).values();
    expect(found?.metadata).toEqual({
      name: 'operator-inventory',
      namespace: 'akash-services',
      labels: { 'app.kubernetes.io/managed-by': 'leasehold' },
      annotations: { 'argocd.argoproj.io/sync-wave': '-5', 'helm.sh/resource-policy': 'keep' },
    });
  });

  test('has the name that the patch of docs/inventory.md leaves out of the chart', () => {
    const fences = fencesOf(readFileSync('docs/inventory.md', 'utf8'));
    const [patched] = fences.filter(({ text }) => text.startsWith('patches:'));
    const patch = parse(parse(patched?.text ?? '').patches[0].patch);
    const [found] = configMapsOf(none).values();
    const { name, namespace } = found?.metadata ?? {};
    const metadata = { name, namespace };
    expect(patch).toEqual({ $patch: 'delete', apiVersion: 'v1', kind: 'ConfigMap', metadata });
  });

  test('has the configuration where the chart has the path of a file, and as that file', () => {
    const exclude = {
      nodes: ['^test-', '[0-9]$'],
      nodeStorage: [{ nodeFilter: '^1$', classes: ['beta3', 'ram'] }],
    };
    const [found] = configMapsOf({ ...none, clusterStorage: ['beta3', 'ram'], exclude }).values();
    const { 'config-path': inline = '', ...files } = found?.data ?? {};
    expect(files).toEqual({ 'config.yaml': inline });
    // The operator would take a text that ends so as a path.
    expect(inline).not.toMatch(/yaml$/);
    expect(parse(inline)).toEqual({
      version: 'v1',
      cluster_storage: ['beta3', 'ram'],
      exclude: {
        nodes: ['^test-', '[0-9]$'],
        node_storage: [
          { node_filter: '^1$', classes: ['beta3'] },
          { node_filter: '^1$', classes: ['ram'] },
        ],
      },
    });
    expect(parse(configMapsOf(none).values().next().value?.data['config-path'] ?? '')).toEqual({
      version: 'v1',
      cluster_storage: [],
      exclude: { nodes: [], node_storage: [] },
    });
  });
});
