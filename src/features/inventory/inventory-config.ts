import { type Manifest, managedBy, type TreeMap, wave } from '../../core/manifests/manifest.ts';
import { yamlText } from '../../core/manifests/yaml-text.ts';
import type { Inventory } from './inventory.ts';

/** The inventory operator and its ConfigMap. Akash: helm-charts, charts/akash-inventory-operator. */
export const inventoryOperator = {
  namespace: 'akash-services',
  name: 'operator-inventory',
} as const;

/**
 * Returns the configuration of Akash's inventory operator (provider: operator/inventory/config.go).
 * Each excluded class has a rule of its own: the operator crashes on a rule with two classes that
 * the cluster lacks.
 */
export function inventoryConfigText({ clusterStorage, exclude }: Inventory): string {
  const config: TreeMap = {
    version: 'v1',
    cluster_storage: clusterStorage,
    exclude: {
      nodes: exclude.nodes,
      node_storage: exclude.nodeStorage.flatMap(({ nodeFilter, classes }) =>
        classes.map((name) => ({ node_filter: nodeFilter, classes: [name] })),
      ),
    },
  };
  return yamlText([config]);
}

/**
 * Returns the ConfigMap of Akash's inventory operator, in place of the one of its chart. The
 * operator takes `config-path` as a file, or as the configuration itself. It has the configuration:
 * when Kubernetes replaces a mounted file, the operator sees it removed, and offers no storage class
 * until it is restarted. Helm keeps the object when the chart no longer has it.
 */
export function inventoryManifest(inventory: Inventory): Manifest {
  const text = inventoryConfigText(inventory);
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      ...inventoryOperator,
      labels: { ...managedBy },
      annotations: wave('configMap', { 'helm.sh/resource-policy': 'keep' }),
    },
    data: { 'config-path': text, 'config.yaml': text },
  };
}
