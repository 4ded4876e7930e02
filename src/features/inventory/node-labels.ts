import { akashManaged } from '../../core/manifests/manifest.ts';
import { fieldAt, type LiveObject, listAt, textAt } from '../../core/model/live.ts';
import { compareText } from '../../core/model/order.ts';
import { counted, fewOf } from '../../core/model/problem.ts';
import {
  type CheckFinding,
  isTrue,
  type Objects,
  objectsOf,
  unknown,
} from '../../lib/kubernetes/doctor-checks.ts';
import { finding } from './codes.ts';
import type { Gpu, Inventory, InventoryNode } from './inventory.ts';
import { inventoryOperator } from './inventory-config.ts';

/** Akash's own storage classes: memory, and the class of volumes that name none. */
const withoutObject: readonly string[] = ['ram', 'default'];

/** The label of the objects that the inventory operator counts. */
const [managedLabel = ''] = Object.keys(akashManaged);

/** The classes of a cluster's inventory that must exist as StorageClasses. */
export function ownStorageClasses(clusterStorage: readonly string[]): readonly string[] {
  return clusterStorage.filter((name) => !withoutObject.includes(name));
}

/** STORAGE_CLASS_LABEL: one finding for each class that has a fault. */
export function checkStorageClasses(
  inventory: Inventory,
  storageClasses: Objects,
): readonly CheckFinding[] {
  const code = finding.STORAGE_CLASS_LABEL;
  if (inventory.clusterStorage.length === 0) return [];
  if (!storageClasses.known) return [unknown(code, storageClasses.reason)];
  const live = objectsOf(storageClasses);
  const faults = inventory.clusterStorage.flatMap((name) =>
    storageFaults(
      name,
      live.find(({ metadata }) => metadata.name === name),
    ),
  );
  if (faults.length > 0) return faults;
  const names = fewOf(inventory.clusterStorage);
  return [{ level: 'ok', code, found: `the inventory operator can count the storage of ${names}` }];
}

function storageFaults(name: string, live: LiveObject | undefined): CheckFinding[] {
  const code = finding.STORAGE_CLASS_LABEL;
  if (!live) {
    if (withoutObject.includes(name)) return [];
    const fix = 'create it, or remove it from clusterStorage in leases/inventory.yaml';
    return [{ level: 'problem', code, found: `there is no StorageClass ${name}`, fix }];
  }
  if (!isTrue(live.metadata.labels?.[managedLabel] ?? '')) {
    return [
      {
        level: 'problem',
        code,
        found: `the StorageClass ${name} has no label ${managedLabel}=true`,
        means: 'its capacity is not counted, and the provider declines every order for it',
        fix: 'label it',
        command: `kubectl label storageclass ${name} ${managedLabel}=true --overwrite`,
      },
    ];
  }
  const provisioner = textAt(live, 'provisioner') ?? '';
  if (isCounted(provisioner)) return [];
  const found = `the StorageClass ${name} has the provisioner ${provisioner}`;
  const means =
    'the inventory operator counts the capacity of Ceph CSI and of rancher.io/local-path only';
  return [{ level: 'caution', code, found, means }];
}

/** Akash provider: operator/inventory/ceph.go, rancher.go. */
function isCounted(provisioner: string): boolean {
  return provisioner.endsWith('.csi.ceph.com') || provisioner === 'rancher.io/local-path';
}

/** NODE_LABELS: one finding for each node that has a fault; nothing without declared nodes. */
export function checkNodeLabels(inventory: Inventory, nodes: Objects): readonly CheckFinding[] {
  const code = finding.NODE_LABELS;
  if (inventory.nodes.length === 0) return [];
  if (!nodes.known) return [unknown(code, nodes.reason)];
  const live = objectsOf(nodes);
  const faults = inventory.nodes.flatMap((node) =>
    nodeFaults(
      node,
      live.find(({ metadata }) => metadata.name === node.name),
    ),
  );
  if (faults.length > 0) return faults;
  const found = `${counted(inventory.nodes.length, 'declared node is', 'declared nodes are')} ready, and labelled with the declared GPUs`;
  return [{ level: 'ok', code, found }];
}

