import type { Feature } from '../../core/cli/feature.ts';
import { adds } from '../../core/interfaces/extension.ts';
import { offeredAttributes } from '../../lib/akash/provider-attributes.ts';
import { doctorChecks } from '../../lib/kubernetes/doctor-checks.ts';

/** The GPUs and storage classes of Akash clusters, `leases/inventory.yaml`. */
export const inventory: Feature = {
  name: 'inventory',
  codes: async () => (await import('./codes.ts')).inventoryCodes,
  part: async () => (await import('./part.ts')).inventoryPart,
  adds: [
    adds(doctorChecks, async () => (await import('./checks.ts')).inventoryChecks),
    adds(offeredAttributes, async () => (await import('./attributes.ts')).inventoryAttributes),
  ],
};
