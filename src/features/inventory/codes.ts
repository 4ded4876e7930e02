import { type CodeExplanation, featureCodes } from '../../core/model/codes/problem-codes.ts';

/** The problems of an inventory file, by code. */
export const inventoryProblems = {
  INVENTORY_DUPLICATE: {
    title: 'The inventory has the same cluster, node, GPU or storage class twice.',
    fix: 'Remove one of the two. Write GPUs of one kind in a node once, with their count.',
  },
  STORAGE_CLASS_UNKNOWN: {
    title: 'An exclusion of the inventory names a storage class that is not in clusterStorage.',
    fix: "Add the class to clusterStorage, or remove it from the exclusion. Akash's inventory operator refuses its whole configuration otherwise.",
  },
} as const satisfies Readonly<Record<string, CodeExplanation>>;

/** The checks of `leasehold doctor` for an inventory, by code, in the order of the report. */
export const inventoryFindings = {
  STORAGE_CLASS_LABEL: {
    title:
      'The storage classes of leases/inventory.yaml exist, and have the label akash.network: "true".',
    fix: 'Label them. Without the label, the inventory operator does not count their capacity, and the provider declines every order for them. ram and default need no StorageClass. Reported only when an inventory is declared.',
  },
  NODE_LABELS: {
    title: 'The nodes of leases/inventory.yaml are ready, and their labels have the declared GPUs.',
    fix: 'Correct the node, or leases/inventory.yaml. The inventory operator labels nodes with the GPUs that it discovers, and takes the labels from a node that is not ready, is cordoned, or is excluded. Reported only when nodes are declared.',
  },
  INVENTORY_EMPTY: {
    title: 'The inventory operator answers with nodes, with GPUs that it knows, and with storage.',
    fix: 'Check STORAGE_CLASS_LABEL first, then the log of the operator. Without that, the provider does not bid. Reported only when an inventory is declared.',
  },
  INVENTORY_CONFIG: {
    title: 'The live ConfigMap of the inventory operator is the one in dist/.',
    fix: "Let Argo CD or Flux apply it, and leave the ConfigMap of the operator's chart out. Then restart the operator. Reported only when an inventory is declared.",
  },
} as const satisfies Readonly<Record<string, CodeExplanation>>;

/** All of them. */
export const inventoryCodes = { ...inventoryProblems, ...inventoryFindings };

export const problem = featureCodes(inventoryProblems);
export const finding = featureCodes(inventoryFindings);
