import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { features } from '../../src/features.ts';
import { schemas as core } from './core-schemas.ts';

/** The schemas of a feature: those of its file `schemas.ts`, if it has one. */
async function schemasOf(name: string): Promise<Readonly<Record<string, z.ZodType>>> {
  const file = fileURLToPath(new URL(`../../src/features/${name}/schemas`, import.meta.url));
  if (!['.ts', '.js'].some((extension) => existsSync(`${file}${extension}`))) return {};
  return (await import(`../../src/features/${name}/schemas.ts`)).schemas;
}

const ofFeatures = await Promise.all(features.map(({ name }) => schemasOf(name)));
const schemas = [core, ...ofFeatures].flatMap((some) => Object.entries<z.ZodType>(some));

/**
 * JSON Schemas (draft 2020-12) of declarations and of the output of leasehold: file name under
 * `docs/schemas/` to text. Editors use them for completion; leasehold checks more than they
 * express.
 */
export function jsonSchemas(): ReadonlyMap<string, string> {
  const texts = schemas.map(([name, schema]) => {
    const json = z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' });
    return [name, textOf(json)] as const;
  });
  return new Map([...texts, ['leases.schema.json', textOf(anyFile)]]);
}

/** The schema of each kind of file in `leases/`. */
const fileKinds = {
  Allocation: 'allocation',
  DomainProof: 'domain-proof',
  Hostname: 'hostname',
  HostnameRecord: 'hostname-record',
  Inventory: 'inventory',
  Key: 'key',
  Lease: 'lease',
  Policy: 'policy',
  Pools: 'pools',
  Promise: 'promise',
  Repository: 'repository',
  Reservation: 'reservation',
  Service: 'service',
};

/** Any file in `leases/`, by its kind. An SDL has none, and is not checked. */
const anyFile = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  description: 'A file in leases/ of leasehold.',
  type: 'object',
  properties: { kind: { enum: Object.keys(fileKinds) } },
  allOf: Object.entries(fileKinds).map(([kind, name]) => ({
    if: { properties: { kind: { const: kind } }, required: ['kind'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { $ref: `${name}.schema.json` },
  })),
};

function textOf(schema: object): string {
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}
