import { ok } from '../../core/model/problem.ts';
import {
  type DoctorChecks,
  factOf,
  type LiveCheck,
  listed,
} from '../../lib/kubernetes/doctor-checks.ts';
import { inventoryFindings } from './codes.ts';
import type { Inventory } from './inventory.ts';
import { inventoryOperator } from './inventory-config.ts';
import { checkInventoryAnswer, checkInventoryConfig } from './inventory-operator.ts';
import { checkNodeLabels, checkStorageClasses } from './node-labels.ts';
import { inventoryOf } from './part.ts';

const { namespace, name } = inventoryOperator;

/** The checks of `leasehold doctor` for an inventory, and for Akash's operator that works with it. */
export const inventoryChecks: DoctorChecks = {
  codes: inventoryFindings,
  access: {
    cluster: [['storage.k8s.io', ['storageclasses'], ['list']]],
    namespace,
    own: [
      ['', ['configmaps'], ['list']],
      ['', ['services/proxy'], ['get'], [`${name}:rest`]],
    ],
  },
  of(tree, pools, cluster) {
    const found = inventoryOf(tree, pools, cluster.name);
    return found.ok ? ok(found.value && inventoryCheck(found.value)) : found;
  },
};

/** Compares an inventory with a live cluster, and asks the inventory operator what it knows. */
export function inventoryCheck(inventory: Inventory): LiveCheck {
  return async (live) => {
    const storageClasses = await listed(live, 'storageClass');
    const nodes = await listed(live, 'node');
    const answer = await factOf(() =>
      live.askService({ ...inventoryOperator, port: 'rest' }, '/v1/inventory'),
    );
    const configs = await listed(live, 'configMap', namespace);
    return [
      ...checkStorageClasses(inventory, storageClasses),
      ...checkNodeLabels(inventory, nodes),
      ...checkInventoryAnswer(inventory, answer),
      ...checkInventoryConfig(inventory, configs),
    ];
  };
}