function nodeFaults({ name, gpus }: InventoryNode, live: LiveObject | undefined): CheckFinding[] {
  const code = finding.NODE_LABELS;
  const means =
    'the inventory operator takes its labels away, and the provider offers nothing of it';
  if (!live) {
    const fix = 'add it to the cluster, or remove it from leases/inventory.yaml';
    return [{ level: 'problem', code, found: `there is no node ${name}`, fix }];
  }
  if (!isReady(live)) {
    const found = `the node ${name} is not ready`;
    const command = `kubectl describe node ${name}`;
    return [{ level: 'problem', code, found, means, fix: 'find out why', command }];
  }
  if (fieldAt(live, 'spec', 'unschedulable') === true) {
    const found = `the node ${name} is cordoned`;
    const command = `kubectl uncordon ${name}`;
    return [{ level: 'caution', code, found, means, fix: 'uncordon it', command }];
  }
  const labels = live.metadata.labels ?? {};
  const differences = labelDifferences(gpus, labels);
  if (differences.length === 0) return [];
  return [
    {
      level: 'problem',
      code,
      found: `the labels of node ${name} differ from its declared GPUs: ${differences.join('; ')}`,
      fix: 'check the driver of the GPUs, exclude.nodes, and what the operator says of the node; or correct leases/inventory.yaml',
      command: `kubectl -n ${inventoryOperator.namespace} logs deployment/${inventoryOperator.name}`,
    },
  ];
}

function isReady(node: LiveObject): boolean {
  return listAt(node, 'status', 'conditions').some(
    (one) => textAt(one, 'type') === 'Ready' && textAt(one, 'status') === 'True',
  );
}

const gpuPrefix = 'akash.network/capabilities.gpu.vendor.';

/**
 * The differences between the labels of a node and its GPUs, one text each. Labels of memory and of
 * the interface are compared when each declared GPU of the model has that field.
 */
function labelDifferences(
  gpus: readonly Gpu[],
  labels: Readonly<Record<string, string>>,
): readonly string[] {
  if (!isTrue(labels[managedLabel] ?? '')) return [`the label ${managedLabel} is missing`];
  const wanted = wantedLabels(gpus);
  const open = openLabels(gpus);
  const found = Object.keys(labels).filter(
    (key) => key.startsWith(gpuPrefix) && !open.some((prefix) => key.startsWith(prefix)),
  );
  return [...new Set([...wanted.keys(), ...found])].sort(compareText).flatMap((key) => {
    const count = wanted.get(key) ?? 0;
    const live = labels[key] ?? '0';
    return live === String(count)
      ? []
      : [`${key.slice(gpuPrefix.length)} is ${live}, not ${count}`];
  });
}

function modelLabel({ vendor, model }: Gpu): string {
  return `${gpuPrefix}${vendor}.model.${model}`;
}

/** Labels to numbers, as the operator counts them (operator/inventory/node-discovery.go). */
function wantedLabels(gpus: readonly Gpu[]): ReadonlyMap<string, number> {
  const wanted = new Map<string, number>();
  const open = openLabels(gpus);
  for (const gpu of gpus) {
    const model = modelLabel(gpu);
    for (const key of [model, `${model}.ram.${gpu.ram}`, `${model}.interface.${gpu.interface}`]) {
      if (open.some((prefix) => key.startsWith(prefix))) continue;
      wanted.set(key, (wanted.get(key) ?? 0) + gpu.count);
    }
  }
  return wanted;
}

/** The beginnings of labels that are not compared, because a declared GPU lacks their field. */
function openLabels(gpus: readonly Gpu[]): readonly string[] {
  return gpus.flatMap((gpu) => [
    ...(gpu.ram === undefined ? [`${modelLabel(gpu)}.ram.`] : []),
    ...(gpu.interface === undefined ? [`${modelLabel(gpu)}.interface.`] : []),
  ]);
}
