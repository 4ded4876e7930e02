import { inventorySchema } from './inventory-schema.ts';

/** The JSON Schemas of its files, by file name in docs/schemas. No program loads them. */
export const schemas = { 'inventory.schema.json': inventorySchema };

/** The names of the schemas of its kinds of files in `leases/`, by kind. */
export const leaseFiles = { Inventory: 'inventory' };
